"""The port to whatever decides for a character: a moment in, an action out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Protocol

from msgspec import Struct

from whoknew.agents.errors import BadAction
from whoknew.agents.parts import Entry, all_given, wrong
from whoknew.eventlog import View
from whoknew.eventlog.kinds import Act

if TYPE_CHECKING:
    from whoknew.agents.mind import Mind

Offer = dict[str, dict[str, int]]
"""Who is to get how many of what."""


class Perception(Struct, frozen=True, kw_only=True):
    """What a character perceives when it must act, besides its view.

    The episode is in the view, from past its first `begins` events on: the scenario and the goal
    as this character knows them, and what has happened. `present` are those whom it perceives
    besides itself. It may leave for one of `exits`, or altogether. `turns_left` are at most as many:
    turns that it did not witness are not known to it (law 4). In worlds that an earlier version began
    they are `all_counted`. `in_sight` are those whom it sees in other places, by place; `asleep` those
    of the present who sleep; `conditions` its own: blind, deaf, invisible. So many of its own turns in
    this episode have `failed`: no event in its view tells of them.
    """

    begins: int = 0
    present: tuple[str, ...] = ()
    hidden: bool = False
    place: str | None = None
    exits: tuple[str, ...] = ()
    turns_left: int | None = None
    all_counted: bool = False
    in_sight: Mapping[str, tuple[str, ...]] = {}
    asleep: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()
    failed: int = 0


class Moment(Perception, frozen=True, kw_only=True):
    """All that an agent gets when it must act. It never holds the log (law 2)."""

    who: str
    view: View


class Action(Struct, frozen=True, kw_only=True):
    """What an agent answers.

    `refers_to` are places in its own view, of the events that it reveals. `to` names those for
    whom a whisper is meant; `goes` where one who leaves goes, out of the episode if nowhere.
    `offer` proposes who is to get how many of what; `agrees` takes the offer that stands. With it
    the character falls asleep (`sleeps`), or `wakes` others.
    """

    act: Act = "speak"
    text: str = ""
    to: tuple[str, ...] = ()
    refers_to: tuple[int, ...] = ()
    goes: str | None = None
    offer: Offer = {}
    agrees: bool = False
    sleeps: bool = False
    wakes: tuple[str, ...] = ()


class Note(Struct, frozen=True):
    """What an agent wants remembered: `sources` are the places in its view that it rests on. `packed`
    is what is neither searched nor told: vectors of those places, a record of what was done."""

    strategy: str
    text: str
    sources: tuple[int, ...] = ()
    packed: bytes = b""


def noted(part: object, what: str, found: Sequence[Note], view: View) -> Sequence[Note]:
    """The notes that a part gave, which have to rest on what is in the view (BadPart)."""
    notes = all_given(part, what, found, Note)
    for place in [place for note in notes for place in note.sources]:
        if not 0 < place <= len(view):
            sources = f"sources from 1 to {len(view)}, the places in the view"
            raise wrong(part, what, sources, str(place))
    return notes


class Agent(Protocol):
    """One agent decides for one character in one world."""

    @property
    def keeps_before_turns(self) -> bool:
        """Whether `before_turn` is to be called at all."""
        return False

    async def before_turn(self, moment: Moment) -> tuple[Note, ...]:
        """What is to be kept before the character acts; nothing, unless an agent says otherwise."""
        return ()

    @property
    def keeps_of_episodes(self) -> bool:
        """Whether `remember` is to be called at all."""
        return type(self).remember is not Agent.remember

    async def act(self, moment: Moment) -> Action:
        """What the character does now."""
        ...

    async def remember(self, moment: Moment) -> tuple[Note, ...]:
        """What is to be kept of the episode that is about to close; nothing, unless an agent says
        otherwise."""
        return ()


class AgentSeat(Struct, frozen=True, kw_only=True):
    """What an agent is made of: the character that it decides for, the lines that a plan gives it,
    and, for one that wants them, the mind of its seat or the person who plays it."""

    who: str
    world: str
    lines: Mapping[str, Sequence[str]]
    mind: Callable[[], Mind]
    person: Callable[[], Agent]


class AgentEntry(Entry, frozen=True):
    """How a plan names an agent: its fields are the agent's settings."""

    thinks: ClassVar[bool] = False
    """Whether it asks the model of its seat."""
    by_person: ClassVar[bool] = False
    """Whether a person decides, who is waited for."""
    needs_lines: ClassVar[bool] = False
    """Whether it cannot do without the `lines` of its seat, which are then checked."""

    def most_calls(self, mind: int) -> int:
        """The most calls that it makes for one turn, where to ask the mind of its seat once takes
        `mind` calls at most."""
        return mind if self.thinks else 0

    def make(self, seating: AgentSeat) -> Agent:
        raise NotImplementedError


def check(action: Action, moment: Moment) -> None:
    """Refuse what cannot be done at this moment, with what could be (BadAction)."""
    if action.to and (strangers := [name for name in action.to if name not in moment.present]):
        here = ", ".join(moment.present) or "nobody"
        raise BadAction(f"`to` names {strangers[0]!r}, but with {moment.who} are: {here}")
    if action.act == "speak" and moment.hidden:
        raise BadAction(f"{moment.who} is hidden and cannot speak unnoticed: think or do something")
    if action.act == "speak" and not (action.text or action.offer or action.agrees):
        raise BadAction("`text` is empty: say something, or do nothing with the act 'none'")
    if action.goes is not None and action.goes not in moment.exits:
        ways = ", ".join(moment.exits) or "none"
        raise BadAction(f"`goes` names {action.goes!r}; from here one can go to: {ways}")
    if action.wakes and (moment.hidden or "invisible" in moment.conditions):
        raise BadAction(f"{moment.who} is not seen, and waking somebody would give that away")
    if action.wakes and (awake := [name for name in action.wakes if name not in moment.asleep]):
        sleepers = ", ".join(moment.asleep) or "nobody"
        raise BadAction(f"`wakes` names {awake[0]!r}; asleep here: {sleepers}")
    seen = len(moment.view)
    if action.refers_to and (wrong := [at for at in action.refers_to if not 0 < at <= seen]):
        raise BadAction(
            f"`refers_to` names [{wrong[0]}], which {moment.who} has neither witnessed nor been "
            f"told of: use the numbers in brackets, 1 to {seen}"
        )
