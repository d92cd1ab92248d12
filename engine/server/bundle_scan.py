"""Whether a bundle tells its reader more than its character perceived: what was written is read again,
and searched for the words of all that happened unseen by that one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from whoknew.agents.models.model import Message, Request
from whoknew.engine.finding.prompt_scan import PromptScan
from whoknew.engine.server.bundle_files import read_part
from whoknew.engine.server.bundle_names import named_texts
from whoknew.engine.server.bundle_stories import STORY, told_by
from whoknew.engine.server.errors import NoBundle
from whoknew.eventlog import Log

PAGE = 2000
"""Events that are read at once."""


async def check_told(log: Log, world: str, who: str, parts: Sequence[Path]) -> None:
    """Refuse what says words of an event that `who` did not witness, and that stand in nothing else."""
    head = (await log.lineage.find(world)).head
    director = await log.director(world)
    scan = PromptScan()
    for begins in range(0, head, PAGE):
        events = await director.events(begins, min(head, begins + PAGE))
        await asyncio.to_thread(scan.read, events)
    for part in parts:
        held = read_part(part)
        texts = told_by(held) if part.name.startswith(STORY) else named_texts(held)
        text = "\n".join(texts)
        request = Request("act", (Message("user", text),))
        leaks = await asyncio.to_thread(scan.scan, who, head, request, ())
        if leaks:
            raise NoBundle(
                f"{part.name} would tell {who} of #{leaks[0].event}: {leaks[0].words!r}; nothing "
                "was written"
            )
