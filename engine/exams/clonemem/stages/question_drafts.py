"""The fourth stage: what a model is asked for when it asks about a life, and what it answers. First whether
there is a question worth asking; then the question; then wrong answers, which a second one tries to see
through without time; then whether it can be disputed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from random import Random

from msgspec import Struct

from whoknew.agents.models.model import Request
from whoknew.engine.exams.clonemem.asked_life import KINDS, AskedLife, LifeKind
from whoknew.engine.exams.clonemem.stages.requests import life_request
from whoknew.worlds.lives.bank import Dimension

GATE, QUESTION, WRONG = "life.gate", "life.question", "life.wrong"
SOLVE, REVIEW = "life.solve", "life.review"

ABOUT: Mapping[str, str] = dict(
    zip(
        KINDS,
        (
            "a detail of one event, or what holds at the date where it was otherwise before",
            "how something was at one time beside another time",
            "which way something went, through three states at least, in their order",
            "what was done again and again, three times at least",
            "what brought something about",
            "what would most likely have been, had one thing not happened",
            "what things that could be seen say of how it was, where nobody said it",
            "what a friend would ask and nothing tells: never said, never done, or yet to come",
        ),
        strict=True,
    )
)
"""What each kind asks for."""

LEAST: Mapping[LifeKind, int] = {
    "single-point": 1,
    "comparative": 2,
    "trajectory": 3,
    "pattern": 3,
    "causal": 2,
    "counterfactual": 2,
    "inferential": 2,
    "unanswerable": 0,
}
"""On so many things an answer rests at least."""

SHOWN = 120
"""So many of the newest things of the matters that moved are told."""


class DraftedGate(Struct, frozen=True):
    possible: bool
    why: str
    evidence: tuple[int, ...] = ()
    begins: str = ""
    ends: str = ""
    outline: str = ""


class DraftedLifeQuestion(Struct, frozen=True):
    question: str
    answer: str


class DraftedWrong(Struct, frozen=True):
    wrong: tuple[str, ...]


class Solved(Struct, frozen=True):
    choice: int


class StrictReading(Struct, frozen=True):
    keep: bool
    why: str


class BucketEntry(Struct, frozen=True, kw_only=True):
    """One thing that is so in an arc."""

    id: str
    day: date
    arc: str
    title: str
    claim: str

    def told(self, number: int) -> dict[str, object]:
        return {
            "number": number,
            "day": self.day.isoformat(),
            "matter": self.title,
            "claim": self.claim,
        }


def buckets(asked: AskedLife, dimension: Dimension, since: date) -> list[BucketEntry]:
    """What is so by a date in the arcs of a dimension in which something has happened since: the newest
    of it, in its order."""
    found: list[BucketEntry] = []
    for arc in asked.life.arcs:
        events = list(asked.of(arc.id))
        if arc.dimension != dimension or not any(one.at.date() >= since for one in events):
            continue
        found += [
            BucketEntry(
                id=name,
                day=one.at.date(),
                arc=arc.id,
                title=arc.title.claim,
                claim=asked.claim(name),
            )
            for one in events
            for name in one.evidence
            if asked.traces(name)
        ]
    return sorted(found, key=lambda one: (one.day, one.id))[-SHOWN:]


def gate_request(
    kind: LifeKind, dimension: Dimension, until: date, bucket: Sequence[BucketEntry]
) -> Request:
    wanted = {"kind": kind, "asks": ABOUT[kind], "of": dimension, "evidence at least": LEAST[kind]}
    return life_request(
        GATE,
        {
            "What is so": [one.told(number) for number, one in enumerate(bucket, start=1)],
            "The date of the question": [until.isoformat()],
            "What is wanted": [wanted],
        },
        DraftedGate,
    )


def question_request(
    kind: LifeKind, gate: DraftedGate, until: date, rests_on: Sequence[BucketEntry]
) -> Request:
    return life_request(
        QUESTION,
        {
            "What is wanted": [{"kind": kind, "asks": ABOUT[kind]}],
            "What it wants to know": [gate.outline],
            "From when to when it asks": [{"from": gate.begins, "to": gate.ends}],
            "The date of the question": [until.isoformat()],
            "What the answer rests on": [
                one.told(number) for number, one in enumerate(rests_on, start=1)
            ],
        },
        DraftedLifeQuestion,
    )


def wrong_request(
    one: DraftedLifeQuestion, bucket: Sequence[BucketEntry], count: int, seen_through: Sequence[str]
) -> Request:
    """`seen_through` are wrong answers from which the right one could be told without time."""
    return life_request(
        WRONG,
        {
            "The question": [one.question],
            "The right answer": [one.answer],
            "What is so": [it.told(number) for number, it in enumerate(bucket, start=1)],
            "Wrong answers that were seen through: give others": seen_through,
            "What is wanted": [{"wrong answers": count}],
        },
        DraftedWrong,
    )


def solve_request(
    question: str, choices: Sequence[str], bucket: Sequence[BucketEntry], seed: str
) -> Request:
    """What is known, in no order and without its days."""
    claims = [one.claim for one in bucket]
    Random(seed).shuffle(claims)
    told = [{"number": number, "choice": one} for number, one in enumerate(choices, start=1)]
    return life_request(
        SOLVE,
        {"What is known": claims, "The question": [question], "The choices": told},
        Solved,
    )


def review_request(
    one: DraftedLifeQuestion,
    until: date,
    wrong: Sequence[str],
    rests_on: Sequence[BucketEntry],
) -> Request:
    return life_request(
        REVIEW,
        {
            "The question": [one.question],
            "The date of the question": [until.isoformat()],
            "The right answer": [one.answer],
            "The wrong ones": wrong,
            "What the right one rests on": [
                it.told(number) for number, it in enumerate(rests_on, start=1)
            ],
        },
        StrictReading,
    )
