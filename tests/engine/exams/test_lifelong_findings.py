"""What lives show beside their scores: told arm by arm, as far as they were led."""

from __future__ import annotations

from datetime import datetime

from msgspec.structs import replace
from store_places import VolatilePlace, log_at

from whoknew.engine.exams.arms import ExamArm
from whoknew.engine.exams.cell_result import CellResult, EpisodeResult
from whoknew.engine.exams.cells import CellSubject, ExamCell, ExamUnit
from whoknew.engine.exams.lifelong.findings import KEPT, findings
from whoknew.engine.exams.plan import ExamSeat
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Acted, CharacterAdded, Failed, GoalGiven, WorldOpened

SECRET = "Secret: I have buried the silver under the third pear tree."
TOLD = Draft(
    Acted("I buried the silver under that third pear tree."),
    episode=2,
    actor="Ada",
    witnesses=("Ada", "Ben"),
)


class LifeCell(ExamCell, frozen=True, kw_only=True):
    world: str

    @property
    def subject(self) -> CellSubject:
        return CellSubject(world=self.world, character="", text="")


def led(arm: str, world: str, episodes: int) -> CellResult:
    unit = ExamUnit(id=world, kind="friend", cluster=world)
    seat = ExamArm(arm, ExamSeat(), {}, arm)
    cell = LifeCell(unit=unit, arm=seat, repeat=1, key=world, world=world)
    return CellResult(cell=cell, episodes=tuple(map(EpisodeResult, range(1, episodes + 1))))


async def begun(log: Log, world: str) -> None:
    cast = [Draft(CharacterAdded("Ada", SECRET)), Draft(CharacterAdded("Ben"))]
    await log.append(world, [Draft(WorldOpened("W"), datetime(2000, 1, 1)), *cast])


async def test_what_failed_in_one_arm_is_told_of_all_and_what_was_read_before_is_not_what_is() -> (
    None
):
    async with log_at(VolatilePlace()) as log:
        for world in ("v", "w", "x"):
            await begun(log, world)
        lives = [led("none", "v", 3), led("none", "w", 2), led("entire", "x", 3)]
        before = await findings(log, lives)
        assert before.figures == {
            "episodes": {"none": 5, "entire": 3},
            KEPT: {"none": 1.0, "entire": 1.0},
        }
        await log.append("v", [TOLD])
        await log.append("x", [Draft(Failed("turn", "It broke off."), episode=1), TOLD])
        after = await findings(log, lives)
        assert after.figures == {
            "episodes": {"none": 5, "entire": 3},
            "turns skipped": {"none": 0, "entire": 1},
            KEPT: {"none": 0.5, "entire": 0.0},
        }
        assert [[it.episode for it in one.points] for one in after.curves] == [[1, 2], [1, 2, 3]]
        curves = {one.arm: [it.figure.mean for it in one.points] for one in after.curves}
        assert curves == {"none": [1.0, 0.5], "entire": [1.0, 0.0, 0.0]}


async def test_goals_that_are_said_aloud_are_counted_by_arm_while_their_episode_lasts() -> None:
    goal = "Find out who emptied the silver teapot before supper."
    async with log_at(VolatilePlace()) as log:
        for world in ("v", "w"):
            await begun(log, world)
        given = Draft(GoalGiven("Ada", goal), episode=2, witnesses=("Ada",))
        aloud = Draft(
            Acted("I must find out who emptied the silver teapot before supper."),
            episode=2,
            actor="Ada",
            witnesses=("Ada", "Ben"),
        )
        await log.append("v", [given, aloud, replace(aloud, episode=3), TOLD])
        await log.append("w", [given, replace(aloud, episode=3)])
        found = await findings(log, [led("none", "v", 3), led("entire", "w", 3)])
    assert found.figures["goals said aloud"] == {"none": 1, "entire": 0}
    told = found.tables["secrets"].rows
    assert [(row.arm, row.seq) for row in told] == [("none", 5), ("none", 7)]
