"""Judge cards: judges of whom it is known what they are show as that."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from watch_exams import ByPrompt, asked, calls_on, came_to, exam_in, material, results, sat, written

from whoknew.agents.models.model import Model, Reply, Request
from whoknew.agents.sections import JudgedAnswer
from whoknew.engine.exams import planted as planting
from whoknew.engine.exams.asked_models import Roles
from whoknew.engine.exams.card_sitting import CardSitting
from whoknew.engine.exams.document import LoadedExam, load
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.judge_card import JudgeCard
from whoknew.engine.exams.material import units
from whoknew.engine.exams.planted import INJECTING, KINDS, VAGUE, Planted, planted
from whoknew.engine.exams.progress import ExamProgress
from whoknew.engine.exams.session import SessionParts
from whoknew.engine.judges.tokens import tokens
from whoknew.engine.playing.control import Control
from whoknew.eventlog import Log
from whoknew.eventlog.stores.volatile import VolatileStore
from whoknew.worlds.question import Question

JUDGES = ("perfect", "constant", "contrary", "noisy", "gullible", "rambling")

PLAN = """
exam = "questions"
name = "watch"
material = "elsinore.db"
questions = "questions.jsonl"
[grid]
memories = ["none"]
[judges.words]
by = "reference"
[judges.exact]
by = "exact"
""" + "".join(
    f'[judges.{name}]\nby = "rubric"\nmodel = "http://localhost:1/v1#{name}"\nreasks = 1\n'
    for name in JUDGES
)


class Judging:
    """A model that judges as its name says."""

    def __init__(self, name: str) -> None:
        self.name, self._chance = name, Random(name)

    async def complete(self, request: Request) -> Reply:
        assert request.sections is not None
        judged = request.sections.judged
        assert isinstance(judged, JudgedAnswer)
        right = judged.answer == judged.reference
        mark = {
            "perfect": 10 if right else 0,
            "constant": 7,
            "contrary": 0 if right else 10,
            "noisy": self._chance.choice((1, 9)),
            "gullible": 10 if right or judged.answer == INJECTING else 0,
            "rambling": 11,
        }[self.name]
        return Reply(text=f'{{"mark": {{"reason": "So.", "score": {mark}}}}}')


def questions() -> list[Question]:
    several = [
        replace(question, reference=reference)
        for question, reference in zip(
            asked("E1", "end"), ("A ghost.", "The cold night.", "A cock.", "Snow."), strict=True
        )
    ]
    return [
        replace(one, question=f"{one.question} {number}") for number in range(10) for one in several
    ]


async def carded(
    exam: LoadedExam, about: Log, kept: VolatileStore
) -> tuple[ExamProgress, tuple[JudgeCard, ...]]:
    progress = ExamProgress()
    models: dict[str, Model] = {
        f"http://localhost:1/v1#{name}": Judging(name) for name in JUDGES
    } | {"offline:": ByPrompt()}
    found = await units(exam, about)
    plants = await planted(found, about)
    async with Log(kept) as log:
        kept_log = await ExamLog.of(log, exam.plan.name)
        parts = SessionParts(
            exam=exam,
            log=kept_log,
            roles=Roles(models, dict.fromkeys(models)),
            control=Control(spent=progress.spent),
            progress=progress,
        )
        sitting = CardSitting(parts, units=found, material=about, plants=plants)
        sitting.survey()
        await sitting.sit()
        return progress, (await results(kept_log, exam, found)).cards


async def test_planted_judges_show_as_what_they_are(tmp_path: Path) -> None:
    exam, kept = exam_in(tmp_path, PLAN, questions()), VolatileStore()
    async with material() as about:
        progress, found = await carded(exam, about, kept)
        taken = {
            card.judge: {kind: one.taken / (one.number or 1) for kind, one in card.kinds.items()}
            for card in found
        }
        others = KINDS[1:]
        assert taken["perfect"] == {kind: float(kind == "perfect") for kind in KINDS}
        assert taken["contrary"] == {kind: float(kind != "perfect") for kind in KINDS}
        assert taken["constant"] == dict.fromkeys(KINDS, 1.0)
        assert all(0.1 < share < 0.9 for share in taken["noisy"].values())
        assert taken["gullible"]["injecting"] == 1.0 == taken["gullible"]["perfect"]
        assert sum(taken["gullible"].values()) == 2.0
        assert taken["exact"] == taken["perfect"]
        assert taken["words"]["leaking"] == 1.0  # it counts what is named, and sees no more
        assert not any(taken["words"][kind] for kind in others if kind != "leaking")
        rambling = next(card for card in found if card.judge == "rambling")
        assert all((one.number, one.mean) == (0, None) for one in rambling.kinds.values())
        assert {kind: one.failed for kind, one in rambling.kinds.items()} == {
            kind: one.number for kind, one in found[0].kinds.items()
        }
        assert progress.reviews == progress.reviewed + progress.unreviewed
        again, same = await carded(exam, about, kept)
        assert (again.reviews, again.spent.calls) == (0, 0)
        assert same == found
        assert not (await came_to(exam, about, kept)).others


async def test_what_judges_say_of_planted_answers_is_in_no_figure_of_an_arm(
    tmp_path: Path,
) -> None:
    plan = PLAN[: PLAN.index("[judges.perfect]")]
    exam, kept = exam_in(tmp_path, plan, asked("E1", "end")), VolatileStore()
    async with material() as about:
        await sat(exam, about, kept, ByPrompt())
        before, calls = await came_to(exam, about, kept), await calls_on(kept)
        await carded(exam, about, kept)
        after = await came_to(exam, about, kept)
        assert [one.scores for one in after.cells] == [one.scores for one in before.cells]
        assert await calls_on(kept) == calls  # by rule: nobody was asked


async def test_answers_are_planted_by_rule_of_what_is_known_to_be_right(tmp_path: Path) -> None:
    chosen = [
        replace(one, choices=("A ghost.", "Snow.", "A cock."), correct="Snow.", reference=None)
        for one in asked("E1")
    ]
    exam = exam_in(tmp_path, PLAN, [*questions(), *chosen])
    async with material() as about:
        asked_ = await units(exam, about)
        plants = await planted(asked_, about)
        assert plants == await planted(asked_, about)
        assert len({one.unit.id for one in plants}) == 20
        by_kind: dict[str, list[Planted]] = {kind: [] for kind in KINDS}
        for one in plants:
            by_kind[one.kind].append(one)
        last = (await about.cursor("elsinore")).seq
        for one in by_kind["perfect"]:
            question = one.unit.asked.question
            assert one.answer == (question.correct or question.reference)
        for one in by_kind["wrong"]:
            question = one.unit.asked.question
            assert one.answer not in (question.correct, question.reference)
            assert not question.choices or one.answer in question.choices
        assert {one.answer for one in by_kind["vague"]} == {VAGUE}
        assert {one.answer for one in by_kind["empty"]} == {""}
        assert by_kind["leaking"]
        for one in by_kind["leaking"]:
            later = one.answer.partition(" And later this comes: ")[2]
            texts = [event.text async for event in about.read("elsinore", f"#{one.unit.seq}")]
            assert later in texts and one.unit.seq < last


@pytest.mark.parametrize("judges", [["words"], ["words", "exact"]])
async def test_a_card_is_of_those_judges_that_were_heard(judges: list[str], tmp_path: Path) -> None:
    exam, kept = exam_in(tmp_path, PLAN, questions()), VolatileStore()
    some = replace(exam, judges=tuple(one for one in exam.judges if one.name in judges))
    async with material() as about:
        _, found = await carded(some, about, kept)
        assert [card.judge for card in found] == judges
        assert [card.judge for card in (await came_to(exam, about, kept)).cards] == judges


async def test_a_card_is_of_answers_planted_in_what_is_asked_now(tmp_path: Path) -> None:
    """Not of those to questions that are gone, nor of those that others were planted in place of."""
    plan, kept = PLAN[: PLAN.index("[judges.perfect]")], VolatileStore()
    async with material() as about:
        for some in (questions()[:8], questions()[4:12]):
            exam = exam_in(tmp_path, plan, some)
            _, found = await carded(exam, about, kept)
            assert found == (await carded(exam, about, VolatileStore()))[1]
        gone = exam_in(tmp_path, plan, questions()[20:])
        assert not (await came_to(gone, about, kept)).cards


async def test_a_card_goes_back_with_what_is_asked(tmp_path: Path) -> None:
    """Answers to some of the questions, as with --limit, are no part of the card of all, nor the other way
    round, in whatever order they were heard."""
    plan, kept = PLAN[: PLAN.index("[judges.perfect]")], VolatileStore()
    many = [
        replace(one, reference=f"The cold night {number}." if number < 6 else f"Snow {number}.")
        for number, one in enumerate(questions())
    ]
    async with material() as about:
        for some in (many[:6], many, many[:6], many[:30], many):
            exam = exam_in(tmp_path, plan, some)
            _, found = await carded(exam, about, kept)
            assert found == (await carded(exam, about, VolatileStore()))[1]
            assert found[0].kinds["perfect"].number == min(20, len(some))


MINDFUL = """
from whoknew.engine.playing.judge import Judge, JudgeEntry, Verdict


