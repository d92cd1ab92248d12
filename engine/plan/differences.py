"""What of a plan decides the story, and what changed in it since the world began, key by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.errors import BadModel
from whoknew.engine import registry
from whoknew.engine.errors import BrokenPart, NoSuchPart
from whoknew.engine.plan.plan import EVERYONE, Judging, Seat
from whoknew.engine.plan.program import Chain
from whoknew.engine.registry import AGENTS, JUDGES, MEMORIES, METHODS, Parts
from whoknew.worlds.beginning import relations_of

Deciding = Mapping[str, Any]
"""Keys, each with a value that decides the story."""

MOST = 40
"""So many signs of a value are shown."""

ASKING = ("reasks", "budget", "temperature", "top_p", "max_tokens", "seed")
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
    return f"{key} has changed" if before == now else f"{key} was {before} and is {now}"


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
    """Of whoever was there before: under `everyone` what is the same of all of them. Of another agent
    it is not told which keys it has no use for."""
    people = [one.name for one in before.setting.characters]
    others: dict[str, list[str]] = {}
    for who in people:
        was, is_ = _seat(before.plan.seat(who)), _seat(now.plan.seat(who))
        if was["agent"] != is_["agent"]:
            was, is_ = ({key: one[key] for key in was if key in is_} for one in (was, is_))
        for what in _differing(was, is_):
            others.setdefault(what, []).append(who)
    for what, names in others.items():
        for who in [EVERYONE] if len(names) == len(people) else names:
            yield f"agents.{who}.{what}"


def _seat(seat: Seat) -> Deciding:
    """As much of a seat as its agent, its memory and its method make use of."""
    found: dict[str, Any] = {"agent": seat.agent}
    if seat.lines:
        found["lines"] = seat.lines
    used = [AGENTS]
    if _thinks(seat):
        found |= {key: getattr(seat, key) for key in ("memory", "method", *ASKING)}
        found["model"] = _model(seat.model)
        found |= _flat("guard", msgspec.to_builtins(seat.guarding) or False)
        used += [MEMORIES, METHODS]
    for parts in used:
        name = getattr(seat, parts.what)
        found |= _flat(name, _settings(parts, name, seat.settings.get(name, {})))
    return found


def _thinks(seat: Seat) -> bool:
    """Whether its model is asked; taken for granted of an agent that nobody brings any more."""
    try:
        return seat.thinks
    except (NoSuchPart, BrokenPart):
        return True


def _settings(parts: Parts, name: str, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """All settings of a part; as they were given, where nobody brings it any more, or it has others
    now."""
    try:
        return parts.settings(name, given)
    except (NoSuchPart, BrokenPart):
        return given


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
    found: dict[str, Any] = {"by": judge.by, **_settings(JUDGES, judge.by, judge.settings)}
    if _asks(judge):
        asking = ("reasks", "temperature", "max_tokens")
        found |= {"model": _model(judge.model), **{key: getattr(judge, key) for key in asking}}
    return found


def _asks(judge: Judging) -> bool:
    """Whether it asks a model; taken for granted of a judge that nobody brings any more."""
    try:
        return judge.asks
    except (NoSuchPart, BrokenPart):
        return True


def _model(address: str) -> str:
    """The name of a model, wherever it is reached; its address, where nobody knows it any more."""
    try:
        return registry.model(address).name
    except BadModel:
        return address


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
