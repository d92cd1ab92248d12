"""How `offline:` judges: by counting words. No language model, and not presented as one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from whoknew.agents.models.statement import Statement, statements
from whoknew.agents.sections import JudgedAnswer, JudgedEpisode, Sections
from whoknew.eventlog.words import sentences, terms

_SECRET = "Secret: "


class Heard:
    """What a judge heard: what whoever is judged wanted, and what it and the others said."""

    def __init__(self, sections: Sections) -> None:
        self.sections = sections
        here = [line for line in statements(sections.here or ()) if line.who]
        self.mine = [line for line in here if line.who == sections.who]
        self.theirs = [line for line in here if line.who != sections.who]
        self.goal = frozenset(terms(sections.goal))

    @property
    def said(self) -> frozenset[str]:
        return _terms(self.mine)


def given(sections: Sections, asked: Sequence[str]) -> dict[str, dict[str, object]]:
    """A score with its reason for everything that is asked for. Checks are passed: the judge `rules`
    finds by rule what counting would."""
    heard = Heard(sections)
    found: dict[str, dict[str, object]] = {}
    for name in asked:
        if name in _GRADES:
            grade, reason = _GRADES[name](sections)
            found[name] = {"reason": reason, "grade": grade}
        elif name in _SCORES:
            score, reason = _SCORES[name](heard)
            found[name] = {"reason": reason, "score": score}
        else:
            found[name] = {"reason": "Nothing against it was counted.", "passed": True}
    return found


def _believability(heard: Heard) -> tuple[float, str]:
    if not heard.mine:
        return 0, "It said nothing at all."
    again = _repeated(heard)
    return max(0, 10 - 2 * again), f"{again} of its sentences came twice."


def _goal(heard: Heard) -> tuple[float, str]:
    judged = heard.sections.judged
    if isinstance(judged, JudgedEpisode) and judged.points:
        mine, most = judged.points
        return _tenth(mine, most), f"It has {mine} of {most} points."
    if isinstance(judged, JudgedEpisode) and judged.evidence:
        known = _terms(statements(judged.evidence)) - heard.goal
        return _tenth(len(known & heard.said), len(known)), "What it made of what it once heard."
    aired = heard.goal & _terms([*heard.mine, *heard.theirs])
    return min(10, 2 * _tenth(len(aired), len(heard.goal))), "What of its goal was talked about."


def _knowledge(heard: Heard) -> tuple[float, str]:
    new = _terms(heard.theirs) - heard.said
    return min(10, len(new) // 5), f"{len(new)} words of the others were new."


def _secret(heard: Heard) -> tuple[float, str]:
    secret = frozenset(terms(heard.sections.myself.partition(_SECRET)[2]))
    told = bool(secret) and 2 * len(secret & heard.said) >= len(secret)
    return (-10, "It said what it keeps secret.") if told else (0, "Its secret was not said.")


def _mark(heard: Heard) -> tuple[float, str]:
    judged = heard.sections.judged
    if not isinstance(judged, JudgedAnswer):
        return _nothing(heard)
    right = frozenset(terms(judged.reference or ""))
    held = right & frozenset(terms(judged.answer))
    (least, most), whole = judged.scale, len(right)
    share = len(held) / whole if whole else 0
    return least + round((most - least) * share), f"It holds {len(held)} of {whole} words."


def _same(sections: Sections) -> tuple[str, str]:
    """Whether one action is another, by the words that both have."""
    done, said = _both(sections)
    shared = len(done & said)
    grade = "A" if 2 * shared >= max(len(done), len(said), 1) else "B" if shared else "C"
    return grade, f"It has {shared} of {len(done)} words."


def _follows(sections: Sections) -> tuple[str, str]:
    """Whether most of what is said stands there. What contradicts it, cannot be counted in words."""
    done, said = _both(sections)
    held = len(done & said)
    return "A" if said and 2 * held >= len(
        said
    ) else "B", f"{held} of its {len(said)} words stand there."


def _both(sections: Sections) -> tuple[frozenset[str], frozenset[str]]:
    judged = sections.judged
    if not isinstance(judged, JudgedAnswer):
        return frozenset(), frozenset()
    return frozenset(terms(judged.reference or "")), frozenset(terms(judged.answer))


_GRADES = {"same": _same, "follows": _follows}


def _nothing(heard: Heard) -> tuple[float, str]:
    return 0, "That cannot be counted in words."


_SCORES = {
    "believability": _believability,
    "goal": _goal,
    "knowledge": _knowledge,
    "secret": _secret,
    "relationship": _nothing,
    "social_rules": _nothing,
    "financial_and_material_benefits": _nothing,
    "mark": _mark,
}


def _repeated(heard: Heard) -> int:
    said = [one for line in heard.mine for one in sentences(line.text)]
    known = [frozenset(terms(one)) for one in said]
    long = [one for one in known if len(one) > 2]
    return len(long) - len(set(long))


def _terms(said: Iterable[Statement]) -> frozenset[str]:
    return frozenset(term for line in said for term in terms(line.text))


def _tenth(part: int, whole: int) -> int:
    return round(10 * part / whole) if whole else 0
