"""BigToM: whether a view holds the event that changes a belief."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

from whoknew.eventlog import open_log
from whoknew.worlds.importers import bigtom


async def believed(file: Path) -> AsyncIterator[tuple[bool, bool]]:
    """For each world: whether its character witnessed the event, and whether it is in its view."""
    async with open_log(":memory:") as log:
        for world in bigtom.worlds_of(file):
            await log.append(world.name, world.drafts)
            events = await (await log.director(world.name)).events()
            who = next(iter(events[1].witnesses))
            event = next(
                one
                for one in events
                if one.source is not None and one.source.endswith(("sentence 5", ", random event"))
            )
            view = await log.view(world.name, who)
            texts = [one.text for one in await view.events()]
            assert (event.seq in view) is (event.text in texts)
            yield world.name.endswith("-aware"), event.seq in view
