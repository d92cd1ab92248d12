"""What a person can type, and a script can say: actions, one a line.

    Good evening.                        said to everybody here
    /whisper Oda, Bram: Not so loud.     said to them alone
    /do ties up the boat                 something done
    /gesture shrugs                      a gesture, a look
    /think She knows.                    thought, and known to nobody
    /leave                               go; `/leave the quay` goes there, where there is a way
    /sleep lies down by the fire         do this, and be asleep
    /wake Bram                           wake who is asleep
    /pass                                do nothing
    /offer Oda: 2 book, 1 hat; Bram: 1 ball | What about this?
    /agree Very well.                    take the offer that stands

A line that passes on what one knows ends with its number: `Oda paid for it. [12]`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from whoknew.agents.agent import Action, Moment, Offer, check
from whoknew.agents.errors import BadAction
from whoknew.eventlog.nearest import closest, guess, nearest

COMMANDS = (
    "whisper", "do", "gesture", "think", "leave", "sleep", "wake", "pass", "offer", "agree",
)  # fmt: skip

_REFERENCE = re.compile(r"\[#?([0-9]{1,9})\]")
_COUNT = re.compile(r"[0-9]{1,9}")


LONGEST_REFERENCE = len("[#123456789]")


class Surroundings(Protocol):
    """Whom and what a line can name: as much of a moment as it takes to read one."""

    @property
    def who(self) -> str: ...

    @property
    def present(self) -> tuple[str, ...]: ...

    @property
    def exits(self) -> tuple[str, ...]: ...

    @property
    def asleep(self) -> tuple[str, ...]: ...


def action_at(moment: Moment, text: str, places: Iterable[str] = ()) -> Action:
    """The action that a line says, if it can be done at this moment; else a BadAction tells why not.
    These `places` are known to the character: none of them is taken for last words."""
    action = parse(text, moment)
    check_last_words(action, moment.exits, places)
    seen = len(moment.view)
    if wrong := [place for place in action.refers_to if not 0 < place <= seen]:
        raise BadAction(
            f"the line ends with [{wrong[0]}], which {moment.who} has neither witnessed nor been told "
            f"of: what it knows is numbered from 1 to {seen}"
        )
    check(action, moment)
    return action


def parse(text: str, here: Surroundings) -> Action:
    """The action that a line says; a BadAction tells what is wrong with it."""
    text, places = _referred(text.strip())
    if not text:
        raise BadAction("nothing is said: write words, or /pass to do nothing")
    if not text.startswith("/"):
        return Action(act="speak", text=text, refers_to=places)
    command, _, rest = text[1:].partition(" ")
    rest = rest.strip()
    match _known(command, COMMANDS, "command"):
        case "whisper":
            names, said = _addressed(rest, here)
            return Action(act="speak", text=said, to=names, refers_to=places)
        case "do":
            return Action(
                act="action", text=_needed(rest, "/do ties up the boat"), refers_to=places
            )
        case "gesture":
            return Action(act="non-verbal", text=_needed(rest, "/gesture shrugs"), refers_to=places)
        case "think":
            return Action(act="none", text=rest)
        case "leave":
            return _leaving(rest, here)
        case "sleep":
            return Action(act="action", text=rest or "goes to sleep", refers_to=places, sleeps=True)
        case "wake":
            name = _known(_needed(rest, "/wake NAME"), here.asleep, "sleeper here")
            return Action(act="action", text=f"wakes {name}", wakes=(name,))
        case "offer":
            return _offering(rest, places, here)
        case "agree":
            return Action(act="speak", text=rest or "Agreed.", refers_to=places, agrees=True)
        case _:
            return Action(act="none")


def _referred(text: str) -> tuple[str, tuple[int, ...]]:
    """A line without the numbers at its end, and the numbers."""
    places: list[int] = []
    end = len(text)
    while (start := text.rfind("[", max(0, end - LONGEST_REFERENCE), end)) >= 0:
        found = _REFERENCE.fullmatch(text, start, end)
        if found is None:
            break
        places.append(int(found[1]))
        end = start
        while end and text[end - 1].isspace():
            end -= 1
    return text[:end], tuple(reversed(places))


def _addressed(rest: str, here: Surroundings) -> tuple[tuple[str, ...], str]:
    names, colon, said = rest.partition(":")
    if not colon or not said.strip():
        raise BadAction("to whom, and what? Write it as /whisper NAME: what you say")
    people = [_known(name.strip(), here.present, "person here") for name in names.split(",")]
    return tuple(people), said.strip()


def _leaving(rest: str, here: Surroundings) -> Action:
    """Where to, or with which words, or both: `/leave`, `/leave the quay: Good night.`"""
    where, colon, said = rest.partition(":")
    there = next((one for one in here.exits if one.casefold() == where.strip().casefold()), None)
    if there is not None:
        return Action(act="leave", text=said.strip(), goes=there)
    if here.exits and (colon or closest(where.strip(), here.exits)):
        _known(where.strip(), here.exits, "place to go to")
    return Action(act="leave", text=rest)


def check_last_words(action: Action, ways: Sequence[str], places: Iterable[str]) -> None:
    """Where one leaves and goes nowhere, what stands behind `/leave` are last words: no place, and
    nothing that is near to one (BadAction)."""
    if action.act != "leave" or action.goes is not None:
        return
    words = action.text.partition(":")[0].strip()
    near = closest(words, places)
    if near is None or words.casefold() in map(str.casefold, ways):
        return
    if near in ways:
        raise BadAction(f"{words!r} is no place to go to: {guess(near)}")
    there = f"one can go to {' or '.join(ways)}; or " if ways else ""
    raise BadAction(
        f"nobody can go to {near!r} from here: {there}write /leave, with or without last words"
    )


def _offering(rest: str, places: tuple[int, ...], here: Surroundings) -> Action:
    shares, _, said = rest.partition("|")
    offer: Offer = {}
    people = (here.who, *here.present)
    for part in filter(str.strip, shares.split(";")):
        name, colon, things = part.partition(":")
        if not colon:
            raise BadAction(f"{part.strip()!r} is no share: write NAME: 2 book, 1 hat")
        who = _known(name.strip(), people, "person here")
        offer[who] = _share(things, offer.get(who, {}))
    if not offer:
        raise BadAction("who gets what? Write it as /offer NAME: 2 book; NAME: 1 hat")
    return Action(act="speak", text=said.strip(), refers_to=places, offer=offer)


def _share(things: str, before: dict[str, int]) -> dict[str, int]:
    share = dict(before)
    for thing in filter(str.strip, things.split(",")):
        count, _, item = " ".join(thing.split()).partition(" ")
        if not item or not _COUNT.fullmatch(count):
            if thing.strip().casefold() == "nothing":
                continue
            raise BadAction(f"{thing.strip()!r} is no number of things: write 2 book, 1 hat")
        share[item] = share.get(item, 0) + int(count)
    return share


def _needed(rest: str, example: str) -> str:
    if not rest:
        raise BadAction(f"what? Write it as {example}")
    return rest


def _known(name: str, known: Iterable[str], what: str) -> str:
    """The one that was meant, whatever its case; else what may have been meant."""
    by_name = {one.casefold(): one for one in known}
    if (found := by_name.get(name.casefold())) is not None:
        return found
    raise BadAction(f"{name!r} is no {what}: {nearest(name, by_name.values())}")
