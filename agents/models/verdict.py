"""How `offline:` judges: by counting words. No language model, and not presented as one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise

from whoknew.agents import briefing
from whoknew.agents.models.brief import BriefLine, lines
from whoknew.agents.models.model import Request
from whoknew.eventlog.words import sentences, terms

_POINTS = re.compile(r"(?<!\d)(\d{1,9}) of (\d{1,9}) points")
_SECRET = "Secret: "


class Heard:
    """What stands in the brief of a judge: who is judged, what it wanted, what it said."""

    def __init__(self, request: Request, brief: Mapping[str, str]) -> None:
        found = re.match(r"You judge (.*?), a character", request.messages[0].text)
        self.who = found.group(1) if found else ""
        self.brief = brief
        here = [line for line in lines(brief.get(briefing.HERE, "")) if line.who]
        self.mine = [line for line in here if line.who == self.who]
        self.theirs = [line for line in here if line.who != self.who]
        self.goal = frozenset(terms(brief.get(briefing.GOAL, "")))

    @property
    def said(self) -> frozenset[str]:
        return _terms(self.mine)


def given(request: Request, brief: Mapping[str, str]) -> dict[str, dict[str, object]]:
    """A score with its reason for everything that is asked for."""
    heard = Heard(request, brief)
    asked = request.answer.__struct_fields__ if request.answer else ()
    found: dict[str, dict[str, object]] = {}
    for name in asked:
        if name in _SCORES:
            score, reason = _SCORES[name](heard)
            found[name] = {"reason": reason, "score": score}
        else:
            failed = _FAILS[name](heard) if name in _FAILS else ""
            found[name] = {
                "reason": failed or "Nothing against it was counted.",
                "passed": not failed,
            }
    return found


def _believability(heard: Heard) -> tuple[float, str]:
    if not heard.mine:
        return 0, "It said nothing at all."
    again = _repeated(heard)
    return max(0, 10 - 2 * again), f"{again} of its sentences came twice."


def _goal(heard: Heard) -> tuple[float, str]:
    if points := _POINTS.search(heard.brief.get(briefing.OUTCOME, "")):
        mine, most = map(int, points.groups())
        return _tenth(mine, most), f"It has {mine} of {most} points."
    if evidence := heard.brief.get(briefing.EVIDENCE):
        known = _terms(lines(evidence)) - heard.goal
        return _tenth(len(known & heard.said), len(known)), "What it made of what it once heard."
    aired = heard.goal & _terms([*heard.mine, *heard.theirs])
    return min(10, 2 * _tenth(len(aired), len(heard.goal))), "What of its goal was talked about."


def _knowledge(heard: Heard) -> tuple[float, str]:
    new = _terms(heard.theirs) - heard.said
    return min(10, len(new) // 5), f"{len(new)} words of the others were new."


def _secret(heard: Heard) -> tuple[float, str]:
    secret = frozenset(terms(heard.brief.get(briefing.JUDGED, "").partition(_SECRET)[2]))
    told = bool(secret) and 2 * len(secret & heard.said) >= len(secret)
    return (-10, "It said what it keeps secret.") if told else (0, "Its secret was not said.")


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
}


def _repeats(heard: Heard) -> str:
    return "A sentence came twice." if _repeated(heard) else ""


def _recites(heard: Heard) -> str:
    wanted = map(terms, sentences(heard.brief.get(briefing.GOAL, "")))
    goals = [frozenset(goal) for goal in wanted if len(set(goal)) > 4]
    said = [frozenset(terms(line.text)) for line in heard.mine]
    whole = any(goal <= one for goal in goals for one in said)
    return "It said a sentence of its goal." if whole else ""


def _stalls(heard: Heard) -> str:
    idle = re.compile(rf"^\[\d+\] {re.escape(heard.who)} does nothing\.$")
    told = heard.brief.get(briefing.HERE, "").strip().splitlines()
    mine = [bool(idle.match(line)) for line in told if f"] {heard.who} " in line]
    return "It did nothing twice on end." if any(map(all, pairwise(mine))) else ""


_FAILS = {"repeats": _repeats, "reciting": _recites, "stalling": _stalls}


def _repeated(heard: Heard) -> int:
    said = [one for line in heard.mine for one in sentences(line.text)]
    known = [frozenset(terms(one)) for one in said]
    long = [one for one in known if len(one) > 2]
    return len(long) - len(set(long))


def _terms(said: Iterable[BriefLine]) -> frozenset[str]:
    return frozenset(term for line in said for term in terms(line.text))


def _tenth(part: int, whole: int) -> int:
    return round(10 * part / whole) if whole else 0
