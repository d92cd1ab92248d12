"""Who is on stage at each word of a scene: its directions, carried out.

Directions leave much open: who goes where it says "Exit", who is among "others". What the text
shows afterwards decides: whoever speaks on has not gone, whoever speaks has come in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.play.changes import Change, Span, Staged
from whoknew.worlds.importers.play.direction import Move
from whoknew.worlds.importers.play.letters import with_letters
from whoknew.worlds.importers.play.lines import with_lines
from whoknew.worlds.importers.play.markup import SceneText
from whoknew.worlds.importers.play.people import Mention, PlayPeople
from whoknew.worlds.importers.play.script import Script
from whoknew.worlds.importers.play.sight import followers
from whoknew.worlds.importers.play.steps import Directed, Spoken, Step, steps_of

_STANDING = {
    "hidden": "hidden",
    "hide": "hidden",
    "sleep": "asleep",
    "walk": "walking",
    "pray": "busy",
    "stay": "busy",
}

_AGAIN = re.compile(r"\W*re-?enter\b", re.IGNORECASE)
_COMES = ("enter", "hidden", "show")


class _Before(Exception):
    """Somebody came or went with an earlier step than was thought: that is noted, and all of it is
    carried out again."""


class Staging:
    """One scene, carried out from those who are on stage as it begins."""

    def __init__(
        self,
        scene: SceneText,
        people: PlayPeople,
        there: Sequence[str],
        parts: Mapping[str, str],
    ) -> None:
        self._people, self._parts = people, parts
        self._steps = tuple(with_letters(with_lines(list(steps_of(scene, people))), people))
        self._script = Script(self._steps, people)
        self._late: dict[int, list[str]] = {}
        """Who came in with a direction that does not name them."""
        self._gone: dict[int, list[str]] = {}
        """Who went with a direction that does not name them."""
        self._roused: dict[int, list[str]] = {}
        """Who is awake to hear what is asked of them."""
        self._again = False
        """Somebody spoke who must have come in before: of all who do so up to the next coming or going
        that is noted, then all is carried out again."""
        self._begins = tuple(there) if self._script.goes_on() else ()
        self.there: dict[str, str] = {}
        """Those on stage, each up, hidden or asleep."""
        self.dead: set[str] = set()
        self._unseen: set[str] = set()
        """Who came in without being perceived: so they come back, if they go."""
        self.staged = self._carried_out()

    @property
    def begins(self) -> tuple[str, ...]:
        """Those who were on stage before the first word."""
        return self._begins

    def unsaid(self) -> tuple[Span, ...]:
        """Where somebody came before it is said, or went after it was last shown."""
        came = [
            Span(name, at, ends)
            for at, names in self._late.items()
            for name in names
            if not self._script.tells_of(name, at)
            and (ends := self._script.next_word(name, at)) is not None
        ]
        gone = [
            Span(name, begins + 1, at)
            for at, names in self._gone.items()
            for name in names
            if (begins := self._script.last_word(name, at)) is not None
        ]
        return (*came, *gone)

    def _carried_out(self) -> tuple[Staged, ...]:
        """Again from the start whenever somebody speaks who must have come in before."""
        for _ in range(len(self._steps) * len(self._people.names) + 1):
            with suppress(_Before):
                return tuple(self._run())
        raise BadSource(
            "it cannot be worked out who is on stage: its directions go round in a circle"
        )

    def _run(self) -> Iterator[Staged]:
        self.there = dict.fromkeys(self._begins, "up")
        self.dead, self._unseen = set(), set()
        left: dict[str, int] = {}
        came = dict.fromkeys(self._begins, -1)
        self._again = False
        for at, step in enumerate(self._steps):
            if self._again and isinstance(step, Directed) and step.moves:
                raise _Before
            changes: list[Change] = []
            for change in self._with_players(self._changes(step, at, left, came)):
                (left if change.how in ("exit", "die") else came)[change.who] = at
                changes.append(change)
            changes += self._unwatched(changes, came)
            yield Staged(step, tuple(changes))
        if self._again:
            raise _Before

    def _unwatched(self, changes: Sequence[Change], came: Mapping[str, int]) -> list[Change]:
        """Where the last has gone whom some hid from, who came after they did, these come out: of several
        who hid at different moments, the last."""
        gone = [came.get(one.who, -1) for one in changes if one.how == "exit"]
        if not gone or "up" in self.there.values():
            return []
        since = max((came[name] for name, how in self.there.items() if how == "hidden"), default=-1)
        step = self._steps[since]
        if since < 0 or max(gone) <= since or not isinstance(step, Directed):
            return []
        stay = followers(step.text, self._people)
        out = [name for name in self.there if came[name] == since and name not in stay]
        return [self._put(name, "show") for name in out]

    def _with_players(self, changes: Iterable[Change]) -> Iterator[Change]:
        """Whoever plays a part comes and goes with it, and does not die with it."""
        for one in changes:
            yield one
            player = self._parts.get(one.who)
            if player is not None and player not in self.dead:
                if one.how in _COMES and player not in self.there:
                    yield self._put(player, "enter")
                elif one.how == "exit" and player in self.there:
                    yield self._take(player, "exit")

    def _changes(
        self, step: Step, at: int, left: Mapping[str, int], came: Mapping[str, int]
    ) -> Iterator[Change]:
        """Who comes and goes with a step: by what it says, and by what later ones show of it."""
        if isinstance(step, Directed):
            for move in step.moves:
                if move.doing == "enter" and self._were_gone(move, at, came):
                    raise _Before
                if move.doing == "exit" and self._were_there(move, at, came):
                    raise _Before
                yield from self._change(move, at, step)
                if move.doing == "enter" and move.others and _AGAIN.match(step.text):
                    yield from self._train(move, at, left)
        for name in self._gone.get(at, []):
            if name in self.there:
                yield self._take(name, "exit")
        for name in self._late.get(at, []):
            if name not in self.there:
                yield self._put(name, "enter")
        for name in self._roused.get(at, []):
            yield from self._turned([name], "asleep", "wake")
        if isinstance(step, Spoken):
            for name in step.speakers:
                yield from self._heard(name, step, at, left.get(name, -1))

    def _heard(self, name: str, step: Spoken, at: int, left: int) -> Iterator[Change]:
        """Whoever speaks is there, and awake."""
        if name not in self.there and not step.voice:
            entrance = self._script.entrance(name, at, left, begun=bool(self._begins))
            if entrance != at:
                self._late.setdefault(entrance, []).append(name)
                self._again = True
            yield self._put(name, "enter")
        if self.there.get(name) == "asleep" and self._script.talks_asleep(at):
            return
        if self.there.get(name) in ("asleep", "busy"):
            if (asked := self._script.asked(at)) is not None and self.there[name] == "asleep":
                self._roused.setdefault(asked, []).append(name)
                self._again = True
            yield self._put(name, "wake")
        elif self.there.get(name) == "hidden" and self._script.is_met(name, at, self.there):
            yield self._put(name, "show")

    def _were_gone(self, move: Move, at: int, came: Mapping[str, int]) -> bool:
        """Note who must have gone before, because they come in now: with the last direction that
        lets anybody go, if they say nothing after it."""
        found = False
        for name in [name for one in move.who if one.certain for name in one.names]:
            if self.there.get(name) != "up" or came.get(name) == at:
                continue
            for place in range(at - 1, came.get(name, -1), -1):
                step = self._steps[place]
                if isinstance(step, Spoken):
                    if name in step.speakers:
                        break
                elif any(one.doing in ("exit", "clear") for one in step.moves):
                    self._gone.setdefault(place, []).append(name)
                    found = True
                    break
        return found

    def _were_there(self, move: Move, at: int, came: Mapping[str, int]) -> bool:
        """Note who must have come among others, because they are said to go, and have not come before."""
        place = self._script.unnamed(at)
        if place is None:
            return False
        named = [name for one in move.who if one.certain for name in one.names]
        late = self._late.setdefault(place, [])
        new = [name for name in named if name not in came and name not in late]
        late += new
        return bool(new)

    def _change(self, move: Move, at: int, step: Directed) -> Iterator[Change]:
        match move.doing:
            case "enter":
                yield from self._enter(move, at)
                come = [name for name in step.speakers if move.speaker and name not in self.there]
                yield from (self._put(name, "enter") for name in come)
            case "exit" | "clear":
                yield from (self._take(name, "exit") for name in self._going(move, at, step))
            case "enter or exit" if not move.others:
                yield from self._in_or_out(self._named(move, step), at, "enter")
            case "show or exit":
                yield from self._in_or_out(self._meant(move, at, step), at, "show")
            case "die":
                for name in self._meant(move, at, step):
                    if name in self.there:
                        self.dead.add(name)
                        yield self._take(name, "die")
            case "descend":
                meant = self._meant(move, at, step)
                going = [name for name in meant if not self._script.speaks_on(name, at)]
                yield from (self._take(name, "exit") for name in going if name in self.there)
            case "sleep" | "walk" | "hide" | "pray" | "stay":
                yield from self._turned(self._meant(move, at, step), "up", move.doing)
            case "show":
                meant = self._meant(move, at, step)
                yield from self._turned(meant, "hidden", "show")
                for standing in ("busy", "asleep"):
                    yield from self._turned(meant, standing, "wake")
                for name in [one.names[0] for one in move.who if len(one.names) == 1]:
                    if name not in self.there and name not in self.dead:
                        yield self._put(name, "enter")
            case "fall" | "kill":
                meant = [name for name in self._meant(move, at, step) if name in self.there]
                for name in meant:
                    if self._script.stays_down(name, at, killed=move.doing == "kill"):
                        self.dead.add(name)
                        yield self._take(name, "die")
            case "wake":
                sleeping = [name for name, how in self.there.items() if how == "asleep"]
                for name in sleeping if move.others else self._named(move, step):
                    if self.there.get(name) != "up":
                        yield self._put(name, "wake")

    def _enter(self, move: Move, at: int) -> Iterator[Change]:
        for mention in move.who:
            for name in self._coming(mention, at):
                how = _how(mention, move)
                if name not in self.there and name not in self.dead:
                    yield self._put(name, "hidden" if name in self._unseen else how)
                elif self.there.get(name) in ("hidden", "busy") and how == "enter":
                    yield self._put(name, "show")

    def _train(self, move: Move, at: int, left: Mapping[str, int]) -> Iterator[Change]:
        """Who come back with one as "his train" or "the rest": those who went as he did."""
        went = {left.get(name) for one in move.who for name in one.names} - {None}
        for name, place in left.items():
            back = place in went and name not in self.there and name not in self.dead
            if back and not self._script.comes_later(name, at):
                yield self._put(name, "enter")

    def _in_or_out(self, names: Iterable[str], at: int, how: str) -> Iterator[Change]:
        """Whoever can be seen goes, but for one who speaks next; whoever cannot comes, and so."""
        for name in names:
            if self.there.get(name) == "up":
                if self._script.next_word(name, at) != at + 1:
                    yield self._take(name, "exit")
            elif name not in self.dead:
                yield self._put(name, how)

    def _turned(self, names: Iterable[str], standing: str, how: str) -> Iterator[Change]:
        """Those of the names that stand so, and then otherwise."""
        for name in names:
            if self.there.get(name) == standing:
                yield self._put(name, how)

    def _put(self, name: str, how: str) -> Change:
        self.there[name] = _STANDING.get(how, "up")
        self._unseen.discard(name)
        if how == "hidden":
            self._unseen.add(name)
        return Change(name, how)

    def _take(self, name: str, how: str) -> Change:
        del self.there[name]
        return Change(name, how)

    def _coming(self, mention: Mention, at: int) -> Sequence[str]:
        """All who are meant; of several who can be, the one who speaks next."""
        if mention.plural or len(mention.names) == 1:
            return mention.names
        speaking = {name: self._script.next_word(name, at) for name in mention.names}
        heard = [name for name in mention.names if speaking[name] is not None]
        return [min(heard, key=lambda name: speaking[name] or 0)] if heard else mention.names[:1]

    def _going(self, move: Move, at: int, step: Directed) -> list[str]:
        staying = {name for mention in move.but for name in mention.names}
        if move.doing == "clear":
            return [
                name
                for name in (self._talking(at) if move.others else self.there)
                if name not in staying
                and not (
                    self._script.speaks_on(name, at)
                    and (not move.but or self.there[name] == "hidden")
                )
            ]
        if move.along:
            return self._along(move, at, step)
        if move.who:
            going = [name for one in move.who for name in self._leaving(one)]
            if move.speaker:
                others = [name for name in self._last_heard(at) if name not in going]
                going += step.speakers if {*step.speakers} - {*going} else others[:1]
            if move.others:
                silent = [name for name in self.there if not self._script.stays_on(name, at)]
                going = [*going, *(name for name in silent if name not in staying)]
            return [name for name in dict.fromkeys(going) if name in self.there]
        if move.others:
            return []
        going = [name for name in step.speakers if name in self.there]
        if going and not self._script.speaks_on(going[-1], at):
            return going[-1:]
        return [] if move.speaker else self._last_heard(at)[:1]

    def _along(self, move: Move, at: int, step: Directed) -> list[str]:
        """Those whom a pronoun means, and, where the speaker goes too, whoever they go with."""
        leading = [name for one in move.who for name in self._leaving(one)]
        leading = leading or [name for name in step.speakers if name in self.there]
        others = [name for name in self._last_heard(at) if name not in leading]
        if move.along == "all":
            others = [name for name in self.there if not self._script.speaks_on(name, at)]
        going = [name for name in others if name not in leading][
            : None if move.along == "all" else 1
        ]
        return [*(leading if move.speaker else ()), *going]

    def _leaving(self, mention: Mention) -> Iterable[str]:
        here = [name for name in mention.names if name in self.there]
        return here if mention.plural else here[-1:]

    def _last_heard(self, at: int) -> list[str]:
        """Those on stage who say nothing more, the one who spoke last first."""
        spoke = {
            name: last
            for name in self.there
            if (last := self._script.last_word(name, at)) is not None
            and not self._script.speaks_on(name, at)
        }
        return sorted(spoke, key=lambda name: -spoke[name])

    def _named(self, move: Move, step: Directed) -> Iterable[str]:
        return [name for one in move.who for name in one.names] or step.speakers

    def _meant(self, move: Move, at: int, step: Directed) -> list[str]:
        if move.company:
            staying = {name for one in move.but for name in one.names}
            return [name for name, how in self.there.items() if how == "up" and name not in staying]
        if move.who:
            meant = [name for one in move.who for name in self._leaving(one)]
            return [*step.speakers[-1:], *meant] if move.speaker else meant
        return self._talking(at) if move.others else list(step.speakers[-1:])

    def _talking(self, at: int) -> list[str]:
        """The two, or more, who spoke last and are up: "they"."""
        up = [name for name, how in self.there.items() if how == "up"]
        spoke = {name: self._script.last_word(name, at) for name in up}
        found: list[str] = []
        for last in sorted({place for place in spoke.values() if place is not None}, reverse=True):
            found += [name for name in self._steps[last].speakers if spoke.get(name) == last]
            if len(found) > 1:
                break
        return found


def _how(mention: Mention, move: Move) -> str:
    """How one of those who come in is there."""
    return "hidden" if mention in move.hidden else "sleep" if mention in move.asleep else "enter"