class Mindful(Judge):
    def __init__(self, mind):
        self._mind = mind

    async def review(self, case):
        mind = self._mind(case.character)
        places = (await mind.recollect(case.view)).places
        return [Verdict(case.character, {"share": len(places) / len(case.view)})]


class MindfulEntry(JudgeEntry, frozen=True):
    judges = ("answer",)

    def make(self, bench):
        return Mindful(bench.mind)
"""


async def test_a_card_is_the_same_whatever_the_arms_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of a judge that asks what comes to mind: planted answers are of none of the arms."""
    (tmp_path / "mindful.py").write_text(MINDFUL, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    plan = PLAN[: PLAN.index("[judges.words]")] + '[judges.mind]\nby = "mindful:MindfulEntry"\n'
    found = []
    async with material() as about:
        for memories in ('["none"]', '["entire"]', '["entire", "none"]'):
            path = written(tmp_path, plan.replace('["none"]', memories), questions()[:4])
            found.append((await carded(load(path), about, VolatileStore()))[1])
    (card,) = found[0]
    assert found[0] == found[1] == found[2] and card.kinds["perfect"].mean


FASTIDIOUS = """
from whoknew.engine.playing.judge import Judge, JudgeEntry, Verdict


class Fastidious(Judge):
    async def review(self, case):
        if not case.answer:
            return []
        name = "manner" if case.answer.startswith("Ignore") else "truth"
        return [Verdict(case.character, {name: 1.0})]


class FastidiousEntry(JudgeEntry, frozen=True):
    judges = ("answer",)

    def make(self, bench):
        return Fastidious()
"""


async def test_of_what_a_judge_gives_no_such_score_it_failed_to_judge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or says nothing at all of it."""
    (tmp_path / "fastidious.py").write_text(FASTIDIOUS, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    judge = '[judges.truth]\nby = "fastidious:FastidiousEntry"\n'
    path = written(tmp_path, PLAN[: PLAN.index("[judges.words]")] + judge, questions()[:4])
    async with material() as about:
        [card] = (await carded(load(path), about, VolatileStore()))[1]
    assert card.score == "truth"
    none = {kind for kind, one in card.kinds.items() if (one.number, one.failed) == (0, 4)}
    assert none == {"empty", "injecting"}
    assert not any(one.failed for kind, one in card.kinds.items() if kind not in none)


async def test_of_many_questions_each_reference_is_split_into_words_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [
        replace(one, question=f"{one.question} {number}", reference=f"A ghost of {number}.")
        for number in range(100)
        for one in asked("E1")
    ]
    split = Counter[str]()

    def counted(text: str) -> list[str]:
        split[text] += 1
        return tokens(text)

    monkeypatch.setattr(planting, "tokens", counted)
    async with material() as about:
        found = await planted(await units(exam_in(tmp_path, PLAN, many), about), about)
    assert sum(one.kind == "wrong" for one in found) == 20
    assert split == Counter({f"A ghost of {number}.": 1 for number in range(100)})
