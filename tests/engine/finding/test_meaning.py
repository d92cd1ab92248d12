"""Which event some words mean, with what chance."""

from __future__ import annotations

import asyncio
import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from shared_data import data
from small_worlds import opened, said

from whoknew.engine.asking.experts import LATER
from whoknew.engine.finding.meaning import Meaning, meaning
from whoknew.eventlog import Director, open_log

STORY = {1: "The king lost his golden ring.", 2: "A bear found the ring.", 3: "It rained."}


def test_chances_are_one_together() -> None:
    chances = Meaning(STORY).chances("Who found the golden ring of the king?")
    assert sum(chances.values()) == pytest.approx(1)
    assert max(chances, key=lambda seq: chances[seq]) == 1 and 3 not in chances


@pytest.mark.parametrize("text", ["", "?", "Xyzzy and plugh", "the of and"])
def test_words_that_stand_nowhere_mean_nothing(text: str) -> None:
    assert Meaning(STORY).chances(text) == {}
    assert Meaning({}).chances("Who found the ring?") == {}


async def test_that_of_a_world_goes_on_with_the_world() -> None:
    async with open_log(":memory:") as log:
        await log.append("w", [*opened("Ann"), said("Ann", "The kettle sings.")])
        first = await meaning(log, "w")
        assert await meaning(log, "w") is first
        assert set(first.chances("the kettle")) == {3}
        await log.append("w", [said("Ann", "The kettle is cold.")])
        assert set((await meaning(log, "w")).chances("the kettle")) == {3, 4}


async def test_of_many_who_ask_at_once_one_reads_the_world(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_log(":memory:") as log:
        await log.append("w", [*opened("Ann"), said("Ann", "The kettle sings, and so does Ann.")])
        read, director = list[str](), log.director

        async def counted(world: str) -> Director:
            read.append(world)
            await asyncio.sleep(0)
            return await director(world)

        monkeypatch.setattr(log, "director", counted)
        found = await asyncio.gather(*(meaning(log, "w") for _ in range(64)))
        assert read == ["w"] and all(one is found[0] for one in found)


def questions() -> Iterator[tuple[dict[int, str], str, int]]:
    """Each with the sections of its story, and the last of those that its answer stands in."""
    for path in sorted(data("fairytaleqa", "section-stories").glob("*.csv")):
        sections = {number: row["text"] for number, row in enumerate(_rows(path), 1)}
        asked = path.name.replace("-story.csv", "-questions.csv")
        for row in _rows(data("fairytaleqa", "questions", asked)):
            of = [int(one) for one in row["cor_section"].split(",") if one.strip().isdigit()]
            if of and max(of) in sections:
                yield sections, row["question"], max(of)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file)


def test_what_comes_later_is_told_from_what_does_not() -> None:
    """Every question at every section of its story, by one threshold for all."""
    said: list[tuple[int, bool]] = []
    meanings: dict[int, Meaning] = {}
    for sections, question, section in questions():
        chances = meanings.setdefault(id(sections), Meaning(sections)).chances(question)
        for cursor in sections:
            later = sum(chance for seq, chance in chances.items() if seq > cursor)
            said.append((section - cursor, later > LATER))
    future = [later for gap, later in said if gap > 0]
    past = [not later for gap, later in said if gap <= 0]
    near = [later for gap, later in said if gap == 1]
    shares = [sum(some) / len(some) for some in (future, past, near)]
    assert (shares[0] + shares[1]) / 2 >= 0.915
    assert shares[1] >= 0.90 and shares[2] >= 0.79
