"""`whoknew tellings`: finds who told whom of what, or takes a person's word for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from command_runner import answer, harbour, refused, run

from whoknew.engine.asking.told_by_model import ModelReport
from whoknew.engine.terminal.console import err
from whoknew.engine.terminal.tellings import Reached, read_by, shown
from whoknew.engine.travel.tellings import TellingsReport
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Narrated


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return harbour(tmp_path / "log.db")


def test_a_world_is_looked_through_once(file: Path) -> None:
    first = answer("tellings", "harbour", "--log", file)
    assert first["looked"] > 0
    again = run("tellings", "harbour", "--log", file).stdout
    assert "nothing new since tellings were looked for" in again
    assert answer("tellings", "harbour", "--log", file)["found"] == 0


def test_a_person_says_who_told_of_what_and_takes_it_back(file: Path) -> None:
    told = ["4", "3"]
    shown = run("tellings", "harbour", "--told", *told, "--why", "I read it", "--log", file).stdout
    assert f"#{told[0]} tells of #{told[1]}  person; I read it" in " ".join(shown.split(" "))
    back = run("tellings", "harbour", "--not-told", *told, "--log", file).stdout
    assert f"#{told[0]} does not tell of #{told[1]}" in back


def test_what_makes_no_sense_is_refused(file: Path) -> None:
    assert "cannot tell of #9" in refused("tellings", "harbour", "--told", "3", "9", "--log", file)
    assert "nowhere" in refused("tellings", "nowhere", "--log", file)


@pytest.mark.parametrize(
    ("told", "what"),
    [
        (("3", "2"), "#3 of 'harbour' is of kind episode.opened, which tells nobody anything"),
        (("5", "4"), "#5 of 'harbour' is of kind knowledge.sought, which tells nobody anything"),
        (("4", "2"), "#2 of 'harbour' is of kind world.character, which does not happen in the"),
        (("6", "5"), "#5 of 'harbour' is of kind knowledge.sought, which does not happen in the"),
    ],
)
def test_what_is_no_speech_or_did_not_happen_is_refused(
    file: Path, told: tuple[str, str], what: str
) -> None:
    run("tellings", "harbour", "--log", file)
    asyncio.run(rained_again(file))
    assert what in refused("tellings", "harbour", "--told", *told, "--log", file)


async def rained_again(file: Path) -> None:
    async with open_log(file) as log:
        await log.append("harbour", [Draft(Narrated("It rains."), episode=1, witnesses=("Ann",))])


def test_what_is_less_sure_is_counted_with_how_to_see_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = TellingsReport(
        world="w",
        finder="rule",
        upto=9,
        looked=9,
        found=310,
        taken_back=0,
        sure=0.5,
        total=0,
        less_sure=310,
        skipped=0,
        rows=(),
    )
    err().print(shown(report))
    said = capsys.readouterr().err
    assert "0 tellings at least 0.5 sure" in said
    assert "310 more, less sure: --sure 0" in said


def test_how_far_it_has_come_is_said_to_whoever_waits() -> None:
    seen = Reached("looking for tellings")
    assert seen.words() == "looking for tellings"
    seen.go_on(1000, 5000)
    assert seen.words() == "looking for tellings: #1,000 of 5,000 events"


def test_what_a_model_could_not_read_is_told_with_what_to_do() -> None:
    unread = {seq: f"m answered 400: policy {seq}" for seq in range(10, 17)}
    told = read_by(ModelReport(world="w", model="m", speeches=9, unread=unread)).plain
    assert told.startswith("w: m read 2 speeches, 0 tellings found\n7 more it could not read\n")
    assert "  #10: m answered 400: policy 10\n" in told and "policy 15" not in told
    assert told.endswith("(--told SPEECH FACT), or give another --model.")
    away = read_by(ModelReport(world="w", model="m", speeches=9, unread=unread, error="404")).plain
    assert away.endswith("; then it failed: 404"), "they are read the next time"
