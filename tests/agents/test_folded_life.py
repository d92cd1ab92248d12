"""A life is folded once for all who ask of it in the order in which it went."""

from __future__ import annotations

import asyncio
from random import Random

import pytest
from small_worlds import opened, said

from whoknew.agents.answering import FoldedLife
from whoknew.agents.life import Life
from whoknew.agents.memories.memory import Memory
from whoknew.agents.memories.nothing import NoMemory
from whoknew.eventlog import open_log


@pytest.mark.parametrize("rounds", [1, 2, 3])
async def test_a_life_is_folded_once_for_each_round_of_questions(rounds: int) -> None:
    begun = 0

    def memory() -> Memory:
        nonlocal begun
        begun += 1
        return NoMemory()

    async def upto(life: Life, _: Memory) -> int:
        return life.upto

    async with open_log(":memory:") as log:
        await log.append("w", opened("Ann", "Bob"))
        await log.append("w", [said("Ann", f"It is {hour}.", "Bob") for hour in range(20)])
        past = FoldedLife(memory)
        seqs = (await log.view("w", "Ann")).seqs()
        for _ in range(rounds):
            for seq in seqs:
                view = await log.view("w", "Ann", f"#{seq}")
                assert await past.upto(view, upto) == len(view)
    assert begun == rounds


@pytest.mark.parametrize("seed", range(5))
async def test_many_at_once_take_one_fold_in_whatever_order_they_come(seed: int) -> None:
    folds, chance = list[Memory](), Random(seed)

    def memory() -> Memory:
        folds.append(NoMemory())
        return folds[-1]

    async def upto(life: Life, _: Memory) -> int:
        for _ in range(1 + chance.randrange(3)):
            await asyncio.sleep(0)
        return life.upto

    async with open_log(":memory:") as log:
        await log.append("w", opened("Ann", "Bob"))
        await log.append("w", [said("Ann", f"It is {hour}.", "Bob") for hour in range(20)])
        past = FoldedLife(memory)
        seqs = (await log.view("w", "Ann")).seqs() * 3
        views = [await log.view("w", "Ann", f"#{seq}") for seq in chance.sample(seqs, len(seqs))]
        found = await asyncio.gather(*(past.upto(view, upto) for view in views))
    assert found == [len(view) for view in views]
    assert len(folds) <= 2, "the first who came went from where it was, all others from the start"
