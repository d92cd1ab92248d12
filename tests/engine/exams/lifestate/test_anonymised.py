"""Without names: none is left in what is written and in what models are sent, in any case, with its
possessive, inside other words; and all of it can be put back."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from command_runner import answer, run
from shared_data import data

from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import CharacterAdded
from whoknew.worlds.anonymiser import COMMON, LEAST, Key, restore

SOURCES = ("hamlet.xml", "macbeth.xml", "dream.xml", "r_and_j.xml", "midnight-diner")


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def texts(value: Any) -> Iterator[str]:
    """All texts of a value, names of its fields left out."""
    if isinstance(value, str):
        yield value
    for one in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from texts(one)


async def _told(log: str) -> tuple[list[str], list[str]]:
    """The names of all characters of a log, and all texts in it."""
    names, found = list[str](), list[str]()
    async with open_log(log, read_only=True) as opened:
        for world in await opened.worlds():
            async for event in opened.read(world.name):
                found += texts(msgspec.to_builtins(event))
                if isinstance(event.body, CharacterAdded):
                    names.append(event.body.name)
    return names, found


def named(names: list[str]) -> re.Pattern[str]:
    """Each name, and each part of one that says who is meant, wherever it stands."""
    parts = [part for name in names for part in re.findall(r"[^\W\d_]+", name)]
    telling = [one for one in parts if len(one) >= LEAST and one.casefold() not in COMMON]
    return re.compile("|".join(map(re.escape, {*names, *telling})), re.IGNORECASE)


@pytest.mark.parametrize("name", SOURCES)
def test_no_name_is_left_in_what_is_written_and_sent_and_all_can_be_put_back(name: str) -> None:
    source = name if name == "midnight-diner" else str(data("shakespeare", name))
    run("exam", "new", "lifestate", "open.toml", "--from", source)
    run("exam", "new", "lifestate", "asked.toml", "--from", source, "--anonymised")
    aliases = json.loads(Path("asked.names.json").read_text("utf-8"))["aliases"]
    hidden, shown = Path("asked.jsonl").read_text("utf-8"), Path("open.jsonl").read_text("utf-8")
    assert restore(hidden, Key(aliases)) == shown
    plan = Path("asked.toml").read_text("utf-8")
    Path("asked.toml").write_text(f"keep_prompts = true\n{plan}", "utf-8")
    for arm in ("whole-past", "summary", "nothing"):
        run("exam", "run", "asked.toml", "--limit", "20", "--only", arm)
    prompts = [
        run("exam", "show", "asked.toml", arm, number).stdout
        for arm in ("whole-past", "summary", "nothing")
        for number in ("1", "20")
    ]
    names, open_texts = asyncio.run(_told("open.worlds.db"))
    pattern = named(names)
    assert pattern.search("\n".join(open_texts))
    written = [*asyncio.run(_told("asked.worlds.db"))[1], hidden, *prompts]
    aliased = re.compile("|".join(map(re.escape, sorted(aliases, key=len, reverse=True))))
    for text in written:
        left = aliased.sub("\n", text)
        # "Son", who is somebody in Macbeth, stands in words of ours: JSON, reason, person.
        assert not [one for one in pattern.findall(left) if one.casefold() != "son"], left[:300]
    assert sum(bool(aliased.search(one)) for one in written) > 20


def test_an_exam_that_is_called_as_one_of_its_people_is_told_so() -> None:
    source = str(data("shakespeare", "macbeth.xml"))
    found = answer("exam", "new", "lifestate", "macbeth.toml", "--from", source, "--anonymised")
    assert [one["record"] for one in found["remarks"]] == ["macbeth"]
    found = answer("exam", "new", "lifestate", "play.toml", "--from", source, "--anonymised")
    assert found["remarks"] == []
