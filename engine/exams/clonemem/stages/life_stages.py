"""Lives by a model, as steps that rest on one another: the persona, its arcs, one major event after another
with all that is written of it, and then what is asked at each date.

A life is a row of steps: none is begun before those ahead of it stand on the log, from which whoever goes
on with it reads them back.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, ClassVar, Literal

import msgspec
from msgspec import Struct

from whoknew.agents.models.model import prompt_tokens
from whoknew.engine.exams.cells import digest_key
from whoknew.engine.exams.clonemem.asked_life import KINDS, LifeKind
from whoknew.engine.exams.clonemem.stages.life_arcs import ARCS, DraftedArcs
from whoknew.engine.exams.clonemem.stages.life_pen import TRIES, LifePen
from whoknew.engine.exams.clonemem.stages.life_size import FixedLife
from whoknew.engine.exams.clonemem.stages.persona import PERSONA, MadePersona, persona_request
from whoknew.engine.exams.clonemem.stages.phase_events import EVENTS
from whoknew.engine.exams.clonemem.stages.phase_traces import INTENTS, TRACE
from whoknew.engine.exams.clonemem.stages.question_drafts import GATE, QUESTION, WRONG
from whoknew.engine.exams.clonemem.stages.question_pen import SETS, QuestionPen, wanted
from whoknew.engine.exams.clonemem.stages.told_life import MadeMajor, ToldLife
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.writing.pen import Pen
from whoknew.engine.exams.writing.source import (
    ExpectedCalls,
    ModelOf,
    PlaceOnLog,
    WritingSource,
    WrittenDraft,
)
from whoknew.engine.exams.writing.writer import QuestionWriter
from whoknew.engine.opening import writing
from whoknew.engine.playing.ledger import NOBODY
from whoknew.eventlog.kinds import QuestionsWritten
from whoknew.worlds.lives.life_world import world_of_life

VERSION = 2
"""Of what is shown and how it is checked: raise it when any of that changes."""

StepName = Literal["persona", "arcs", "major", "questions"]


class StageStep(Struct, frozen=True):
    """A step of a life: the one of its name with this number, from 0."""

    life: FixedLife
    name: StepName
    number: int = 0

    @property
    def place(self) -> int:
        """Among all steps of its life, from 1."""
        before = {"persona": 1, "arcs": 2, "major": 3, "questions": 3 + len(self.life.majors)}
        return before[self.name] + self.number


class LifeStages(WritingSource[StageStep]):
    """Lives are written at once, the steps of each one after another."""

    unit: ClassVar = "step"
    guess: ClassVar = "60 to 140 tokens of each thing"
    sampled: ClassVar = 100_000
    purposes: ClassVar = frozenset({PERSONA, ARCS, EVENTS, INTENTS, TRACE, GATE, QUESTION, WRONG})

    def __init__(self, writer: QuestionWriter, lives: Sequence[FixedLife], material: str) -> None:
        """`material` is the log into which a life goes when it is whole."""
        self._writer, self._material = writer, material
        self._lives = {one.source: ToldLife(one) for one in lives}
        self._asked: dict[str, list[str]] = {one.source: [] for one in lives}
        self._kinds: tuple[LifeKind, ...] = tuple(
            kind for kind in KINDS if kind in (writer.writing.kinds or KINDS)
        )
        self.rows = [list(_steps(one)) for one in lives]

    def key(self, place: StageStep) -> str:
        return digest_key("life", self._writer.digest, place.life.source, place.name, place.number)

    def on_log(self, place: StageStep) -> PlaceOnLog:
        return PlaceOnLog(who="", world=place.life.name, upto=place.place, hash="")

    async def read(self, log: ExamLog) -> None:
        for row in self.rows:
            for place in row:
                for event in await log.batch(self.key(place)):
                    if isinstance(event.body, QuestionsWritten):
                        self._take(place, event.body.made, event.body.questions)

    def ready(self, place: StageStep) -> bool:
        life = self._lives[place.life.source]
        match place.name:
            case "persona":
                return True
            case "arcs":
                return life.made is not None
            case "major":
                return life.arcs is not None and len(life.majors) == place.number
            case "questions":
                return life.whole

    async def drafted(self, place: StageStep, model_of: ModelOf) -> WrittenDraft:
        settings, found = self._writer.writing, WrittenDraft()
        model = model_of(NOBODY, settings.model)
        pen = Pen(model, found, reasks=settings.reasks, rounds=TRIES)
        life = self._lives[place.life.source]
        if place.name == "questions":
            solver = model_of(NOBODY, settings.checked_by or settings.model)
            asking = QuestionPen(pen, solver, settings, self._asked[place.life.source])
            until = place.life.moments[place.number]
            await asking.write(life.graph(), place.number, until, self._kinds)
            return found
        writes = LifePen(pen, life)
        making: Mapping[str, Callable[[], Awaitable[Struct]]] = {
            "persona": lambda: writes.persona(place.life),
            "arcs": writes.arcs,
            "major": lambda: writes.major(place.number),
        }
        found.made = msgspec.to_builtins(await making[place.name]())
        return found

    def kept(self, place: StageStep, draft: WrittenDraft) -> None:
        questions = [msgspec.to_builtins(one) for one in draft.questions]
        self._take(place, draft.made, questions)

    def _take(
        self, place: StageStep, made: Mapping[str, Any], questions: Sequence[Mapping[str, Any]]
    ) -> None:
        life, data = self._lives[place.life.source], dict(made)
        match place.name:
            case "persona":
                life.made = msgspec.convert(data, MadePersona)
            case "arcs":
                life.arcs = msgspec.convert(data, DraftedArcs)
            case "major":
                life.majors.append(msgspec.convert(data, MadeMajor))
            case "questions":
                self._asked[place.life.source] += [str(one["question"]) for one in questions]

    async def finish(self) -> None:
        """Lives that are whole become worlds, where they are none yet."""
        whole = [one for one in self._lives.values() if one.whole]
        if not whole:
            return
        async with writing(self._material) as log:
            there = {one.name for one in await log.worlds()}
            for life in whole:
                world = world_of_life(life.graph())
                if world.name not in there:
                    await log.append(world.name, world.drafts)

    async def expected(self, place: StageStep) -> ExpectedCalls:
        tries, settings = TRIES * (1 + self._writer.writing.reasks), self._writer.writing
        size = place.life.size
        match place.name:
            case "persona":
                known = prompt_tokens(persona_request(place.life))
                return _expected({"persona": 1}, tries, tokens_in=known)
            case "arcs":
                states = size.states * len(place.life.arcs)
                return _expected({"arcs": 1}, tries, tokens_out=TOKENS["state"][1] * states)
            case "major":
                phases = list(place.life.phases(place.number))
                events = sum(one.events for one in phases)
                calls = {
                    "events": len(phases),
                    "intents": len(phases),
                    "trace": events * size.traces,
                }
                said = TOKENS["event"][1] * events + TOKENS["intent"][1] * events * size.traces
                return _expected(calls, tries, tokens_out=said)
            case "questions":
                asked = len(list(wanted(place.number, self._kinds, settings.each)))
                calls = {"gate": asked, "question": asked, "wrong": asked}
                one = _expected(calls, tries)
                looks = 2 * asked
                most = (SETS + 1) * asked * (1 + settings.reasks)
                more = (SETS - 1) * asked * tries
                if settings.checked_by is not None:
                    return msgspec.structs.replace(
                        one, most=one.most + more, checks=looks, most_checks=most
                    )
                told = _expected({"solve": asked, "review": asked}, 1)
                return msgspec.structs.replace(
                    one,
                    calls=one.calls + looks,
                    tokens_in=one.tokens_in + told.tokens_in,
                    tokens_out=one.tokens_out + told.tokens_out,
                    most=one.most + more + most,
                )


TOKENS: Mapping[str, tuple[int, int]] = {
    "persona": (600, 400),
    "arcs": (1_200, 0),
    "state": (0, 60),
    "events": (1_700, 0),
    "event": (0, 120),
    "intents": (1_400, 0),
    "intent": (0, 90),
    "trace": (900, 140),
    "gate": (2_500, 120),
    "question": (700, 80),
    "wrong": (2_500, 90),
    "solve": (1_500, 10),
    "review": (800, 40),
}
"""Of a prompt and of a reply, where the one cannot be made yet and the other is not there: about what they
take of a short life."""


def _expected(
    calls: Mapping[str, int], tries: int, *, tokens_in: int = 0, tokens_out: int = 0
) -> ExpectedCalls:
    count = sum(calls.values())
    ins = sum(TOKENS[what][0] * many for what, many in calls.items())
    outs = sum(TOKENS[what][1] * many for what, many in calls.items())
    return ExpectedCalls(
        calls=count,
        tokens_in=tokens_in or ins,
        tokens_out=outs + tokens_out,
        most=count * tries,
        checks=0,
        most_checks=0,
    )


def _steps(life: FixedLife) -> Sequence[StageStep]:
    return [
        StageStep(life, "persona"),
        StageStep(life, "arcs"),
        *(StageStep(life, "major", number) for number in range(len(life.majors))),
        *(StageStep(life, "questions", number) for number in range(len(life.moments))),
    ]
