"""`cache:`: answers from a file of prompts, which is read as data."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from whoknew.agents.errors import BadModel, NotRecorded
from whoknew.agents.models import prompt_cache
from whoknew.agents.models.model import Message, Request
from whoknew.engine.running.models import opened

ASKED = Request("act", (Message("system", "You are Oda."), Message("user", "And now?")))


def written(folder: Path, *rows: object) -> str:
    file = folder / "cache.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return f"cache:{file}"


async def test_the_last_line_of_a_prompt_holds(tmp_path: Path) -> None:
    prompt = "You are Oda.\n\nAnd now?"
    rows = [{"prompt": prompt, "response": said, "model": "gpt-4.1"} for said in ("one", "two")]
    async with opened(written(tmp_path, *rows)) as model:
        reply = await model.complete(ASKED)
        assert (reply.text, reply.model) == ("two", "gpt-4.1")


async def test_a_prompt_that_was_never_asked_is_told(tmp_path: Path) -> None:
    async with opened(written(tmp_path, {"prompt": "else", "response": "x"})) as model:
        with pytest.raises(NotRecorded, match="holds no answer to this prompt"):
            await model.complete(ASKED)


async def test_a_file_that_is_none_is_refused_with_its_line(tmp_path: Path) -> None:
    good = {"prompt": "a", "response": "b"}
    for rows in ([good, {"prompt": "a"}], [good, {"prompt": 3, "response": "x"}]):
        with pytest.raises(BadModel, match="line 2: is no object with"):
            async with opened(written(tmp_path, *rows)):
                pass
    (tmp_path / "cache.pkl").write_bytes(b"\x80\x04cos\nsystem\n")
    with pytest.raises(BadModel, match="line 1"):
        async with opened(f"cache:{tmp_path / 'cache.pkl'}"):
            pass
    with pytest.raises(BadModel, match="cannot be read"):
        async with opened(f"cache:{tmp_path / 'none'}"):
            pass


async def test_a_line_that_has_no_end_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prompt_cache, "LONGEST", 100)
    address = written(tmp_path, {"prompt": "a", "response": "b"}, {"prompt": "x" * 1000})
    with pytest.raises(BadModel, match="line 2: has more than 100 bytes"):
        async with opened(address):
            pass


async def test_what_might_never_end_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in ("/dev/zero", str(tmp_path / "pipe"), str(tmp_path)):
        with pytest.raises(BadModel, match="cannot be read: it is no file"):
            async with opened(f"cache:{place}"):
                pass
