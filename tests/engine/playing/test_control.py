"""What stops a run in order."""

from __future__ import annotations

import asyncio

import pytest

from whoknew.agents.models.model import Message, Request
from whoknew.agents.models.retries import Retrying
from whoknew.engine.errors import Suspended
from whoknew.engine.playing.control import Control
from whoknew.testing.stub_models import Away


async def test_who_waits_to_call_again_waits_no_more_once_it_is_to_stop() -> None:
    control, away = Control(), Away()
    asyncio.get_running_loop().call_soon(control.stop, "enough")
    with pytest.raises(Suspended, match="enough"):
        await Retrying(away, 6, sleep=control.pause).complete(
            Request("act", (Message("user", "x"),))
        )
    assert away.asked == 1


async def test_a_pause_is_as_long_as_it_is_to_be(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    await Control().pause(1.05)
    assert sum(slept) == pytest.approx(1.05)
