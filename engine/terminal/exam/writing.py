"""How questions that a model writes are shown: what they may cost, how it goes on, what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from whoknew.engine.command_text import command_text
from whoknew.engine.exams.writing.begin import BegunWriting
from whoknew.engine.exams.writing.forecast import WritingForecast
from whoknew.engine.exams.writing.kept_texts import KeptTexts
from whoknew.engine.exams.writing.session import QuestionWriting
from whoknew.engine.exams.writing.write import WrittenQuestions
from whoknew.engine.terminal.console import err, safe, whole
from whoknew.engine.terminal.exam.run import NOTHING, roles_table
from whoknew.engine.terminal.figures import money, short, spent
from whoknew.engine.terminal.progress import Shown, showing
from whoknew.engine.terminal.remarks import strange
from whoknew.eventlog.counted import counted


def foreseen(found: WritingForecast) -> Group:
    done = f", {found.done:,} done already" if found.done else ""
    places = counted(found.places, found.unit)
    head = f"{safe(found.name)}: {places} at which is written{done}"
    replies = max((one.replies for one in found.roles), default=0)
    tried = max((one.tried for one in found.roles), default=0)
    known = f"as long as the {replies:,} on this log" if replies else found.guess
    ground = f"Prompts: those of {counted(tried, found.unit)}. Replies: {known}."
    return Group(Text(head, "bold"), roles_table("model", found.roles), Text(ground), Text(NOTHING))


@contextmanager
def watching(session: QuestionWriting[Any]) -> Iterator[None]:
    """Show how the writing goes on, on stderr."""
    count, progress = session.count, session.progress
    before = f", {count.done:,} done already" if count.done else ""
    err().print(Text(f"{counted(count.places, session.unit)}{before}"), soft_wrap=True)

    def figures() -> str:
        parts = [
            f"written at {progress.before + progress.answered}/{progress.cells}",
            f"questions {count.kept.total():,}",
            f"refused {count.refused.total():,}",
            f"calls {short(progress.spent.calls)}",
            f"tokens {short(progress.spent.tokens)}",
            spent(progress.spent.money, unknown=bool(progress.spent.unpriced)),
        ]
        return "  ".join(parts)

    def outlook(seconds: float) -> str:
        return f"failed {progress.failed}" if progress.failed else ""

    with showing(Shown(session.control, figures, outlook, "calls")):
        yield


def begun(found: BegunWriting, command: str) -> Group:
    return Group(*_parts(found, command))


def _parts(found: BegunWriting, command: str) -> Iterator[RenderableType]:
    if found.files:
        beside = ", ".join(map(safe, (found.files.plan, *found.files.beside)))
        yield Text(f"wrote {beside}")
        yield from strange(found.files.remarks)
    yield from _written(found.questions)
    questions = found.questions
    if questions.failing:
        yield Text(f"Too much failed: {safe(questions.failing)}", "red")
    if questions.reason:
        yield Text(f"It stopped: {safe(questions.reason)}", "yellow")
        yield whole(f"To go on: {safe(command)}")


def _written(found: WrittenQuestions) -> Iterator[Text]:
    kept = sum(found.kept.values())
    kinds = f" ({_told(found.kept)})" if kept else ""
    cost = f"{counted(found.calls, 'call')}, {short(found.tokens)} tokens, {money(found.money)}"
    yield Text(f"{counted(kept, 'question')} by {safe(found.model)}{kinds}; {cost}")
    if found.texts:
        yield Text(f"kept: {kept_share(found.texts, found.published_texts)}", "dim")
    if found.refused:
        yield Text(f"{sum(found.refused.values()):,} refused: {_told(found.refused)}", "dim")
    failed = f", {found.failed:,} failed (--again tries those again)" if found.failed else ""
    empty = f", {found.empty:,} of them without a question" if found.empty else ""
    done = f"{found.done:,} of {counted(found.places, found.unit)} done{empty}{failed}"
    yield Text(f"{done}; {counted(found.on_log, 'question')} on {safe(found.log)}", "dim")


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{safe(name)} {count:,}" for name, count in counts.items())


def kept_share(texts: Mapping[str, KeptTexts], published: Mapping[str, float]) -> str:
    """Of how many texts of each kind so many were kept, and in the paper of a hundred."""

    def share(kind: str, one: KeptTexts) -> str:
        paper = f", the paper {published[kind]:.0f} %" if kind in published else ""
        of = one.kept + one.refused
        return f"{safe(kind)} {one.kept:,} of {of:,} ({one.percent:.0f} %{paper})"

    return ", ".join(share(kind, one) for kind, one in texts.items())


def to_look(plan: str) -> str:
    """What should be done next."""
    return f"look through them: {command_text('exam', 'questions', plan, review=True)}"
