"""A plan as a document: read as a whole, with every mistake at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import replace

from whoknew.engine.plan.faults import faults
from whoknew.engine.plan.plan import EVERYONE, Found, Loaded, Look, Plan, Seat
from whoknew.engine.plan.settings import Announce, more, quietly, trusting
from whoknew.worlds import shelf
from whoknew.worlds.document import SETTINGS, Fault, More, given, joined, sift
from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.setting import Setting
from whoknew.worlds.toml_data import toml_data

USUAL = f"agents.{EVERYONE}"


def load_plan(path: Path | str, look: Look | None = None, announce: Announce = quietly) -> Loaded:
    """The plan in a file that a person named, with the setting that it plays. The file may name parts
    that stand beside it; `announce` is told of each before it is loaded. `look` finds the setting."""
    path = Path(path)
    trusted = trusting(path.parent, announce)
    return parse_plan(shelf.text_of(path), str(path), path.parent, look or on_shelf, trusted)


def bundled_plan(world: str) -> Loaded:
    """The plan of a bundled world that asks for nothing: offline minds, one chain."""
    return Loaded(Plan(world=world, log=f"{world}.db"), shelf.find(world), world)


def on_shelf(plan: Plan, beside: Path | None) -> Found:
    return shelf.look(plan.world, beside)


def parse_plan(
    text: str,
    source: str,
    beside: Path | None = None,
    look: Look = on_shelf,
    further: More = more,
) -> Loaded:
    """The plan in a text; all that is wrong with it, and with its setting, in one BadDocument.
    `look` finds the setting."""
    setting: Setting | None = None
    elsewhere: Sequence[Mistake] = ()

    def wrong(plan: Plan) -> Iterator[Fault]:
        nonlocal setting, elsewhere
        setting, elsewhere = look(plan, beside)
        if setting is None:
            yield "world", str(BadDocument(elsewhere))
            elsewhere = ()
        yield from _told_once(list(faults(_seated(plan, text), setting)), plan, text)

    plan, mistakes = sift(text, source, Plan, wrong, further)
    if mistakes or elsewhere or plan is None or setting is None:
        raise BadDocument([*mistakes, *elsewhere])
    return Loaded(_seated(plan, text), setting, source)


def _told_once(told: Sequence[Fault], plan: Plan, text: str) -> Iterator[Fault]:
    """What a seat does not say itself is told of everyone, and not of it again."""
    data = toml_data(text)
    again = {
        (f"{joined('agents', name)}{key.removeprefix(USUAL)}", what)
        for key, what in told
        if key.startswith(f"{USUAL}.")
        for name in plan.agents
        if name != EVERYONE and key.split(".")[2] not in given(data, "agents", name)
    }
    yield from (one for one in told if one not in again)


def _seated(plan: Plan, text: str) -> Plan:
    """A seat leaves open what it does not say: that is as for everyone."""
    data = toml_data(text)
    usual = plan.agents.get(EVERYONE, Seat())
    seats = {
        name: seat_over(usual, seat, given(data, "agents", name))
        for name, seat in plan.agents.items()
    }
    return replace(plan, agents=seats)


S = TypeVar("S", bound=Seat)

KEYS = set(Seat.__struct_fields__) - {SETTINGS}
"""The keys of a seat that all of them have."""


def seat_over(usual: S, seat: Seat, said: Mapping[str, Any]) -> S:
    """A seat as the usual one but for what is said of it."""
    own = {key: getattr(seat, key) for key in said if key in KEYS}
    return replace(usual, **own, settings={**usual.settings, **seat.settings})
