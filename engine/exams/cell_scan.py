"""Every prompt of a cell is scanned before it is sent. One that tells of what is not in the view of whom
it asks stops all, but where an `unsafe:` control made it: there it is counted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from whoknew.agents.models.model import Request
from whoknew.engine.errors import PromptLeaks
from whoknew.engine.finding.prompt_scan import PromptScan
from whoknew.engine.playing.scanning import leaked
from whoknew.eventlog import Log

WORLDS = 8
"""Of so many worlds all that happened is kept at hand: questions come world by world."""


class MaterialScans:
    """The scans of the worlds that an exam is about, each of which has read all of its world."""

    def __init__(self, material: Log) -> None:
        self._material = material
        self._scans: dict[str, PromptScan] = {}
        self._one_by_one = asyncio.Lock()

    async def of(self, world: str) -> PromptScan:
        async with self._one_by_one:
            scan = self._scans.pop(world, None)
            if scan is None:
                scan = PromptScan()
                events = await (await self._material.director(world)).events()
                await asyncio.to_thread(scan.read, events)
            self._scans[world] = scan
            if len(self._scans) > WORLDS:
                del self._scans[next(iter(self._scans))]
            return scan


class CellScan:
    """Scans the prompts that ask somebody up to a seq. `known` is what is in them besides its view: the
    question, notes that were derived of that view. `counts`: what tells too much is counted."""

    def __init__(
        self,
        scan: PromptScan,
        *,
        who: str,
        upto: int,
        parts: str,
        known: Callable[[], Iterable[str]],
        counts: bool = False,
    ) -> None:
        self._scan, self._who, self._upto = scan, who, upto
        self._parts, self._known, self._counts = parts, known, counts
        self._replies: list[str] = []

    async def leaks(self, request: Request) -> int:
        """Of how many events a prompt tells that its character cannot know."""
        known = [*self._known(), *self._replies]
        scan = self._scan.scan
        found = await asyncio.to_thread(scan, self._who, self._upto, request, known)
        if found and not self._counts:
            raise PromptLeaks(leaked(self._who, self._upto, request, found[0], self._parts))
        return len(found)

    def replied(self, text: str) -> None:
        """What a model said itself, it may be shown again."""
        self._replies.append(text)
