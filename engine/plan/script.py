"""The lines of scripts, each read as it will be when it is said: a mistake in one costs no turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from whoknew.agents.actiontext import check_last_words, parse
from whoknew.agents.errors import BadAction
from whoknew.agents.scripted import ANY
from whoknew.worlds.document import Fault, joined
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
    for name, said in lines.items():
        scenarios = _played(name, lines, setting.scenarios)
        for number, line in enumerate(said):
            try:
                _read(line, who, scenarios, setting)
            except BadAction as error:
                yield f"{joined(key, name)}[{number}]", f"{line!r} cannot be done: {error}"


def _played(
    name: str, lines: dict[str, tuple[str, ...]], scenarios: Sequence[Scenario]
) -> list[Scenario]:
    """The scenarios in which lines are said: by their name, or all that have none of their own."""
    return [one for one in scenarios if name == one.name or (name == ANY and one.name not in lines)]


def _read(line: str, who: str, scenarios: Sequence[Scenario], setting: Setting) -> None:
    """Read one line; a BadAction tells why it can be done in none of its scenarios."""
    others = tuple(one.name for one in setting.characters if one.name != who)
    exits = [one.exits for one in scenarios]
    ways = tuple(dict.fromkeys(sum(exits, ())))
    action = parse(line, Anywhere(who, others, ways if all(exits) else (), others))
    check_last_words(action, ways, [one.name for one in setting.places])
    if (action.offer or action.agrees) and scenarios and not any(one.pool for one in scenarios):
        names = ", ".join(repr(one.name) for one in scenarios)
        raise BadAction(f"there is nothing to divide in {names}: only a scenario with a `pool` has")
