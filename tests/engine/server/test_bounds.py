"""No answer grows with the world without a bound, and none keeps others from being answered."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from waiting import PATIENCE
from whoknew_server import Served, begun, episodes, says

from whoknew.agents.models.model import Message, Request
from whoknew.agents.models.offline import Offline
from whoknew.engine.server.pages import BYTES
from whoknew.engine.server.tokens import Tokens
from whoknew.engine.travel.diff import compare
from whoknew.eventlog import Draft, Event, Log, open_log
from whoknew.eventlog.kinds import Reviewed, WorldOpened


@pytest_asyncio.fixture(loop_scope="session")
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(tmp_path / "s.db") as log:
        await begun(log)
        yield log


async def get(server: Served, path: str, **values: Any) -> Any:
    async with server.client.get(path, params=values) as response:
        found = await response.json()
        assert response.status == 200, found
        return found


async def test_a_page_of_events_is_no_larger_than_a_page(server: Served, log: Log) -> None:
    await log.append("w", [says(f"{number} " + "x" * 40_000) for number in range(100)])
    newest = await get(server, "/api/v1/worlds/w/events", limit=1000)
    size = sum(len(event["body"].get("text", "")) for event in newest["events"])
    assert BYTES / 2 < size <= BYTES
    assert newest["events"][-1]["seq"] == newest["head"]
    assert newest["before"] == newest["events"][0]["seq"] - 1
    seqs: list[int] = []
    while len(seqs) < newest["total"]:
        after = seqs[-1] if seqs else 0
        page = await get(
            server, "/api/v1/worlds/w/events", after=after, limit=1000, **{"as": "Bob"}
        )
        if not page["events"]:
            break
        assert page["before"] == len(seqs)
        seqs += [event["seq"] for event in page["events"]]
    assert seqs == list((await log.view("w", "Bob")).seqs())


async def test_a_page_of_a_characters_own_events_is_no_larger(server: Served, log: Log) -> None:
    await log.append("w", [says(f"{number} " + "x" * 40_000) for number in range(100)])
    token = (await server.access.tokens.give("w", "Bob")).token
    path = f"/api/v1/worlds/w/events?token={token}"
    newest = await get(server, f"{path}&limit=1000")
    size = sum(len(event["body"].get("text", "")) for event in newest["events"])
    assert BYTES / 2 < size <= BYTES
    assert newest["before"] == newest["events"][0]["number"] - 1
    numbers: list[int] = []
    while page := (await get(server, f"{path}&limit=1000&after={(numbers or [0])[-1]}"))["events"]:
        numbers += [event["number"] for event in page]
    assert numbers[-100:] == list(range(numbers[-1] - 99, numbers[-1] + 1))


@pytest.mark.parametrize("packed", ["gzip", "deflate"])
async def test_a_body_that_is_packed_is_not_unpacked(server: Served, packed: str) -> None:
    """A hundred kilobytes can hold a hundred megabytes, and need no token."""
    body = (gzip if packed == "gzip" else zlib).compress(b" " * 2**20)
    headers = {"Content-Encoding": packed}
    async with server.client.get("/api/v1/health", data=body, headers=headers) as response:
        assert response.status == 400
        said = f"the body is packed ({packed}): send it as plain JSON"
        assert (await response.json())["error"] == said


@pytest.mark.parametrize(
    ("path", "rows"),
    [
        ("knowledge?about=5-104&limit=1000", "rows"),
        ("learnt?who=Bob&new=5-104&limit=1000", "rows"),
        ("compare?after=%234&limit=1000", "only_right"),
    ],
)
async def test_rows_of_long_speeches_come_in_pages_that_fit_together(
    server: Served, log: Log, path: str, rows: str
) -> None:
    await log.append("w", [says(f"{number} " + "x" * 40_000) for number in range(100)])
    seqs: list[int] = []
    while len(seqs) < 100:
        async with server.client.get(f"/api/v1/worlds/w/{path}&skip={len(seqs)}") as response:
            assert len(await response.read()) < 1.2 * BYTES
            page = (await response.json())[rows]
        assert page
        seqs += [(row.get("event") or row)["seq"] for row in page]
    assert seqs == list(range(5, 105))


async def test_what_is_drawn_of_long_speeches_comes_without_their_words(
    server: Served, log: Log
) -> None:
    path = "/api/v1/worlds/w/story"
    await log.append("w", [says("short")])
    before = await get(server, path)
    assert before["story"]["happenings"] and before["left_out"] == 0
    await log.append("w", [says(f"{number} " + "x" * 40_000) for number in range(100)])
    shown = await get(server, path, width=800)
    assert shown["story"]["happenings"] == [] and shown["left_out"] > 0
    assert len(str(shown)) < BYTES


async def test_one_event_larger_than_a_page_is_a_page(server: Served, log: Log) -> None:
    await log.append("w", [says("x" * (BYTES + 1)), says("y")])
    page = await get(server, "/api/v1/worlds/w/events", after=4)
    assert [event["seq"] for event in page["events"]] == [5]


async def test_a_comparison_comes_in_pages_and_tells_its_whole_size(
    server: Served, log: Log
) -> None:
    for number in range(700):
        await log.append("w", [says(f"{number}", "Ann", ("Ann",) if number % 2 else ("Bob",))])
    whole = await compare(log, "w", who=("Ann", "Bob"))
    assert len(whole.only_left) > 300
    first = await get(server, "/api/v1/worlds/w/compare", who="Ann,Bob")
    assert len(first["only_left"]) == len(first["only_right"]) == 200
    assert first["total_left"] == len(whole.only_left)
    assert first["total_right"] == len(whole.only_right)
    seqs: list[int] = []
    while len(seqs) < first["total_left"]:
        page = await get(
            server, "/api/v1/worlds/w/compare", who="Ann,Bob", skip=len(seqs), limit=90
        )
        seqs += [event["seq"] for event in page["only_left"]]
    assert seqs == [event.seq for event in whole.only_left]


async def test_worlds_that_say_the_same_a_thousand_times_are_compared_in_linear_time(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How often an event is looked at is counted: a search for the longest run in common would look
    at each for each other."""
    await log.fork("w", "left")
    await log.fork("w", "right")
    await log.append("left", [says("yes")] * 3000)
    await log.append("right", [says("yes")] * 4000)
    looks = 0
    read = Event.text.fget  # type: ignore[attr-defined]

    def text(event: Event) -> str:
        nonlocal looks
        looks += 1
        return str(read(event))

    monkeypatch.setattr(Event, "text", property(text))
    async with asyncio.timeout(PATIENCE):
        found = await compare(log, "left", "right")
    assert (found.both, len(found.only_left), len(found.only_right)) == (3000, 0, 1000)
    assert looks <= 3 * 7000


