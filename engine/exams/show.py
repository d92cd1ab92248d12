"""One cell of an exam, with all that led to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from msgspec import Struct

from whoknew.agents.answering import FoldedLife
from whoknew.agents.errors import AgentError
from whoknew.agents.life import Life
from whoknew.agents.memories.memory import Recollection
from whoknew.engine.asking.experts import StoryExperts
from whoknew.engine.asking.putting import put, respondent
from whoknew.engine.errors import BadQuestion, NotRemembered
from whoknew.engine.exams.bookmarks.step_seen import StepSeen, step_seen
from whoknew.engine.exams.came_to_mind import came_to_mind
from whoknew.engine.exams.cell_result import CellResult
from whoknew.engine.exams.cells import Cell, Unit, cell_of
from whoknew.engine.exams.controlling import ControlMemory, controlled
from whoknew.engine.exams.deciding import ids_of
from whoknew.engine.exams.document import LoadedExam
from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.material import placed, questions_of, reading_exam, reading_material
from whoknew.engine.exams.noted_life import NotedLife
from whoknew.engine.exams.plan import MOST_REPEATS
from whoknew.engine.exams.remembered_life import StoryLife
from whoknew.engine.exams.remembering import Remembering
from whoknew.engine.exams.results import result_of
from whoknew.engine.exams.scribe import written
from whoknew.engine.exams.sitting import seat_of
from whoknew.engine.plan.plan import Seat
from whoknew.engine.playing.guard import RecordedGuard
from whoknew.engine.registry import METHODS
from whoknew.engine.travel.prompt import Again, Call
from whoknew.eventlog import Event, Log, View
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import Answered, Called, MemoryDerived, Remembered
from whoknew.eventlog.machinery import LineRefused
from whoknew.eventlog.nearest import nearest
from whoknew.worlds.question import Question


class CellVerdict(Struct, frozen=True):
    """What a judge said: its scores, or why it has none."""

    judge: str
    scores: dict[str, float]
    reason: str


class EvidenceSeen(Struct, frozen=True):
    """An event of the evidence: whether it came to mind, or stood in the newest episode, which is
    always there; and whether the answer names it. One that the character did not witness by then it
    could not know of."""

    event: Event
    witnessed: bool
    came_to_mind: bool
    named: bool


class NoteSeen(Struct, frozen=True, kw_only=True):
    """A note that came to mind and that its world does not hold: derived up to the event `upto`, from
    `sources`."""

    text: str
    strategy: str
    upto: int
    sources: tuple[Event, ...]


class ShownCell(Struct, frozen=True, kw_only=True):
    """A cell. Not asked yet, it has neither an answer nor a failure."""

    arm: str
    unit: str
    repeat: int
    question: Question
    cursor: int
    came_to_mind: tuple[Event, ...]
    memory: tuple[NoteSeen, ...]
    step: StepSeen | None = None
    """That by which bookmarks came to mind."""
    calls: tuple[Call, ...]
    refused: tuple[LineRefused, ...] = ()
    """The answers that its guard did not take, in order."""
    answer: str | None
    failure: str | None
    rests_on: tuple[Event, ...]
    share: float | None
    verdicts: tuple[CellVerdict, ...]
    evidence: tuple[tuple[EvidenceSeen, ...], ...]


async def show(exam: LoadedExam, arm: str, unit: str, repeat: int = 1) -> ShownCell:
    """One cell as the log has it; its prompts and what came to mind are made again."""
    names = [one.name for one in exam.arms]
    if arm not in names:
        raise BadQuestion(f"{arm!r} is no arm of {exam.plan.name}: {nearest(arm, names)}")
    async with reading_material(exam) as material, reading_exam(exam) as opened:
        asked = await _unit(exam, material, unit)
        chosen, log = exam.arms[names.index(arm)], await ExamLog.of(opened, exam.plan.name)
        check_repeat(exam, log, repeat, lambda one: cell_of(asked, chosen, one).key)
        return await shown_cell(exam, cell_of(asked, chosen, repeat), log, material)


def check_repeat(exam: LoadedExam, log: ExamLog, repeat: int, key: Callable[[int], str]) -> None:
    """Refuse a repeat that the plan does not have, and the log does not either; `key` is that of the
    cell of each."""
    planned = exam.plan.repeats
    if repeat <= planned or log.begun(key(repeat)):
        return
    further = [one for one in range(planned + 1, MOST_REPEATS + 1) if log.begun(key(one))]
    some = "is 1" if planned == 1 else f"are 1 to {planned}"
    more = f", and {', '.join(map(str, further))} on the log" if further else ""
    raise BadQuestion(f"there is no repeat {repeat}: there {some} by the plan{more}")


async def shown_cell(exam: LoadedExam, cell: Cell, log: ExamLog, material: Log) -> ShownCell:
    """The same of a cell that one has. No more of its log is looked at than is of it."""
    for key in (cell.key, *(cell.review(judge) for judge in exam.judges)):
        await log.look_up(key)
    question = cell.unit.asked.question
    view = await material.view(question.world, question.character, AtSeq(cell.unit.seq))
    return await _shown(exam, cell, log, material, view)


async def _shown(
    exam: LoadedExam, cell: Cell, log: ExamLog, material: Log, view: View
) -> ShownCell:
    result, events = await result_of(log, exam, cell)
    question = cell.unit.asked.question
    calls = [event for event in events if isinstance(event.body, Called)]
    refused = [event.body for event in events if isinstance(event.body, LineRefused)]
    answers = [event.body for event in events if isinstance(event.body, Answered)]
    seqs = answers[-1].rests_on if answers else ()
    seat = seat_of(cell, answers[-1].budget if answers else None)
    remembering, again = Remembering(material, partial(written, log)), Again(calls)
    life = await _remembered(remembering, cell, view)
    seen = life.view(len(view)) if life else view
    past = await _controlled(cell, material, view, remembering, again)
    found = await came_to_mind(seen, question, seat, past, Again(calls))
    places = found.places if found else ()
    notes = life.notes(places) if life else []
    mind = await _plain(life, places, view)
    known = {seq for event in mind for seq in _behind(event)}
    known |= {seq for note in notes for seq in note.sources} | await _here(life, seen)
    if not METHODS.entry(seat.method).tells_the_past:
        known = set()
    evidence = [
        [
            EvidenceSeen(event, event.seq in view, event.seq in known, event.seq in seqs)
            for event in await material.lineage.pick(view.cursor.world, sorted(some))
        ]
        for some in cell.unit.asked.evidence
    ]
    return ShownCell(
        arm=cell.arm.name,
        unit=cell.unit.id,
        repeat=cell.repeat,
        question=question,
        cursor=cell.unit.seq,
        came_to_mind=tuple(mind),
        memory=tuple([await _note(note, view) for note in notes]),
        step=await _step(cell, view, remembering, Again(calls)),
        calls=await _prompts(
            seen,
            question,
            seat,
            again,
            past,
            StoryExperts(material, view, seat.reasks),
            RecordedGuard([one.text for one in refused]),
        ),
        refused=tuple(refused),
        answer=result.answer,
        failure=result.failure,
        rests_on=tuple(await _events(seqs, view)),
        share=answers[-1].share if answers else None,
        verdicts=tuple(_verdicts(result)),
        evidence=tuple(map(tuple, evidence)),
    )


async def _unit(exam: LoadedExam, material: Log, name: str) -> Unit:
    """The question of a line, of an id, or of the beginning of one."""
    questions = await questions_of(exam, material)
    (unit,) = ids_of(exam, questions.file, [name])
    asked = (await placed(exam, material, questions)).units
    if found := [one for one in asked if one.id == unit]:
        return found[0]
    struck = questions.logged.is_struck(unit)
    raise BadQuestion(f"{name!r} is not asked: it is {'struck' if struck else 'doubtful'}")


async def _remembered(remembering: Remembering, cell: Cell, view: View) -> NotedLife | None:
    """What the character remembers by derived memory, where that is all there."""
    if cell.arm.memory is None or cell.arm.memory.of_story:
        return None
    with suppress(NotRemembered):
        return await remembering.upto(cell.arm.memory, view)
    return None


async def _controlled(
    cell: Cell, material: Log, view: View, remembering: Remembering, again: Again
) -> FoldedLife | None:
    """What a control brought, as far as that is on the log."""
    with suppress(NotRemembered, AgentError):
        return await controlled(cell, material, view, remembering, again)
    return FoldedLife(lambda: ControlMemory(Recollection()))


async def _step(cell: Cell, view: View, remembering: Remembering, again: Again) -> StepSeen | None:
    """The step by which bookmarks came to mind, where that is on the log."""
    memory = cell.arm.memory
    if memory is None:
        return None
    with suppress(NotRemembered):
        life: NotedLife | StoryLife
        if memory.of_story:
            life = await remembering.story(memory, view)
        else:
            life = await remembering.upto(memory, view)
        return await step_seen(cell, view, life, again)
    return None


async def _plain(life: NotedLife | None, places: Sequence[int], view: View) -> list[Event]:
    """What of it happened in its world."""
    return await view.pick(places) if life is None else await _events(life.told(places), view)


async def _events(seqs: Sequence[int], view: View) -> list[Event]:
    return await view.pick([place for seq in seqs if (place := view.place(seq))])


async def _note(note: MemoryDerived, view: View) -> NoteSeen:
    sources = await _events(note.sources, view)
    return NoteSeen(text=note.text, strategy=note.strategy, upto=note.upto, sources=tuple(sources))


def _behind(event: Event) -> Sequence[int]:
    """An event, and what it was written from."""
    body = event.body
    return (event.seq, *body.sources) if isinstance(body, Remembered) else (event.seq,)


async def _here(noted: NotedLife | None, view: View) -> set[int]:
    """The newest episode, which stands in every prompt."""
    life = Life(view.character)
    await life.catch_up(view)
    if life.now is None:
        return set()
    return set(noted.behind(life.now.places) if noted else map(view.seq, life.now.places))


async def _prompts(
    view: View,
    question: Question,
    seat: Seat,
    again: Again,
    past: FoldedLife | None,
    experts: StoryExperts,
    guard: RecordedGuard,
) -> tuple[Call, ...]:
    """The calls, each with the prompt that it was made with, as it comes out now."""
    with suppress(AgentError):  # as it was then: what was asked is what counts
        guards = partial(_recorded, guard)
        asked = respondent(question.character, seat, again, past, experts, guards=guards)
        await put(asked, view, question.question, question.choices)
    return tuple(again.calls())


def _recorded(guard: RecordedGuard, who: str, sure: float) -> RecordedGuard:
    """What was refused is refused again."""
    return guard


def _verdicts(result: CellResult) -> Iterator[CellVerdict]:
    for judge, reason in result.reasons.items():
        scores = {
            name.removeprefix(f"{judge}."): score
            for name, score in result.scores.items()
            if name.startswith(f"{judge}.")
        }
        yield CellVerdict(judge, scores, reason)
    for judge, why in result.unreviewed.items():
        yield CellVerdict(judge, {}, why)
