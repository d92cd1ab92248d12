"""What writers were told is written, and whether it is."""

from __future__ import annotations

from whoknew.eventlog import Log, verify

Acknowledged = dict[tuple[str, int], str]
"""The text of each acknowledged event, by its world and seq."""


async def check(log: Log, acknowledged: Acknowledged) -> None:
    """Every acknowledged event is there, and the log is whole, in order, without a gap."""
    written = await texts(log)
    assert {place: written.get(place) for place in acknowledged} == acknowledged


async def texts(log: Log) -> Acknowledged:
    """The text of every event of a log that is whole."""
    assert (await verify(log)).faults == ()
    written: Acknowledged = {}
    for world in await log.worlds():
        events = [event async for event in log.read(world.name)]
        assert [event.seq for event in events] == list(range(1, len(events) + 1))
        written |= {(world.name, event.seq): event.body.words for event in events}
    return written
