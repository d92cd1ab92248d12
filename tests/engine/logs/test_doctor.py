"""What `whoknew doctor` finds, and what it keeps to itself."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from model_servers import Doing, serving

from whoknew.engine.logs import doctor
from whoknew.engine.logs.doctor import Finding, examine
from whoknew.engine.plan.document import parse_plan
from whoknew.engine.plan.plan import Loaded
from whoknew.eventlog import open_log


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "GEMINI_API_KEY", "WHOKNEW_HTTP_KEY"):
        monkeypatch.delenv(name, raising=False)


def plan(model: str) -> Loaded:
    text = f'world = "flatmates"\n[agents.everyone]\nmodel = "{model}"\n'
    return parse_plan(text, "plan.toml")


async def found(what: str, loaded: Loaded | None = None, log: str | None = None) -> Finding:
    findings = {one.what: one for one in await examine(loaded, log)}
    return findings[what]


async def test_a_machine_like_this_one_has_no_fault(tmp_path: Path) -> None:
    assert [one for one in await examine() if one.state == "fault"] == []
    assert list(tmp_path.iterdir()) == []


async def test_whatever_is_amiss_comes_with_what_to_do() -> None:
    findings = await examine(plan("openai:m"), "nowhere/log.db")
    assert [one for one in findings if one.state == "fault" and not one.do] == []
    assert {"disk", "log", "openai:m"} <= {one.what for one in findings if one.state == "fault"}


async def test_a_key_is_said_to_be_there_and_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://me:hidden@localhost:1/v1")
    one = await found("openai key")
    assert one.state == "fine"
    assert "localhost:1" in one.found
    assert "hidden" not in str(await examine())


async def test_a_missing_key_is_a_fault_only_where_a_plan_needs_it() -> None:
    assert (await found("openai key")).state == "note"
    asked = await found("openai:m", plan("openai:m"))
    assert asked.state == "fault"
    assert "OPENAI_API_KEY" in asked.found


async def test_each_model_of_a_plan_is_asked_for_one_word() -> None:
    async with serving("openai") as server:
        model = f"{server.url}#m"
        one = await found(model, plan(model))
        assert (one.state, server.calls) == ("fine", 1)


async def test_a_model_that_refuses_is_a_fault() -> None:
    async with serving("openai", after=Doing("no such model", 404)) as server:
        model = f"{server.url}#m"
        one = await found(model, plan(model))
    assert (one.state, one.do) == ("fault", "mend that first")


async def test_recorded_calls_are_looked_for_and_not_asked(tmp_path: Path) -> None:
    async with open_log(tmp_path / "old.db"):
        pass
    assert (await found("recorded:old.db", plan("recorded:old.db"))).state == "fine"
    assert "no such file" not in str(await found("recorded:new.db", plan("recorded:new.db")))


async def test_a_log_that_is_there_is_only_read(tmp_path: Path) -> None:
    file = tmp_path / "log.db"
    async with open_log(file):
        assert (await found("log", log=str(file))).state == "fine"
    file.write_text("no database at all " * 99)
    one = await found("log", log=str(file))
    assert one.state == "fault"
    assert "not a Whoknew log" in one.found


async def test_a_server_that_is_not_there_is_a_fault_without_its_password() -> None:
    one = await found("log", log="postgresql://me:hidden@localhost:1/db")
    assert one.state == "fault"
    assert "hidden" not in str(one)


def test_a_clock_that_was_never_set_is_a_fault() -> None:
    assert doctor._clock(datetime(1970, 1, 1, tzinfo=UTC)).state == "fault"
