"""Running and examining: the one room that sees all three others.

Here are plans and runs, and what can be asked of a world on an open log. Each name is loaded when it is
asked for: a command, and a room of the engine, load nothing of what they do not use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from whoknew.engine.asking.ask import Asked, ask, keep
    from whoknew.engine.errors import EngineError, Suspended
    from whoknew.engine.exams.cell_rows import CellRow
    from whoknew.engine.exams.document import LoadedExam
    from whoknew.engine.exams.kind import ExamKind, QuestionKind, SceneKind
    from whoknew.engine.exams.program import load_exam, read_exam, sit_exam
    from whoknew.engine.exams.run import ExamOptions
    from whoknew.engine.exams.table import ExamTable, TabledCells
    from whoknew.engine.plan.document import load_plan
    from whoknew.engine.plan.plan import Episodes, Judging, Limit, Loaded, ModelSettings, Plan, Seat
    from whoknew.engine.plan.program import Program
    from whoknew.engine.playing.case import AnswerCase, EpisodeCase
    from whoknew.engine.playing.judge import Bench, Judge, JudgeEntry, Verdict
    from whoknew.engine.running.chains import Run, open_run
    from whoknew.engine.running.demo import demo
    from whoknew.engine.running.run import play
    from whoknew.engine.running.run_report import ChainResult, RunReport
    from whoknew.engine.travel.diff import Comparison, compare
    from whoknew.engine.travel.fork import Changes, Forked, fork
    from whoknew.engine.travel.knows import KnowsRow, Matrix, knows
    from whoknew.engine.travel.learnt import Learnt, LearntRow, learnt
    from whoknew.engine.travel.mark import Marked, mark, marks
    from whoknew.engine.travel.prompt import Prompted, prompts
    from whoknew.engine.travel.recall import RecallResult, recall
    from whoknew.engine.travel.replay import Replayed, replay
    from whoknew.engine.travel.rerun import Rerun, rerun
    from whoknew.engine.travel.spread import Spread, Told, spread
    from whoknew.engine.travel.spread_picture import picture
else:

    def __getattr__(name: str) -> object:
        for file, names in _FILES.items():
            if name in names.split():
                return getattr(import_module(f"{__name__}.{file}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_FILES = {
    "asking.ask": "Asked ask keep",
    "errors": "EngineError Suspended",
    "exams.cell_rows": "CellRow",
    "exams.document": "LoadedExam",
    "exams.kind": "ExamKind QuestionKind SceneKind",
    "exams.program": "load_exam read_exam sit_exam",
    "exams.report": "ExamTable TabledCells",
    "exams.run": "ExamOptions",
    "plan.document": "load_plan",
    "plan.plan": "Episodes Judging Limit Loaded ModelSettings Plan Seat",
    "plan.program": "Program",
    "playing.case": "AnswerCase EpisodeCase",
    "playing.judge": "Bench Judge JudgeEntry Verdict",
    "running.chains": "Run open_run",
    "running.demo": "demo",
    "running.run": "play",
    "running.run_report": "ChainResult RunReport",
    "travel.diff": "Comparison compare",
    "travel.fork": "Changes Forked fork",
    "travel.knows": "KnowsRow Matrix knows",
    "travel.learnt": "Learnt LearntRow learnt",
    "travel.mark": "Marked mark marks",
    "travel.prompt": "Prompted prompts",
    "travel.recall": "RecallResult recall",
    "travel.replay": "Replayed replay",
    "travel.rerun": "Rerun rerun",
    "travel.spread": "Spread Told spread",
    "travel.spread_picture": "picture",
}
"""Where each name is loaded from."""

__all__ = [
    "AnswerCase",
    "Asked",
    "Bench",
    "CellRow",
    "ChainResult",
    "Changes",
    "Comparison",
    "EngineError",
    "EpisodeCase",
    "Episodes",
    "ExamKind",
    "ExamOptions",
    "ExamTable",
    "Forked",
    "Judge",
    "JudgeEntry",
    "Judging",
    "KnowsRow",
    "Learnt",
    "LearntRow",
    "Limit",
    "Loaded",
    "LoadedExam",
    "Marked",
    "Matrix",
    "ModelSettings",
    "Plan",
    "Program",
    "Prompted",
    "QuestionKind",
    "RecallResult",
    "Replayed",
    "Rerun",
    "Run",
    "RunReport",
    "SceneKind",
    "Seat",
    "Spread",
    "Suspended",
    "TabledCells",
    "Told",
    "Verdict",
    "ask",
    "compare",
    "demo",
    "fork",
    "keep",
    "knows",
    "learnt",
    "load_exam",
    "load_plan",
    "mark",
    "marks",
    "open_run",
    "picture",
    "play",
    "prompts",
    "read_exam",
    "recall",
    "replay",
    "rerun",
    "sit_exam",
    "spread",
]


def __dir__() -> list[str]:
    return __all__
