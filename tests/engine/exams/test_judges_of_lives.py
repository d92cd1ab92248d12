"""Judges who sit in lives: one that failed there, one that is changed in the middle, one that is added."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace
from small_exams import HEAD

from whoknew.engine import ExamOptions, LoadedExam, load_exam, read_exam, sit_exam
from whoknew.engine.exams.scenes.forecast import forecast_scenes
from whoknew.engine.plan.plan import Limit
from whoknew.eventlog import Event, open_log, verify
from whoknew.eventlog.kinds import Acted, Called, EpisodeClosed, Reviewed

LIFE = """
seed = 3
chains = 1
episodes = 3
hard = 0
turns = 4
grid.memories = ["none", "entire"]
"""

MOODY = '''
from pathlib import Path

from whoknew.engine import Judge, JudgeEntry, Verdict


class Moody(Judge):
    """Fails to judge whoever stands in a file beside it."""

    async def review(self, case):
        file = Path(__file__).with_name("missed")
        missed = file.read_text().split(";") if file.exists() else []
        return [
            Verdict(who, None, "in no mood") if who in missed else Verdict(who, {"mark": 1.0}, "well")
            for who in case.people
        ]


class MoodyEntry(JudgeEntry, frozen=True):
    """one that has moods"""

    def make(self, bench):
        return Moody()
'''


def life(folder: Path, judges: str, more: str = "") -> LoadedExam:
    path = folder / "life.toml"
    log = f'log = "{folder / "life.db"}"\n'
    path.write_text(HEAD + log + LIFE + judges + more, "utf-8")
    return load_exam(path)


async def events_of(exam: LoadedExam) -> list[Event]:
    async with open_log(exam.plan.address, read_only=True) as log:
        assert (await verify(log)).faults == ()
        return [placed.event async for placed in log.read_all()]


async def test_a_review_that_failed_in_an_episode_is_tried_again_when_that_is_said(
    tmp_path: Path,
) -> None:
    (tmp_path / "moody_lives.py").write_text(MOODY)
    judges = '[judges.moody]\nby = "moody_lives:MoodyEntry"\n'
    exam = life(tmp_path, judges)
    kind = exam.kind
    (unit,) = kind.scenes(exam.plan, tmp_path)  # type: ignore[attr-defined]
    first, second = unit.sides.values()
    (tmp_path / "missed").write_text(first)
    await sit_exam(exam)
    before = (await read_exam(exam)).table
    assert before.own["reviews failed"] == {"none": 3, "entire": 3}
    heard = [len(cell.episodes) for cell in (await read_exam(exam)).cells]
    assert heard == [3, 3]
    assert (await sit_exam(exam)).progress.reviewed == 0, "nobody said to try again"
    sat = await sit_exam(exam, again=True)
    assert (sat.progress.reviewed, sat.progress.unreviewed) == (0, 6), "it failed once more"
    assert (await read_exam(exam)).table.own["reviews failed"] == {"none": 3, "entire": 3}
    (tmp_path / "missed").write_text(second)
    sat = await sit_exam(exam, again=True)
    assert (sat.progress.answered, sat.progress.reviewed) == (0, 6), "of whom it missed alone"
    found = await read_exam(exam)
    assert "reviews failed" not in found.table.own
    for cell in found.cells:
        assert [set(one.scores) for one in cell.episodes] == [{first, second}] * 3
        assert not cell.unreviewed and cell.scores["moody.mark"] == 1
    assert (await sit_exam(exam, again=True)).progress.reviewed == 0
    given = Counter(
        (event.world, event.body.episode or event.episode)
        for event in await events_of(exam)
        if isinstance(event.body, Reviewed) and event.body.judge == "moody"
    )
    assert sum(given.values()) == 12, "each of the two, in three episodes, in two arms"


async def test_a_judge_that_is_changed_in_the_middle_of_a_life_hears_what_was_before(
    tmp_path: Path,
) -> None:
    judges = '[judges.rules]\nby = "rules"\n[judges.seven]\nby = "dimensions"\nmodel = "offline:"\n'
    exam = life(tmp_path, judges)
    few = replace(exam, plan=replace(exam.plan, at_once=1, limits={"run": Limit(calls=14)}))
    assert (await sit_exam(few)).code == 3
    before = await events_of(exam)
    closed = sum(isinstance(event.body, EpisodeClosed) for event in before)
    assert 0 < closed < 3, "the first life is in its middle"
    changed = life(tmp_path, judges.replace('[judges.rules]\nby = "rules"\n', "") + "reasks = 1\n")
    foreseen = await forecast_scenes(changed)
    assert foreseen.reviews == closed and foreseen.begun == 1
    sat = await sit_exam(changed)
    assert sat.code == 0 and sat.reason is None
    found = await read_exam(changed)
    assert found.table.finished
    fresh = life(tmp_path, judges.replace('[judges.rules]\nby = "rules"\n', "") + "reasks = 1\n")
    fresh = replace(fresh, plan=replace(fresh.plan, log=str(tmp_path / "fresh.db")))
    await sit_exam(fresh)
    whole = await read_exam(fresh)
    assert found.table.figures == whole.table.figures, "as if it had always sat there"
    assert [cell.scores for cell in found.cells] == [cell.scores for cell in whole.cells]
    assert [cell.episodes for cell in found.cells] != [] and not found.table.warning
    acted = Counter(event.world for event in await events_of(exam) if isinstance(event.body, Acted))
    again = Counter(
        event.world for event in await events_of(fresh) if isinstance(event.body, Acted)
    )
    assert acted == again, "no turn was played twice"


@pytest.mark.parametrize("way", ["lifelong", "scenes"])
async def test_a_dry_run_counts_what_a_judge_that_was_added_has_to_hear(
    tmp_path: Path, way: str
) -> None:
    judges = '[judges.rules]\nby = "rules"\n'
    added = judges + '[judges.seven]\nby = "dimensions"\nmodel = "offline:"\n'

    def exam(judges: str) -> LoadedExam:
        if way == "lifelong":
            return life(tmp_path, judges)
        path = tmp_path / "scenes.toml"
        head = (
            f'exam = "scenes"\nname = "s"\nlog = "{tmp_path / "life.db"}"\nbanks = ["stranger"]\n'
        )
        head += 'pairs = 1\nepisodes.turns = 2\ngrid.memories = ["none", "entire"]\n'
        path.write_text(head + judges)
        return load_exam(path)

    await sit_exam(exam(judges), FEW)
    assert (await forecast_scenes(exam(judges), FEW.limit)).reviews == 0
    foreseen = await forecast_scenes(exam(added), FEW.limit)
    episodes = 6 if way == "lifelong" else 4
    assert (foreseen.reviews, foreseen.episodes_left) == (episodes, 0)
    (model,) = foreseen.models
    assert model.known_by and model.tokens
    before = calls(await events_of(exam(judges)))
    await sit_exam(exam(added), FEW)
    made = calls(await events_of(exam(added))) - before
    assert made == 2 * episodes <= model.calls
    assert (await forecast_scenes(exam(added), FEW.limit)).reviews == 0


FEW = ExamOptions(limit=2)


def calls(events: list[Event]) -> int:
    return sum(isinstance(event.body, Called) for event in events)
