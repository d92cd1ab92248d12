"""What training ahead would take, before it begins: the very steps, with a model that only counts their
rows; and a few of these rows trained in a folder that is thrown away, to see how long that takes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from whoknew.agents.errors import AgentError
from whoknew.agents.memories.trained import TrainedEntry
from whoknew.agents.models.model import Reply, Request
from whoknew.agents.weights.artefacts import Artefacts
from whoknew.agents.weights.training import Trained, TrainingOrder, note_of, order_of, request_of
from whoknew.engine import registry
from whoknew.engine.errors import NotRemembered
from whoknew.engine.exams.arms import ExamMemory, memories_of, sharing
from whoknew.engine.exams.cells import cells_of
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog, log_there
from whoknew.engine.exams.material import reading_material, units
from whoknew.engine.exams.remembering import LifeStep, Remembering, latest
from whoknew.engine.exams.run import ExamOptions
from whoknew.engine.exams.scribe import derived, not_kept, on_log
from whoknew.engine.exams.train import check_trains
from whoknew.engine.exams.train_sitting import trained_arms
from whoknew.engine.opening import weights_beside
from whoknew.engine.registry import for_mind
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.machinery import MemoryDerived
from whoknew.eventlog.shown_address import without_password

PATIENCE = 600.0
"""Seconds for a model to be opened."""

FEW = 2
"""Rows that are tried, where a memory has no batches."""


class MemoryForecast(Struct, frozen=True, kw_only=True):
    """One memory, of these `arms`: `done` steps are on the log; of so many `steps`, an episode of one
    character each, on so many `rows`, it takes so many `rounds`. `seconds` and `bytes` are None where
    nothing could be tried, and nothing on the log says: `lacking` says why."""

    memory: str
    model: str
    arms: tuple[str, ...]
    lives: int
    done: int
    steps: int
    rows: int
    rounds: int
    seconds: float | None = None
    bytes: int | None = None
    lacking: str = ""


class TrainForecast(Struct, frozen=True, kw_only=True):
    """All of them, and the folder that it would go to."""

    name: str
    log: str
    folder: str
    memories: tuple[MemoryForecast, ...]

    @property
    def steps(self) -> int:
        return sum(one.steps for one in self.memories)

    def left(self, done: int, seconds: float) -> float:
        """How many seconds are left after some: as was foreseen; where it takes longer than that, by the steps
        that were done. (Until then steps say little: one of GRACE may take as long as ten of LoRA.)"""
        foreseen = sum(one.seconds or 0 for one in self.memories)
        if seconds < foreseen:
            return foreseen - seconds
        return seconds / done * max(0, self.steps - done) if done else 0


async def forecast_training(
    exam: LoadedExam, options: ExamOptions, *, again: bool = False
) -> TrainForecast:
    """What is left to be trained. Nothing is written, but into a folder that is thrown away."""
    check_trains(exam)
    arms = trained_arms(exam.arms)
    counts = {one.digest: TrainingCount(one) for one in memories_of(arms)}
    async with AsyncExitStack() as opening:
        material = await opening.enter_async_context(reading_material(exam))
        asked = await units(exam, material, options.limit)
        log = await log_there(exam.plan.address, exam.plan.name, opening)
        cells = cells_of(asked, arms, exam.plan.repeats)
        lacking = [one for one in cells if log is None or log.lacks(one.key, again=again)]

        async def keep(step: LifeStep) -> Sequence[MemoryDerived]:
            return await counts[step.memory.digest].keep(step, log, again=again)

        remembering = Remembering(material, keep)
        for cell in latest(lacking):
            assert cell.arm.memory is not None
            question = cell.unit.asked.question
            view = await material.view(question.world, question.character, AtSeq(cell.unit.seq))
            counts[cell.arm.memory.digest].lives += 1
            with suppress(NotRemembered):
                await remembering.upto(cell.arm.memory, view)
    address = exam.plan.address
    found = [await one.forecast(sharing(one.memory, arms)) for one in counts.values()]
    return TrainForecast(
        name=exam.plan.name,
        log=without_password(address),
        folder=str(weights_beside(address)),
        memories=tuple(found),
    )


class TrainingCount:
    """What training comes to for one memory; a model that only counts what it is to be trained on."""

    name = "none"

    def __init__(self, memory: ExamMemory) -> None:
        self.memory, seat = memory, memory.seat
        self._entry: TrainedEntry = for_mind(seat.memory).made(
            seat.memory, seat.settings.get(seat.memory, {})
        )
        self.lives = self._done = self._steps = self._rows = self._rounds = self._kept = 0
        self._held: dict[str, int] = {}
        """How many rows stand behind an artefact."""
        self._known: list[Trained] = []
        self._sample: tuple[TrainingOrder, list[tuple[str, str]]] | None = None

    async def keep(
        self, step: LifeStep, log: ExamLog | None, *, again: bool
    ) -> Sequence[MemoryDerived]:
        """What stands on the log of a step; or what would."""
        if log is not None and log.done(step.key):
            notes = await on_log(log, step)
            self._look(notes)
            return notes
        if log is not None and not log.lacks(step.key, again=again):
            raise not_kept(step, await log.failure(step.key))
        return [derived(step, note) for note in await step.remember(self)]

    async def complete(self, request: Request) -> Reply:
        order, rows = order_of(request)
        before = self._held.get(order.after, 0)
        self._steps, self._rows = self._steps + 1, self._rows + len(rows)
        self._rounds += self._entry.rounds(len(rows))
        self._kept += self._entry.kept(len(rows), before)
        digest = f"{self._steps:032x}"
        self._held[digest] = before + len(rows)
        self._sample = self._sample or (order, rows)
        made = Trained(digest=digest, base="", rows=len(rows), steps=0, loss=0, seconds=0)
        return Reply(text=msgspec.json.encode(made).decode())

    async def forecast(self, arms: tuple[str, ...]) -> MemoryForecast:
        seconds, size, lacking = await self._measured()
        return MemoryForecast(
            memory=self.memory.seat.memory,
            model=self.memory.seat.model,
            arms=arms,
            lives=self.lives,
            done=self._done,
            steps=self._steps,
            rows=self._rows,
            rounds=self._rounds,
            seconds=None if seconds is None else self._rounds * seconds,
            bytes=None if size is None else round(self._kept * size),
            lacking=lacking,
        )

    def _look(self, notes: Sequence[MemoryDerived]) -> None:
        for told in filter(None, (note_of(note.text) for note in notes)):
            self._done += 1
            before = self._held.get(told.order.after, 0)
            self._held[told.trained.digest] = before + told.trained.rows
            self._known.append(told.trained)

    async def _measured(self) -> tuple[float | None, float | None, str]:
        """Seconds for a round, bytes for what is kept of a row; or why that cannot be said."""
        if self._sample is None:
            return 0.0, 0.0, ""
        order, rows = self._sample
        with TemporaryDirectory() as folder:
            try:
                seconds, trained, size = await self._tried(order, rows, Path(folder))
            except AgentError as error:
                return None, None, str(error)
        each = size / self._entry.kept(trained.rows, 0)
        if rounds := sum(self._entry.rounds(one.rows) for one in self._known):
            return sum(one.seconds for one in self._known) / rounds, each, ""
        return seconds, each, ""

    async def _tried(
        self, order: TrainingOrder, rows: list[tuple[str, str]], folder: Path
    ) -> tuple[float, Trained, int]:
        """A round of training on a few rows of the first step, from the base model."""
        few, settings = replace(self._entry, **self._entry.trial), dict(order.settings)
        some = rows[: int(settings.get("batch", FEW))]
        tried = replace(
            order,
            after="",
            settings={**settings, **self._entry.trial},
            origins=order.origins[: len(some)],
        )
        async with (
            registry.model(self.memory.seat.model).keeping_in(folder).open(PATIENCE) as model
        ):
            await model.complete(request_of(tried, some))  # the first takes longer than the others
            begun = perf_counter()
            reply = await model.complete(request_of(tried, some))
            seconds = perf_counter() - begun
        trained = msgspec.json.decode(reply.text, type=Trained)
        return seconds / few.rounds(len(some)), trained, Artefacts(folder).size(trained.digest)
