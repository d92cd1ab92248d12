"""A life is folded once for all who ask of it in the order in which it went."""

from __future__ import annotations

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
