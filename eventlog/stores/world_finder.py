"""Worlds that several tasks look for in the same moment, found by one statement: where hundreds of chains
begin at once, each looks for its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection

from whoknew.eventlog.stores.store import World


class WorldFinder:
    """What is asked for together is looked for in the next turn of the loop: so nobody is told how a world
    stood before it asked."""

    def __init__(self, found: Callable[[Collection[str]], Awaitable[list[World]]]) -> None:
        self._found = found
        self._asked: dict[str, asyncio.Future[World | None]] = {}
        self._looking = set[asyncio.Task[None]]()

    async def find(self, name: str) -> World | None:
        if name not in self._asked:
            self._asked[name] = asyncio.get_running_loop().create_future()
            if len(self._asked) == 1:
                looking = asyncio.create_task(self._look())
                self._looking.add(looking)
                looking.add_done_callback(self._looking.discard)
        return await asyncio.shield(self._asked[name])

    async def _look(self) -> None:
        asked, self._asked = self._asked, {}
        try:
            there = {one.name: one for one in await self._found(asked)}
        except Exception as error:  # noqa: BLE001  (whoever asked is told)
            for waiting in asked.values():
                waiting.set_exception(error)
        except BaseException:
            for waiting in asked.values():
                waiting.cancel()
            raise
        else:
            for name, waiting in asked.items():
                waiting.set_result(there.get(name))
