"""What a call used up: as its server says where that can be, else by our own count."""

from __future__ import annotations

from pathlib import Path

import pytest
from clients import Place
from model_servers import GOOD, Doing, serving

from whoknew.agents.models.model import Message, Reply, Request, with_tokens
from whoknew.engine.plan.plan import Episodes, Limit, ModelSettings, Plan, Seat
from whoknew.engine.plan.program import Program
from whoknew.engine.running.chains import open_run
from whoknew.engine.running.run_report import RunReport
from whoknew.eventlog import open_log
from whoknew.eventlog.kinds import Called
from whoknew.testing.models import ASKED
from whoknew.testing.small_chain import SETTING, events_of

REPLY = '{"choices": [{"message": {"content": "{\\"act\\": \\"none\\"}"}}], "usage": %s}'
IMPOSSIBLE = [
    "null",
    "{}",
    "7",
    '"many"',
    "[[]]",
    '{"prompt_tokens": -9000000, "completion_tokens": -45}',
    '{"prompt_tokens": 0, "completion_tokens": 0}',
    '{"prompt_tokens": 1%s, "completion_tokens": 5}' % ("0" * 400),
    '{"prompt_tokens": 1%s, "completion_tokens": 5}' % ("0" * 30),
    '{"prompt_tokens": 1e400, "completion_tokens": 5}',
    '{"prompt_tokens": 12.5, "completion_tokens": 5}',
    '{"prompt_tokens": true, "completion_tokens": 5}',
    '{"prompt_tokens": "12", "completion_tokens": 5}',
]


async def played(log: Path, usage: str, limit: Limit) -> RunReport:
    async with serving("openai", after=Doing(body=(REPLY % usage).encode())) as server:
        address = f"{server.url}#stub"
        plan = Plan(
            "ferry",
            episodes=Episodes(play=("sunday",), turns=30, stale=90),
            agents={"everyone": Seat(model=address, memory="none")},
            models={address: ModelSettings(attempts=1, price_in=1.0, price_out=1.0)},
            limits={"run": limit},
        )
        async with open_run(Program.of(plan, SETTING, str(log))) as run:
            await run.survey()
            return await run.play()


@pytest.mark.parametrize("usage", IMPOSSIBLE, ids=[one[:40] for one in IMPOSSIBLE])
async def test_tokens_that_a_server_cannot_have_counted_are_counted_by_us(
    tmp_path: Path, usage: str
) -> None:
    """So a limit of tokens holds, no call that was paid is lost, and the log says whose count it is."""
    report = await played(tmp_path / "log.db", usage, Limit(tokens=2000))
    async with open_log(tmp_path / "log.db") as log:
        calls = [event.body for event in await events_of(log) if isinstance(event.body, Called)]
    assert report.reason is not None
    assert "of 2,000 tokens used" in report.reason
    assert 2 < len(calls) < 30
    for called in calls:
        assert called.reply is not None
        assert called.counted
        assert called.tokens_in is not None and 100 < called.tokens_in < 1000
        assert called.tokens_out is not None and 1 <= called.tokens_out < 100
        assert called.money is not None and called.money > 0


async def test_tokens_that_a_server_counted_are_its_own(tmp_path: Path) -> None:
    await played(
        tmp_path / "log.db", '{"prompt_tokens": 12, "completion_tokens": 5}', Limit(calls=2)
    )
    async with open_log(tmp_path / "log.db") as log:
        calls = [event.body for event in await events_of(log) if isinstance(event.body, Called)]
    assert [(one.tokens_in, one.tokens_out, one.counted) for one in calls] == [(12, 5, False)] * 2


def test_half_a_count_is_kept() -> None:
    asked = Request("act", (Message("user", "x" * 400),))
    reply = with_tokens(asked, Reply(text="Yes, do.", tokens_in=None, tokens_out=7))
    assert (reply.tokens_in, reply.tokens_out, reply.counted) == (100, 7, True)


async def test_what_gemini_thinks_is_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    body = (
        b'{"candidates": [{"content": {"role": "model", "parts": [{"text": "Hm."}]},'
        b' "finishReason": "STOP"}], "usageMetadata": {"promptTokenCount": 12,'
        b' "candidatesTokenCount": 5, "thoughtsTokenCount": 1200, "totalTokenCount": 1217}}'
    )
    async with Place("gemini", monkeypatch).doing(after=Doing(body=body)) as (model, _):
        reply = await model.complete(ASKED)
    assert (reply.tokens_in, reply.tokens_out) == (12, 1205)


async def test_a_good_answer_needs_no_usage(monkeypatch: pytest.MonkeyPatch) -> None:
    body = b'{"choices": [{"message": {"content": "Yes."}}]}'
    async with Place("http", monkeypatch).doing(after=Doing(body=body)) as (model, _):
        reply = await model.complete(ASKED)
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("Yes.", None, None)
    assert GOOD.text
