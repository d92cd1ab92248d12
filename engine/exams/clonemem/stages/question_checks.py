"""What a question about a life has to be that a model wrote, each by a rule: else it is refused, and told
why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from whoknew.engine.exams.clonemem.asked_life import LifeKind
from whoknew.engine.exams.clonemem.choosing import UNTOLD, guessed
from whoknew.engine.exams.clonemem.stages.plain_text import short, text_fault
from whoknew.engine.exams.clonemem.stages.question_drafts import (
    LEAST,
    BucketEntry,
    DraftedGate,
    DraftedLifeQuestion,
    DraftedWrong,
)
from whoknew.engine.exams.writing.checks import CheckFailed, one_question
from whoknew.eventlog.words import date_terms, terms, words

LONGEST = 80
"""Words of a question, of an answer, of a choice."""


def gate_fault(
    gate: DraftedGate, kind: LifeKind, until: date, bucket: Sequence[BucketEntry]
) -> CheckFailed | None:
    return next(_gate(gate, kind, until, bucket), None)


def _gate(
    gate: DraftedGate, kind: LifeKind, until: date, bucket: Sequence[BucketEntry]
) -> Iterator[CheckFailed]:
    if wrong := text_fault('"why"', gate.why, LONGEST):
        yield wrong
    if not gate.possible:
        return
    if wrong := text_fault("the outline", gate.outline, 2 * LONGEST):
        yield wrong
    numbers = set(gate.evidence)
    if any(not 1 <= number <= len(bucket) for number in numbers):
        yield CheckFailed("evidence", f"there are the numbers 1 to {len(bucket)}, and no others.")
    if kind == "unanswerable" and numbers:
        yield CheckFailed("evidence", "nothing tells the answer: give no evidence.")
    if len(numbers) < LEAST[kind] or len(numbers) > 12:
        yield CheckFailed("evidence", f"{len(numbers)} things are given: give {LEAST[kind]} to 12.")
    try:
        begins, ends = date.fromisoformat(gate.begins), date.fromisoformat(gate.ends)
    except ValueError:
        yield CheckFailed("times", "begins and ends have to be days, as 2021-03-04.")
        return
    if kind != "unanswerable" and not begins <= ends <= until:
        yield CheckFailed("times", f"it asks from {begins} to {ends}, and is asked on {until}.")


def question_fault(
    one: DraftedLifeQuestion, kind: LifeKind, rests_on: Sequence[BucketEntry], asked: Sequence[str]
) -> CheckFailed | None:
    """`asked` are the questions that there are already."""
    return next(_question(one, kind, rests_on, asked), None)


def _question(
    one: DraftedLifeQuestion, kind: LifeKind, rests_on: Sequence[BucketEntry], asked: Sequence[str]
) -> Iterator[CheckFailed]:
    for what, text, least in (("the question", one.question, 3), ("the answer", one.answer, 1)):
        if wrong := text_fault(what, text, LONGEST, least):
            yield wrong
    if wrong := one_question(one.question):
        yield wrong
    if any(words(one.question) == words(other) for other in asked):
        yield CheckFailed("copy", "this is asked already.")
    if kind == "unanswerable":
        if one.answer.rstrip(".").casefold() != UNTOLD.casefold():
            yield CheckFailed("answer", f"the answer has to be {UNTOLD!r}.")
        return
    said, question = set(terms(one.answer)), set(terms(one.question))
    if one.answer.casefold() in one.question.casefold() or (said and not said - question):
        yield CheckFailed("given away", "its answer tells nothing that is not in the question.")
    held = question.union(*map(_told, rests_on))
    if unknown := {term for term in said if term.isdigit()} - held:
        yield CheckFailed("support", f"its evidence does not tell of {', '.join(sorted(unknown))}.")
    new = said - question
    if new and not new & held:
        yield CheckFailed("support", "the answer is not in its evidence.")


def _told(entry: BucketEntry) -> list[str]:
    """What it says, and when: its day may be told in words or in figures."""
    return [*terms(f"{entry.claim} {entry.day.isoformat()}"), *date_terms(entry.day)]


def wrong_fault(drafted: DraftedWrong, one: DraftedLifeQuestion, count: int) -> CheckFailed | None:
    return next(_wrong(drafted, one, count), None)


def _wrong(drafted: DraftedWrong, one: DraftedLifeQuestion, count: int) -> Iterator[CheckFailed]:
    if len(drafted.wrong) != count:
        yield CheckFailed("choices", f"{len(drafted.wrong)} are given: give {count}.")
    for text in drafted.wrong:
        if wrong := text_fault("a wrong answer", text, LONGEST):
            yield wrong
        if "cannot be told" in text.casefold() or text.rstrip(".").casefold() == UNTOLD.casefold():
            yield CheckFailed("choices", f"{short(text)} says that it cannot be told.")
    orders = [tuple(words(text)) for text in (one.answer, *drafted.wrong)]
    if len(set(orders)) < len(orders):
        yield CheckFailed("one right", "two choices say the same.")
    if any(_within(orders[0], other) or _within(other, orders[0]) for other in orders[1:]):
        yield CheckFailed("one right", "a wrong answer stands in the right one, or it in that.")
    if guessed(one.question, (one.answer, *drafted.wrong)) == one.answer:
        yield CheckFailed("wording", "the right answer can be told by the words of the question.")


def _within(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return f" {' '.join(one)} " in f" {' '.join(other)} "
