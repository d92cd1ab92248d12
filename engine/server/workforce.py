"""The processes that play a log beside this server: commands, and the runs of other servers."""

from __future__ import annotations

from collections.abc import Sequence

from whoknew.engine.running.workers import AtWork, at_work, chosen
from whoknew.engine.server.errors import NotShared
from whoknew.eventlog import Log
from whoknew.eventlog.stores.workers import Worker, Workers


class Workforce:
    """All who play a log on PostgreSQL, wherever they are; of a log in a file there are none."""

    def __init__(self, log: Log) -> None:
        self._log = log

    async def people(self, world: str) -> tuple[str, ...] | None:
        """Whose seats are for people in a world, while some process plays it."""
        playing = await self._there([world])
        return next((one.seats for one in playing if one.seats), () if playing else None)

    async def pauses(self, world: str) -> bool:
        """Whether some process plays a world, and all who do begin no turn until they are to go on."""
        playing = await self._there([world])
        return bool(playing) and all(one.paused for one in playing)

    async def all(self) -> tuple[AtWork, ...]:
        return tuple(at_work(one) for one in await self._there())

    async def stop(self, world: str | None) -> tuple[AtWork, ...]:
        """Ask those who play a world, or a plan, or the one of a name, to stop in order."""
        asked = await self._chosen(world)
        await self._workers().stop([one.id for one in asked], "stopped on the page")
        return tuple(map(at_work, asked))

    async def pause(self, world: str | None) -> tuple[AtWork, ...]:
        """Whoever plays the plan of these begins no turn any more until it is to go on."""
        asked = await self._chosen(world)
        await self._workers().pause(sorted({one.plan for one in asked}))
        return await self._as_now(asked)

    async def resume(self, world: str | None) -> tuple[AtWork, ...]:
        asked = await self._chosen(world)
        await self._workers().resume(sorted({one.plan for one in asked}))
        return await self._as_now(asked)

    async def _as_now(self, asked: Sequence[Worker]) -> tuple[AtWork, ...]:
        ids = {one.id for one in asked}
        return tuple(at_work(one) for one in await self._there() if one.id in ids)

    async def _chosen(self, world: str | None) -> list[Worker]:
        return await chosen(self._workers(), world)

    async def _there(self, of: Sequence[str] | None = None) -> list[Worker]:
        if self._log.store.leases is None:
            return []
        return [one for one in await self._log.store.leases.workers.all(of) if one.plays]

    def _workers(self) -> Workers:
        if self._log.store.leases is None:
            raise NotShared(
                "this log is a file, which one process plays: pause or stop its runs by their numbers"
            )
        return self._log.store.leases.workers
