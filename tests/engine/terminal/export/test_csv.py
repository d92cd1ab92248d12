"""`whoknew export csv`: a world as a table, whole or as one character perceived it."""

from __future__ import annotations

import asyncio
import csv
import json
from datetime import datetime
from io import StringIO
from pathlib import Path

import pytest
from command_runner import answer, refused, run

from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import Acted, Called, CharacterAdded, EpisodeOpened, WorldOpened

NOON = datetime(2000, 1, 1, 12)


def said(actor: str, text: str, *others: str, about: tuple[int, ...] = ()) -> Draft:
    return Draft(
        Acted(text), episode=1, turn=1, actor=actor, witnesses=(actor, *others), about=about
    )


async def begin(log: Log) -> None:
    drafts = [
        Draft(WorldOpened("Harbour"), NOON),
        Draft(CharacterAdded("Ann"), witnesses=("Ann",)),
        Draft(CharacterAdded("Bo"), witnesses=("Bo",)),
    ]
    await log.append("harbour", drafts)


async def play(log: Log) -> None:
    """What Ann perceives; of who else does, she learns nothing here."""
    opened = EpisodeOpened("Rain.", ("Ann", "Bo"))
    await log.append(
        "harbour",
        [
            Draft(opened, episode=1, witnesses=("Ann", "Bo")),
            said("Ann", 'It "rains",\nand rains.', "Bo"),
        ],
    )


def written(file: Path, *works: object) -> Path:
    async def write() -> None:
        async with open_log(file) as log:
            for work in works:
                await work(log)  # type: ignore[operator]

    asyncio.run(write())
    return file


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return written(tmp_path / "log.db", begin, play)


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return list(csv.DictReader(opened))


def test_every_event_is_a_row(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "all.csv"
    assert run("export", "csv", "harbour", out, "--log", log).stdout == (
        f"{out}: 5 events of harbour, up to #5\n"
    )
    found = rows(out)
    assert [row["seq"] for row in found] == ["1", "2", "3", "4", "5"]
    last = found[-1]
    assert last["text"] == 'It "rains",\nand rains.'
    assert (last["episode"], last["turn"], last["actor"], last["kind"]) == (
        *("1", "1", "Ann"),
        "episode.acted",
    )
    assert json.loads(last["witnesses"]) == ["Ann", "Bo"]
    assert json.loads(last["body"])["text"] == last["text"]


def test_no_cell_does_harm_where_the_table_is_opened(log: Path, tmp_path: Path) -> None:
    async def attack(log: Log) -> None:
        await log.append("harbour", [said("Ann", "=1+1"), said("Bo", "Well\x1b[2J.\x9b")])

    written(log, attack)
    file = tmp_path / "a.csv"
    answer("export", "csv", "harbour", file, "--log", log)
    assert [row["text"] for row in rows(file)][-2:] == ["'=1+1", "Well\\x1b[2J.\\x9b"]
    assert json.loads(rows(file)[-1]["body"])["text"] == "Well\x1b[2J.\x9b"
    table = csv.DictReader(StringIO(run("log", "rows", log, "--csv", "--limit", "0").stdout))
    assert [row["text"] for row in table][-2:] == ["'=1+1", "Well\\x1b[2J.\\x9b"]


def test_a_fork_is_written_with_its_past_and_up_to_the_cursor(log: Path, tmp_path: Path) -> None:
    async def fork(opened: Log) -> None:
        await opened.fork("harbour", "else", "#4")

    written(log, fork)
    assert answer("export", "csv", "else", tmp_path / "fork.csv", "--log", log)["events"] == 5
    kinds = [row["kind"] for row in rows(tmp_path / "fork.csv")]
    assert kinds[-2:] == ["episode.opened", "world.forked"]
    run("export", "csv", "else", tmp_path / "early.csv", "--log", log, "--at", "#2")
    assert len(rows(tmp_path / "early.csv")) == 2


def test_the_rows_of_a_character_are_its_view(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "bo.csv"
    told = run("export", "csv", "harbour", out, "--log", log, "--as", "Bo").stdout
    assert told == f"{out}: 3 events of harbour as Bo perceived it, up to #5\n"
    found = rows(out)
    assert list(found[0]) == ["number", "at", "actor", "kind", "place", "text"]
    assert [(row["number"], row["text"].split("\n")[0]) for row in found] == [
        ("1", "Bo"),
        ("2", "Rain."),
        ("3", 'It "rains",'),
    ]


def test_the_rows_of_a_character_say_nothing_of_what_it_did_not_perceive(
    log: Path, tmp_path: Path
) -> None:
    async def unseen(opened: Log) -> None:
        call = Called("act", "m", "d", reply="{}")
        await opened.append("harbour", [said("Bo", "The secret."), Draft(call)])

    more = written(tmp_path / "more.db", begin, unseen, play, unseen)
    for number, one in enumerate((log, more)):
        run("export", "csv", "harbour", tmp_path / f"{number}.csv", "--log", one, "--as", "Ann")
    assert (tmp_path / "0.csv").read_bytes() == (tmp_path / "1.csv").read_bytes()


def test_who_is_not_there_and_a_file_that_is_are_refused(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "no.csv"
    assert "Cy" in refused("export", "csv", "harbour", out, "--log", log, "--as", "Cy")
    assert not out.exists()
    out.write_text("mine")
    assert "exists already" in refused("export", "csv", "harbour", out, "--log", log)
    assert out.read_text() == "mine"
