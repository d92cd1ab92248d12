"""View tokens: random, kept as digests beside the log, with an end, and taken back at once."""

from __future__ import annotations

import asyncio
import hashlib
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from command_runner import answer, run
from diner_world import WORLD, nights
from whoknew_server import Served, served

from whoknew.engine.errors import BadQuestion
from whoknew.engine.server.access import Right
from whoknew.engine.server.errors import NoSuchToken, NoTokens, SeatTaken
from whoknew.engine.server.shared_tokens import tokens_in
from whoknew.engine.server.tokens import Given, Tokens, lasting
from whoknew.eventlog import Log, open_log

CONTROL = "c" * 20


async def status(server: Served, method: str, path: str, token: str, body: Any = None) -> int:
    headers = {"Authorization": f"Bearer {token}"}
    async with server.client.request(method, path, headers=headers, json=body) as response:
        await response.read()
        return response.status


@pytest.fixture
def opened() -> Iterator[Callable[..., Tokens]]:
    """Opens tokens, which are closed as the test ends."""
    with ExitStack() as stack:
        yield lambda *given, **named: stack.enter_context(closing(Tokens(*given, **named)))


async def test_a_token_is_random_and_only_its_digest_is_kept(
    tmp_path: Path, opened: Callable[..., Tokens]
) -> None:
    file = tmp_path / "w.db-tokens"
    tokens = opened(file)
    one, other = await tokens.give("w", "Ann"), await tokens.give("w", "Ann")
    assert one.token != other.token and len(one.token) > 40
    kept = file.read_bytes()
    assert one.token.encode() not in kept
    assert one.token.removeprefix("view.").encode() not in kept
    assert hashlib.sha256(one.token.encode()).digest() in kept
    assert file.stat().st_mode & 0o777 == 0o600


async def test_a_token_cannot_be_made_from_what_its_holder_or_a_reader_knows(
    log: Log, opened: Callable[..., Tokens]
) -> None:
    """Not even by one who has a token and knows every other secret of the server."""
    given = (await opened().give("w", "Ann")).token
    for changed in (given[:-1], given + "x", given.swapcase(), given.replace("view.", ""), ""):
        assert opened().find(changed) is None
    tokens = opened()
    assert tokens.find(given) is None, "another server's token means nothing"


async def test_a_token_ends(tmp_path: Path, opened: Callable[..., Tokens]) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    tokens = opened(tmp_path / "tokens", clock=lambda: now)
    given = await tokens.give("w", "Ann", "1h")
    assert tokens.find(given.token) is not None
    now += timedelta(hours=1)
    assert tokens.find(given.token) is None
    assert tokens.all() == ()
    await tokens.give("w", "Bob")
    with closing(sqlite3.connect(tmp_path / "tokens")) as file:
        assert file.execute("SELECT character FROM tokens").fetchall() == [("Bob",)]


async def test_a_token_that_another_process_takes_back_is_worth_nothing_at_once(
    tmp_path: Path, opened: Callable[..., Tokens]
) -> None:
    server, owner = opened(tmp_path / "tokens"), opened(tmp_path / "tokens")
    given = await owner.give("w", "Ann")
    found = server.find(given.token)
    assert found is not None and (found.world, found.character) == ("w", "Ann")
    await owner.revoke(given.id)
    assert server.find(given.token) is None
    with pytest.raises(NoSuchToken, match="token ls"):
        await owner.revoke(given.id)
    again = await server.give("w", "Bob")
    (tmp_path / "tokens").unlink()
    assert server.find(again.token) is None, "without the file no token stands"
    assert server.find((await owner.give("w", "Cid")).token) is not None


def test_a_damaged_file_of_tokens_lets_nobody_in_and_says_so(
    tmp_path: Path, opened: Callable[..., Tokens]
) -> None:
    (tmp_path / "tokens").write_bytes(b"no tokens at all" * 100)
    with pytest.raises(NoTokens, match="move the file away"):
        opened(tmp_path / "tokens").find("view.x")


KILLED = """
import asyncio, os, sys
from pathlib import Path
from whoknew.engine.server.tokens import Tokens

steps = 0
def step(*_):
    global steps
    steps += 1
    if steps > int(sys.argv[2]):
        os._exit(9)

async def give():
    sys.addaudithook(step)
    await Tokens(Path(sys.argv[1])).give("w", "Ann")
    os._exit(0)

asyncio.run(give())
"""
"""A process that dies in the middle of its first token: after so many of what it asks the system."""


async def test_a_process_that_dies_as_it_gives_the_first_token_shuts_nobody_out(
    tmp_path: Path, opened: Callable[..., Tokens]
) -> None:
    died = 0
    for steps in count():
        file = tmp_path / str(steps) / "tokens"
        ended = subprocess.run([sys.executable, "-c", KILLED, file, str(steps)], check=False)
        assert all(one.ends > one.made for one in opened(file).all())
        given = await opened(file).give("w", "Bob")
        assert opened(file).find(given.token) is not None
        assert file.stat().st_mode & 0o777 == 0o600
        if not ended.returncode:
            break
        died += 1
    assert died > 3


def test_of_two_that_begin_the_file_at_once_both_tokens_stand(
    tmp_path: Path, opened: Callable[..., Tokens]
) -> None:
    file = tmp_path / "tokens"

    def give(name: str) -> Given:
        with closing(Tokens(file)) as tokens:
            return asyncio.run(tokens.give("w", name))

    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(give, "ABCDEFGH"))
    assert all(opened(file).find(one.token) is not None for one in given)
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("text", ["", "7", "0d", "-1d", "1.5h", "9999d", "7 d", "d", "1w"])
def test_how_long_a_token_lasts_is_said_in_minutes_hours_or_days(text: str) -> None:
    with pytest.raises(BadQuestion, match="30m, 12h or 7d"):
        lasting(text)
    assert (lasting("30m"), lasting("12h")) == (timedelta(minutes=30), timedelta(hours=12))


