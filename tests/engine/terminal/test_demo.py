"""The demo: what it shows is so, it fits, and it can be had again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from small_worlds import NIGHT

from whoknew.engine.running.demo import demo
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import WorldOpened

COMMAND = [sys.executable, "-m", "whoknew.cli", "demo"]


def shown(*options: str, **environment: str) -> str:
    done = subprocess.run(
        check=False,
        args=[*COMMAND, *options],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8", **environment},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_it_fits_eighty_columns_and_a_screen_or_two() -> None:
    lines = shown().splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 90


def test_it_can_be_read_without_colour() -> None:
    text = shown(NO_COLOR="1", FORCE_COLOR="1")
    assert not re.search(r"\x1b\[[0-9;]*(3[0-7]|9[0-7])m", text)
    for word in ("● present", "◐ told by Vera", "○ absent"):
        assert word in text


def test_it_can_be_read_in_ascii() -> None:
    text = shown(PYTHONIOENCODING="ascii")
    assert text.isascii()
    assert "\\u" not in text


def test_it_is_the_same_each_time() -> None:
    assert shown() == shown()


async def test_the_secret_spreads_as_it_is_shown() -> None:
    found = await demo()
    first = {cell.character: cell.answer for cell in found.matrix[0]}
    ends = {cell.character: (cell.answer, cell.by) for cell in found.matrix[-1]}
    assert {who for who, answer in first.items() if answer == "present"} == {
        "Dorte",
        "Magda",
        "Yusuf",
    }
    assert ends["Vera"] == ("told", "Yusuf")
    assert ends["Anselm"] == ("told", "Vera")
    assert ends["Emil"] == ("told", "Yusuf")
    assert {who for who, (answer, _) in ends.items() if answer == "absent"} == {
        "Rufus",
        "Lotte",
        "Cyril",
    }
    assert [known.answer for known in found.chain] == ["told", "present"]
    assert found.verified.faults == ()


async def test_at_the_early_cursor_nothing_is_known_of_what_came_later() -> None:
    asked = (await demo()).asked
    assert asked.character == "Emil"
    assert "cannot taste" not in asked.then[0].text
    assert "cannot taste" in asked.later[0].text


async def test_played_again_into_its_log_nothing_is_added(tmp_path: Path) -> None:
    file = str(tmp_path / "diner.db")
    first, second = await demo(file), await demo(file)
    assert (first.fresh, second.fresh) == (True, False)
    assert first.events == second.events
    assert first.verified == second.verified


async def test_the_log_that_it_keeps_can_be_opened(tmp_path: Path) -> None:
    file = tmp_path / "diner.db"
    await demo(str(file))
    async with open_log(file, read_only=True) as log:
        assert len(await log.view("midnight-diner", "Emil", "E2")) > 0


def test_without_a_log_nothing_is_left(tmp_path: Path) -> None:
    shown(TMPDIR=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


async def test_what_is_played_into_a_log_of_other_worlds_is_told_as_played(tmp_path: Path) -> None:
    log = str(tmp_path / "mine.db")
    async with open_log(log) as opened:
        await opened.append("other", [Draft(WorldOpened("other"), NIGHT)])
    assert (await demo(log)).fresh
    assert not (await demo(log)).fresh
