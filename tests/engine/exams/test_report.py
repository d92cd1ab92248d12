"""Tables and curves against ones computed by hand, with judges of every temper over real HTTP."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from statistics import mean, stdev
from typing import Any, Literal

import msgspec
import pytest
from model_servers import Doing, serving
from small_exams import SMALL, exam, figure_of, kind, led

from whoknew.engine.exams.curve_chart import svg
from whoknew.engine.exams.curves import CurvePoint, ExamCurve
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.figures import mean_of_means
from whoknew.engine.exams.program import read_exam
from whoknew.engine.exams.run import ExamOptions, chosen
from whoknew.engine.exams.table import ExamTable
from whoknew.engine.judges.scales import CHECKS, DIMENSIONS
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Failed, Reviewed

Temper = Literal["perfect", "constant", "contrarian", "noisy", "broken"]

PLAN = """
seed = 5
chains = 3
episodes = 3
hard = 1
grid.memories = ["none", "entire"]
[agents.everyone]
agent = "bargainer"
[judges.seven]
by = "dimensions"
model = "MODEL"
reasks = 1
[judges.eight]
by = "checklist"
model = "MODEL"
reasks = 1
"""


def number_of(asked: Any) -> int:
    """A number that depends on nothing but what a judge was asked."""
    return int(hashlib.sha256(msgspec.json.encode(asked["messages"])).hexdigest()[:6], 16)


def scored(
    number: Callable[[Any], int], passed: Callable[[Any, int], bool]
) -> Callable[[Any], Doing]:
    """A judge that gives the `number`-th score of each range, and passes checks as it likes."""

    def answer(asked: Any) -> Doing:
        chosen = number(asked)
        said: dict[str, Any] = {
            name: {"reason": "So.", "score": least + chosen % (most - least + 1)}
            for name, (least, most) in DIMENSIONS.items()
        }
        said |= {
            name: {"reason": "So.", "passed": passed(asked, bit)} for bit, name in enumerate(CHECKS)
        }
        return Doing(msgspec.json.encode(said).decode())

    return answer


def best(asked: Any) -> Doing:
    said: dict[str, Any] = {
        name: {"reason": "So.", "score": most} for name, (_, most) in DIMENSIONS.items()
    }
    said |= {name: {"reason": "So.", "passed": True} for name in CHECKS}
    return Doing(msgspec.json.encode(said).decode())


def half_broken(asked: Any) -> Doing:
    """Talks nonsense of every character whose name begins with a letter up to M."""
    who = asked["messages"][0]["content"].split("judge ")[-1].split("whether ")[-1]
    return Doing("No idea.") if who[0] <= "M" else best(asked)


TEMPERS: dict[Temper, Callable[[Any], Doing]] = {
    "perfect": best,
    "constant": scored(lambda _: 7, lambda _, bit: bit != 2),
    "contrarian": scored(lambda asked: 10 - number_of(asked) % 11, lambda _, bit: False),
    "noisy": scored(number_of, lambda asked, bit: bool(number_of(asked) >> bit & 1)),
    "broken": half_broken,
}


async def judged(temper: Temper, log: Path) -> tuple[LoadedExam, ExamTable]:
    async with serving("openai", after=TEMPERS[temper]) as server:
        one = exam(PLAN.replace("MODEL", f"{server.url}#judge"))
        return one, await led(one, log)


class ByHand:
    """The same, from the reviews on the log and nothing else."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, bool, str], dict[int, list[float]]] = {}
        self.by_episode: dict[tuple[str, str, int], dict[int, list[float]]] = {}
        self.failures: dict[str, int] = {}

    def add(self, arm: str, life: int, episode: int, metric: str, value: float) -> None:
        key = (arm, episode > 3, metric)
        self.values.setdefault(key, {}).setdefault(life, []).append(value)
        point = (arm, metric, episode)
        self.by_episode.setdefault(point, {}).setdefault(life, []).append(value)


async def by_hand(log: Path) -> ByHand:
    found = ByHand()
    async with open_log(log, read_only=True) as opened:
        for world in await opened.worlds():
            if world.name == "lifelong":  # the exam itself
                continue
            _, arm, life = world.name.split("-")
            seven: dict[tuple[int, str], dict[str, float]] = {}
            eight: dict[tuple[int, str], dict[str, float]] = {}
            async for event in await opened.director(world.name):
                match event.body:
                    case Reviewed("seven", scores) if event.actor:
                        seven[event.episode, event.actor] = scores
                    case Reviewed("eight", scores) if event.actor:
                        eight[event.episode, event.actor] = scores
                    case Failed("review"):
                        found.failures[arm] = found.failures.get(arm, 0) + 1
            for (episode, who), scores in seven.items():
                found.add(arm, int(life), episode, "GOAL", scores["goal"])
                if (episode, who) in eight:
                    failed = list(eight[episode, who].values()).count(0)
                    bel = max(scores["believability"] - 5 * failed, 0)
                    found.add(arm, int(life), episode, "BEL", bel)
    return found


