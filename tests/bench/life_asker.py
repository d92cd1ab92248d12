"""Asks a life at its dates, without a model, of a log that it opens.

    python life_asker.py LOG LIVES

LIVES are in JSON; the last of them is asked three times: by memory `recall`, by it again, and by `running`.
Those before it are asked so that all is loaded that asking takes. It prints a round each as JSON.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from datetime import date
from time import process_time

import msgspec
from memory import now
from msgspec import Struct

from whoknew.agents.answering import FoldedLife, Respondent
from whoknew.agents.methods.plain import Plain
from whoknew.agents.models.offline import Offline
from whoknew.agents.parts import Owner
from whoknew.engine.registry import MEMORIES
from whoknew.engine.terminal.garbage import collect_seldom
from whoknew.eventlog import Log, open_log

QUESTION = "What keeps you awake, and how do things stand with your father?"


class AskedLife(Struct):
    world: str
    who: str
    days: list[date]


class Round(Struct):
    """What each of the questions took, in ms of the processor, and the memory of the process after it."""

    took: list[float] = []
    memory: list[float] = []


async def asked(log: Log, life: AskedLife, memory: str) -> Round:
    """As an exam asks: one date after another, of one life that is folded on."""
    found = Round()
    past = FoldedLife(lambda: MEMORIES.made(memory, {}).make(Owner(who=life.who)))
    respondent = Respondent(Offline(), past, Plain())
    for day in life.days:
        begun = process_time()
        view = await log.view(life.world, life.who, f"@{day.isoformat()}")
        await respondent.request(view, QUESTION)
        found.took.append(1000 * (process_time() - begun))
        found.memory.append(now())
    return found


async def main(file: str, lives: Sequence[AskedLife]) -> None:
    async with open_log(file, read_only=True) as log:
        for other in lives[:-1]:
            await asked(log, other, "recall")
        rounds = [await asked(log, lives[-1], name) for name in ("recall", "recall", "running")]
    print(msgspec.json.encode(rounds).decode())


if __name__ == "__main__":
    collect_seldom()  # as the command line does
    asyncio.run(main(sys.argv[1], msgspec.json.decode(sys.argv[2], type=list[AskedLife])))
