"""Exams over HTTP: what is answered, to whom, and what is refused."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import ClientSession, CookieJar
from diner_world import WORLD
from exam_served import PLAN, exam_of_nights
from msgspec.structs import replace
from whoknew_server import Served, served

from whoknew.engine import ExamOptions, LoadedExam, load_exam, read_exam, sit_exam
from whoknew.engine.errors import WrongPlan
from whoknew.engine.exams.deciding import decide
from whoknew.engine.exams.lifelong import findings
from whoknew.engine.exams.lifelong.secrets import secrets
from whoknew.engine.exams.results import ExamFold
from whoknew.engine.exams.scenes.scene_tally import SceneTally
from whoknew.engine.plan.plan import Limit
from whoknew.engine.server.seating import COOKIE
from whoknew.engine.server.served_exams import Exams
from whoknew.eventlog import Event, Log, open_log
from whoknew.eventlog.stores.sqlite import SqliteStore


@pytest_asyncio.fixture(loop_scope="session")
async def exam(log: Log, tmp_path: Path) -> LoadedExam:
    return await exam_of_nights(tmp_path)


@pytest_asyncio.fixture(loop_scope="session")
async def server(log: Log, exam: LoadedExam) -> AsyncIterator[Served]:
    async with served(log, exams=[exam]) as server:
        yield server


async def got(server: Served, path: str, status: int = 200, token: str = "") -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with server.client.get(path, headers=headers) as response:
        found = await response.json()
        assert response.status == status, found
        return found


async def test_what_is_struck_leaves_the_table_of_a_server_that_goes_on(
    server: Served, exam: LoadedExam
) -> None:
    before = await got(server, "/api/v1/exams/nights")
    assert (before["table"]["units"], before["table"]["struck"]) == (3, 0)
    said = await decide(exam, [], ["1"], by="Ada")
    after = await got(server, "/api/v1/exams/nights")
    assert (after["table"]["units"], after["table"]["struck"]) == (2, 1)
    await decide(exam, said.struck, [], by="Ada")
    again = await got(server, "/api/v1/exams/nights")
    assert again["table"]["figures"] == before["table"]["figures"]


async def test_a_table_its_cells_and_one_cell_are_those_of_the_commands(server: Served) -> None:
    (line,) = await got(server, "/api/v1/exams")
    assert (line["name"], line["cells"], line["answered"]) == ("nights", 6, 6)
    assert line["worlds"] == {"midnight-diner": ""}, "both arms are asked about it"
    found = await got(server, "/api/v1/exams/nights")
    assert found["table"]["seed"] == 1 and len(found["table"]["rows"]) == 2
    assert found["kinds"] == {"words.overlap": {"secret": "secret (2)", "self": "self (1)"}}
    (said,) = found["compared"]["words.overlap"]
    assert said.startswith("none and entire: -")
    cells = await got(server, "/api/v1/exams/nights/cells?arm=entire&kind=secret")
    assert cells["total"] == 2 and {one["arm"] for one in cells["rows"]} == {"entire"}
    cell = await got(server, f"/api/v1/exams/nights/cells/{cells['rows'][1]['key']}")
    assert cell["shown"]["question"]["question"] == "Who cannot taste?"
    assert "Dorte" in cell["row"]["answer"] and cell["mind"] >= 1
    (call,) = cell["shown"]["calls"]
    assert call["digest"] == call["called"]["digest"]


async def test_one_cell_is_found_by_its_own_keys_however_many_there_are(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    (row, *_) = (await got(server, "/api/v1/exams/nights/cells"))["rows"]
    looked: list[str] = []
    keys = SqliteStore.keys

    async def noted(store: SqliteStore, world: str, begins: str = "") -> dict[str, int]:
        looked.append(begins)
        return await keys(store, world, begins)

    monkeypatch.setattr(SqliteStore, "keys", noted)
    cell = await got(server, f"/api/v1/exams/nights/cells/{row['key']}")
    assert cell["shown"]["answer"] == row["answer"] and cell["shown"]["verdicts"]
    assert row["key"] in looked and all(looked)


async def test_cells_come_a_page_at_a_time_and_beside_those_that_differ(server: Served) -> None:
    page = await got(server, "/api/v1/exams/nights/cells?skip=4&limit=5")
    assert (page["total"], page["skipped"], len(page["rows"])) == (6, 4, 2)
    differ = await got(server, "/api/v1/exams/nights/cells?arm=none&differ=entire")
    assert differ["total"] == 1
    assert (differ["rows"][0]["arm"], differ["beside"][0]["arm"]) == ("none", "entire")
    address = "/api/v1/exams/nights/cells?arm=none&differ=entire&state="
    assert [(await got(server, address + one))["total"] for one in ("answered", "failed")] == [1, 0]
    alone = await got(server, "/api/v1/exams/nights/cells?differ=entire", 400)
    assert "name an arm as well" in alone["error"]
    wrong = await got(server, "/api/v1/exams/nights/cells?arm=none&differ=entir", 400)
    assert "did you mean 'entire'" in wrong["error"]


async def test_an_exam_that_cannot_be_read_hides_no_other(
    log: Log, exam: LoadedExam, tmp_path: Path
) -> None:
    text = (tmp_path / "nights.toml").read_text().replace('"nights"', '"days"')
    (tmp_path / "days.toml").write_text(text.replace("nights.jsonl", "days.jsonl"))
    (tmp_path / "days.jsonl").write_text("no question")
    async with served(log, exams=[load_exam(tmp_path / "days.toml"), exam]) as server:
        broken, whole = await got(server, "/api/v1/exams")
        assert "days.jsonl:1: is not JSON" in broken["warning"] and broken["cells"] == 0
        assert (whole["name"], whole["answered"]) == ("nights", 6)
        assert "is not JSON" in (await got(server, "/api/v1/exams/days", 400))["error"]


async def test_what_is_not_there_is_told(server: Served) -> None:
    assert "did you mean 'nights'" in (await got(server, "/api/v1/exams/night", 404))["error"]
    assert "has no cell" in (await got(server, "/api/v1/exams/nights/cells/abc", 404))["error"]
    assert "state" in (await got(server, "/api/v1/exams/nights/cells?state=lost", 400))["error"]


async def test_a_character_is_told_nothing_of_an_exam(log: Log, exam: LoadedExam) -> None:
    """Neither by its link, nor while it sits in a browser, nor to whoever comes by then."""
    async with served(log, control="c", read="r", exams=[exam]) as server:
        key = (await got(server, "/api/v1/exams/nights/cells", token="r"))["rows"][0]["key"]
        paths = ("", "/nights", "/nights/cells", f"/nights/cells/{key}")
        view = (await server.access.tokens.give(WORLD, "Vera")).token
        for path in paths:
            assert "read" in (await got(server, f"/api/v1/exams{path}", 403, view))["error"]
            assert "token" in (await got(server, f"/api/v1/exams{path}", 401))["error"]
            assert "token" in (await got(server, f"/api/v1/exams{path}", 401, "wrong"))["error"]
    async with served(log, exams=[exam]) as server:
        seat = await server.access.tokens.give(WORLD, "Vera", seat=True)
        for path in paths:
            refused = await got(server, f"/api/v1/exams{path}", 403)
            assert "a seat is taken" in refused["error"]
        cookies = {COOKIE + seat.id: seat.token}
        async with (
            ClientSession(server.url, cookies=cookies, cookie_jar=CookieJar(unsafe=True)) as her,
            her.get("/api/v1/exams") as response,
        ):
            assert response.status == 403
    async with served(log) as server:
        await server.access.tokens.give(WORLD, "Vera", seat=True)
        assert await got(server, "/api/v1/exams") == [], "of none there is nothing to tell"


async def test_what_was_added_since_is_seen_and_one_that_has_not_begun_is_empty(
    log: Log, tmp_path: Path
) -> None:
    exam = await exam_of_nights(tmp_path)
    (tmp_path / "exam.db").unlink()
    async with served(log, exams=[exam]) as server:
        (line,) = await got(server, "/api/v1/exams")
        assert line["answered"] == 0
        waiting = await got(server, "/api/v1/exams/nights/cells?state=waiting")
        assert waiting["total"] == 6
        await exam_of_nights(tmp_path)
        (line,) = await got(server, "/api/v1/exams")
        assert line["answered"] == 6


async def test_what_was_folded_is_gone_on_with_off_the_loop(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exam = await exam_of_nights(tmp_path)
    (tmp_path / "exam.db").unlink()
    await sit_exam(exam, ExamOptions(limit=1))
    read, threads, taking = list[int](), set[int](), ExamFold.take

    def taken(self: ExamFold, event: Event) -> None:
        read.append(event.seq)
        threads.add(get_ident())
        taking(self, event)

    monkeypatch.setattr(ExamFold, "take", taken)
    one = Exams([exam], log, None).find("nights")
    first = await one.look()
    assert first.table.rows[0].answered == 1 and not first.table.finished
    count = len(read)
    await sit_exam(exam)
    found = await one.look()
    assert found.table.finished and (await one.look()) is found
    assert len(read) > count and read == list(range(1, len(read) + 1))
    assert get_ident() not in threads
    whole = await read_exam(exam)
    assert (found.table, found.cells) == (whole.table, whole.cells)
    (tmp_path / "exam.db").unlink()
    assert (await one.look()).table.rows[0].answered == 0
    await sit_exam(exam)
    assert (await one.look()).table == (await read_exam(exam)).table


async def test_scenes_that_were_folded_are_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, kept = tmp_path / "life.toml", tmp_path / "life.db"
    path.write_text(f"""
