"""A log that notes where each append ended: there a killed process may leave it."""

from __future__ import annotations

from typing import Any

from whoknew.eventlog import Log
from whoknew.eventlog.stores.volatile import VolatileStore


class AcknowledgingLog(Log):
    def __init__(self) -> None:
        super().__init__(VolatileStore())
        self.heads = list[int]()

    async def append(self, world: str, drafts: Any, **how: Any) -> Any:
        appended = await super().append(world, drafts, **how)
        self.heads.append(appended.last)
        return appended
