"""What of a plan decides the story, and how two plans differ in it, key by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.models.address import name_of
from whoknew.engine.plan.plan import EVERYONE, THINKING, Judging, Seat
from whoknew.engine.plan.program import Chain
from whoknew.worlds.beginning import relations_of

Deciding = Mapping[str, Any]
"""Keys, each with a value that decides the story."""

MOST = 40
"""So many signs of a value are shown."""

SAMPLING = ("temperature", "top_p", "max_tokens")
_ABSENT = object()


def differences(before: Chain, now: Chain) -> list[str]:
    """What decides the story and is not as it was, in words. Limits, prices, `at_once`, how and
    where a model is reached decide nothing; nor do judges and episodes that are added."""
    return [
        *_differing(_world(before), _world(now)),
        *_seats(before, now),
        *_judges(before, now),
        *_episodes(before, now),
    ]


def _differing(before: Deciding, now: Deciding) -> Iterator[str]:
    for key in dict.fromkeys([*before, *now]):
        was, is_ = before.get(key, _ABSENT), now.get(key, _ABSENT)
        if was != is_:
            yield _said(key, was, is_)


def _said(key: str, was: object, is_: object) -> str:
    if was is _ABSENT:
        return f"{key} was not there"
    if is_ is _ABSENT:
        return f"{key} is gone"
    before, now = _shown(was), _shown(is_)
    return f"{key} reads otherwise" if before == now else f"{key} was {before} and is {now}"


def _shown(value: object) -> str:
    text = "not set" if value is None else repr(value)
    return text if len(text) <= MOST else f"{text[:MOST]}…"


def _world(chain: Chain) -> Deciding:
    """The chance in a world, its clock, its people and places, and who stands how to whom."""
    setting = chain.setting
    found: dict[str, Any] = {"seed": chain.seed}
    found |= {key: getattr(setting, key) for key in ("begins", "pace", "gap")}
    for key in ("characters", "places"):
        found |= _flat(key, {one.name: _given(one) for one in getattr(setting, key)})
    relations = relations_of(setting)
    return found | {f"relations.{of} to {to}": how for (of, to), how in relations.items()}


def _given(part: Struct) -> dict[str, Any]:
    """What is said of somebody or something, not where it was taken from: a new key with a default
    is no difference."""
    fields = msgspec.to_builtins(part)
    return {key: value for key, value in fields.items() if value and key != "key"}


def _seats(before: Chain, now: Chain) -> Iterator[str]:
    """Of whoever was there before: under `everyone` what is the same of all of them."""
    people = [one.name for one in before.setting.characters]
    others: dict[str, list[str]] = {}
    for who in people:
        for what in _differing(_seat(before.plan.seat(who)), _seat(now.plan.seat(who))):
            others.setdefault(what, []).append(who)
    for what, names in others.items():
        for who in [EVERYONE] if len(names) == len(people) else names:
            yield f"agents.{who}.{what}"


def _seat(seat: Seat) -> Deciding:
    """As much of a seat as its agent, its memory and its method make use of."""
    found: dict[str, Any] = {"agent": seat.agent}
    if seat.agent == "scripted":
        found["lines"] = seat.lines
    if seat.agent in THINKING:
        found |= {key: getattr(seat, key) for key in ("memory", "method", "reasks", *SAMPLING)}
        found["model"] = name_of(seat.model)
        settings = getattr(seat, seat.memory, None)
        if settings is not None:
            found |= _flat(seat.memory, msgspec.to_builtins(settings))
    return found


def _judges(before: Chain, now: Chain) -> Iterator[str]:
    """Of the judges that there were before."""
    judges = now.plan.judges
    for name, judge in before.plan.judges.items():
        if name not in judges:
            yield f"judges.{name} is gone"
        else:
            sides = (_flat(f"judges.{name}", _judge(one)) for one in (judge, judges[name]))
            yield from _differing(*sides)


def _judge(judge: Judging) -> dict[str, Any]:
    fields = msgspec.to_builtins(judge)
    return {**fields, "model": name_of(judge.model)} if judge.asks else {"by": judge.by}


def _episodes(before: Chain, now: Chain) -> Iterator[str]:
    """One by one, as far as both have them; not where they were taken from."""
    pairs = [
        (replace(was, key=""), replace(is_, key=""))
        for was, is_ in zip(before.episodes(), now.episodes(), strict=False)
    ]
    others: dict[str, list[int]] = {}
    for number, (was, is_) in enumerate(pairs, start=1):
        if was != is_:
            sides = (dict(_leaves("", msgspec.to_builtins(one))) for one in (was, is_))
            for what in _differing(*sides):
                others.setdefault(what, []).append(number)
    for what, numbers in others.items():
        for which in ["s"] if len(numbers) == len(pairs) else [f" {number}" for number in numbers]:
            yield f"episode{which}{what}"


def _flat(key: str, value: Any) -> dict[str, Any]:
    """Tables in tables as one, with keys that have dots in them."""
    return dict(_leaves(key, value))


def _leaves(key: str, value: Any) -> Iterable[tuple[str, Any]]:
    if not isinstance(value, dict):
        yield key, value
        return
    for name, inner in value.items():
        yield from _leaves(f"{key}.{name}", inner)
