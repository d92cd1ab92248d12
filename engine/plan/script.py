"""The lines of scripts, each read as it will be when it is said: a mistake in one costs no turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from whoknew.agents.actiontext import parse
from whoknew.agents.errors import BadAction
from whoknew.agents.scripted import ANY
from whoknew.worlds.document import Fault
from whoknew.worlds.setting import Scenario, Setting


class Anywhere(Struct, frozen=True):
    """Whom a line may name, and where it may lead, at whatever moment it is said."""

    who: str
    present: tuple[str, ...]
    exits: tuple[str, ...]
    asleep: tuple[str, ...]


def script_faults(
    who: str, lines: dict[str, tuple[str, ...]], setting: Setting, key: str
) -> Iterator[Fault]:
    """What is wrong with the lines of one script, each under its own key."""
    others = tuple(one.name for one in setting.characters if one.name != who)
    for name, said in lines.items():
        surroundings = Anywhere(
            who, others, _exits(_played(name, lines, setting.scenarios)), others
        )
        for number, line in enumerate(said):
            try:
                parse(line, surroundings)
            except BadAction as error:
                place = f'"{name}"' if name == ANY else name
                yield f"{key}.{place}[{number}]", f"{line!r} cannot be done: {error}"


def _played(
    name: str, lines: dict[str, tuple[str, ...]], scenarios: Sequence[Scenario]
) -> list[Scenario]:
    """The scenarios in which lines are said: by their name, or all that have none of their own."""
    return [one for one in scenarios if name == one.name or (name == ANY and one.name not in lines)]


def _exits(scenarios: Sequence[Scenario]) -> tuple[str, ...]:
    """Where one may go in one of them; nowhere, where in some there is no way: there, what looks
    like a place is what is said."""
    exits = [one.exits for one in scenarios]
    return tuple(dict.fromkeys(sum(exits, ()))) if all(exits) else ()
