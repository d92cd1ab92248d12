"""People in seats and people who look on, half of whom drop and come back: a few of them, really."""

from __future__ import annotations

from crowd import gathered
from whoknew_server import served

from whoknew.eventlog import Log

CONTROL, READ = "c" * 20, "r" * 20


async def test_nothing_is_lost_or_doubled_and_nobody_is_sent_what_is_not_theirs(log: Log) -> None:
    async with served(log, control=CONTROL, read=READ) as server:
        found = await gathered(server.url, CONTROL, READ, worlds=1, viewers=8, turns=12, least=12)
    assert found.actions >= 12 and found.drops > 5 and found.events > 400
    wrong = found.missed, found.doubled, found.foreign, found.lost, found.repeated
    assert wrong == (0, 0, 0, 0, 0), found
