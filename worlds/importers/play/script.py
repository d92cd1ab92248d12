"""What the later steps of a scene show of somebody: whether they speak on, and when."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence

from whoknew.worlds.importers.play.audience import ABSENT, YOU, is_voice
from whoknew.worlds.importers.play.people import Mention, PlayPeople, beginnings, stems
from whoknew.worlds.importers.play.steps import Directed, Spoken, Step, moves_that, names_in

_DEAD = re.compile(r"\b(?:slain|dead|kill'd|killed|murder'd|murdered)\b", re.IGNORECASE)
_SINGS = re.compile(r"sings|singing", re.IGNORECASE)
_IN_SLEEP = re.compile(r"\bin (?:his|her|their) (?:sleep|dreams?)\b|\bdreaming\b", re.IGNORECASE)
_SOON = 10
_SHORT = 3
"""Steps between what is said to somebody and the answer."""

_ENDING = 60
"""Letters at the end of a speech that say to whom it is said, and at the beginning of an answer."""

_AWAKE = re.compile(r"\bawake\b", re.IGNORECASE)
_FORTH = re.compile(
    r"\b(?:advanc\w+|(?:com|step)\w* for(?:th|ward)|from (?:behind|hiding)|discover\w*|show\w*)\b",
    re.IGNORECASE,
)
"""How one who was hidden comes before the others."""
_QUOTED = re.compile(r"(?<!\w)['\"].{1,400}?['\"](?!\w)", re.DOTALL)

_COMES = ("enter", "enter or exit")
_GONE = ("exit", "clear", "die", "kill", "fall")


class Script:
    """The steps of one scene."""

    def __init__(self, steps: tuple[Step, ...], people: PlayPeople) -> None:
        self._steps, self._people = steps, people
        self._words: dict[str, list[int]] = {}
        """Where each speaks, out of sight too."""
        self._in_sight: dict[str, list[int]] = {}
        """Where each speaks who can be seen."""
        self._entrances: dict[str, list[int]] = {}
        """Where each comes in."""
        self._companies: list[int] = []
        """Where some come in who are not named."""
        self._exits: dict[str, list[int]] = {}
        """Where each is said to go, by name."""
        self._named: dict[str, list[int]] = {}
        """Where a direction is about each, and lets nobody go."""
        self._shown: dict[str, list[int]] = {}
        """Where a direction shows each, and says no more."""
        self._hides: dict[str, list[int]] = {}
        """Where each hides, or comes in hidden."""
        self._forth: dict[str, list[int]] = {}
        """Where each comes out of hiding, as a direction says."""
        for at, step in enumerate(steps):
            if isinstance(step, Spoken):
                for name in step.speakers:
                    self._words.setdefault(name, []).append(at)
                    if not step.voice:
                        self._in_sight.setdefault(name, []).append(at)
            else:
                for move in moves_that(step, "exit"):
                    for name in names_in(move.who):
                        self._exits.setdefault(name, []).append(at)
                if any(move.others for move in moves_that(step, "enter")):
                    self._companies.append(at)
                for name in _coming(step):
                    self._entrances.setdefault(name, []).append(at)
                self._read(step, at, people)

    def _read(self, step: Directed, at: int, people: PlayPeople) -> None:
        for move in step.moves:
            named = [name for one in move.who for name in one.names]
            if move.doing == "hide":
                hiding = [*named, *(step.speakers[-1:] if move.speaker or not named else ())]
            else:
                hiding = [name for one in move.hidden for name in one.names]
            for name in hiding:
                self._hides.setdefault(name, []).append(at)
            if move.doing == "show" and _FORTH.search(step.text):
                for name in named or step.speakers[-1:]:
                    self._forth.setdefault(name, []).append(at)
        stays = not is_voice(step.text) and all(move.doing not in _GONE for move in step.moves)
        for one in people.mentions(step.text):
            if len(one.names) == 1 and stays:
                self._named.setdefault(one.names[0], []).append(at)
            if len(one.names) == 1 and not step.moves and _is_shown(one, step.text):
                self._shown.setdefault(one.names[0], []).append(at)

    def goes_on(self) -> bool:
        """Whether it opens without anybody coming in: then those of the last scene are still there."""
        for step in self._steps:
            if isinstance(step, Spoken):
                return True
            if any(move.doing in _COMES for move in step.moves):
                return False
        return False

    def speaks_on(self, name: str, at: int) -> bool:
        """Whether somebody speaks later without having come in anew, or having called from elsewhere."""
        word = self.next_word(name, at)
        entrance = _after(self._entrances.get(name, ()), at)
        return (
            word is not None
            and word == _after(self._words.get(name, ()), at)
            and (entrance is None or word < entrance)
        )

    def stays_on(self, name: str, at: int) -> bool:
        """Whether somebody speaks later, or is said to go, without having come in anew."""
        leaves = _after(self._exits.get(name, ()), at)
        entrance = _after(self._entrances.get(name, ()), at)
        goes = leaves is not None and (entrance is None or leaves < entrance)
        return goes or self.speaks_on(name, at)

    def comes_later(self, name: str, at: int) -> bool:
        """Whether a direction brings somebody in later."""
        return _after(self._entrances.get(name, ()), at) is not None

    def asked(self, at: int) -> int | None:
        """The step before an answer, where it asks, or calls awake, whoever gives it."""
        before = self._steps[at - 1] if at else None
        if not isinstance(before, Spoken) or before.number == self._steps[at].number:
            return None
        ends = before.text[-_ENDING:]
        asks = "?" in ends and YOU.search(before.text)
        return at - 1 if asks or _AWAKE.search(ends) else None

    def next_word(self, name: str, at: int) -> int | None:
        return _after(self._in_sight.get(name, ()), at)

    def last_word(self, name: str, at: int) -> int | None:
        return _until(self._words.get(name, ()), at)

    def entrance(self, name: str, at: int, left: int, *, begun: bool) -> int:
        """With which direction somebody came in who speaks at `at`, having last left at `left`: the
        last that has a word like the name; else the last that tells of others."""
        entrances = [
            (place, move)
            for place in range(left + 1, at)
            if isinstance(step := self._steps[place], Directed)
            for move in step.moves
            if move.doing == "enter"
        ]
        for place, _ in reversed(entrances):
            if self.tells_of(name, place):
                return place
        if (shown := self.shown(name, left + 1, at)) is not None:
            return shown
        for place, move in reversed(entrances):
            if move.others:
                return place
        if left >= 0:
            return at
        if (named := self.named(name, at)) is not None:
            return named
        return entrances[0][0] if entrances else 0 if at and not begun else at

    def unnamed(self, at: int) -> int | None:
        """The last direction before a step with which some come who are not named."""
        return _until(self._companies, at)

    def tells_of(self, name: str, at: int) -> bool:
        """Whether a direction has a word like a name: "Enter the Watch", of a watchman."""
        step = self._steps[at]
        return isinstance(step, Directed) and not beginnings(step.text).isdisjoint(stems(name))

    def shown(self, name: str, first: int, end: int) -> int | None:
        """The last direction before a step that shows somebody and says no more: "Thunder. A ghost, in
        armour"."""
        found = [place for place in self._shown.get(name, ()) if first <= place < end]
        return found[-1] if found else None

    def named(self, name: str, end: int) -> int | None:
        """The first direction before a step that is about somebody, and lets nobody go."""
        found = self._named.get(name, ())
        return found[0] if found and found[0] < end else None

    def is_met(self, name: str, at: int, there: Mapping[str, str]) -> bool:
        """Whether one who is hidden speaks to those who do not know of it: it addresses somebody,
        and one of them speaks next, and does not sing."""
        step = self._steps[at]
        assert isinstance(step, Spoken)
        begins = " ".join(step.text.split()[:6])
        if step.voice or step.audience.kind == "aside" or self._comes_forth(name, at):
            return False
        if self._calls_hidden(name, step, there) or ABSENT.search(begins):
            return False
        if self._is_called(name, at, there):
            return True
        if not YOU.search(step.text):
            return False
        for following in self._steps[at + 1 :]:
            if isinstance(following, Directed):
                if following.number > step.number and _SINGS.match(following.text):
                    return False
            elif following.number > step.number:
                return any(there.get(one) == "up" for one in following.speakers) and (
                    self._answers(following, name, at, there)
                )
        return False

    def _comes_forth(self, name: str, at: int) -> bool:
        """Whether a direction brings somebody out of hiding later, before they come in or hide anew."""
        forth = _after(self._forth.get(name, ()), at)
        again = [
            place
            for places in (self._entrances, self._hides)
            if (place := _after(places.get(name, ()), at)) is not None
        ]
        return forth is not None and all(forth < place for place in again)

    def _fellow_is_up(self, name: str, at: int, there: Mapping[str, str]) -> bool:
        """Whether one who hid with somebody has come forth."""
        mine = _until(self._hides.get(name, ()), at)
        return mine is not None and any(
            there.get(other) == "up" and _until(places, at) == mine
            for other, places in self._hides.items()
            if other != name
        )

    def _calls_hidden(self, name: str, step: Spoken, there: Mapping[str, str]) -> bool:
        """Whether one who is hidden speaks by name to another who is."""
        called = {one.names[0] for one in self._people.mentions(step.text) if one.certain}
        return any(there.get(one) == "hidden" for one in called - {name})

    def _answers(self, step: Spoken, name: str, at: int, there: Mapping[str, str]) -> bool:
        """Whether what is said next can be an answer to one who spoke at `at`: it names them; or it
        addresses or asks somebody, and is by whoever had spoken just before; or that one has just come."""
        said = _QUOTED.sub("", step.text)
        if self._fellow_is_up(name, at, there) or any(
            name in one.names for one in self._people.mentions(said)
        ):
            return True
        before = [
            one
            for one in self._steps[max(0, at - _SHORT) : at]
            if isinstance(one, Spoken) and name not in one.speakers
        ]
        now = self._steps[at - 1] if at else None
        if isinstance(now, Directed) and now.moves:
            return True
        if self._goes_on_between(step, before, there):
            return False
        asking = self._steps[at]
        assert isinstance(asking, Spoken)
        if before and not {*before[-1].speakers} & {*step.speakers}:
            hidden = all(there.get(one) == "hidden" for one in before[-1].speakers)
            return hidden and "?" in asking.text[-_ENDING:]
        begins = said[: 2 * _ENDING]
        return "?" in begins or bool(YOU.search(begins))

    def _goes_on_between(
        self, step: Spoken, before: Sequence[Spoken], there: Mapping[str, str]
    ) -> bool:
        """Whether two who can be seen talk with each other just before what is said next by one of them."""
        talking = {name for one in before for name in one.speakers if there.get(name) == "up"}
        return len(talking) > 1 and talking.issuperset(step.speakers)

    def _is_called(self, name: str, at: int, there: Mapping[str, str]) -> bool:
        """Whether one who is not hidden has just spoken to somebody by name."""
        before = [
            step for step in self._steps[max(0, at - _SHORT) : at] if isinstance(step, Spoken)
        ]
        if not before or not before[-1].speakers:
            return False
        said = _QUOTED.sub("", before[-1].text)
        if not YOU.search(said):
            return False
        if any(there.get(one) != "up" for one in before[-1].speakers):
            return False
        called = self._people.mentions(said[-_ENDING:])
        return any(one.names == (name,) for one in called)

    def talks_asleep(self, at: int) -> bool:
        """Whether a direction of the speech says that it is spoken in sleep."""
        number = self._steps[at].number
        while at and (step := self._steps[at - 1]).number == number:
            if isinstance(step, Directed) and _IN_SLEEP.search(step.text):
                return True
            at -= 1
        return False

    def stays_down(self, name: str, at: int, *, killed: bool) -> bool:
        """Whether one who falls, or is killed, is dead: whoever speaks on is not."""
        return not self.speaks_on(name, at) if killed else self.is_called_dead(name, at)

    def is_called_dead(self, name: str, at: int) -> bool:
        """Whether one who falls is called dead soon, and says nothing more."""
        if self.next_word(name, at) is not None:
            return False
        soon = self._steps[at + 1 : at + _SOON]
        return any(isinstance(step, Spoken) and _DEAD.search(step.text) for step in soon)


def _coming(step: Directed) -> Iterator[str]:
    for move in step.moves:
        if move.doing in _COMES:
            yield from (name for one in move.who for name in one.names)


def _after(places: Sequence[int], at: int) -> int | None:
    """The first of some places, in their order, behind another."""
    following = bisect_right(places, at)
    return places[following] if following < len(places) else None


def _until(places: Sequence[int], at: int) -> int | None:
    """The last of some places, in their order, before another."""
    before = bisect_left(places, at)
    return places[before - 1] if before else None


def _is_shown(one: Mention, text: str) -> bool:
    """Whether a name stands at the head of a sentence, and is all of it but for how one looks."""
    return text[: one.start].rstrip()[-1:] in ("", ".", ";", "!") and text[
        one.end : one.end + 1
    ] in ("", ".", ",", ":", ";")
