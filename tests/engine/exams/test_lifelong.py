"""Lives from their draw to their table: what memory is worth, and that nothing else made it so."""

from __future__ import annotations

import zlib
from pathlib import Path
from statistics import mean, stdev

import msgspec
import pytest
from msgspec.structs import replace
from small_exams import SMALL, dividing, exam, kind, led, lives_of, means, program_of

from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.material import scenes_of
from whoknew.engine.exams.program import read_exam, sit_exam
from whoknew.engine.exams.run import ExamOptions, chosen
from whoknew.engine.running.chains import open_run
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Log, open_log, verify
from whoknew.eventlog.kinds import Called, EpisodeOpened, GoalGiven, Remembered, Reviewed
from whoknew.worlds.beginning import POINTS

CHAINS = 30

POINTS_ONLY = """
seed = 11
chains = 30
episodes = 1
hard = 0
grid.memories = ["none", "recall", "entire"]
[judges]
[agents.everyone]
agent = "bargainer"
"""


def test_every_arm_leads_the_same_lives() -> None:
    one = exam()
    program = program_of(one, "x.db")
    assert program.worlds == (
        "lifelong-none-1",
        "lifelong-entire-1",
        "lifelong-none-2",
        "lifelong-entire-2",
    )
    for life in range(2):
        here, there = program.chains[2 * life], program.chains[2 * life + 1]
        assert here.setting.scenarios == there.setting.scenarios
        assert here.setting.characters == there.setting.characters
        assert here.plan.agents["everyone"].memory == "none"
        assert there.plan.agents["everyone"].memory == "entire"
        names = [scenario.name for scenario in here.setting.scenarios]
        assert len(set(names)) == 4
        assert [bool(scenario.needs) for scenario in here.setting.scenarios] == [False] * 3 + [True]


def test_pairs_take_turns_and_each_life_is_drawn_anew() -> None:
    many = replace(exam(), kind=replace(kind(exam()), chains=12, episodes=40, hard=5))
    found = lives_of(many)
    pairs = [frozenset(person.name for person in life.pair) for life in found]
    assert len(set(pairs)) == 6 and pairs[:6] == pairs[6:]
    assert len({tuple(sketch.name for sketch in life.sketches) for life in found}) == 12
    assert all(len(life.sketches) == 45 for life in found)


async def points_of(log: Path, worlds: list[str]) -> list[float]:
    """For each life the mean part of the most points, over its episodes and both of its people:
    counted from the log by hand."""
    found: list[float] = []
    async with open_log(log, read_only=True) as opened:
        for world in worlds:
            shares: list[float] = []
            most: dict[str, int] = {}
            async for event in await opened.director(world):
                match event.body:
                    case EpisodeOpened(pool=pool):
                        most, there = {}, pool
                    case GoalGiven(owner, _, worth) if worth:
                        most[owner] = sum(count * worth[item] for item, count in there.items())
                    case Reviewed(judge, scores) if judge == POINTS:
                        shares += [score / most[who] for who, score in scores.items()]
            found.append(mean(shares))
    return found


async def test_memory_raises_points_by_more_than_two_standard_errors(tmp_path: Path) -> None:
    """Thirty lives of eleven ordinary dividing episodes and the two hard ones, in each arm."""
    log = tmp_path / "points.db"
    found = await led(dividing(exam(POINTS_ONLY), 11, 2), log)
    points: dict[str, list[float]] = {}
    for row in found.rows:
        worlds = [f"lifelong-{row.arm}-{number}" for number in range(1, CHAINS + 1)]
        points[row.arm] = await points_of(log, worlds)

    def ahead(one: str, other: str) -> float:
        """By how many standard errors of the difference, life by life."""
        gains = [a - b for a, b in zip(points[one], points[other], strict=True)]
        return mean(gains) / (stdev(gains) / CHAINS**0.5)

    assert ahead("recall", "none") > 2
    assert ahead("entire", "none") > 2
    assert ahead("entire", "recall") > -2, "recall is not ahead of all that there is"
    ordinary, hard = means(found, "ordinary.points"), means(found, "hard.points")

    def behind(figures: object, arm: str) -> float:
        return figures[arm] - figures["none"]  # type: ignore[index,no-any-return]

    for arm in ("recall", "entire"):
        assert behind(hard, arm) > behind(ordinary, arm), "the hard ones are where it falls behind"


async def test_what_is_on_the_log_agrees_with_itself(tmp_path: Path) -> None:
    one = exam(SMALL.replace('"entire"]', '"entire", "summary", "recall"]'))
    found = await led(one, tmp_path / "a.db")
    assert found.finished and not found.warning and not found.remarks
    assert list(found.own) == ["episodes", "secrets kept"], "no turn and no review failed"
    async with open_log(tmp_path / "a.db", read_only=True) as log:
        assert (await verify(log)).faults == ()
        for world in program_of(one, "").worlds:
            assert (await rerun(log, world)).agrees
    again = await led(one, tmp_path / "a.db")
    assert again == found, "nothing is left to play"
    fresh = await led(one, tmp_path / "b.db")
    assert replace(fresh, log=found.log, material=found.material) == found, (
        "the same seed, the same report"
    )


async def test_hard_episodes_are_told_by_recall_of_their_evidence(tmp_path: Path) -> None:
    one = exam(SMALL.replace("episodes = 3", "episodes = 42").replace("hard = 1", "hard = 5"))
    found = await led(one, tmp_path / "a.db")
    assert means(found, "hard.recall") == {"none": 0, "entire": 1}
    async with open_log(tmp_path / "a.db", read_only=True) as log:
        seen = [await _seen(log, f"lifelong-{arm}-1") for arm in ("none", "entire")]
    assert seen[0] == seen[1] > 5
    goal = means(found, "hard.GOAL")
    assert goal["entire"] > goal["none"] + 1  # type: ignore[operator]


