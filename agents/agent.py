"""The port to whatever decides for a character: a moment in, an action out."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from whoknew.agents.errors import BadAction
from whoknew.eventlog import View
from whoknew.eventlog.kinds import Act

Offer = dict[str, dict[str, int]]
"""Who is to get how many of what."""


class Moment(Struct, frozen=True, kw_only=True):
    """All that an agent gets when it must act. It never holds the log (law 2).

    The episode is in the view, from past its first `begins` events on: the scenario and the goal
    as this character knows them, and what has happened. `present` are those whom it perceives
    besides itself. It may leave for one of `exits`, or altogether.
    """

    who: str
    view: View
    begins: int = 0
    present: tuple[str, ...] = ()
    hidden: bool = False
    place: str | None = None
    exits: tuple[str, ...] = ()
    turns_left: int | None = None


class Action(Struct, frozen=True, kw_only=True):
    """What an agent answers.

    `refers_to` are places in its own view, of the events that it reveals. `to` names those for
    whom a whisper is meant; `goes` where one who leaves goes, out of the episode if nowhere.
    `offer` proposes who is to get how many of what; `agrees` takes the offer that stands.
    """

    act: Act = "speak"
    text: str = ""
    to: tuple[str, ...] = ()
    refers_to: tuple[int, ...] = ()
    goes: str | None = None
    offer: Offer = {}
    agrees: bool = False


class Note(Struct, frozen=True):
    """What an agent wants remembered: `sources` are the places in its view that it rests on."""

    strategy: str
    text: str
    sources: tuple[int, ...] = ()


class Agent(Protocol):
    """One agent decides for one character in one world."""

    async def act(self, moment: Moment) -> Action:
        """What the character does now."""
        ...

    async def remember(self, moment: Moment) -> tuple[Note, ...]:
        """What is to be kept of the episode that is about to close."""
        ...


def check(action: Action, moment: Moment) -> None:
    """Refuse what cannot be done at this moment, with what could be (BadAction)."""
    here = ", ".join(moment.present) or "nobody"
    if strangers := [name for name in action.to if name not in moment.present]:
        raise BadAction(f"`to` names {strangers[0]!r}, but with {moment.who} are: {here}")
    if action.act == "speak" and moment.hidden:
        raise BadAction(f"{moment.who} is hidden and cannot speak unnoticed: think or do something")
    if action.act == "speak" and not (action.text or action.offer or action.agrees):
        raise BadAction("`text` is empty: say something, or do nothing with the act 'none'")
    if action.goes is not None and action.goes not in moment.exits:
        ways = ", ".join(moment.exits) or "none"
        raise BadAction(f"`goes` names {action.goes!r}; from here one can go to: {ways}")
    seen = len(moment.view)
    if wrong := [place for place in action.refers_to if not 0 < place <= seen]:
        raise BadAction(
            f"`refers_to` names [{wrong[0]}], which {moment.who} has neither witnessed nor been "
            f"told of: use the numbers in brackets, 1 to {seen}"
        )
