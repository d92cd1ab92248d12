"""`whoknew log rows`: the events of a log as rows of a table."""

from __future__ import annotations

import asyncio
import csv
import os
import shutil
import signal
from contextlib import suppress
from datetime import datetime
from io import StringIO
from pathlib import Path

import pytest
from child_process import started
from command_runner import COMMAND, answer, damage, refused, run, write
from waiting import PATIENCE, until

from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Acted, CharacterAdded

STORED = Path(__file__).parents[3] / "stored" / "v1.db"

COLUMNS = [
    *("position", "world", "seq", "at", "recorded", "episode", "turn", "actor", "kind", "place"),
    *("text", "witnesses", "about", "cause", "body", "hash"),
]


def test_the_rows_are_all_events_in_the_order_of_their_recording(file: Path) -> None:
    found = answer("log", "rows", file)
    assert (found["total"], found["skipped"]) == (5, 0)
    assert [(row["world"], row["seq"]) for row in found["rows"]] == [
        *(("harbour", seq) for seq in (1, 2, 3, 4)),
        ("harbour-fork", 4),
    ]
    assert [row["text"] for row in found["rows"]] == [
        *("Harbour", "Ann", "Rain.", "It rains.", "harbour #3"),
    ]
    assert list(found["rows"][0]) == COLUMNS
    assert found["rows"][3]["witnesses"] == ["Ann"]
    assert found["rows"][3]["body"] == {"kind": "episode.narrated", "text": "It rains."}


def test_a_condition_says_which_and_columns_say_what_of_them(file: Path) -> None:
    some = ("--where", "kind = 'episode.narrated' OR seq = 1", "--columns", "seq, text")
    rows = answer("log", "rows", file, *some)["rows"]
    assert rows == [{"seq": 1, "text": "Harbour"}, {"seq": 4, "text": "It rains."}]


def test_a_part_of_the_rows_says_how_many_there_are_and_how_to_go_on(file: Path) -> None:
    shown = run("log", "rows", file, "--limit", "2").stdout
    assert shown.startswith("1-2 of 5 rows: go on with --skip 2, or --limit 0 for all\n")
    shown = run("log", "rows", file, "--limit", "2", "--skip", "4").stdout
    assert shown.startswith("5-5 of 5 rows\n")
    assert run("log", "rows", file, "--skip", "9").stdout == "5 rows: none past the first 9\n"
    assert run("log", "rows", file, "--where", "seq > 9").stdout == "0 rows\n"
    assert run("log", "rows", file, "--limit", "0").stdout.startswith("5 rows\n")


def test_a_table_keeps_to_the_width_and_cuts_no_text(tmp_path: Path) -> None:
    async def begin() -> None:
        async with open_log(tmp_path / "long.db") as log:
            said = Acted("word " * 60 + "\x1b[31mred")
            drafts = [
                Draft(CharacterAdded("Ann"), datetime(2000, 1, 1)),
                Draft(said, actor="Ann", witnesses=("Ann",)),
            ]
            await log.append("a world of a long name", drafts)

    asyncio.run(begin())
    shown = run("log", "rows", tmp_path / "long.db").stdout
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.count("word") == 60
    assert "\x1b" not in shown


def test_csv_is_read_as_it_was_and_says_on_stderr_that_there_is_more(file: Path) -> None:
    done = run("log", "rows", file, "--csv", "--limit", "0")
    assert done.stderr == ""
    rows = list(csv.DictReader(StringIO(done.stdout)))
    assert list(rows[0]) == COLUMNS
    assert [row["seq"] for row in rows] == ["1", "2", "3", "4", "4"]
    assert rows[3]["witnesses"] == '["Ann"]'
    done = run("log", "rows", file, "--csv", "--limit", "3", "--columns", "seq")
    assert done.stdout == "seq\n1\n2\n3\n"
    assert done.stderr == "1-3 of 5 rows: go on with --skip 3, or --limit 0 for all\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--where", "txt = 1"], "no such column: txt"),
        (["--where", "1) OR (1"], ""),
        (["--where", "'"], "unrecognized token"),
        (["--where", "1; DROP VIEW readable"], "syntax error"),
        (["--columns", "seq,txt"], "there is no column 'txt': there are position, world, seq"),
    ],
)
def test_what_cannot_be_looked_up_is_refused_and_changes_nothing(
    file: Path, arguments: list[str], said: str
) -> None:
    before = file.read_bytes()
    if said:
        assert said in refused("log", "rows", file, *arguments)
    else:
        run("log", "rows", file, *arguments)
    assert file.read_bytes() == before


def test_csv_and_json_at_once_are_wrong_usage(file: Path) -> None:
    assert "--csv" in run("log", "rows", file, "--csv", "--json", rc=2).stderr


def test_an_older_log_is_read_as_it_stands(tmp_path: Path) -> None:
    older = Path(shutil.copy(STORED, tmp_path))
    before = older.read_bytes()
    assert answer("log", "rows", older)["rows"][0]["text"] == "Elsinore, Helsingør"
    assert run("log", "rows", older).stdout.startswith("1-20 of 30 rows")
    assert older.read_bytes() == before


def test_what_is_no_log_or_damaged_is_named_as_that(file: Path, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no log")
    assert "is not a Whoknew log" in refused("log", "rows", tmp_path / "text.db")
    assert "there is no such file" in refused("log", "rows", tmp_path / "none.db")
    damage(file)
    assert run("log", "rows", file).stdout  # `log verify` says so; rows are as they stand
    file.write_bytes(file.read_bytes()[:9000])
    assert "damaged or cut short" in refused("log", "rows", file)


def test_a_log_on_postgresql_is_read_in_the_same_way(database: str) -> None:
    asyncio.run(write(database))  # type: ignore[arg-type]
    found = answer("log", "rows", database, "--where", "world = 'harbour'", "--columns", "seq,text")
    assert [row["seq"] for row in found["rows"]] == [1, 2, 3, 4]
    assert found["rows"][3] == {"seq": 4, "text": "It rains."}


@pytest.mark.parametrize("where", ["1); drop table x; --", "seq = ?", "seq = (", "zeroblob(2e9)"])
def test_a_condition_that_is_refused_is_not_damage(file: Path, where: str) -> None:
    said = refused("log", "rows", file, "--where", where)
    assert "cannot be looked up" in said and "damaged" not in said


async def test_a_condition_that_never_ends_can_be_interrupted(file: Path) -> None:
    endless = (
        "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c)"
    )
    words = (*COMMAND, "log", "rows", file, "--where", endless)

    def interruptible() -> None:
        """Also where these tests run in the background of a shell, which has it ignored."""
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    async with started(*words, preexec_fn=interruptible) as going:

        def is_open() -> bool:
            with suppress(FileNotFoundError):  # a file that is closed while it is looked at
                files = Path(f"/proc/{going.pid}/fd").iterdir()
                return any(os.path.realpath(one) == str(file.resolve()) for one in files)
            return False

        await until(is_open, by=going)
        going.send_signal(signal.SIGINT)
        async with asyncio.timeout(PATIENCE):
            assert await going.wait() == 130