async def test_episodes_come_in_pages_that_fit_together(server: Served, log: Log) -> None:
    await log.append("w", episodes(2, 450))
    token = (await server.access.tokens.give("w", "Bob")).token
    for path in ("/api/v1/worlds/w", f"/api/v1/worlds/w?token={token}"):
        newest = await get(server, path)
        assert (len(newest["episodes"]), newest["total"]) == (200, 450)
        assert newest["episodes"][-1]["number"] == 450
        numbers: list[int] = []
        page = newest
        while page["episodes"]:
            numbers = [episode["number"] for episode in page["episodes"]] + numbers
            page = await get(server, path, before=numbers[0], limit=90)
        assert numbers == list(range(1, 451))


async def test_a_page_of_long_scenarios_is_no_larger_than_a_page(server: Served, log: Log) -> None:
    await log.append("w", episodes(2, 100, "x" * 40_000))
    page = await get(server, "/api/v1/worlds/w", limit=1000)
    size = sum(len(episode["scenario"]) for episode in page["episodes"])
    assert BYTES / 2 < size <= BYTES
    assert page["episodes"][-1]["number"] == page["total"] == 100


async def test_scores_come_in_pages_that_fit_together(server: Served, log: Log) -> None:
    for number in range(300):
        review = Draft(Reviewed("j", scores={"a": number}), episode=1, actor="Ann")
        await log.append("w", [says("x"), review])
    scores: list[float] = []
    page: Any = {"upto": 0, "head": 1}
    while page["upto"] < page["head"]:
        page = await get(server, "/api/v1/worlds/w/scores", after=page["upto"], limit=70)
        assert len(page["scores"]) <= 70
        scores += [score["scores"]["a"] for score in page["scores"]]
    assert scores == list(range(300))
    late = await get(server, "/api/v1/worlds/w/scores", after=10**9)
    assert late["scores"] == []