async def _seen(log: Log, world: str) -> int:
    """How often a judge said how much of the evidence came to mind."""
    events = await (await log.director(world)).events()
    bodies = (event.body for event in events if isinstance(event.body, Reviewed))
    return sum("recall" in body.scores for body in bodies)


async def test_nobody_is_ever_shown_what_another_wants(tmp_path: Path) -> None:
    text = SMALL.replace("episodes = 3", "episodes = 20").replace(
        'grid.memories = ["none", "entire"]', 'grid.memories = ["entire", "summary", "recall"]'
    )
    one = exam(f"{text}\n[judges]\n")
    program = program_of(one, str(tmp_path / "a.db"))
    for chain in program.chains:
        chain.plan = replace(chain.plan, keep_prompts=True)
    async with open_run(program) as run:
        await run.survey()
        assert (await run.play()).finished
    prompts = own = 0
    async with open_log(tmp_path / "a.db", read_only=True) as log:
        for chain in program.chains:
            goals: dict[str, list[str]] = {}
            async for event in await log.director(chain.world):
                if isinstance(event.body, GoalGiven):
                    text = event.body.goal.split("\n")[0]
                    goals.setdefault(event.body.owner, []).append(text)
                if isinstance(event.body, Called) and event.body.prompt and event.actor:
                    prompts += 1
                    shown = zlib.decompress(event.body.prompt).decode()
                    for owner, texts in goals.items():
                        for goal in texts:
                            inside = msgspec.json.encode(goal).decode().strip('"') in shown
                            assert not (inside and owner != event.actor)
                            own += inside
    assert prompts > 500 and own > 500, "each is shown its own"


async def test_summaries_hold_their_aspects_and_cite_what_was_witnessed(tmp_path: Path) -> None:
    text = SMALL.replace('["none", "entire"]', '["summary"]')
    one = exam(
        f"{text}\n[arms.short]\nmemory='summary'\nsummary={{words=50, aspects=['knowledge']}}"
    )
    await led(one, tmp_path / "a.db")
    seen = 0
    async with open_log(tmp_path / "a.db", read_only=True) as log:
        for world in program_of(one, "").worlds:
            for event in await (await log.director(world)).events():
                if not isinstance(event.body, Remembered):
                    continue
                seen += 1
                note = event.body
                view = await log.view(world, note.owner, f"#{note.upto}")
                witnessed = {one.seq for one in await view.events()}
                assert note.sources and set(note.sources) <= witnessed
                short = "short" in world
                titles = ["What happened:", "How each went about it:", "New about the others:"]
                assert [title in note.text for title in titles] == [not short, not short, True]
                assert len(note.text.split()) <= (50 if short else 300) + 12, "with its titles"
    assert seen == 2 * 2 * 4 * 2


@pytest.mark.parametrize(
    "bank", ["family", "romantic", "stranger", "acquaintance", "known-by-name"]
)
async def test_every_bank_can_be_lived_through(tmp_path: Path, bank: str) -> None:
    one = exam(f'bank = "{bank}"\nchains = 1\nepisodes = 5\nhard = 0\ngrid.memories = ["recall"]')
    found = await led(one, tmp_path / "a.db")
    assert found.finished and found.own["episodes"] == {"recall": 5}
    assert "reviews failed" not in found.own


async def test_a_log_from_before_lives_were_a_kind_of_exam_is_read_and_gone_on_with(
    tmp_path: Path,
) -> None:
    """It holds the worlds of lives alone, and nothing of the exam."""
    one, log = chosen(exam(), ExamOptions(log=str(tmp_path / "a.db"))), tmp_path / "a.db"
    async with open_run(program_of(one, str(log))) as run:
        await run.survey()
        assert (await run.play()).finished
    async with open_log(log, read_only=True) as opened:
        assert "lifelong" not in {world.name for world in await opened.worlds()}
    before = (await read_exam(one)).table
    assert [row.answered for row in before.rows] == [2, 2] and before.curves
    sat = await sit_exam(one)
    assert (sat.code, sat.progress.reviewed) == (0, 0), "its judges sat in it"
    assert (await read_exam(one)).table == before


async def test_lives_that_another_plan_led_and_judges_that_are_gone_are_not_counted(
    tmp_path: Path,
) -> None:
    def planned(memory: str, judge: str = "rules") -> LoadedExam:
        text = f'chains = 1\nepisodes = 2\nhard = 0\n[judges.{judge}]\nby = "rules"\n'
        arm = f'[arms.a]\nmemory = "{memory}"\n'
        return chosen(exam(text.replace("[judges", f"{arm}[judges"), grid=""), at)

    at = ExamOptions(log=str(tmp_path / "a.db"))
    await sit_exam(planned("summary"))
    table = (await read_exam(planned("summary"))).table
    assert table.rows[0].answered == 1 and any(name.startswith("rules.") for name in table.figures)
    renamed = (await read_exam(planned("summary", "other"))).table
    assert renamed.rows[0].answered == 1
    assert not any(name.startswith("rules.") for name in renamed.figures)
    changed = (await read_exam(planned("none"))).table
    assert (changed.rows[0].answered, changed.rows[0].calls) == (0, 0)


def test_the_same_life_drawn_twice_is_two_by_their_numbers() -> None:
    units = scenes_of(exam("chains = 60\nepisodes = 1\nhard = 0\n"))
    assert len({unit.id for unit in units}) == 60
