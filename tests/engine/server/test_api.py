"""What a server answers over HTTP, to whom, and what it refuses."""

from __future__ import annotations

import hashlib
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from diner_world import WORLD, nights
from whoknew_server import Served, begun, says, served

from whoknew.engine.server.api import ROUTES
from whoknew.engine.server.routes import WORLD as WORLD_PATH
from whoknew.eventlog import Log, open_log

ONE = f"/api/v1/worlds/{WORLD}"


async def get(server: Served, path: str, status: int = 200, **values: Any) -> Any:
    async with server.client.get(path, params=values) as response:
        found = await response.json()
        assert response.status == status, found
        return found


async def post(server: Served, path: str, body: Any, status: int = 200) -> Any:
    async with server.client.post(path, json=body) as response:
        found = await response.json()
        assert response.status == status, found
        return found


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


@pytest.mark.parametrize(
    ("path", "values", "status", "what"),
    [
        ("/api/v1/worlds/nope", {}, 404, "no world 'nope'"),
        (f"{ONE}/events", {"as": "Verra"}, 404, "did you mean 'Vera'"),
        (f"{ONE}/events", {"limit": "x"}, 400, "limit"),
        (f"{ONE}/events", {"limit": "5000"}, 400, "limit"),
        (f"{ONE}/events", {"after": "-1"}, 400, "after"),
        (f"{ONE}/knowledge", {}, 400, "no secrets marked"),
        (f"{ONE}/knowledge", {"at": "#99999", "about": "1"}, 404, "ends at"),
        (f"{ONE}/cursor", {"at": "@x"}, 400, "story time"),
        (f"{ONE}/trace", {"at": "end"}, 400, "event"),
        ("/api/v1/nothing", {}, 404, "nothing at"),
        ("/api/v1/worlds/nope/stream", {}, 404, "no world"),
    ],
)
async def test_what_is_wrong_is_told(
    server: Served, path: str, values: dict[str, str], status: int, what: str
) -> None:
    assert what in (await get(server, path, status, **values))["error"]


@pytest.mark.parametrize(
    ("method", "path", "what"),
    [
        ("GET", f"{ONE}/knowledge", "(`about` TEXT)"),
        ("GET", f"{ONE}/knowledge?doubtful=true&only=Vera", "leave out `only` and `not`"),
        ("GET", f"{ONE}/knowledge?only=Vera&not=Emil", "(`only`)"),
        ("GET", f"{ONE}/compare", "(`who` A,B)"),
        ("GET", f"{ONE}/compare?who=Vera,Emil&other=x", "(`who` A,B)"),
        ("GET", f"{ONE}/story?as=Vera&about=%231", "draw it without `as`"),
        ("POST", f"{ONE}/forks {{'about': [3]}}", "say which (`replace`)"),
        ("POST", f"{ONE}/forks {{'tell': [['Vera', '']]}}", "nothing is said to Vera"),
        ("POST", f"{ONE}/forks {{'unheard': [[89, 'Emil']]}}", "leave `unheard` out"),
        ("POST", f"{ONE}/forks {{'heard': [[89, 'Emil']], 'replace': [9, 'x']}}", "(`replace`)"),
    ],
)
async def test_what_is_asked_over_http_is_told_by_its_fields(
    server: Served, method: str, path: str, what: str
) -> None:
    path, _, body = path.partition(" ")
    data = body.replace("'", '"') or None
    async with server.client.request(method, path, data=data) as response:
        assert response.status == 400
        told = (await response.json())["error"]
    assert what in told
    assert "--" not in told and "whoknew " not in told


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", f"{ONE}/ask", "POST"),
        ("DELETE", f"{ONE}/marks", "POST"),
        ("POST", f"{ONE}/knowledge", "GET, HEAD"),
        ("PUT", "/api/v1/runs", "GET, HEAD, POST"),
    ],
)
async def test_another_method_is_told_that_is_answered_there(
    server: Served, method: str, path: str, allowed: str
) -> None:
    async with server.client.request(method, path) as response:
        assert response.status == 405
        assert response.headers["Allow"] == allowed.replace(" ", "")
        told = (await response.json())["error"]
    assert told == f"{method} is not answered at {path}: use {allowed.replace(', ', ' or ')}"


async def test_nothing_is_answered_where_nothing_is(server: Served) -> None:
    for method in ("GET", "POST", "DELETE", "OPTIONS"):
        async with server.client.request(method, "/api/v1/nothing") as response:
            assert response.status == 404
            assert "there is nothing at" in (await response.json())["error"]