async def test_a_page_of_scores_looks_through_no_more_than_it_may(
    server: Served, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("whoknew.engine.server.worlds.SCAN", 50)
    await log.append("w", [says("x")] * 200)
    page = await get(server, "/api/v1/worlds/w/scores")
    assert (page["scores"], page["upto"], page["head"]) == ([], 50, 204)


async def test_worlds_come_in_pages_the_newest_first(server: Served, log: Log) -> None:
    names = ["w", *(f"w{number}" for number in range(30))]
    for name in names[1:]:
        await log.append(name, [Draft(WorldOpened(name), datetime(2000, 1, 1))])
    found: list[str] = []
    page = await get(server, "/api/v1/worlds", limit=7)
    while page:
        found = [line["name"] for line in page] + found
        page = await get(server, "/api/v1/worlds", limit=7, before=found[0])
    assert found == names
    async with server.client.get("/api/v1/worlds", params={"before": "nope"}) as response:
        assert response.status == 404


async def test_who_sits_where_is_looked_up_once_for_a_whole_list(
    server: Served, log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many worlds there are, and cookies that are no seats."""
    for number in range(30):
        await log.append(f"w{number}", [Draft(WorldOpened("x"), datetime(2000, 1, 1))])
    read = Tokens._read
    looks = 0

    def counted(self: Tokens) -> Any:
        nonlocal looks
        looks += 1
        return read(self)

    monkeypatch.setattr(Tokens, "_read", counted)
    found: list[int] = []
    for limit in (1, 30):
        for cookies in (1, 200):
            looks = 0
            sent = "; ".join(f"whoknew-seat-{number}=x" for number in range(cookies))
            headers = {"Cookie": sent}
            path = f"/api/v1/worlds?limit={limit}"
            async with server.client.get(path, headers=headers) as response:
                assert len(await response.json()) == limit
            found.append(looks)
    assert set(found) == {found[0]}


async def test_others_are_answered_while_two_long_lives_are_compared(
    server: Served, log: Log
) -> None:
    """What takes long is done in slices: counted are the turns that others had meanwhile, of which
    each slice gives one, and more where it waits for a thread."""
    for _ in range(20):
        await log.append("w", [says("x", "Ann", ("Ann",))] * 1000)
    async with turns_of_others() as turns:
        await compare(log, "w", who=("Ann", "Bob"))
    assert turns[0] >= 20_000 / 5000


async def test_others_are_answered_while_the_offline_model_reads_a_long_life(log: Log) -> None:
    for _ in range(10):
        await log.append("w", [says("x " * 200)] * 1000)
    model = Offline()
    prompt = "\n".join([event.text async for event in await log.view("w", "Ann")])
    async with turns_of_others() as turns:
        reply = await model.complete(Request("ask", (Message("user", prompt),)))
    assert reply.tokens_in == len(prompt) // 4
    assert turns[0] > 0


@asynccontextmanager
async def turns_of_others() -> AsyncIterator[list[int]]:
    """How often another task has its turn meanwhile."""
    turns = [0]

    async def wait() -> None:
        while True:
            await asyncio.sleep(0)
            turns[0] += 1

    waiting = asyncio.create_task(wait())
    await asyncio.sleep(0)
    turns[0] = 0
    yield turns
    waiting.cancel()