exam = "lifelong"
name = "life"
log = "{kept}"
chains = 2
episodes = 3
hard = 0
turns = 4
grid.memories = ["none"]
judges.rules.by = "rules"
""")
    exam, read, taking = load_exam(path), list[tuple[str, int]](), SceneTally.look
    threads, found_in = set[int](), list[str]()

    def taken(self: SceneTally, events: Sequence[Event]) -> None:
        threads.add(get_ident())
        read.extend((event.world, event.seq) for event in events)
        taking(self, events)

    def told(events: Sequence[Event], *given: Any) -> Any:
        found_in.append(events[0].world)
        return secrets(events, *given)

    monkeypatch.setattr(SceneTally, "look", taken)
    monkeypatch.setattr(findings, "secrets", told)
    few = replace(exam, plan=replace(exam.plan, at_once=1, limits={"run": Limit(calls=20)}))
    assert (await sit_exam(few)).code == 3
    async with open_log(kept, read_only=True) as log:
        one = Exams([exam], log, str(kept)).find("life")
        assert not (await one.look()).table.finished
        before = len(read)
        await sit_exam(exam)
        found = await one.look()
        assert found.table.finished and (await one.look()) is found
        assert len(read) > before > 0 and len(set(read)) == len(read), "none was read twice"
        assert get_ident() not in threads
        assert Counter(found_in) == {"life-none-1": 1, "life-none-2": 2}, "the first was over"
        whole = await read_exam(exam)
        assert (found.table, found.cells) == (whole.table, whole.cells)


async def test_only_exams_about_the_log_that_is_served_can_be_looked_at(
    log: Log, exam: LoadedExam, tmp_path: Path
) -> None:
    with pytest.raises(WrongPlan, match=r"give --log .*nights\.db"):
        Exams([exam], log, str(tmp_path / "other.db"))
    (tmp_path / "again.toml").write_text(
        PLAN.format(material=tmp_path / "nights.db", log=tmp_path / "b.db"), "utf-8"
    )
    with pytest.raises(WrongPlan, match="two exams called 'nights'"):
        Exams([exam, load_exam(tmp_path / "again.toml")], log, None)
