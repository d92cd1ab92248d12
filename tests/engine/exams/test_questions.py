"""Questions beside their log: what cannot be put there is told, what can gets its exact place."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
import pytest_asyncio
from small_worlds import NIGHT, elsinore, opened

from whoknew.engine.exams.questions import check, doubtful, resolved
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import Acted, Doubted
from whoknew.worlds.errors import BadDocument, Mistake
from whoknew.worlds.question import Question, QuestionFile

ASKED: dict[str, Any] = {
    "world": "elsinore",
    "character": "Horatio",
    "at": "E1",
    "question": "What was seen?",
    "kind": "fact",
}


@pytest_asyncio.fixture
async def log() -> AsyncIterator[Log]:
    async with open_log(":memory:") as log:
        await elsinore(log)
        yield log


async def cut_speech(log: Log) -> None:
    """A speech that stands on three events, two of which one of the two heard."""
    drafts = [
        Draft(Acted(text), actor="Ann", witnesses=witnesses, source="speech 1")
        for text, witnesses in (
            ("Bo, listen.", ("Ann", "Bo")),
            ("He is a fool.", ("Ann",)),
            ("Farewell.", ("Ann", "Bo")),
        )
    ]
    await log.append("hall", [*opened("Ann", "Bo", at=NIGHT), *drafts])


def file_of(*changes: dict[str, Any]) -> QuestionFile:
    questions = tuple(Question(**{**ASKED, **change}) for change in changes)
    return QuestionFile("q.jsonl", questions, tuple(range(1, len(questions) + 1)))


def told(mistakes: Sequence[Mistake]) -> list[str]:
    return [str(one).removeprefix("q.jsonl:") for one in mistakes]


async def test_a_sound_file_is_passed_without_a_word(log: Log) -> None:
    found = await check(log, file_of({}, {"at": "end", "evidence": [[8], [12, 13]]}))
    assert found.mistakes == found.remarks == ()


async def test_every_question_that_cannot_be_put_is_told_with_its_line(log: Log) -> None:
    found = await check(
        log,
        file_of(
            {"world": "elsinor"},
            {"character": "Horacio"},
            {"at": "E9"},
            {"at": "#0"},
            {"evidence": [[8, 99], ["#7"], ["D1:2"]]},
            {},
            {},
        ),
    )
    assert told(found.mistakes) == [
        "1: world: 'elsinor' is not in this log: did you mean 'elsinore'?",
        "2: character: no character 'Horacio' in 'elsinore' at that cursor: did you mean 'Horatio'?",
        "3: at: E9: 'elsinore' has 2 episodes",
        "4: character: no character 'Horatio' in 'elsinore' at that cursor: there are none",
        "5: evidence[0][1]: 99 is no event of 'elsinore'",
        "5: evidence[1][0]: '#7' is no event of 'elsinore': a seq is a number, without quotes",
        "5: evidence[2][0]: 'D1:2' is no event of 'elsinore'",
        "7: is the question of line 6: leave one out",
    ]


async def test_what_is_only_strange_is_a_remark(log: Log) -> None:
    """What lies beyond a view may be just what a question is about."""
    found = await check(
        log,
        file_of(
            {"evidence": [[1], [12]]},
            {"question": "Was it ghostly?", "reference": "ghost"},
            {"question": "The ghost, or a dream?", "reference": "A dream.", "at": "E2"},
            {"question": "Ghost or dream?", "reference": "Ghost", "choices": ["Ghost", "Dream"]},
        ),
    )
    assert found.mistakes == ()
    assert told(found.remarks) == [
        "1: evidence[0][0]: 1 was not witnessed by Horatio",
        "1: evidence[1][0]: 12 happens after the cursor",
        "3: reference: stands in the question",
    ]


async def test_a_question_gets_its_seq_the_hash_up_to_there_and_its_evidence(log: Log) -> None:
    await cut_speech(log)
    file = file_of(
        {"at": '"cockcrow"', "evidence": [[6]]},
        {"world": "hall", "character": "Bo", "at": "end", "evidence": [["speech 1"], [3, 4]]},
        {"world": "hall", "character": "Ann", "at": "end", "evidence": [["speech 1"]]},
        {"at": "E1"},
    )
    found = await resolved(log, file)
    assert tuple(one.question for one in found) == file.questions
    assert [one.seq for one in found] == [10, 6, 6, 9]
    assert [one.evidence for one in found] == [((6,),), ((4, 6), (3, 4)), ((4, 5, 6),), ()]
    for one in found:
        record = await log.lineage.record(one.question.world, one.seq)
        assert record is not None and one.hash == record.hash


async def test_a_question_is_doubtful_if_its_character_may_not_have_witnessed_its_evidence(
    log: Log,
) -> None:
    await log.append("elsinore", [Draft(Doubted("Horatio", "he stands apart"), cause=8)])
    file = file_of(
        {"evidence": [[8]]},
        {"evidence": [[12], [8, 13]], "at": "end"},
        {"evidence": [[12]], "at": "end"},
        {"evidence": [[8]], "character": "Bernardo"},
        {},
    )
    found = await doubtful(log, await resolved(log, file))
    assert found == {one.id for one in file.questions[:2]}


async def test_what_has_no_place_is_not_resolved(log: Log) -> None:
    with pytest.raises(BadDocument, match="did you mean 'elsinore'"):
        await resolved(log, file_of({"world": "elsinor"}))


async def test_a_question_in_the_past_is_the_same_whatever_is_appended(log: Log) -> None:
    file = file_of({"at": "E1", "evidence": [[6]]})
    before = await resolved(log, file)
    await log.append("elsinore", [Draft(Acted("Later."), actor="Horatio", witnesses=("Horatio",))])
    assert await resolved(log, file) == before
    assert (await resolved(log, file_of({"at": "end"})))[0].seq == 15
