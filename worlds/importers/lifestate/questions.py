"""Questions under their episodes, in any form that they may have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from whoknew.eventlog.nearest import nearest
from whoknew.worlds.importers.lifestate.form import KINDS, AskedQuestion, PlayedEpisode, line_id
from whoknew.worlds.importers.lifestate.keys import OF_KIND, QUESTION, named, plain
from whoknew.worlds.importers.lifestate.values import FormMistakes, items, name_of, text_of

_PART = re.compile(r"[^\W_]+")

LONGEST = 4
"""Parts of a name that is found in an id."""


class QuestionReader:
    """Who is asked, and of which kind a question is, is said by itself, by a key that it stands under, or
    by its id."""

    def __init__(
        self, found: FormMistakes, names: Mapping[str, str], episodes: Mapping[str, PlayedEpisode]
    ) -> None:
        self._found, self._names, self._episodes = found, names, episodes
        self._in_order = list(episodes)
        self._plain = {plain(one): one for one in episodes}
        self._lines = {
            line_id(name, number)
            for name, one in episodes.items()
            for number in range(1, len(one.dialogues) + 1)
        } | set(episodes)
        self._spelt = {" ".join(_PART.findall(key)): one for key, one in names.items()}
        self._asked: dict[str, dict[str, AskedQuestion]] = {}

    def read(self, parts: Sequence[tuple[str, Any]]) -> dict[str, dict[str, AskedQuestion]]:
        for where, value in parts:
            for key, inner in items(value):
                at = f"{where}.{key}" if isinstance(key, str) else f"{where}[{key}]"
                episode = self._episode(at, key)
                if episode is not None:
                    self._some(at, inner, episode, "", "", "")
        return {name: self._asked[name] for name in self._episodes if self._asked.get(name)}

    def _episode(self, at: str, key: str | int) -> str | None:
        if isinstance(key, int):
            if key < len(self._in_order):
                return self._in_order[key]
        elif key in self._episodes or plain(key) in self._plain:
            return key if key in self._episodes else self._plain[plain(key)]
        self._found.wrong(at, f"{key!r} is no episode: {nearest(str(key), self._episodes)}")
        return None

    def _some(self, at: str, value: Any, episode: str, name: str, role: str, kind: str) -> None:
        """All that stands there, however deep: under roles, kinds and ids."""
        if is_question(value):
            self._one(at, value, episode, name, role, kind)
            return
        if not isinstance(value, dict | list) or not value:
            self._found.wrong(at, "is no question: it should have a `question` and an `answer`")
            return
        for key, inner in items(value):
            deeper = f"{at}.{key}" if isinstance(key, str) else f"{at}[{key}]"
            who, sort = role, kind
            part = f"Q{key + 1}" if isinstance(key, int) else key
            if isinstance(key, str) and (one := self._names.get(" ".join(key.split()).casefold())):
                who = one
            elif isinstance(key, str) and (one := named(key, OF_KIND) or ""):
                sort = one
            self._some(deeper, inner, episode, f"{name} {part}".strip(), who, sort)

    def _one(self, at: str, value: Any, episode: str, name: str, role: str, kind: str) -> None:
        data: dict[str, Any] = value if isinstance(value, dict) else {}
        if isinstance(value, list):
            data = {"question": value[0], "answer": value[1]}
        fields = self._found.fields(at, data, QUESTION)
        under = self._asked.setdefault(episode, {})
        name = text_of(fields.get("id")) or name or f"Q{len(under) + 1}"
        role = self._role(at, fields.get("role"), role, name)
        kind = self._kind(at, fields.get("kind"), kind, name)
        asked, answer = (text_of(fields.get(key)) for key in ("question", "answer"))
        for key, text in (("question", asked), ("answer", answer)):
            if not text:
                self._found.wrong(at, f"has no `{key}`")
        evidence = self._evidence(at, fields.get("evidence"))
        if not (role and kind and asked and answer):
            return
        if name in under:
            self._found.wrong(at, f"is {name!r}, as an earlier question of {episode!r} is")
        if role not in self._episodes[episode].participants:
            self._found.odd(at, f"is put to {role}, who takes no part in the episode")
        under[name] = AskedQuestion(
            role=role, kind=kind, question=asked, answer=answer, evidence=evidence
        )

    def _role(self, at: str, given: Any, above: str, name: str) -> str:
        if given is not None:
            who = name_of(given) or ""
            if known := self._names.get(who.casefold()):
                return known
            self._found.wrong(
                f"{at}.role",
                f"{given!r} is nobody here: {nearest(who, list(self._names.values()))}",
            )
            return ""
        if above:
            return above
        some = self._meant(_PART.findall(name.casefold()))
        if len(some) == 1:
            return some.pop()
        self._found.wrong(at, "does not say who is asked: give its `role`")
        return ""

    def _meant(self, parts: list[str]) -> set[str]:
        """The names that stand in an id, each as parts in a row."""
        rows = (
            " ".join(parts[at : at + length])
            for length in range(1, LONGEST + 1)
            for at in range(len(parts) - length + 1)
        )
        return {self._spelt[row] for row in rows if row in self._spelt}

    def _kind(self, at: str, given: Any, above: str, name: str) -> str:
        if given is not None:
            if isinstance(given, str) and (one := named(given, OF_KIND)):
                return one
            self._found.wrong(f"{at}.kind", f"{given!r} is no kind: {', '.join(KINDS)}")
            return ""
        some = {one for part in _PART.findall(name) if (one := named(part, OF_KIND))}
        if above or len(some) == 1:
            return above or some.pop()
        self._found.wrong(
            at, f"does not say of which kind it is: give its `kind` ({', '.join(KINDS)})"
        )
        return ""

    def _evidence(self, at: str, given: Any) -> tuple[tuple[str, ...], ...]:
        some = [[one] if isinstance(one, str) else one for _, one in items(given)]
        if given is not None and not isinstance(given, list):
            self._found.wrong(f"{at}.evidence", "is no list of lines")
        found: list[tuple[str, ...]] = []
        for one in some:
            for line in one if isinstance(one, list) else [one]:
                if not isinstance(line, str) or line not in self._lines:
                    self._found.wrong(f"{at}.evidence", f"{line!r} is no line: EPISODE#NUMBER")
                    break
            else:
                found.append(tuple(one))
        return tuple(found)


def is_question(value: Any) -> bool:
    """Whether this is one, as an object or as a pair."""
    if isinstance(value, list):
        return len(value) == 2 and all(isinstance(one, str) for one in value)
    return isinstance(value, dict) and any(
        named(key, QUESTION) == "question" and isinstance(one, str) for key, one in value.items()
    )


def holds_questions(value: Any) -> bool:
    """Whether the first that stands in it is one, however deep."""
    if isinstance(value, dict):
        inner = next(iter(value.values()), None)
        return is_question(value) or is_question(inner) or holds_questions(inner)
    return (
        isinstance(value, list)
        and bool(value)
        and isinstance(value[0], dict)
        and holds_questions(value[0])
    )
