"""What each memory brings back, on talk that people had and on a play."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from shared_data import data

from whoknew.agents.briefing import WRITTEN
from whoknew.agents.life import Life
from whoknew.agents.memories.entire import Entire
from whoknew.agents.memories.memory import Memory, Recollection
from whoknew.agents.memories.nothing import NoMemory
from whoknew.agents.memories.recall import Recall
from whoknew.agents.memories.search import BESIDE
from whoknew.agents.memories.summary import STRATEGY, Summary
from whoknew.eventlog import Draft, Event, Log, View, open_log
from whoknew.eventlog.kinds import Acted, EpisodeClosed, Remembered
from whoknew.eventlog.live import LiveWorld
from whoknew.testing.occasion import occasion
from whoknew.worlds.importers import locomo
from whoknew.worlds.importers.play import world_of

WORLD = "locomo-conv-26"
LAST = 19
"""The newest session of that conversation."""


class Counting(Log):
    """A log that counts how often events are fetched by their seqs."""

    fetched = 0

    async def pick(self, live: LiveWorld, seqs: Sequence[int]) -> list[Event]:
        self.fetched += 1
        return await super().pick(live, seqs)


@pytest.fixture
async def log() -> AsyncIterator[Counting]:
    async with open_log(":memory:") as opened, Counting(opened.store) as log:
        (world,) = [one for one in locomo.worlds_of(data("locomo")) if one.name == WORLD]
        await log.append(WORLD, world.drafts)
        yield log


def questions() -> list[tuple[str, set[str]]]:
    """Each with the turns that hold its answer."""
    talks: list[Any] = json.loads(data("locomo", "locomo.json").read_text())
    (talk,) = [one for one in talks if f"locomo-{one['sample_id']}" == WORLD]
    found = [
        (one["question"], set(re.findall(r"D\d+:\d+", " ".join(one["evidence"]))))
        for one in talk["qa"]
    ]
    return [(question, ids) for question, ids in found if ids]


async def of(memory: Memory, view: View, about: str = "") -> Recollection:
    return await memory.recollect(await occasion(view, about))


async def newest(log: Log) -> View:
    """The view of one of the two in the middle of the last session."""
    return await log.view(WORLD, "Melanie", f"E{LAST}.T5")


async def test_recall_finds_what_answers_a_question(log: Log) -> None:
    view = await newest(log)
    events = await view.events()
    turns = {event.source: place for place, event in enumerate(events, start=1)}
    shares = []
    for question, ids in questions():
        evidence = {
            turns[one] for one in ids if one in turns and events[turns[one] - 1].episode < LAST
        }
        if evidence:
            places = set((await of(Recall(10), view, question)).places)
            shares.append(len(places & evidence) / len(evidence))
    assert len(shares) > 140
    assert sum(shares) / len(shares) > 0.6


@pytest.mark.parametrize("k", [1, 5, 20])
async def test_recall_brings_the_best_of_its_hits_and_not_the_earliest(log: Log, k: int) -> None:
    view = await newest(log)
    begins = view.before((await log.cursor(WORLD, f"E{LAST - 1}")).seq + 1) + 1
    differs = 0
    for question, _ in questions():
        ranked = await view.recall(question, len(view))
        best = [one.place for one in ranked if one.place < begins]
        found = await of(Recall(k), view, question)
        assert found.places == tuple(sorted(best[:k]))
        differs += found.places != tuple(sorted(best)[:k])
    assert differs > 100


async def test_recall_fetches_what_it_found_in_one_go(log: Counting) -> None:
    view = await newest(log)
    life = Life(view.character)
    await life.catch_up(view)
    await of(Recall(1), view, "support group")
    counts = []
    for k in (1, 10, 50):
        before = log.fetched
        await of(Recall(k), view, "support group")
        counts.append(log.fetched - before)
    assert len(set(counts)) == 1


async def test_recall_marks_what_only_its_neighbours_lift(log: Log) -> None:
    view = await newest(log)
    own = {one.place: one.own for one in await view.recall("pottery", 50)}
    lines = (await of(Recall(50), view, "pottery")).text.splitlines()
    marked = {int(line[1:].split("]")[0]) for line in lines if line.endswith(BESIDE)}
    assert marked and len(marked) < len(lines)
    assert marked == {int(line[1:].split("]")[0]) for line in lines if "potter" not in line.lower()}
    assert not any(own[place] for place in marked)


async def test_of_equals_what_holds_a_word_itself_comes_first(log: Log) -> None:
    view = await newest(log)
    for question, _ in questions():
        found = await view.recall(question, 200)
        scores = [(-one.score, not one.own) for one in found]
        assert scores == sorted(scores)


async def test_the_entire_memory_brings_every_word_of_every_earlier_session(log: Log) -> None:
    view = await newest(log)
    found = await of(Entire(), view)
    events = await view.events()
    for place, event in enumerate(events, start=1):
        if isinstance(event.body, Acted):
            earlier = event.episode < LAST
            assert (place in found.places) == earlier
            assert (f"\n[{place}] {event.actor} says: " in found.text) == earlier
    assert found.text.startswith("Episode 1: ") and f"Episode {LAST - 1}: " in found.text


async def test_a_summary_brings_what_was_written_down_and_nothing_else(log: Log) -> None:
    view = await log.view(WORLD, "Melanie", "E3")
    closed = [event for event in await view.events() if isinstance(event.body, EpisodeClosed)]
    notes = [
        Remembered("Melanie", STRATEGY, f"Note {one.episode}.", (one.seq - 1,), one.seq)
        for one in closed
    ]
    await log.fork(WORLD, "noted", "E3")
    for note, one in zip(notes, closed, strict=True):
        draft = Draft(note, episode=one.episode, actor="Melanie", witnesses=("Melanie",))
        await log.append("noted", [draft])
    found = await of(Summary(), await log.view("noted", "Melanie"))
    assert [line.partition(WRITTEN)[2] for line in found.text.splitlines()] == [
        '"Note 1."',
        '"Note 2."',
        '"Note 3."',
    ]
    assert len(found.places) == 3
    assert (await of(Summary(), view)).text == ""


async def test_no_memory_brings_nothing(log: Log) -> None:
    assert await of(NoMemory(), await newest(log), "support group") == Recollection()


async def test_comings_and_goings_do_not_outrank_speech() -> None:
    async with open_log(":memory:") as log:
        await log.append("hamlet", world_of(data("shakespeare", "hamlet.xml")).drafts)
        for who, words in (
            ("HAMLET", "poison garden"),
            ("HORATIO", "Marcellus and the ghost"),
            ("QUEEN GERTRUDE", "comes in"),
        ):
            view = await log.view("hamlet", who)
            found = await view.recall(words, 200)
            kinds = {event.seq: type(event.body).__name__ for event in await view.events()}
            passing = [kinds[one.seq] in ("Entered", "Left") for one in found]
            assert len(found) > 10 and passing == sorted(passing)
