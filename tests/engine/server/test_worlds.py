"""What is asked of a world over HTTP, and that looking leaves it as it was."""

from __future__ import annotations

import hashlib
from pathlib import Path

from diner_world import WORLD, nights
from server_requests import ONE, get, post
from whoknew_server import Served, begun, says, served

from whoknew.eventlog import Log, open_log


async def test_worlds_and_one_of_them(server: Served) -> None:
    (line,) = await get(server, "/api/v1/worlds")
    assert (line["name"], line["episodes"], line["closed"]) == (WORLD, 10, 10)
    assert (line["turns"], line["money"], line["failures"]) == (139, 0.0, 0)
    assert line["last"]
    one = await get(server, ONE)
    assert len(one["episodes"]) == 10
    assert all(band["first"] < band["last"] for band in one["episodes"])
    assert "Vera" in one["characters"]


async def test_events_come_in_pages_that_fit_together(server: Served, log: Log) -> None:
    whole = [event.seq async for event in log.read(WORLD)]
    seqs: list[int] = []
    while len(seqs) < len(whole):
        page = await get(server, f"{ONE}/events", after=seqs[-1] if seqs else 0, limit=100)
        assert page["before"] == len(seqs)
        seqs += [event["seq"] for event in page["events"]]
    assert seqs == whole
    newest = await get(server, f"{ONE}/events", upto=200, limit=10)
    assert [event["seq"] for event in newest["events"]] == list(range(191, 201))


async def test_events_as_somebody_are_its_view(server: Served, log: Log) -> None:
    view = await log.view(WORLD, "Vera", "#300")
    page = await get(server, f"{ONE}/events", upto=300, limit=1000, **{"as": "Vera"})
    assert [event["seq"] for event in page["events"]] == list(view.seqs())
    later = await get(server, f"{ONE}/events", upto=300, after=200, **{"as": "Vera"})
    assert [one["seq"] for one in later["events"]] == [seq for seq in view.seqs() if seq > 200]


async def test_what_the_commands_tell_can_be_asked(server: Served) -> None:
    found = await get(server, f"{ONE}/knowledge", about="cannot taste", at="E5")
    cells = {one["character"]: one["answer"] for one in found["rows"][0]["cells"]}
    assert (cells["Dorte"], cells["Vera"], cells["Rufus"]) == ("present", "told", "absent")
    chain = await get(server, f"{ONE}/trace", event=89, character="Vera", at="E5")
    assert [one["answer"] for one in chain] == ["told", "present"]
    assert chain[0]["origin"] == "declared"
    assert (found["looked"], found["sure"]) == (False, 0.5)
    early = await get(server, f"{ONE}/knowledge", about="89", recorded_at="E1", sure=1)
    assert early["cursor"] == 116
    assert (await get(server, f"{ONE}/trace", 400, event=89, character="Vera", at="E5", sure=2))[
        "error"
    ]
    (decision,) = await get(server, f"{ONE}/prompts", at="E2.T3")
    assert decision["calls"][0]["digest"] == decision["calls"][0]["called"]["digest"]
    assert (await get(server, f"{ONE}/recall", words="salt", **{"as": "Vera"}))["found"]
    assert (await get(server, f"{ONE}/compare", who="Dorte,Vera"))["kind"] == "characters"
    assert (await get(server, f"{ONE}/cursor", at="E1"))["cursor"] == 116
    assert (await get(server, f"{ONE}/scores"))["scores"] == []


async def test_who_knows_of_what_comes_a_page_at_a_time_with_its_total(server: Served) -> None:
    whole = await get(server, f"{ONE}/knowledge", about="soup", limit=1000)
    assert whole["total"] == len(whole["rows"]) > 20
    page = await get(server, f"{ONE}/knowledge", about="soup", limit=5, skip=10)
    assert page["rows"] == whole["rows"][10:15]
    assert (page["total"], page["told"]) == (whole["total"], whole["told"])
    head = (await get(server, ONE))["head"]
    some = await get(server, f"{ONE}/knowledge", about=f"1-{head}")
    assert (some["total"], len(some["rows"])) == (head, 20)