@pytest.mark.parametrize("temper", TEMPERS)
async def test_the_table_is_the_one_computed_by_hand(temper: Temper, tmp_path: Path) -> None:
    _, found = await judged(temper, tmp_path / "a.db")
    hand = await by_hand(tmp_path / "a.db")
    checked = 0
    for row in found.rows:
        for part in ("ordinary", "hard"):
            for metric in ("BEL", "GOAL"):
                lives = hand.values.get((row.arm, part == "hard", metric), {})
                means = [mean(one) for one in lives.values()]
                one = figure_of(found, f"{part}.{metric}", row.arm)
                assert one.number == one.clusters == len(means)
                assert one.mean == (pytest.approx(mean(means)) if means else None)
                assert one.deviation == (pytest.approx(stdev(means)) if len(means) > 1 else None)
                error = stdev(means) / len(means) ** 0.5 if len(means) > 1 else None
                assert one.error == (error if error is None else pytest.approx(error))
                checked += bool(means)
        failed = found.own.get("reviews failed", {})
        assert failed.get(row.arm, 0) == hand.failures.get(row.arm, 0)
    assert checked == 8
    for curve in found.curves:
        if curve.score in ("BEL", "GOAL"):
            for point in curve.points:
                lives = hand.by_episode[curve.arm, curve.score, point.episode]
                assert point.figure.mean == pytest.approx(mean(map(mean, lives.values())))
                assert point.part == ("hard" if point.episode > 3 else "ordinary")
                assert len(point.behind) == len(lives)
                assert point.figure.number == sum(map(len, lives.values()))


async def test_what_each_temper_must_come_to(tmp_path: Path) -> None:
    _, perfect = await judged("perfect", tmp_path / "p.db")
    _, constant = await judged("constant", tmp_path / "c.db")
    _, contrarian = await judged("contrarian", tmp_path / "x.db")
    for arm in ("none", "entire"):
        assert figure_of(perfect, "hard.BEL", arm).mean == 10
        assert figure_of(perfect, "ordinary.GOAL", arm).mean == 10
        assert figure_of(constant, "ordinary.GOAL", arm).mean == 7
        assert figure_of(constant, "ordinary.BEL", arm).mean == 2, "7, less 5 for the one check"
        assert figure_of(constant, "ordinary.GOAL", arm).deviation == 0
        assert figure_of(contrarian, "ordinary.BEL", arm).mean == 0, "eight failed checks"
    assert "reviews failed" not in perfect.own


async def test_a_broken_judge_costs_values_and_no_points(tmp_path: Path) -> None:
    one, found = await judged("broken", tmp_path / "a.db")
    people = [person.name for person in kind(one).people_and_bank(one.beside)[0].characters]
    assert any(name[0] <= "M" for name in people) and any(name[0] > "M" for name in people)
    for row in found.rows:
        failed = found.own["reviews failed"][row.arm]
        assert failed > 0 and row.unreviewed == 0, "each judge has a score of each life"
        assert figure_of(found, "ordinary.GOAL", row.arm).mean == 10, "those that it did judge"
        points = [one.points for one in found.curves if (one.score, one.arm) == ("GOAL", row.arm)]
        assert sum(point.figure.number for point in points[0]) == 24 - failed // 2
    assert not found.warning, "no life failed"


async def test_a_report_is_the_same_after_it_was_written_and_read(tmp_path: Path) -> None:
    _, found = await judged("noisy", tmp_path / "a.db")
    assert found.curves and found.found
    again = msgspec.json.decode(msgspec.json.encode(found), type=ExamTable)
    assert msgspec.json.encode(again) == msgspec.json.encode(found)


def test_a_figure_of_nothing_is_none_and_of_one_life_has_no_deviation() -> None:
    assert mean_of_means([[], []]).mean is None
    one = mean_of_means([[1.0, 3.0]])
    assert (one.mean, one.deviation, one.error) == (2.0, None, None)
    both = mean_of_means([[1.0], [3.0, 3.0], []])
    assert (both.mean, both.clusters, both.number) == (2.0, 2, 3)
    assert both.error == pytest.approx(stdev([1, 3]) / 2**0.5)


async def test_an_exam_that_is_half_played_says_so(tmp_path: Path) -> None:
    whole, log = exam(SMALL), tmp_path / "a.db"
    await led(exam(SMALL.replace("chains = 2", "chains = 1")), log)
    found = (await read_exam(chosen(whole, ExamOptions(log=str(log))))).table
    assert not found.finished
    assert [(row.answered, row.cells) for row in found.rows] == [(1, 2)] * 2
    assert found.own["episodes"] == {"none": 4, "entire": 4}
    part = (await read_exam(chosen(whole, ExamOptions(log=str(log))), ExamOptions(limit=1))).table
    assert part.finished and part.units == 1


def test_all_panels_of_curves_have_the_same_episodes_and_parts() -> None:
    def curve(score: str, numbers: list[int]) -> ExamCurve:
        parts = ["hard" if number > 2 else "ordinary" for number in numbers]
        points = [
            CurvePoint(number, mean_of_means([[1.0]]), part)
            for number, part in zip(numbers, parts, strict=True)
        ]
        return ExamCurve(score, "none", tuple(points))

    drawn = svg((curve("GOAL", [1, 2, 3]), curve("recall", [3]), curve("points", [2])), "").decode()
    assert drawn.count('class="part"') == 3 and drawn.count(">E3<") == 3
