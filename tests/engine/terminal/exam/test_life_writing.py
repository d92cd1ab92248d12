"""`whoknew exam new clonemem PLAN --model MODEL`: lives and questions by a model, from the call to the
table."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from command_runner import answer, run
from kitchen_runs import killed
from life_writers import good, purpose_of, writing
from model_servers import Doing, serving_apart

from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called, Failed

NEW = ("exam", "new", "clonemem", "lives.toml", "--from", "trial:1", "--kinds", "causal")


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


async def of(kind: type) -> list[Any]:
    """What of a kind stands on the exam's log."""
    async with open_log("lives.db", read_only=True) as log:
        return [one.body async for one in log.read("lives") if isinstance(one.body, kind)]


async def traces() -> list[str]:
    async with open_log("lives.worlds.db", read_only=True) as log:
        (world,) = await log.worlds()
        return [one.text async for one in log.read(world.name) if one.source]


def test_from_a_forecast_to_a_table(tmp_path: Path) -> None:
    with serving_apart("openai", writing) as server:
        model = ("--model", f"{server.url}#m")
        foreseen = answer(*NEW, *model, "--dry-run")
        assert server.calls == 0 and list(tmp_path.iterdir()) == []
        found = answer(*NEW, *model)["questions"]
        assert found["calls"] == server.calls and found["done"] == found["places"]
        (role,) = foreseen["roles"]
        assert foreseen["places"] == found["places"] == role["cells"]
        assert server.calls <= role["calls"] <= 1.2 * server.calls <= role["most"]
        purposes = {purpose_of(one) for one in server.asked}
        assert len(purposes) == 10 and found["refused"].keys() <= {"struck"}
    calls = asyncio.run(of(Called))
    assert len(calls) == found["calls"] and all(one.digest and one.reply for one in calls)
    only = ("--only", "nothing", "--only", "oracle")
    table = answer("exam", "run", "lives.toml", *only)["table"]
    assert {row["answered"] for row in table["rows"]} == {2 * found["on_log"]}, (
        "with choices, and without"
    )


def test_killed_anywhere_it_is_the_same_person_and_nothing_is_paid_twice(
    tmp_path: Path,
) -> None:
    with serving_apart("openai", writing) as server:
        model = ("--model", f"{server.url}#m")
        whole = answer(*NEW, *model)["questions"]
        before, calls = asyncio.run(traces()), server.calls
        for file in tmp_path.glob("lives.*"):
            file.unlink()
        server.asked.clear()
        for count in (1, calls // 2, calls - 3):
            killed(*NEW, *model, folder=tmp_path, server=server, calls=count)
        found = answer(*NEW, *model)["questions"]
        assert found["done"] == whole["places"] and found["on_log"] == whole["on_log"]
        assert asyncio.run(traces()) == before
        assert server.calls <= calls + 3, "what was in flight when it was killed, and no more"
    digests = [one.digest for one in asyncio.run(of(Called)) if one.reply]
    assert len(digests) == len(set(digests)) == calls


def test_an_endless_model_and_one_that_never_does_are_failures_on_the_log() -> None:
    def endless(asked: Any) -> Doing:
        return Doing("la" * 200_000)

    def stubborn(asked: Any) -> Doing:
        said = good(purpose_of(asked), asked["messages"][1]["content"])
        return Doing(json.dumps({**said, "job": ""}))

    with serving_apart("openai", endless) as server:
        model = ("--model", f"{server.url}#m")
        found = answer(*NEW, *model, rc=1)["questions"]
        assert (found["done"], found["failed"]) == (0, 1) and server.calls <= 12
        server._after = stubborn
        found = answer(*NEW, *model, "--again", rc=1)["questions"]
        assert (found["done"], found["failed"]) == (0, 1)
    first, second = asyncio.run(of(Failed))
    assert "signs long" in first.error and '"job" has 0 words' in second.error
    assert not Path("lives.worlds.db").exists()


def test_what_makes_nothing_up_is_refused_before_anything_is_there(tmp_path: Path) -> None:
    said = run(*NEW, "--model", "offline:", rc=1).stderr
    assert "offline:" in said and "by rule" in said and list(tmp_path.iterdir()) == []
    said = run(
        "exam", "new", "clonemem", "x.toml", "--from", "shirt:1", "--model", "openai:m", rc=1
    ).stderr
    assert "short" in said
