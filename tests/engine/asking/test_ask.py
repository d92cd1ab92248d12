"""Probes: a character answers from its view alone, and nothing of it happens in the world."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from diner_world import WORLD, events_of, nights
from installed_packages import installed
from model_servers import Doing, serving

from whoknew.engine.asking.ask import Asked, ask, keep
from whoknew.engine.asking.probe import probe
from whoknew.engine.errors import BadQuestion, NoSuchPart
from whoknew.engine.plan.plan import Judging, ModelSettings
from whoknew.engine.travel.rerun import rerun
from whoknew.eventlog import Log, open_log
from whoknew.eventlog.kinds import Answered, Called, Failed, Probed, Reviewed
from whoknew.eventlog.story import story_digest

QUESTION = "Who cannot taste?"
RIGHT = "Dorte has tasted nothing since the winter."


@pytest.fixture
async def log(tmp_path: Path) -> AsyncIterator[Log]:
    async with open_log(nights(tmp_path)) as log:
        yield log


async def test_an_answer_rests_on_events_of_the_view(log: Log) -> None:
    asked = await ask(log, WORLD, "Vera", "Who cannot taste?", "E2")
    view = await log.view(WORLD, "Vera", "E2")
    assert asked.answer is not None and "Dorte" in asked.answer
    assert asked.rests_on and all(event.seq in view for event in asked.rests_on)
    assert asked.read == len(view)
    assert asked.read + asked.unseen + asked.later == (await log.lineage.find(WORLD)).head


@pytest.mark.parametrize("memory", ["none", "entire", "summary", "running", "recall"])
async def test_before_it_was_told_a_character_does_not_know(log: Log, memory: str) -> None:
    asked = await ask(log, WORLD, "Vera", "Who cannot taste?", "E1", memory=memory)
    assert asked.answer == "I do not know."


@pytest.mark.parametrize("memory", ["none", "entire", "summary", "running", "recall"])
async def test_no_later_event_changes_an_answer(log: Log, memory: str, tmp_path: Path) -> None:
    question = "What did Yusuf say of Dorte?"
    async with open_log(":memory:") as cut:
        events = (await events_of(log))[: (await log.cursor(WORLD, "E3")).seq]
        await cut.append(WORLD, [event.draft for event in events])
        before = await ask(cut, WORLD, "Vera", question, "E3", memory=memory)
    after = await ask(log, WORLD, "Vera", question, "E3", memory=memory)
    assert before.calls[0].digest == after.calls[0].digest
    assert (before.answer, before.rests_on) == (
        after.answer,
        tuple(before.rests_on),
    )


async def test_what_a_question_took_is_counted_and_priced_as_the_settings_say(log: Log) -> None:
    """Also where the server of a model counts nothing."""
    body = b'{"choices": [{"message": {"content": "{\\"answer\\": \\"Dorte.\\"}"}}]}'
    async with serving("openai", after=Doing(body=body)) as server:
        model, prices = f"{server.url}#m", ModelSettings(price_in=1.0, price_out=2.0)
        asked = await ask(log, WORLD, "Vera", QUESTION, model=model, settings=prices)
    (call,) = asked.calls
    assert call.counted
    assert call.tokens_in and call.tokens_out
    assert call.money == (call.tokens_in + 2 * call.tokens_out) / 1_000_000


async def test_asking_writes_nothing_and_keeping_is_no_part_of_the_story(log: Log) -> None:
    events = await events_of(log)
    asked = await ask(log, WORLD, "Vera", "Who cannot taste?", "E2")
    assert len(await events_of(log)) == len(events)
    kept = await keep(log, asked)
    added = (await events_of(log))[len(events) :]
    assert [type(event.body) for event in added] == [Probed, Called, Answered]
    assert kept.probe == added[0].seq
    assert all(event.cause == kept.probe for event in added[1:])
    assert all(not event.witnesses for event in added)
    assert story_digest(await events_of(log)) == story_digest(events)
    assert (await rerun(log, WORLD)).agrees


async def test_a_question_that_failed_is_kept_as_a_failure(log: Log) -> None:
    async with serving("openai", after=Doing("This is no JSON.")) as server:
        asked = await ask(log, WORLD, "Vera", "Who?", "E2", model=f"{server.url}#m")
    assert asked.answer is None
    assert len(asked.calls) == 3
    assert asked.error is not None and "no JSON object" in asked.error
    kept = await keep(log, asked)
    (failed,) = [one for one in await events_of(log) if isinstance(one.body, Failed)]
    assert failed.cause == kept.probe


async def test_a_verdict_is_kept_with_what_the_judge_was_asked_and_is_no_part_of_the_story(
    log: Log,
) -> None:
    events = await events_of(log)
    judges = {"words": Judging("reference"), "rubric": Judging("rubric")}
    asked = await ask(log, WORLD, "Vera", QUESTION, "E2", reference=RIGHT, judges=judges)
    assert len(await events_of(log)) == len(events)
    assert [verdict.scores for verdict in asked.verdicts.values()] == [
        {"overlap": 0.8},
        {"mark": 8.0},
    ]
    assert asked.verdicts["words"].reason == "4 of 5 words; missed: winter"
    kept = await keep(log, asked)
    added = (await events_of(log))[len(events) :]
    kinds = [type(event.body) for event in added]
    assert kinds == [Probed, Called, Answered, Called, Reviewed, Reviewed]
    probed, called, answered, judging, *reviews = added
    assert probed.body == Probed("Vera", asked.cursor, QUESTION, RIGHT)
    assert called.actor == "Vera" and called.cause == answered.cause == kept.probe
    assert judging.actor is None and isinstance(judging.body, Called)
    assert judging.body.purpose == "judge"
    assert all(event.cause == answered.seq for event in (judging, *reviews))
    assert [review.actor for review in reviews] == ["Vera", "Vera"]
    assert not any(event.witnesses for event in added)
    assert story_digest(await events_of(log)) == story_digest(events)
    assert (await rerun(log, WORLD)).agrees


THIEF = """
from whoknew.agents.memories.memory import Memory, MemoryEntry, recollection
from whoknew.agents.models.model import Message, Request

