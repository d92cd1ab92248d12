"""What a model is asked for when it writes of a scene, and what it answers: a sentence on it, questions
on that, and answers that are right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from whoknew.agents.lines import Line, quoted
from whoknew.agents.models.model import Message, Request
from whoknew.agents.prompts.text import filled
from whoknew.agents.sections import Acquaintance, JudgedAnswer, Sections
from whoknew.engine.exams.timechara import fakes
from whoknew.engine.judges.moment import KNOWING
from whoknew.worlds.question import Question

SENTENCE, FACT, FAKE, GOLD = "sentence", "fact", "fake", "gold"

PROMPTS = (
    *("scene.sentence", "scene.fact", "scene.fake", "scene.gold", "scene.again"),
    *("questions.check", "again"),
)

WAYS: Mapping[str, str] = {
    fakes.CHARACTER: "put another character of the story in the place of one",
    fakes.OBJECT: "put another thing in the place of one that matters",
    fakes.PLACE: "have it happen in another place",
    fakes.ACTION: "have somebody do something else",
    fakes.ADDED: "add somebody or something that is nowhere in the story",
    KNOWING: "add that somebody knew something by then that they did not know",
}
"""How a model is told of each strategy."""


class DraftedSentence(Struct, frozen=True):
    """What happened in a scene: in which of its lines, and who was there."""

    sentence: str
    evidence: tuple[int, ...]
    people: tuple[str, ...]


class DraftedFact(Struct, frozen=True):
    word: str
    question: str
    answer: str
    key: str


class DraftedFake(Struct, frozen=True):
    sentence: str
    true: str
    false: str
    question: str
    answer: str


class DraftedGold(Struct, frozen=True):
    answer: str


def sentence_request(lines: Sequence[Line]) -> Request:
    text = "\n".join(("# The scene", *lines))
    messages = (Message("system", filled("scene.sentence")), Message("user", text))
    return _request(SENTENCE, messages, DraftedSentence, Sections(who="", here=tuple(lines)))


def fact_request(sentence: str, lines: Sequence[Line], word: str) -> Request:
    messages = (Message("system", filled("scene.fact", word=word)), _told(sentence, lines))
    sections = Sections(who="", here=tuple(lines), question=sentence, wanted={word: 1})
    return _request(FACT, messages, DraftedFact, sections)


def fake_request(
    sentence: str, lines: Sequence[Line], strategy: str, people: Sequence[str]
) -> Request:
    """`people` are those of the story, where another of them is wanted."""
    way = WAYS[strategy]
    if strategy == fakes.CHARACTER:
        way += f" ({', '.join(people)})"
    messages = (Message("system", filled("scene.fake", way=way)), _told(sentence, lines))
    sections = Sections(
        who="",
        here=tuple(lines),
        question=sentence,
        wanted={strategy: 1},
        others=tuple(map(Acquaintance, people)),
    )
    return _request(FAKE, messages, DraftedFake, sections)


def gold_request(one: Question) -> Request:
    """What holds of a right answer is what judges are told."""
    holds = [str(one.labels[name]) for name in ("temporal", "spatial") if name in one.labels]
    text = "\n".join(
        (
            "# What holds at this moment",
            *map(quoted, holds),
            "",
            "# The question",
            quoted(one.question),
        )
    )
    messages = (
        Message("system", filled("scene.gold", name=one.character)),
        Message("user", text),
    )
    sections = Sections(
        who=one.character,
        question=one.question,
        judged=JudgedAnswer(answer="", reference=one.reference, labels=one.labels),
    )
    return _request(GOLD, messages, DraftedGold, sections)


def _request(
    purpose: str, messages: tuple[Message, ...], answer: type[Struct], sections: Sections
) -> Request:
    return Request(purpose, messages, answer, sections=sections)


def _told(sentence: str, lines: Sequence[Line]) -> Message:
    return Message(
        "user", "\n".join(("# What happened", quoted(sentence), "", "# The events", *lines))
    )
