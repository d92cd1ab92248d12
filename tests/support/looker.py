"""A process that looks for tellings in a world, a few events at a time.

    python looker.py LOG WORLD

It says `open` when it has the log, and looks when it is sent a line; then how many it has written.
"""

from __future__ import annotations

import asyncio
import sys

from whoknew.engine.opening import existing
from whoknew.engine.travel import tellings as finding
from whoknew.eventlog.errors import LogInUse

finding.PAGE = 20


async def look(address: str, world: str) -> None:
    async with existing(address) as log:
        print("open", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        print((await finding.tellings(log, world)).found, flush=True)


if __name__ == "__main__":
    try:
        asyncio.run(look(*sys.argv[1:]))
    except LogInUse as error:
        print(error, flush=True)
