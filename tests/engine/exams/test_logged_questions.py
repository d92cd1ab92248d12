"""What the log of an exam says of its questions, whichever of them was ready first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from whoknew.engine.exams.exam_log import ExamLog
from whoknew.engine.exams.logged_questions import LoggedQuestions, questions_on
from whoknew.engine.exams.writing.writer import WritingSettings, writer_of
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import QuestionsWritten, RefusedQuestion
from whoknew.eventlog.stores.volatile import VolatileStore
from whoknew.worlds.question import Question

KINDS = {"self": "who one is", "fact": "what happened"}
WRITERS = [writer_of(WritingSettings(model), KINDS) for model in ("offline:", "openai:m")]


def question(writer: int, world: str, who: str, upto: int, kind: str) -> dict[str, object]:
    return {
        "world": world,
        "character": who,
        "at": f"#{upto}",
        "question": f"{writer}: what was that?",
        "kind": kind,
        "reference": "I do not know.",
    }


def written(writer: int, world: str, who: str, upto: int) -> QuestionsWritten:
    return QuestionsWritten(
        character=who,
        material=world,
        upto=upto,
        hash="00",
        questions=tuple(question(writer, world, who, upto, kind) for kind in KINDS),
        refused=(RefusedQuestion("copy" if upto == 9 else "support", "why", "fact", "What?"),),
    )


PLACES = list(product(range(len(WRITERS)), ("a", "b"), ("Ada", "Ben"), (9, 40)))


async def logged(places: Sequence[tuple[int, str, str, int]]) -> LoggedQuestions:
    async with Log(VolatileStore()) as opened:
        log = await ExamLog.of(opened, "exam")
        await log.begin((), ())
        for writer in WRITERS:
            await log.add(writer)
        for place in places:
            cause = log.seq_of(WRITERS[place[0]])
            await log.concluded(str(place), cause, [written(*place)], failed=False)
        return await questions_on(log)


@given(st.permutations(PLACES))
async def test_questions_stand_in_one_order_whichever_was_written_first(
    places: list[tuple[int, str, str, int]],
) -> None:
    found = await logged(places)
    assert list(found.written) == [
        Question(**question(writer, world, who, upto, kind))  # type: ignore[arg-type]
        for writer, world, upto, who, kind in product(
            range(len(WRITERS)), ("a", "b"), (9, 40), ("Ada", "Ben"), KINDS
        )
    ], "writer by writer, world by world, as the story goes"
    assert list(found.refused.items()) == [("copy", 8), ("support", 8)]
