"""A server of a log whose leases run out soon, to be killed or frozen.

python server_beside.py LOG HEARTBEAT
"""

from __future__ import annotations

import asyncio
import sys

from whoknew.engine.running import free_chains
from whoknew.engine.server.serve import Serving, serve


def ready(serving: Serving) -> None:
    print(f"serving {serving.url}", flush=True)


async def main(log: str, heartbeat: str) -> None:
    free_chains.HEARTBEAT = float(heartbeat)
    await serve(log, "127.0.0.1", 0, None, None, ready, new=True)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