async def test_who_controls_gives_lists_and_takes_back_tokens(log: Log) -> None:
    async with served(log, control=CONTROL) as server:
        headers = {"Authorization": f"Bearer {CONTROL}"}

        async def ask(method: str, path: str, body: Any = None, right: int = 200) -> Any:
            async with server.client.request(method, path, headers=headers, json=body) as response:
                assert response.status == right, await response.text()
                return await response.json()

        wanted = {"world": WORLD, "character": "Vera", "for": "2d"}
        given = await ask("POST", "/api/v1/tokens", wanted)
        view = given["token"]
        (listed,) = await ask("GET", "/api/v1/tokens")
        assert "token" not in listed and listed["id"] == given["id"]
        lasts = datetime.fromisoformat(listed["ends"]) - datetime.fromisoformat(listed["made"])
        assert lasts == timedelta(days=2)
        hers = f"/api/v1/worlds/{WORLD}/events?as=Vera"
        assert await status(server, "GET", hers, view) == 200
        for method in ("GET", "POST"):
            assert await status(server, method, "/api/v1/tokens", view, wanted) == 403
        await ask("POST", "/api/v1/tokens", {**wanted, "character": "Verra"}, 404)
        await ask("POST", "/api/v1/tokens", {**wanted, "for": "long"}, 400)
        await ask("DELETE", f"/api/v1/tokens/{given['id']}")
        assert await status(server, "GET", hers, view) == 401
        await ask("DELETE", f"/api/v1/tokens/{given['id']}", right=404)


async def test_a_reader_cannot_make_a_token(log: Log) -> None:
    async with served(log, read="r" * 20) as server:
        wanted = {"world": WORLD, "character": "Vera"}
        assert await status(server, "POST", "/api/v1/tokens", "r" * 20, wanted) == 403
        assert await status(server, "GET", "/api/v1/tokens", "r" * 20) == 403


async def test_a_token_that_does_not_stand_opens_nothing_even_where_none_is_needed(
    log: Log,
) -> None:
    async with served(log) as server:
        given = await server.access.tokens.give(WORLD, "Vera")
        assert server.access.guest(given.token).character == "Vera"
        await server.access.tokens.revoke(given.id)
        assert server.access.guest(given.token).right == Right.NOTHING
        assert await status(server, "GET", "/api/v1/worlds", given.token) == 401


def test_no_export_and_no_backup_holds_a_token(tmp_path: Path) -> None:
    file = nights(tmp_path)
    given = answer("token", "give", WORLD, "Vera", "--log", file)
    run("log", "export", file, tmp_path / "out.jsonl")
    run("log", "backup", file, tmp_path / "copy.db")
    kept = (tmp_path / "nights.db-tokens").read_bytes()
    digest = hashlib.sha256(given["token"].encode()).digest()
    assert digest in kept
    for copy in (tmp_path / "out.jsonl", tmp_path / "copy.db"):
        data = copy.read_bytes()
        assert digest not in data and given["id"].encode() not in data
    assert not (tmp_path / "copy.db-tokens").exists()


async def test_what_one_server_of_a_database_gives_all_accept_and_none_after_it_was_taken_back(
    database: str,
) -> None:
    async with open_log(database) as log, open_log(database) as other:
        one, two = tokens_in(log, database), tokens_in(other, database)
        given = await one.give("w", "Ann")
        assert two.find(given.token) is None
        await two.refresh()
        found = two.find(given.token)
        assert found is not None and (found.id, found.ends) == (given.id, given.ends)
        await two.revoke(given.id)
        await one.refresh()
        assert one.find(given.token) is None and one.all() == ()


async def test_of_all_who_come_with_one_invitation_or_take_one_seat_one_has_it(
    database: str,
) -> None:
    async with open_log(database) as log, open_log(database) as other:
        servers = [tokens_in(one, database) for one in (log, other)]
        given = await servers[0].invite("w", "Ann")
        await servers[1].refresh()
        came = await asyncio.gather(*(one.accept(given.token) for one in servers * 4))
        seats = [one for one in came if one is not None]
        assert len(seats) == 1 and seats[0].id == given.id and seats[0].token != given.token
        sitting = [one.give("w", "Bob", seat=True) for one in servers * 4]
        sat = await asyncio.gather(*sitting, return_exceptions=True)
        assert [type(one) for one in sat].count(SeatTaken) == 7
        for one in servers:
            await one.refresh()
            assert {token.character: token.seat for token in one.all()} == {
                "Ann": True,
                "Bob": True,
            }
            assert one.find(given.token) is None, "the invitation is no seat"


async def test_who_reads_the_database_finds_no_token_in_it(database: str) -> None:
    async with open_log(database) as log:
        given = await tokens_in(log, database).give("w", "Ann")
    connection = await asyncpg.connect(database)
    try:
        (row,) = await connection.fetch("SELECT * FROM whoknew.tokens")
    finally:
        await connection.close()
    assert row["digest"] == hashlib.sha256(given.token.encode()).digest()
    assert given.token.removeprefix("view.") not in repr(dict(row))


async def test_an_invitation_that_is_refused_leaves_the_one_before_it(
    opened: Callable[..., Tokens],
) -> None:
    tokens = opened()
    given = await tokens.invite("w", "Ann")
    with pytest.raises(BadQuestion):
        await tokens.invite("w", "Ann", "for ever")
    assert tokens.find(given.token) is not None
