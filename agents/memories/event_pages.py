"""A view that is read page by page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from whoknew.eventlog import Event, View

PAGE = 200
"""Events: some milliseconds."""


async def event_by_event(view: View, after: int, upto: int | None = None) -> AsyncIterator[Event]:
    """What stands in a view behind a place, page by page: between two of them others have their turn, however
    long it is."""
    end = len(view) if upto is None else upto
    for first in range(after, end, PAGE):
        for event in await view.events(first, min(first + PAGE, end)):
            yield event
        await asyncio.sleep(0)
