"""Who is on stage at each word of a scene: its directions, carried out.

Directions leave much open: who goes where it says "Exit", who is among "others". What the text
shows afterwards decides: whoever speaks on has not gone, whoever speaks has come in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.play.direction import Audience, Move, audience, is_voice, moves
from whoknew.worlds.importers.play.markup import Direction, SceneText, Speech
from whoknew.worlds.importers.play.people import Mention, PlayPeople


class Spoken(Struct, frozen=True, kw_only=True):
    """Words of one speech that are heard by the same people. `number` counts the speeches."""

    number: int
    speakers: tuple[str, ...]
    text: str
    audience: Audience
    to: tuple[str, ...]
    voice: bool
    """Heard from off the stage."""
    everybody: bool = False
    """All who are there speak."""


class Directed(Struct, frozen=True):
    number: int
    text: str
    moves: tuple[Move, ...]
    speakers: tuple[str, ...]
    """Who spoke before it, or speaks around it."""


Step = Spoken | Directed


class Change(Struct, frozen=True):
    """What a direction came to: one character comes or goes, and how."""

    who: str
    how: str
    """enter, hidden, show, wake; exit, die, sleep, hide."""


_STANDING = {"hidden": "hidden", "hide": "hidden", "sleep": "asleep"}


class Staged(Struct, frozen=True):
    """A step of a scene, with what it changed."""

    step: Step
    changes: tuple[Change, ...] = ()


class _Before(Exception):
    """Somebody came or went with an earlier step than was thought: that is noted, and all of it is
    carried out again."""


class Staging:
    """One scene, carried out from those who are on stage as it begins."""

    def __init__(self, scene: SceneText, people: PlayPeople, there: Sequence[str]) -> None:
        self._people = people
        self._steps = tuple(_steps(scene, people))
        self._late: dict[int, list[str]] = {}
        """Who came in with a direction that does not name them."""
        self._gone: dict[int, list[str]] = {}
        """Who went with a direction that does not name them."""
        self._begins = tuple(there) if _goes_on(self._steps) else ()
        self.there: dict[str, str] = {}
        """Those on stage, each up, hidden or asleep."""
        self.dead: set[str] = set()
        self.staged = self._carried_out()

    @property
    def begins(self) -> tuple[str, ...]:
        """Those who were on stage before the first word."""
        return self._begins

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
        self.dead = set()
        left: dict[str, int] = {}
        came = dict.fromkeys(self._begins, -1)
        for at, step in enumerate(self._steps):
            changes = tuple(self._changes(step, at, left, came))
            left.update((one.who, at) for one in changes if one.how in ("exit", "die"))
            came.update((one.who, at) for one in changes if one.how not in ("exit", "die"))
            yield Staged(step, changes)

    def _changes(
        self, step: Step, at: int, left: Mapping[str, int], came: Mapping[str, int]
    ) -> Iterator[Change]:
        """Who comes and goes with a step: by what it says, and by what later ones show of it."""
        if isinstance(step, Directed):
            for move in step.moves:
                if move.doing == "enter" and self._were_gone(move, at, came):
                    raise _Before
                yield from self._change(move, at, step)
        for name in self._gone.get(at, []):
            if name in self.there:
                yield self._take(name, "exit")
        for name in self._late.get(at, []):
            if name not in self.there:
                yield self._put(name, "enter")
        if isinstance(step, Spoken):
            for name in step.speakers:
                yield from self._heard(name, step, at, left.get(name, -1))

    def _heard(self, name: str, step: Spoken, at: int, left: int) -> Iterator[Change]:
        """Whoever speaks is there, and awake."""
        if name not in self.there and not step.voice:
            entrance = self._entrance(name, at, left)
            if entrance != at:
                self._late.setdefault(entrance, []).append(name)
                raise _Before
            yield self._put(name, "enter")
        if self.there.get(name) == "asleep":
            yield self._put(name, "wake")

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

    def _entrance(self, name: str, at: int, left: int) -> int:
        """With which direction somebody came in who speaks at `at`, having last left at `left`."""
        entrances = [
            (place, move)
            for place in range(left + 1, at)
            if isinstance(step := self._steps[place], Directed)
            for move in step.moves
            if move.doing == "enter"
        ]
        for place, move in reversed(entrances):
            if move.others:
                return place
        if left >= 0:
            return at
        return entrances[0][0] if entrances else 0 if at and not self._begins else at

    def _change(self, move: Move, at: int, step: Directed) -> Iterator[Change]:
        match move.doing:
            case "enter":
                yield from self._enter(move, at)
            case "exit" | "clear":
                yield from (self._take(name, "exit") for name in self._going(move, at, step))
            case "die":
                for name in self._meant(move, step):
                    if name in self.there:
                        self.dead.add(name)
                        yield self._take(name, "die")
            case "sleep" | "hide":
                yield from self._turned(self._meant(move, step), "up", move.doing)
            case "show":
                yield from self._turned(self._meant(move, step), "hidden", "show")
            case "wake":
                for name in [name for one in move.who for name in one.names] or step.speakers:
                    if self.there.get(name) != "up":
                        yield self._put(name, "wake")

    def _enter(self, move: Move, at: int) -> Iterator[Change]:
        for mention in move.who:
            for name in self._coming(mention, at):
                if name not in self.there and name not in self.dead:
                    yield self._put(name, _how(mention, move))

    def _turned(self, names: Iterable[str], standing: str, how: str) -> Iterator[Change]:
        """Those of the names that stand so, and then otherwise."""
        for name in names:
            if self.there.get(name) == standing:
                yield self._put(name, how)

    def _put(self, name: str, how: str) -> Change:
        self.there[name] = _STANDING.get(how, "up")
        return Change(name, how)

    def _take(self, name: str, how: str) -> Change:
        del self.there[name]
        return Change(name, how)

    def _coming(self, mention: Mention, at: int) -> Sequence[str]:
        """All who are meant; of several who can be, the one who speaks next."""
        if mention.plural or len(mention.names) == 1:
            return mention.names
        speaking = {name: self._next_word(name, at) for name in mention.names}
        heard = [name for name in mention.names if speaking[name] is not None]
        return [min(heard, key=lambda name: speaking[name] or 0)] if heard else mention.names[:1]

    def _going(self, move: Move, at: int, step: Directed) -> list[str]:
        staying = {name for mention in move.but for name in mention.names}
        if move.doing == "clear":
            return [
                name
                for name in self.there
                if name not in staying and (move.but or not self._speaks_on(name, at))
            ]
        if move.who:
            going = [name for one in move.who for name in self._leaving(one)]
            if move.speaker:
                going = [*step.speakers, *going]
            if move.others:
                silent = [name for name in self.there if not self._speaks_on(name, at)]
                going = [*going, *(name for name in silent if name not in staying)]
            return [name for name in dict.fromkeys(going) if name in self.there]
        if move.others:
            return []
        going = [name for name in step.speakers if name in self.there]
        if going and not self._speaks_on(going[-1], at):
            return going[-1:]
        return self._last_heard(at)[:1]

    def _leaving(self, mention: Mention) -> Iterable[str]:
        here = [name for name in mention.names if name in self.there]
        return here if mention.plural else here[-1:]

    def _last_heard(self, at: int) -> list[str]:
        """Those on stage who say nothing more, the one who spoke last first."""
        spoke: dict[str, int] = {}
        for place, step in enumerate(self._steps[:at]):
            if isinstance(step, Spoken):
                spoke.update(dict.fromkeys(step.speakers, place))
        silent = [name for name in self.there if name in spoke and not self._speaks_on(name, at)]
        return sorted(silent, key=lambda name: -spoke[name])

    def _speaks_on(self, name: str, at: int) -> bool:
        """Whether somebody speaks later without having come in anew."""
        word = self._next_word(name, at)
        if word is None:
            return False
        return not any(
            move.doing == "enter" and any(name in one.names for one in move.who)
            for step in self._steps[at + 1 : word]
            if isinstance(step, Directed)
            for move in step.moves
        )

    def _next_word(self, name: str, at: int) -> int | None:
        for place in range(at + 1, len(self._steps)):
            step = self._steps[place]
            if isinstance(step, Spoken) and name in step.speakers and not step.voice:
                return place
        return None

    def _meant(self, move: Move, step: Directed) -> list[str]:
        if move.who:
            return [name for one in move.who for name in self._leaving(one)]
        if move.others:
            return [*step.speakers]
        return list(step.speakers[-1:])


def _how(mention: Mention, move: Move) -> str:
    """How one of those who come in is there."""
    return "hidden" if mention in move.hidden else "sleep" if mention in move.asleep else "enter"


def _goes_on(steps: Sequence[Step]) -> bool:
    """Whether a scene opens without anybody coming in: then those of the last are still there."""
    for step in steps:
        if isinstance(step, Spoken):
            return True
        if any(move.doing == "enter" for move in step.moves):
            return False
    return False


def _steps(scene: SceneText, people: PlayPeople) -> Iterator[Step]:
    number = 0
    last: tuple[str, ...] = ()
    if shown := [one for one in people.mentions(scene.title) if _is_name(scene.title, one)]:
        (seen,) = moves(scene.title, people, opening=True)[:1]
        there = Move("enter", tuple(shown), asleep=seen.asleep & set(shown))
        yield Directed(0, "", (there,), ())
    for item in scene.items:
        if isinstance(item, Direction):
            yield _directed(item, number, last, people, opening=number == 0)
            continue
        number += 1
        speakers = people.speakers(item.speakers)
        last = speakers or ()
        yield from _speech(item, number, speakers, people)


def _is_name(text: str, mention: Mention) -> bool:
    """Whether a title shows somebody, whose name then stands in capitals."""
    return text[mention.start : mention.end].isupper()


def _speech(
    speech: Speech, number: int, named: tuple[str, ...] | None, people: PlayPeople
) -> Iterator[Step]:
    """A speech, cut where a direction stands in it."""
    speakers = named or ()
    to: Audience = Audience("all")
    voice = False
    for part in speech.parts:
        if isinstance(part, Direction):
            to = audience(part.text, people) or to
            directed = _directed(part, number, speakers, people)
            voice = is_voice(part.text) or (voice and not directed.moves)
            yield directed
        else:
            whom = tuple(name for one in to.whom for name in one.names)
            yield Spoken(
                number=number,
                speakers=speakers,
                text=part,
                audience=to,
                to=whom,
                voice=voice,
                everybody=named is None,
            )


def _directed(
    direction: Direction,
    number: int,
    speakers: tuple[str, ...],
    people: PlayPeople,
    *,
    opening: bool = False,
) -> Directed:
    found = moves(direction.text, people, opening=opening)
    return Directed(number, direction.text, tuple(found), speakers)
