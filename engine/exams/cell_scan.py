"""Every prompt of a cell is scanned before it is sent. One that tells of what is not in the view of whom
it asks stops all, but where an `unsafe:` control made it: there it is counted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial

from whoknew.agents.models.model import Request
from whoknew.engine.errors import PromptLeaks
from whoknew.engine.exams.by_world import ByWorld
from whoknew.engine.finding.prompt_scan import PromptScan
from whoknew.engine.playing.scanning import leaked
from whoknew.eventlog import Log

SHORT = 2**14
"""A prompt of so many signs is scanned in a millisecond: to hand it to a thread takes as long."""

Scans = ByWorld[PromptScan]
"""The scans of the worlds that an exam is about, each of which has read all of its world."""


def scans(material: Log) -> Scans:
    return ByWorld(partial(_scan, material))


async def _scan(material: Log, world: str) -> PromptScan:
    scan = PromptScan()
    events = await (await material.director(world)).events()
    await asyncio.to_thread(scan.read, events)
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
        look = partial(self._scan.scan, self._who, self._upto, request, known)
        is_short = sum([len(message.text) for message in request.messages]) <= SHORT
        found = look() if is_short else await asyncio.to_thread(look)
        if found and not self._counts:
            raise PromptLeaks(leaked(self._who, self._upto, request, found[0], self._parts))
        return len(found)

    def replied(self, text: str) -> None:
        """What a model said itself, it may be shown again."""
        self._replies.append(text)
