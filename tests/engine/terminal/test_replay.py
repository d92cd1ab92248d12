"""`whoknew replay`: a world as it stood."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from diner_world import WORLD, nights
from lamp_room import PLAY
from waiting import PATIENCE

from whoknew.engine.opening import reading
from whoknew.engine.terminal.replay import watch
from whoknew.engine.travel.replay import replay


@pytest.fixture(params=[PLAY, "told"])
def world(request: pytest.FixtureRequest) -> str:
    """The play as it was imported, and a fork of it."""
    return str(request.param)


def test_a_replay_reads_as_a_play(unchanged: Path, world: str) -> None:
    shown = run("replay", world, "--at", "E4", "--log", unchanged).stdout
    assert "E1  Act I, Scene I. 1 January 1600. The lamp room" in shown
    assert "CAPTAIN MARROW aside: She must not come back" in shown
    assert "TOBIAS PELL whispers to AUGUSTA PELL: He offered me" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    wide = run("replay", world, "--log", unchanged, environment={"COLUMNS": "200"}).stdout
    assert len(wide.splitlines()) < len(
        run("replay", world, "--log", unchanged).stdout.splitlines()
    )


def test_a_replay_as_somebody_shows_nothing_else(unchanged: Path) -> None:
    shown = run("replay", PLAY, "--as", "WREN", "--log", unchanged).stdout
    assert "WREN falls asleep" in shown
    assert "Forty stones" not in shown
    assert "WREN did not perceive" in shown
    seen = answer("replay", PLAY, "--as", "WREN", "--log", unchanged)
    assert all("WREN" in event["witnesses"] for event in seen["events"])


async def test_a_replay_as_somebody_has_the_numbers_by_which_it_refers_to_what_it_knows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = nights(tmp_path)
    async with reading(str(file)) as log:
        events = await (await log.view(WORLD, "Vera")).events()
    numbers = {f"#{event.seq}": f"[{place}]" for place, event in enumerate(events, start=1)}
    words = ("replay", WORLD, "--as", "Vera", "--log", file)
    whole = await asyncio.to_thread(lambda: run(*words).stdout)
    part = await asyncio.to_thread(lambda: run(*words, "--from", "E2", "--at", "E4").stdout)
    for shown in (whole, part, await followed(file, capsys, "#134", who="Vera")):
        rows = [row.split()[1:3] for row in shown.splitlines() if row[2:3] == ":"]
        assert len(rows) > 1
        assert rows == [[seq, numbers[seq]] for seq, _ in rows]


def test_an_imported_event_keeps_the_id_of_its_source(unchanged: Path) -> None:
    events = answer("replay", PLAY, "--at", "E1.T2", "--log", unchanged)["events"]
    assert events[-1]["source"] == "Act I, Scene I, speech 2"


def test_a_replay_that_runs_backwards_is_refused(unchanged: Path) -> None:
    said = refused("replay", PLAY, "--from", "E5", "--at", "E2", "--log", unchanged)
    assert " from E5 (#" in said and ") to E2 (#" in said and "exchange the two" in said
    shown = run("replay", PLAY, "--from", "E2", "--at", "E2", "--log", unchanged).stdout
    assert "Nothing happened after --from" in shown and "Witnesses" not in shown


def test_a_replay_can_be_watched(unchanged: Path) -> None:
    words = ("--from", "E4", "--at", "E5.T1", "--speed", "100000", "--log", unchanged)
    assert "AUGUSTA PELL: Sit by the glass" in run("replay", PLAY, *words).stdout


@pytest.mark.parametrize("watching", [("--follow",), ("--speed", "3")])
def test_a_replay_in_json_is_not_watched(unchanged: Path, watching: tuple[str, ...]) -> None:
    done = run("replay", PLAY, *watching, "--json", "--log", unchanged, rc=2)
    assert done.stdout == ""
    assert "--json is one answer: leave out --follow and --speed" in done.stderr


def test_what_was_told_is_marked_in_a_replay_of_a_played_world(tmp_path: Path) -> None:
    file = nights(tmp_path)
    shown = run("replay", WORLD, "--as", "Vera", "--at", "E2", "--log", file).stdout
    assert "◐ so knows of #89: Dorte: I cannot taste." in shown
    traced = run("knows", WORLD, "--about", "89", "--trace", "--log", file).stdout
    assert "#89  Vera ← told by Yusuf at #126 ← present at #89" in traced


async def followed(
    file: Path, printed: pytest.CaptureFixture[str], until: str, who: str | None = None
) -> str:
    """What is shown of the diner by whoever follows it from the end of its first night on."""
    shown = ""
    async with reading(str(file)) as log, asyncio.timeout(PATIENCE):
        seen = await replay(log, WORLD, "E1", character=who, after="E1")
        watching = asyncio.create_task(watch(log, seen, speed=None, follow=True))
        while until not in shown and not watching.done():
            await asyncio.sleep(0)
            shown += printed.readouterr().out
        watching.cancel()
    return shown


async def test_whoever_follows_sees_who_witnesses_what_happens_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = await followed(nights(tmp_path), capsys, "#126")
    assert "V\u00a0Vera" in shown and "Y\u00a0Yusuf" in shown
    (row,) = [one for one in shown.splitlines() if " #126 " in one]
    witnesses = row.split()[2]
    assert {sign for sign in witnesses if sign != "·"} == {"V", "Y"}


async def test_what_is_told_next_is_marked_for_who_follows_as_somebody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mark = "◐ so knows of #89: Dorte: I cannot taste."
    assert mark in await followed(nights(tmp_path), capsys, "#134", who="Vera")