class Thief(Memory):
    async def recollect(self, now):
        await now.model.complete(Request("note", (Message("user", "What matters?"),)))
        raise ValueError("and off it went")

class ThiefEntry(MemoryEntry, frozen=True):
    calls_a_turn = 1
    def make(self, owner):
        return Thief()
"""


async def test_a_memory_that_breaks_after_a_call_does_not_lose_the_call(
    log: Log, tmp_path: Path
) -> None:
    """It was paid for (law 6), and stands beside a failure (law 7)."""
    with installed(
        tmp_path, "thieves", THIEF, {"whoknew.memories": {"thief": "thieves:ThiefEntry"}}
    ):
        kept = await keep(log, await ask(log, WORLD, "Vera", QUESTION, "E2", memory="thief"))
    assert kept.answer is None and kept.error
    assert "thieves, line 9: ValueError: and off it went" in kept.error
    assert [call.purpose for call in kept.calls] == ["note"]
    probe, call, failed = (await events_of(log))[-3:]
    assert probe.seq == kept.probe and isinstance(call.body, Called)
    assert isinstance(failed.body, Failed) and "off it went" in failed.body.error


async def test_where_there_is_a_reference_and_no_judge_its_words_are_looked_for(log: Log) -> None:
    asked = await ask(log, WORLD, "Vera", QUESTION, "E2", reference=RIGHT)
    assert list(asked.verdicts) == ["reference"]
    assert not (await ask(log, WORLD, "Vera", QUESTION, "E2")).verdicts


async def test_no_answer_is_not_judged(log: Log) -> None:
    async with serving("openai", after=Doing("This is no JSON.")) as server:
        asked = await ask(log, WORLD, "Vera", "Who?", model=f"{server.url}#m", reference=RIGHT)
    assert asked.answer is None and not asked.verdicts
    await keep(log, asked)
    assert not [
        one for one in await events_of(log) if isinstance(one.body, Reviewed) and not one.episode
    ]


@pytest.mark.parametrize("said", [Doing("Nine."), Doing(status=401)], ids=["unclear", "refused"])
async def test_a_judge_that_fails_is_a_failure_and_the_others_are_heard(
    log: Log, said: Doing
) -> None:
    head = len(await events_of(log))
    async with serving("openai", after=said) as server:
        judges = {
            "rubric": Judging("rubric", model=f"{server.url}#m"),
            "reference": Judging("reference"),
        }
        asked = await ask(log, WORLD, "Vera", QUESTION, "E2", reference=RIGHT, judges=judges)
    await keep(log, asked)
    assert asked.answer and asked.verdicts["rubric"].scores is None
    added = (await events_of(log))[head:]
    (failed,) = [one for one in added if isinstance(one.body, Failed)]
    (review,) = [one for one in added if isinstance(one.body, Reviewed)]
    (answered,) = [one for one in added if isinstance(one.body, Answered)]
    assert failed.body == Failed("review", f"rubric: {asked.verdicts['rubric'].reason}")
    assert failed.cause == review.cause == answered.seq
    assert asked.judging and asked.judging[0].purpose == "judge"


@pytest.mark.parametrize(
    ("judge", "reference", "why"),
    [
        (
            "rules",
            RIGHT,
            "'rules' judges episodes, not answers: those that do are evidence, reference, rubric",
        ),
        ("rubric", None, "the judge 'rubric' needs a reference"),
        ("rubic", RIGHT, "there is no judge 'rubic': did you mean 'rubric'"),
        ("rubric", " ", "the reference is empty"),
    ],
)
async def test_what_cannot_be_judged_is_told_before_anything_is_asked(
    log: Log, judge: str, reference: str | None, why: str
) -> None:
    async with serving("openai") as server:
        with pytest.raises(BadQuestion, match=why):
            await ask(
                log,
                WORLD,
                "Vera",
                "Who?",
                model=f"{server.url}#m",
                reference=reference,
                judges={judge: Judging(judge)},
            )
    assert not server.asked


async def test_stopped_while_a_judge_thinks_the_answer_is_not_lost(log: Log) -> None:
    dropped: list[Asked] = []

    async def keeping(asked: Asked) -> None:
        dropped.append(asked)

    async with serving("openai") as server:
        server.going.clear()
        judges = {"rubric": Judging("rubric", model=f"{server.url}#m")}
        work = asyncio.create_task(
            ask(log, WORLD, "Vera", QUESTION, "E2", reference=RIGHT, judges=judges, dropped=keeping)
        )
        await server.until_asked(1)
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        server.going.set()
    (asked,) = dropped
    assert asked.answer and asked.error is None
    assert asked.verdicts["rubric"].scores is None and "dropped" in asked.verdicts["rubric"].reason
    assert asked.judging[-1].error and "dropped" in asked.judging[-1].error


async def test_an_answer_that_names_what_it_was_not_given_is_asked_again(log: Log) -> None:
    wrong = Doing('{"answer": "Dorte.", "rests_on": [99999]}')
    right = Doing('{"answer": "Dorte.", "rests_on": [2, 2]}')
    async with serving("openai", [wrong, right]) as server:
        asked = await ask(log, WORLD, "Vera", "Who?", "E2", model=f"{server.url}#m")
    assert asked.answer == "Dorte."
    view = await log.view(WORLD, "Vera", "E2")
    assert [event.seq for event in asked.rests_on] == [view.seqs(1)[0]]
    assert len(asked.calls) == 2


async def test_what_cannot_be_asked_is_told(log: Log) -> None:
    with pytest.raises(BadQuestion, match="no question"):
        await ask(log, WORLD, "Vera", " ")
    for question, reference in (("Who \udcff?", None), ("Who?", "\ud83d")):
        with pytest.raises(BadQuestion, match="half of a surrogate pair"):
            await ask(log, WORLD, "Vera", question, reference=reference)
    with pytest.raises(NoSuchPart, match="no memory 'all'"):
        await ask(log, WORLD, "Vera", "Who?", memory="all")
    with pytest.raises(NoSuchPart, match="no method"):
        await ask(log, WORLD, "Vera", "Who?", method="fast")


async def test_while_another_writes_the_log_the_answer_is_shown_and_not_kept(
    log: Log, tmp_path: Path
) -> None:
    asked = await probe(str(tmp_path / "nights.db"), WORLD, "Vera", "Who cannot taste?", "E2")
    assert asked.answer is not None
    assert asked.probe is None
    assert asked.unkept is not None and "write" in asked.unkept