async def test_events_are_asked_for_by_who_knows_of_them(server: Served) -> None:
    assert (await get(server, f"{ONE}/knowledge", doubtful="true"))["total"] == 0
    only = await get(server, f"{ONE}/knowledge", only="Emil")
    assert (only["total"], only["only"]) == (11, ["Emil"])
    unaware = await get(server, f"{ONE}/knowledge", who="Dorte,Vera", limit=3, **{"not": "Emil"})
    assert (unaware["total"], len(unaware["rows"])) == (75, 3)
    news = await get(server, f"{ONE}/learnt", who="Anselm", new="E5", limit=5)
    assert (news["told"], news["total"], len(news["rows"])) == (4, 19, 5)
    assert news["rows"][0]["speech"]["seq"] == 290


async def test_who_told_whom_comes_as_data_in_words_and_as_a_picture(server: Served) -> None:
    found = await get(server, f"{ONE}/spread", event=89, at="E5")
    assert [one["speech"]["seq"] for one in found["spread"]["tellings"]] == [126, 290]
    assert found["sentences"][1] == "#126 E2.T2: Yusuf tells Vera (declared)."
    assert found["picture"].startswith("<svg")
    assert (await get(server, f"{ONE}/spread", 400, event=89, at="#50"))["error"]


async def test_looking_leaves_every_byte_as_it_was(tmp_path: Path) -> None:
    file = nights(tmp_path)
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    async with open_log(file, read_only=True) as log, served(log, writable=False) as server:
        for path, values in (
            ("/api/v1/worlds", {}),
            (ONE, {}),
            (f"{ONE}/events", {"as": "Vera"}),
            (f"{ONE}/knowledge", {"about": "soup"}),
            (f"{ONE}/prompts", {"at": "E2.T3"}),
            (f"{ONE}/recall", {"as": "Vera", "words": "soup"}),
        ):
            await get(server, path, **values)
        await post(server, f"{ONE}/ask", {"character": "Vera", "question": "Who?", "save": False})
        assert (
            "another process"
            in (await post(server, "/api/v1/runs", {"world": "harbour"}, 403))["error"]
        )
        assert (await post(server, f"{ONE}/marks", {"name": "x"}, 409))["error"]
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before


async def test_looking_through_a_server_that_may_write_changes_nothing_either(
    tmp_path: Path,
) -> None:
    file = nights(tmp_path)
    async with open_log(file):
        pass
    before = hashlib.sha256(file.read_bytes()).hexdigest()
    async with open_log(file) as log, served(log) as server:
        await get(server, "/api/v1/worlds")
        await get(server, f"{ONE}/events", upto=100, **{"as": "Vera"})
        await post(server, f"{ONE}/ask", {"character": "Vera", "question": "Who?", "save": False})
        async with server.client.ws_connect(f"/api/v1/worlds/{WORLD}/stream") as socket:
            await socket.receive()
    assert hashlib.sha256(file.read_bytes()).hexdigest() == before


async def test_asking_forking_and_marking(server: Served, log: Log) -> None:
    question = {"character": "Vera", "question": "Who cannot taste?", "at": "E2"}
    asked = await post(server, f"{ONE}/ask", question)
    assert "Dorte" in asked["answer"]
    assert asked["probe"] == (await log.lineage.find(WORLD)).head - 2
    judged = {**question, "reference": "It is Dorte.", "judges": ["reference", "rubric"]}
    verdicts = (await post(server, f"{ONE}/ask", judged))["verdicts"]
    assert [one["scores"] for one in verdicts.values()] == [{"overlap": 1.0}, {"mark": 10.0}]
    assert (await get(server, f"{ONE}/scores"))["scores"] == [], "they are of no episode"
    made = await post(server, f"{ONE}/forks", {"at": "E2.T1", "tell": [["Vera", "Psst."]]})
    assert made["world"] == f"{WORLD}-what-if"
    made = await post(server, f"{ONE}/forks", {"heard": [[89, "Emil"]]})
    assert (made["shared"], made["given"]) == (88, 2)
    assert (await post(server, f"{ONE}/marks", {"name": "x", "at": "E1"}))["cursor"] == 116
    assert (await get(server, ONE))["marks"][0]["name"] == "x"


async def test_a_world_with_strange_names_has_an_address(tmp_path: Path) -> None:
    async with open_log(tmp_path / "s.db") as log:
        await begun(log, "a/b c?#", ("مريم", "Bob"))
        await log.append("a/b c?#", [says("x" * 100_000, "مريم", ("مريم", "Bob"))])
        async with served(log) as server:
            page = await get(server, "/api/v1/worlds/a%2Fb%20c%3F%23/events")
            assert page["events"][-1]["actor"] == "مريم"
