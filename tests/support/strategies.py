"""Hypothesis strategies for what a log holds."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import msgspec
from hypothesis import strategies as st

from whoknew.eventlog import Event, Kind

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
"""Any Unicode text, without halves of surrogate pairs, which are none."""

names = texts.filter(lambda name: bool(name) and name == name.strip())

seqs = st.integers(1, 2**53)

zones = st.integers(-12 * 60, 12 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))


anything = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
"""Whatever JSON can hold."""


def _values(of: msgspec.inspect.Type) -> st.SearchStrategy[Any]:
    match of:
        case msgspec.inspect.StrType():
            return texts
        case msgspec.inspect.IntType():
            return st.integers(-(2**53), 2**53)
        case msgspec.inspect.BoolType():
            return st.booleans()
        case msgspec.inspect.FloatType():
            return st.floats(allow_nan=False, allow_infinity=False)
        case msgspec.inspect.NoneType():
            return st.none()
        case msgspec.inspect.BytesType():
            return st.binary(max_size=20)
        case msgspec.inspect.AnyType():
            return anything
        case msgspec.inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case msgspec.inspect.VarTupleType(item_type=item):
            return st.lists(_values(item), max_size=4).map(tuple)
        case msgspec.inspect.DictType(key_type=key, value_type=value):
            return st.dictionaries(_values(key), _values(value), max_size=4)
        case msgspec.inspect.UnionType(types=types):
            return st.one_of(*(_values(one) for one in types))
        case msgspec.inspect.StructType():
            return _structs(of)
    raise NotImplementedError(f"no strategy for {of}: add one")


def _structs(info: msgspec.inspect.StructType) -> st.SearchStrategy[Any]:
    required = {one.name: _values(one.type) for one in info.fields if one.required}
    optional = {one.name: _values(one.type) for one in info.fields if not one.required}
    return st.fixed_dictionaries(required, optional=optional).map(lambda given: info.cls(**given))


def bodies_of(kind: type[Kind]) -> st.SearchStrategy[Kind]:
    """Every body of a kind, worked out from its fields: a new kind needs nothing here."""
    info = msgspec.inspect.type_info(kind)
    assert isinstance(info, msgspec.inspect.StructType)
    return _structs(info)


bodies = st.one_of(*(bodies_of(kind) for kind in Kind.__subclasses__()))

events = st.builds(
    Event,
    world=names,
    seq=seqs,
    at=st.datetimes(),
    recorded=st.datetimes(
        datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC) | zones
    ),
    body=bodies,
    episode=st.integers(0, 2**31),
    turn=st.integers(0, 2**31),
    actor=st.none() | names,
    place=st.none() | texts,
    witnesses=st.lists(names, unique=True, max_size=5).map(tuple),
    about=st.lists(seqs, max_size=5).map(tuple),
    cause=st.none() | seqs,
    key=st.none() | texts,
)


WORDS = ("ghost", "king", "walks", "cold", "wine", "Ana", "幽霊", "the")

phrases = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
"""Texts of few words, so that recall finds much in common."""
