"""What the memory of facts brings back: what was planted; of what changed, the newest; of what was taken
back, nothing."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from planted_lives import Spoken, idle, lived

from whoknew.agents.errors import BadAnswer
from whoknew.agents.memories.facts import FactsCompared, FactsEntry
from whoknew.agents.models.model import Reply, Request

KEY: list[Spoken] = [("Kit", "The spare key of the boathouse hangs behind the barometer.")]
MOVED: list[Spoken] = [
    ("Kit", "The spare key of the boathouse hangs in the pantry, under the lamp.")
]
GONE: list[Spoken] = [
    ("Kit", "The spare key of the boathouse no longer hangs behind the barometer.")
]
ASKED = "Where does the spare key of the boathouse hang?"


class Saying:
    """Answers what a test says: facts first, then how they are compared, one after another."""

    name = "saying:"

    def __init__(self, *said: dict[str, Any]) -> None:
        self._said = list(said)

    async def complete(self, request: Request) -> Reply:
        return Reply(text=msgspec.json.encode(self._said.pop(0)).decode())


def compared(**said: Any) -> dict[str, Any]:
    return {"update": [], "delete": [], "none": [], **said}


async def test_what_was_planted_is_found_among_many_facts() -> None:
    async with lived(FactsEntry(k=2), *idle(10), KEY, *idle(10)) as life:
        found = await life.recollect(ASKED)
        assert "behind the barometer" in found.text and len(found.pieces) <= 2


async def test_what_was_said_anew_wins_over_what_it_replaces() -> None:
    async with lived(FactsEntry(), KEY, *idle(4), MOVED, *idle(4)) as life:
        found = await life.recollect(ASKED)
        assert "in the pantry" in found.text and "barometer" not in found.text
        texts = [note.text for note in await life.notes() if "boathouse" in note.text]
        assert len(texts) == 2, "the old version stays on the log"
        assert texts[0].partition(":")[0] == texts[1].partition(":")[0]


async def test_what_no_longer_holds_comes_to_mind_no_more() -> None:
    async with lived(FactsEntry(), KEY, *idle(4), GONE, *idle(4)) as life:
        assert "boathouse" not in (await life.recollect(ASKED)).text
        last = [note.text for note in await life.notes() if "boathouse" in note.text][-1]
        assert last.startswith("Fact 1, no longer:")


async def test_what_is_known_already_is_not_kept_again() -> None:
    async with lived(FactsEntry(), KEY, KEY) as life:
        assert [note.text.partition(":")[0] for note in await life.notes()] == ["Fact 1"]


async def test_what_changed_rests_on_both_what_it_was_and_what_changed_it() -> None:
    async with lived(FactsEntry(), KEY, MOVED) as life:
        view, (was, is_) = await life.view(), await life.notes()
        texts = [event.text for event in await view.events() if event.seq in is_.sources]
        assert any(was.text in text for text in texts) and f"Kit: {MOVED[0][1]}" in texts


async def test_a_change_of_a_change_is_the_one_that_holds_and_a_new_fact_gets_a_number_of_its_own() -> (
    None
):
    model = Saying(
        {"facts": ["Kit has a boat [2]."]},
        {"facts": ["Kit has sold her boat."]},
        compared(update=[{"fact": 0, "old": 0, "text": "Kit has no boat."}]),
        {"facts": ["Kit has a boat again.", "Bram likes the boat."]},
        compared(update=[{"fact": 0, "old": 0, "text": "Kit has a boat, the Ida."}]),
    )
    async with lived(FactsEntry(), KEY, KEY, KEY, model=model) as life:
        texts = [note.text for note in await life.notes()]
        heads = [text.partition(":")[0] for text in texts]
        assert heads == ["Fact 1", "Fact 1", "Fact 1", "Fact 2"]
        found = (await life.recollect("boat")).text
        assert "the Ida" in found and "Bram likes" in found and "no boat" not in found


async def test_however_often_a_change_is_said_it_is_noted_once_as_it_was_said_last() -> None:
    said = [{"fact": 0, "old": 0, "text": f"Kit has {number} boats."} for number in range(500)]
    first = {"facts": ["Kit has a boat."]}
    model = Saying(first, first, compared(update=said))
    async with lived(FactsEntry(), KEY, KEY, model=model) as life:
        texts = [note.text for note in await life.notes()]
        assert len(texts) == 2 and "499 boats" in texts[1]


@pytest.mark.parametrize(
    "said",
    [
        compared(update=[{"fact": 0, "old": 1, "text": "Kit has no boat."}]),
        compared(delete=[{"fact": 1, "old": 0}]),
        compared(update=[{"fact": 0, "old": 0, "text": " "}]),
        compared(update=[{"fact": 0, "old": 0, "text": "As in [99]."}]),
        compared(delete=[{"fact": -1, "old": 0}]),
        compared(none=[7]),
        compared(none=[-1]),
    ],
)
async def test_what_was_not_shown_cannot_be_named(said: dict[str, Any]) -> None:
    first = {"facts": ["Kit has a boat."]}
    with pytest.raises(BadAnswer):
        async with lived(FactsEntry(), KEY, KEY, model=Saying(first, first, said, said, said)):
            pass


@pytest.mark.parametrize(
    "said",
    [
        compared(
            update=[
                {"fact": 0, "old": 0, "text": "Kit has a red boat."},
                {"fact": 1, "old": 0, "text": "Kit has a boat with sails."},
            ]
        ),
        compared(
            update=[{"fact": 0, "old": 0, "text": "Kit has no boat."}],
            delete=[{"fact": 1, "old": 0}],
        ),
    ],
)
async def test_of_two_facts_that_concern_an_old_one_none_is_lost(said: dict[str, Any]) -> None:
    """Who names the old one twice is asked again."""
    first = {"facts": ["Kit has a boat."]}
    second = {"facts": ["The boat of Kit is red.", "The boat of Kit has sails."]}
    again = compared(update=[{"fact": 0, "old": 0, "text": "Kit has a red boat."}])
    async with lived(FactsEntry(), KEY, KEY, model=Saying(first, second, said, again)) as life:
        texts = [note.text for note in await life.notes()]
        assert [text.partition(":")[0] for text in texts] == ["Fact 1", "Fact 1", "Fact 2"]
        assert "red" in texts[1] and "sails" in texts[2]


async def test_what_a_fact_that_is_too_long_rests_on_is_not_cut_off() -> None:
    long = {"facts": [f"{'word ' * 61}[3]."]}
    async with lived(FactsEntry(), [*KEY, *KEY, *KEY], model=Saying(long)) as life:
        (note,) = await life.notes()
        assert len(note.sources) == 1 and "[3]" not in note.text


async def test_where_nothing_is_near_nothing_is_compared() -> None:
    """Two calls an episode at most; one where a life has nothing to be held against."""
    async with lived(FactsEntry(), KEY, [("Bram", "Snow fell all night long.")], MOVED) as life:
        answers = [request.answer for request in life.calls]
        assert answers.count(FactsCompared) == 1 and len(answers) == 4


async def test_what_has_no_room_is_left_out_and_counted() -> None:
    async with lived(FactsEntry(), *idle(6), KEY, *idle(6)) as life:
        found = await life.recollect(f"{ASKED} Who wants mending this evening?", budget=40)
        assert "barometer" in found.text and found.left_out