async def test_bodies_that_are_wrong_or_too_large_are_refused(server: Served) -> None:
    for body, status in (
        ("{", 400),
        ("[]", 400),
        ('{"question": "?"}', 400),
        (" " * 2_000_000, 413),
    ):
        data = BytesIO(body.encode())
        async with server.client.post(f"{ONE}/ask", data=data) as response:
            assert response.status == status
            assert (await response.json())["error"]


async def test_a_model_that_is_sent_loads_nothing_unless_it_is_installed(
    server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sent.py").write_text("raise RuntimeError('loaded')")
    monkeypatch.syspath_prepend(tmp_path)
    question = {"character": "Vera", "question": "Who?"}
    for model in ("sent:Entry#m", "sent:m", "os:system#m"):
        refused = await post(server, f"{ONE}/ask", {**question, "model": model}, 400)
        assert "no address of a model" in refused["error"] or "is code beside" in refused["error"]
    assert "sent" not in sys.modules


async def test_no_model_that_is_sent_opens_a_file(server: Served, tmp_path: Path) -> None:
    asked = [
        (one.path, kind) for one in ROUTES for kind in (one.answering.query, one.answering.body)
    ]
    taken = [
        (path, name) for path, kind in asked for name in kind.__struct_fields__ if "model" in name
    ]
    assert taken == [(f"{WORLD_PATH}/ask", "model"), (f"{WORLD_PATH}/ask", "judge_model")]
    question = {"character": "Vera", "question": "Who?", "judges": ["rubric"], "reference": "x"}
    for _, name in taken:
        for model in (f"cache:{tmp_path}/none", "cache:/dev/zero", "local:/etc"):
            refused = await post(server, f"{ONE}/ask", {**question, name: model}, 400)
            assert f"'{model}' would be opened by this server" in refused["error"]


async def test_a_page_from_elsewhere_may_not_ask(server: Served) -> None:
    evil = {"Origin": "http://evil.example"}
    async with server.client.post(f"{ONE}/marks", json={"name": "x"}, headers=evil) as response:
        assert response.status == 403
    async with server.client.get("/api/v1/worlds", headers={"Host": "evil.example"}) as response:
        assert response.status == 403
    own = {"Origin": server.url}
    async with server.client.post(f"{ONE}/marks", json={"name": "y"}, headers=own) as response:
        assert response.status == 200
    with pytest.raises(Exception, match="403"):
        await server.client.ws_connect(
            f"/api/v1/worlds/{WORLD}/stream", origin="http://evil.example"
        )


async def test_every_answer_says_what_a_page_may_load(server: Served) -> None:
    for path in ("/", "/world.js", "/api/v1/worlds", "/api/v1/nothing"):
        async with server.client.get(path) as response:
            policy = response.headers["Content-Security-Policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert response.headers["X-Content-Type-Options"] == "nosniff"


async def test_files_of_the_machine_are_not_the_pages(server: Served) -> None:
    for path in ("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/app.py", "/etc/passwd"):
        async with server.client.get(path) as response:
            assert "import" not in (await response.text())[:40]


async def test_tokens_differ_in_what_they_may(log: Log) -> None:
    async with served(log, control="c" * 20, read="r" * 20) as server:
        view = (await server.access.tokens.give(WORLD, "Vera")).token
        control, read = "c" * 20, "r" * 20

        async def status(method: str, path: str, token: str | None, body: Any = None) -> int:
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            async with server.client.request(method, path, headers=headers, json=body) as response:
                return response.status

        hers, his = f"{ONE}/events?as=Vera", f"{ONE}/events?as=Emil"
        assert [await status("GET", "/api/v1/worlds", one) for one in (None, "x", view, read)] == [
            401,
            401,
            403,
            200,
        ]
        assert [await status("GET", hers, one) for one in (view, read, control)] == [200, 200, 200]
        for path in (
            his,
            f"{ONE}/knowledge?about=1",
            "/api/v1/worlds/x/events?as=Vera",
        ):
            assert await status("GET", path, view) == 403, path
        asked = {"character": "Emil", "question": "?", "save": False}
        assert await status("POST", f"{ONE}/ask", view, asked) == 403
        assert await status("POST", f"{ONE}/ask", read, asked) == 200
        assert await status("POST", f"{ONE}/ask", read, {**asked, "save": True}) == 403
        for model in ("model", "judge_model"):
            given = {**asked, model: "http://x/v1#m"}
            assert await status("POST", f"{ONE}/ask", read, given) == 403
        assert await status("POST", f"{ONE}/marks", read, {"name": "x"}) == 403
        assert await status("POST", f"{ONE}/marks", control, {"name": "x"}) == 200
        assert await status("GET", "/api/v1/health", None) == 200
        assert await status("GET", "/metrics", view) == 403
        for path in (f"{ONE}/cursor?at=a+secret", f"{ONE}/recall?as=Vera&words=x&at=a+secret"):
            assert await status("GET", path, view) == 403, path
        headers = {"Authorization": f"Bearer {view}"}
        async with server.client.get(ONE, headers=headers) as response:
            hers = await response.json()
        assert hers["character"] == "Vera"
        assert hers["events"] == len(await log.view(WORLD, "Vera"))
        hers = f"{ONE}/events?as=Vera"
        forged = view[:-4] + "0000"
        assert await status("GET", hers, forged) == 401
        for path in ("stream", "stream?as=Emil", f"stream?token={view}&as=Emil"):
            with pytest.raises(Exception, match=r"40[13]"):
                await server.client.ws_connect(f"/api/v1/worlds/{WORLD}/{path}")
        async with server.client.ws_connect(
            f"/api/v1/worlds/{WORLD}/stream?token={view}&as=Vera"
        ) as socket:
            assert (await socket.receive_json())["type"] == "hello"


async def test_who_is_nobody_is_told_how_to_come_again(log: Log) -> None:
    async with served(log, control="c" * 20) as server:
        for path in ("/api/v1/worlds", "/metrics", f"/api/v1/worlds/{WORLD}/stream"):
            for headers in ({}, {"Authorization": "Bearer wrong"}):
                async with server.client.get(path, headers=headers) as response:
                    assert response.status == 401, path
                    assert response.headers["WWW-Authenticate"].startswith("Bearer ")
                    assert "Authorization: Bearer TOKEN" in (await response.json())["error"]


async def test_a_page_of_another_site_changes_nothing(server: Served, log: Log) -> None:
    head = (await log.lineage.find(WORLD)).head
    for site in ("cross-site", "same-site"):
        for headers in ({}, {"Origin": server.url}):
            given = {"Sec-Fetch-Site": site, **headers}
            async with server.client.post(
                f"{ONE}/marks", json={"name": "x"}, headers=given
            ) as response:
                assert response.status == 403, given
                assert site in (await response.json())["error"]
        with pytest.raises(Exception, match="403"):
            await server.client.ws_connect(
                f"/api/v1/worlds/{WORLD}/stream", headers={"Sec-Fetch-Site": site}
            )
    assert (await log.lineage.find(WORLD)).head == head
    own = {"Sec-Fetch-Site": "same-origin", "Origin": server.url}
    async with server.client.post(f"{ONE}/marks", json={"name": "x"}, headers=own) as response:
        assert response.status == 200
    for origin in ("null", "http://[", "http://evil.example"):
        async with server.client.post(
            f"{ONE}/marks", json={"name": "y"}, headers={"Origin": origin}
        ) as response:
            assert response.status == 403, origin


async def test_metrics_and_version(server: Served) -> None:
    await get(server, "/api/v1/nothing", 404)
    for method in ("DELETE", "PUT"):
        async with server.client.request(method, "/api/v1/worlds") as response:
            assert response.status == 405
    async with server.client.get("/metrics") as response:
        text = await response.text()
    for method, status in (("GET", 404), ("DELETE", 405), ("other", 405)):
        assert f'whoknew_requests_total{{method="{method}",status="{status}"}} 1' in text
    assert (await get(server, "/api/v1/version"))["protocol"] == "whoknew.v1"


async def test_a_world_with_strange_names_has_an_address(tmp_path: Path) -> None:
    async with open_log(tmp_path / "s.db") as log:
        await begun(log, "a/b c?#", ("مريم", "Bob"))
        await log.append("a/b c?#", [says("x" * 100_000, "مريم", ("مريم", "Bob"))])
        async with served(log) as server:
            page = await get(server, "/api/v1/worlds/a%2Fb%20c%3F%23/events")
            assert page["events"][-1]["actor"] == "مريم"


async def test_lists_say_how_many_there_are_in_all(server: Served, log: Log) -> None:
    await log.fork(WORLD, "again", "E2")
    await server.access.tokens.give(WORLD, "Vera")
    await server.access.tokens.give(WORLD, "Emil")
    asked = {"worlds": {"limit": 1}, "tokens": {"skip": 1}, "runs": {"before": 7}}
    found = {}
    for what, query in asked.items():
        async with server.client.get(f"/api/v1/{what}", params=query) as response:
            rows = await response.json()
            found[what] = len(rows), int(response.headers["X-Total-Count"])
            if what == "worlds":
                assert (rows[0]["name"], rows[0]["origin"]) == ("again", "fork")
    assert found == {"worlds": (1, 2), "tokens": (1, 2), "runs": (0, 0)}
    async with server.client.get("/api/v1/openapi.json") as response:
        path = (await response.json())["paths"]["/api/v1/runs"]["get"]
    assert "X-Total-Count" in path["responses"]["200"]["headers"]
