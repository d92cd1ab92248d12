"""Events to bytes and back."""

import json
from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from small_worlds import NIGHT
from strategies import bodies_of, events

from whoknew.eventlog import Draft, Event, Kind, Log
from whoknew.eventlog.codec import Codec
from whoknew.eventlog.errors import Damaged, NewerSchema, Refused
from whoknew.eventlog.kinds import (
    Acted,
    ArmAdded,
    Called,
    Narrated,
    Reviewed,
    Traced,
    WorldOpened,
)

RECORDED = datetime(2026, 11, 20, 20, tzinfo=UTC)

CODEC = Codec()


@given(events)
def test_every_event_comes_back_as_it_was(event: Event) -> None:
    assert CODEC.decode(CODEC.encode(event)) == event


@pytest.mark.parametrize("kind", Kind.__subclasses__(), ids=lambda kind: kind.__name__)
def test_every_body_of_a_kind_comes_back_as_it_was(kind: type[Kind]) -> None:
    @given(bodies_of(kind))
    def comes_back(body: Kind) -> None:
        event = Event("w", 1, NIGHT, RECORDED, body)
        again = CODEC.decode(CODEC.encode(event))
        assert again == event
        assert type(again.body) is kind
        assert again.text == event.text

    comes_back()


@given(events)
def test_what_comes_back_is_encoded_to_the_same_bytes(event: Event) -> None:
    encoded = CODEC.encode(event)
    assert CODEC.encode(CODEC.decode(encoded)) == encoded


def test_each_kind_has_a_tag_of_its_own() -> None:
    tags = [kind.__struct_config__.tag for kind in Kind.__subclasses__()]
    assert len(set(tags)) == len(tags)
    assert all("." in str(tag) for tag in tags)


def test_people_can_read_an_encoded_event() -> None:
    event = Event("ü", 3, NIGHT, RECORDED, Acted("Hoé!"), actor="Ödip", witnesses=("Ödip",))
    assert CODEC.encode(event).decode() == (
        '{"world":"ü","seq":3,"at":"1599-06-01T21:00:00","recorded":"2026-11-20T20:00:00Z",'
        '"body":{"kind":"episode.acted","text":"Hoé!"},"actor":"Ödip","witnesses":["Ödip"]}'
    )


def test_all_are_decoded_in_order() -> None:
    written = [Event("w", seq, NIGHT, RECORDED, Narrated(f"{seq}")) for seq in range(1, 6)]
    assert CODEC.decode_all(map(CODEC.encode, written)) == written


def test_a_field_that_a_later_version_added_is_passed_over() -> None:
    encoded = encoded_as("episode.narrated", text="Later.", mood="grim")
    assert CODEC.decode(encoded).body == Narrated("Later.")


def test_an_unknown_kind_says_that_a_later_version_wrote_it() -> None:
    encoded = encoded_as("dream.dreamt", text="?")
    message = "'w' #7 is of kind \"dream.dreamt\", which this Whoknew does not know.*upgrade"
    with pytest.raises(NewerSchema, match=message):
        CODEC.decode(encoded)
    with pytest.raises(NewerSchema, match=message):
        CODEC.decode_all([encoded])


def test_bytes_that_are_no_json_are_damage() -> None:
    with pytest.raises(Damaged, match="not JSON any more"):
        CODEC.decode(b'{"world":"w","se')
    with pytest.raises(Damaged):
        CODEC.decode(b'{"world":"\xff"}')


def test_a_known_kind_that_does_not_decode_is_damage_and_is_named() -> None:
    with pytest.raises(Damaged, match="'w' #7 does not decode"):
        CODEC.decode(encoded_as("episode.narrated", text=5))


def test_an_old_kind_leaves_the_codec_as_its_successor() -> None:
    codec = Codec({Narrated: lambda old: Acted(old.words)})
    encoded = encoded_as("episode.narrated", text="Once.")
    assert codec.decode(encoded).body == Acted("Once.")
    assert codec.decode_all([encoded])[0].body == Acted("Once.")


def test_upcasters_follow_one_another() -> None:
    codec = Codec(
        {Narrated: lambda old: Acted(old.words), Acted: lambda old: Traced("page", old.words)}
    )
    assert codec.decode(encoded_as("episode.narrated", text="Once.")).body == Traced(
        "page", "Once."
    )


def test_an_upcast_event_keeps_its_envelope() -> None:
    event = Event("w", 3, NIGHT, RECORDED, Narrated("x"), 1, 2, "a", "p", ("a",), (1,), 2, "k")
    upcast = Codec({Narrated: lambda old: Acted(old.words)}).decode(CODEC.encode(event))
    assert upcast == Event(
        "w", 3, NIGHT, RECORDED, Acted("x"), 1, 2, "a", "p", ("a",), (1,), 2, "k"
    )


async def test_what_was_written_in_an_old_kind_is_read_in_the_new(log: Log) -> None:
    await log.append("w", [Draft(WorldOpened(), NIGHT), Draft(Narrated("Once."))])
    renewed = Log(log.store, codec=Codec({Narrated: lambda old: Acted(old.words)}))
    assert [event.body async for event in renewed.read("w")] == [WorldOpened(), Acted("Once.")]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
async def test_a_number_that_json_lacks_is_refused(log: Log, number: float) -> None:
    """It would be encoded as null, and its world could not be read any more."""
    with pytest.raises(Refused):
        await log.append("w", [Draft(WorldOpened(), NIGHT), Draft(Reviewed("j", {"GOAL": number}))])


def event_of(body: Kind, **envelope: Any) -> Event:
    return Event("w", 2, NIGHT, RECORDED, body, **envelope)


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (event_of(Acted(b"the boat is in")), "b'the boat is in' would come back as 'dGhl"),
        (event_of(Acted("x", to=["A", b"B"])), "b'B' would come back as 'Qg=='"),
        (event_of(Acted("x"), place=NIGHT), "datetime.* would come back as '1599-06-01T21:00:00'"),
        (event_of(Acted("x"), source=float("nan")), "nan would come back as None"),
        (event_of(Called("p", "m", "d", prompt="abcd")), r"'abcd' would come back as b'i\\xb7"),
        (event_of(ArmAdded("a", "d", {"from": [{"day": NIGHT}]})), "datetime.* would come back as"),
        (event_of(ArmAdded("a", "d", {1: 2})), "{1: 2} would come back as {'1': 2}"),
    ],
)
def test_what_would_come_back_as_something_else_is_refused(event: Event, why: str) -> None:
    with pytest.raises(Refused, match=rf"'w' #2: this \w+ cannot be written .*\({why}"):
        CODEC.encode(event)


@given(events)
def test_a_list_may_be_given_for_a_tuple_and_a_tuple_for_a_list(event: Event) -> None:
    """In a body: they are written alike."""
    fields = msgspec.structs.asdict(event.body)
    body = type(event.body)(**{name: swapped(value) for name, value in fields.items()})
    given = msgspec.structs.replace(event, body=body)
    assert CODEC.decode(CODEC.encode(given)) == event


def swapped(value: object) -> object:
    match value:
        case dict():
            return {key: swapped(inner) for key, inner in value.items()}
        case list():
            return tuple(map(swapped, value))
        case tuple():
            return [*map(swapped, value)]
    return value


def encoded_as(kind: str, **fields: object) -> bytes:
    return json.dumps(
        {
            "world": "w",
            "seq": 7,
            "at": "1599-06-01T21:00:00",
            "recorded": "2026-11-20T20:00:00Z",
            "body": {"kind": kind, **fields},
        }
    ).encode()
