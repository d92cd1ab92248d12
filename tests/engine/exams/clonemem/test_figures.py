"""What this exam counts of answers itself, by hand."""

from __future__ import annotations

from whoknew.engine.exams.arms import ExamArm
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.cells import Unit, cell_of
from whoknew.engine.exams.clonemem.choosing import UNTOLD
from whoknew.engine.exams.clonemem.figures import figures_of
from whoknew.engine.exams.plan import ExamSeat
from whoknew.engine.exams.questions import ResolvedQuestion
from whoknew.worlds.question import Question

ARM = ExamArm("recall", ExamSeat(), {}, "digest")


def answered(question: str, answer: str, *choices: str, correct: str, kind: str) -> CellResult:
    asked = Question(
        world="w",
        character="Ruth",
        at="end",
        question=question,
        kind=kind,
        choices=choices,
        correct=correct,
    )
    placed = ResolvedQuestion(question=asked, seq=5, hash=b"", cluster="w")
    unit = Unit(id=question, kind=kind, cluster="w", asked=placed, hash="")
    return CellResult(cell=cell_of(unit, ARM, 1), answer=answer)


def unknown(*cells: CellResult) -> list[float]:
    own = figures_of(cells)
    return [own[name]["recall"] for name in own if name.startswith(("unknown", "difference"))]


COLOUR = ("red", "blue", "green")


def test_a_last_choice_that_is_an_answer_does_not_say_that_nobody_can_tell() -> None:
    known = answered("Which colour?", "green", *COLOUR, correct="green", kind="fact")
    other = answered("Which car?", "green", *COLOUR, correct="red", kind="fact")
    assert unknown(known, other) == []
    lost = answered("Who?", "I do not know", "Bea", UNTOLD, correct=UNTOLD, kind="unanswerable")
    told = answered("Whose?", "Bea", "Bea", UNTOLD, correct="Bea", kind="causal")
    assert unknown(known, other, lost, told) == [100, 0, 100]


def test_that_nobody_can_tell_is_what_is_right_of_what_nothing_tells_in_whatever_words() -> None:
    nobody = "It cannot be told."
    lost = answered("Who?", "Bea", "Bea", nobody, correct=nobody, kind="unanswerable")
    shy = answered("Whose?", "B", "Bea", nobody, correct="Bea", kind="causal")
    assert unknown(lost, shy) == [0, 100, -100]


def test_i_do_not_know_says_so_in_questions_of_any_kind() -> None:
    lost = answered("Who?", UNTOLD, "Bea", UNTOLD, correct=UNTOLD, kind="fact")
    told = answered("Whose?", UNTOLD, "Bea", UNTOLD, correct="Bea", kind="fact")
    assert unknown(lost, told) == [100, 100, 0]
