"""The envelope around a body."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from small_worlds import NIGHT
from strategies import events

from whoknew.eventlog import Draft, Event
from whoknew.eventlog.kinds import Acted, Felt, MarkPlaced, Narrated

RECORDED = datetime(2026, 11, 20, tzinfo=UTC)


def test_its_text_is_the_actor_and_what_it_says() -> None:
    assert Event("w", 1, NIGHT, RECORDED, Acted("Boo."), actor="Ghost").text == "Ghost: Boo."


def test_without_an_actor_its_text_is_the_words() -> None:
    assert Event("w", 1, NIGHT, RECORDED, Narrated("It is cold.")).text == "It is cold."


def test_what_has_no_words_has_no_text() -> None:
    assert Event("w", 1, NIGHT, RECORDED, MarkPlaced("here"), actor="Ghost").text == ""


def test_a_feeling_in_words_names_its_arcs() -> None:
    assert Felt(emotion="calm", arcs={"love": "lost"}).words == "calm. love: lost"


@given(events)
def test_its_draft_is_all_but_its_place_in_the_log(event: Event) -> None:
    draft = event.draft
    placed = {"world", "seq", "recorded", "key"}
    for name in Event.__struct_fields__:
        if name not in placed:
            assert getattr(draft, name) == getattr(event, name)
    assert set(Draft.__struct_fields__) == set(Event.__struct_fields__) - placed


def test_an_event_cannot_be_changed() -> None:
    event = Event("w", 1, NIGHT, RECORDED, Narrated("x"))
    with pytest.raises(AttributeError):
        event.seq = 2  # type: ignore[misc]
