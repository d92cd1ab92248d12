"""Worlds of a log of which an exam asks nothing: it is about all of whom something can be asked, and says why
it is not about the others."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from small_worlds import opened, said

from whoknew.engine.exams.bookmarks.bookmarks_exam import BookmarksExam
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import EpisodeOpened
from whoknew.worlds import question

LINES = tuple(f"The {what} of the harbour was never mended by anybody." for what in
    ("gate", "crane", "wall", "lamp", "bell", "pier", "rope", "boat", "mast", "sail", "oar", "net")
)  # fmt: skip

PLAN = """
exam = "lifestate"
name = "exam"
material = "town.db"
[grid]
memories = ["none"]
[judges.words]
by = "reference"
"""


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def talked(log: str, worlds: Mapping[str, int]) -> None:
    """Worlds in which two people say so much each."""

    async def written() -> None:
        async with open_log(log) as opened_log:
            for world, times in worlds.items():
                spoken = [
                    said(who, f"{line} So says {who}.", other, episode=1, turn=turn)
                    for turn, line in enumerate(LINES[:times], 1)
                    for who, other in (("Ann", "Bo"), ("Bo", "Ann"))
                ]
                episode = Draft(EpisodeOpened("talk"), episode=1)
                await opened_log.append(world, [*opened("Ann", "Bo"), episode, *spoken])

    asyncio.run(written())


def asked_about(file: str) -> set[str]:
    return {one.world for one in question.read(Path(file)).questions}


@pytest.mark.parametrize(
    ("kind", "worlds", "why"),
    [
        ("bookmarks", {"long": 12, "short": 4, "tiny": 2}, "nobody in it does 3 things, 2 at most"),
        (
            "lifestate",
            {"long": 12, "short": 6, "tiny": 2},
            "nobody in it speaks 5 times, 2 at most",
        ),
    ],
)
def test_a_new_exam_is_about_all_worlds_and_says_of_which_nothing_can_be_asked(
    kind: str, worlds: Mapping[str, int], why: str
) -> None:
    talked("town.db", worlds)
    told = flat(run("exam", "new", kind, "exam.toml", "--from", "town.db").stdout)
    assert asked_about("exam.jsonl") == {"long", "short"}
    assert f"tiny: nothing is asked about it: {why}" in told
    [remark] = answer("exam", "check", "exam.toml")["remarks"]
    assert remark.startswith("tiny: nothing is asked about it")


def test_where_nobody_says_enough_it_is_told_how_much_that_is_and_how_less_is_asked() -> None:
    talked("town.db", {"tiny": 3})
    told = flat(refused("exam", "new", "lifestate", "exam.toml", "--from", "town.db"))
    assert "town.db: nothing in it can be asked about" in told
    assert "tiny: nobody in it speaks 5 times, 3 at most" in told
    assert "speeches = 3" in told
    Path("exam.toml").write_text(PLAN, "utf-8")
    assert "nobody in it speaks 20 times, 3 at most" in flat(
        run("exam", "check", "exam.toml", rc=1).stderr
    )
    Path("exam.toml").write_text(PLAN.replace("[grid", "speeches = 3\n[grid"), "utf-8")
    assert answer("exam", "check", "exam.toml")["units"]


def flat(text: str) -> str:
    return " ".join(text.split())


async def test_how_much_somebody_does_is_no_reason_where_people_are_named(tmp_path: Path) -> None:
    async with open_log("town.db") as log:
        for world, who in (("one", "Ann"), ("two", "Bo")):
            spoken = [said(who, one, "Cy", episode=1) for one in LINES[:4]]
            await log.append(world, [*opened(who, "Cy"), *spoken])
        exam = BookmarksExam(material="town.db", characters=("Ann",))
        asked = await exam.drawn(log, tmp_path)
        assert {one.world for one in asked} == {"one"}
        why = "nobody who does anything in it is called Ann"
        assert await exam.unasked(log, asked) == {"two": why}
