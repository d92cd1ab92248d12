"""What a model is asked for when it writes questions of an exam, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.errors import BadAnswer
from whoknew.agents.lines import Line, quoted
from whoknew.agents.models.model import Message, Request
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import Sections
from whoknew.agents.understand import understand

PURPOSE, CHECKING = "questions", "answer"

PROMPTS = ("questions", "questions.again", "questions.check", "again")

MOST = 100
"""Of more in one answer none is looked at."""

SHOWN = 400
"""So many signs of a question that will not do its model is shown again."""


class DraftedQuestion(Struct, frozen=True):
    """One question as a model gives it: its evidence by places in the view of who is asked."""

    kind: str
    question: str
    answer: str
    evidence: tuple[int, ...]


class DraftedQuestions(Struct, frozen=True):
    questions: tuple[DraftedQuestion, ...]


class CheckedAnswer(Struct, frozen=True):
    """What somebody answers who has nothing but the evidence."""

    answer: str


def request(
    who: str, lines: Sequence[Line], wanted: Mapping[str, int], about: Mapping[str, str]
) -> Request:
    """So many questions of each kind, of these lines of what somebody lived through."""
    text = ["# What happened so far, the newest last", *lines, "", "# What is wanted"]
    text += [f"- {count} of the kind {kind}: {about[kind]}" for kind, count in wanted.items()]
    messages = (
        Message("system", filled("questions", name=who)),
        Message("user", "\n".join(text)),
    )
    sections = Sections(who=who, here=tuple(lines), wanted=wanted)
    return Request(PURPOSE, messages, DraftedQuestions, sections=sections)


def again(
    first: Request,
    refused: Sequence[tuple[DraftedQuestion, str]],
    wanted: Mapping[str, int],
) -> Request:
    """As many others as are lacking, told what would not do, and why."""
    assert first.sections is not None
    said = DraftedQuestions(tuple(_short(one) for one, _ in refused))
    why = " ".join(f"{number}: {why}" for number, (_, why) in enumerate(refused, start=1))
    messages = (
        *first.messages,
        Message("assistant", quoted(said)),
        Message("user", filled("questions.again", why=why, wanted=_told(wanted))),
    )
    return replace(first, messages=messages, sections=replace(first.sections, wanted=wanted))


def read(text: str) -> DraftedQuestions:
    found = understand(text, DraftedQuestions)
    if len(found.questions) > MOST:
        raise BadAnswer(f"{len(found.questions)} questions were given: give as many as are wanted.")
    return DraftedQuestions(tuple(map(_in_one_line, found.questions)))


def check_request(who: str, question: str, lines: Sequence[Line]) -> Request:
    """The question, put to somebody who knows of nothing but these lines."""
    text = "\n".join(["# What happened", *lines, "", "# The question", quoted(question)])
    messages = (Message("system", filled("questions.check", name=who)), Message("user", text))
    sections = Sections(who=who, here=tuple(lines), question=question)
    return Request(CHECKING, messages, CheckedAnswer, sections=sections)


def _told(wanted: Mapping[str, int]) -> str:
    return ", ".join(f"{count} of the kind {kind}" for kind, count in wanted.items())


def _in_one_line(one: DraftedQuestion) -> DraftedQuestion:
    question, answer = (" ".join(text.split()) for text in (one.question, one.answer))
    return DraftedQuestion(one.kind.strip(), question, answer, one.evidence)


def _short(one: DraftedQuestion) -> DraftedQuestion:
    return DraftedQuestion(
        one.kind[:SHOWN], one.question[:SHOWN], one.answer[:SHOWN], one.evidence[:10]
    )
