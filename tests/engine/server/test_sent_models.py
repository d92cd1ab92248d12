"""A model that is named over HTTP opens nothing of the server's machine."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from server_requests import ONE, post
from whoknew_server import Served

from whoknew.engine.server.api import ROUTES
from whoknew.engine.server.routes import WORLD as WORLD_PATH


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
