"""What happened and what was planned cannot be changed by whoever is handed it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, get_origin, get_type_hints

import msgspec
import pytest

from whoknew.eventlog.codec import Codec
from whoknew.eventlog.event import Event
from whoknew.eventlog.frozen_dict import FrozenDict, frozen
from whoknew.eventlog.kinds import Acted, GoalGiven, Imported, Kind, Reviewed
from whoknew.worlds import find

CHANGES: list[Callable[[dict[str, Any]], object]] = [
    lambda one: one.__setitem__("x", 1),
    lambda one: one.__delitem__("a"),
    lambda one: one.update(x=1),
    lambda one: one.setdefault("x", 1),
    lambda one: one.pop("a"),
    lambda one: one.popitem(),
    lambda one: one.clear(),
    lambda one: one.__ior__({"x": 1}),
]


def holding_dicts() -> list[tuple[type[Kind], str]]:
    return [
        (kind, name)
        for kind in Kind.__subclasses__()
        for name, hint in get_type_hints(kind).items()
        if get_origin(hint) is dict
    ]


def made(kind: type[Kind], field: str, value: dict[str, Any]) -> Kind:
    given = {
        one.name: "x" if one.type is str else 1
        for one in msgspec.structs.fields(kind)
        if one.required
    }
    return kind(**{**given, field: value})


@pytest.mark.parametrize(("kind", "field"), holding_dicts())
@pytest.mark.parametrize("change", CHANGES)
def test_no_dict_of_an_event_can_be_changed(
    kind: type[Kind], field: str, change: Callable[[dict[str, Any]], object]
) -> None:
    """Neither one that was given, nor one that is empty, nor the default of all others."""
    for given in ({"a": {} if kind is Acted else 1 if field != "arcs" else "x"}, {}):
        for one in (
            made(kind, field, given),
            Codec().decode(written(made(kind, field, given))).body,
        ):
            with pytest.raises(TypeError, match="cannot be changed"):
                change(getattr(one, field))
            assert getattr(one, field) == given
    assert len(holding_dicts()) >= 7


def written(body: Kind) -> bytes:
    at = datetime(1998, 11, 12)
    return Codec().encode(Event("ferry", 1, at, at.replace(tzinfo=UTC), body))


def test_nor_can_a_dict_in_a_dict() -> None:
    acted = Acted("Deal?", offer={"Oda": {"book": 1}})
    with pytest.raises(TypeError):
        acted.offer["Oda"]["book"] = 3
    with pytest.raises(TypeError):
        Imported("play", "x", {"fields": {"a": 1}}).rest["fields"]["a"] = 2


def test_nor_what_stands_in_a_setting() -> None:
    (scenario, *_) = [one for one in find("flatmates").scenarios if one.goals]
    with pytest.raises(TypeError):
        scenario.goals["Petra"] = "Another."
    with pytest.raises(TypeError):
        scenario.pool["book"] = 1


def test_it_is_written_compared_and_copied_as_any_dict() -> None:
    plain = {"a": {"b": 1}}
    one = frozen(plain)
    assert one == plain and repr(one) == repr(plain) and one is frozen(one)
    assert msgspec.json.encode(one) == msgspec.json.encode(plain)
    assert pickle.loads(pickle.dumps(one)) == copy.deepcopy(one) == copy.copy(one) == plain
    for copied in (dict(one), one | {"x": 1}, one.copy()):
        copied["x"] = 2
    assert type(msgspec.to_builtins(one)["a"]) is dict and one == plain
    assert b"offer" not in written(Acted("Yes.", offer={}))
    assert b'"worth":{"book":4}' in written(GoalGiven("Oda", "", {"book": 4}))


def test_numbers_that_json_has_not_are_still_refused() -> None:
    with pytest.raises(Exception, match="JSON has no number"):
        Reviewed("x", {"a": float("nan")})
    assert isinstance(Reviewed("x", {"a": 1.0}).scores, FrozenDict)
