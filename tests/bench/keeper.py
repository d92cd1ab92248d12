"""A process that searches the world of `growth.py`, and the most memory that this takes.

python keeper.py FILE
"""

from __future__ import annotations

import asyncio
import sys

from memory import most

from whoknew.eventlog import open_log


async def main() -> None:
    async with open_log(sys.argv[1], read_only=True) as log:
        view = await log.view("long", "character00")
        await view.recall("king letter oak")
        print(most())


asyncio.run(main())
