"""Two signals that come at once: the second is heeded as a second, though the first is not yet done with."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Any

import pytest

from whoknew.engine.errors import Interrupted
from whoknew.engine.playing.control import Control
from whoknew.engine.running import signals
from whoknew.engine.server import serve


@pytest.fixture
def insisted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which signals were heeded as a second one."""
    names: list[str] = []

    def insist(loop: asyncio.AbstractEventLoop, name: str, deed: Callable[[], object]) -> None:
        names.append(name)
        loop.call_soon(deed)

    for place in (signals, serve):
        monkeypatch.setattr(place, "insist", insist)
    return names


def interrupted(patch: pytest.MonkeyPatch, whole: object, name: str) -> None:
    """Have a SIGTERM come as soon as this is called, once."""
    right = getattr(whole, name)

    def called(*given: Any) -> Any:
        patch.setattr(whole, name, right)
        signal.raise_signal(signal.SIGTERM)
        return right(*given)

    patch.setattr(whole, name, called)


async def test_of_a_server(insisted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = asyncio.create_task(serve._asked_to_stop())
    await asyncio.sleep(0)
    interrupted(monkeypatch, asyncio.get_running_loop(), "call_soon_threadsafe")
    signal.raise_signal(signal.SIGINT)
    await waiting
    assert insisted == ["SIGTERM"]


async def test_of_a_run(insisted: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    control = Control()

    async def runs() -> None:
        with signals.stopped_by_signals(control):
            interrupted(monkeypatch, control, "stop")
            signal.raise_signal(signal.SIGINT)
            for _ in range(3):
                await asyncio.sleep(0)

    with pytest.raises(Interrupted):
        await asyncio.create_task(runs())
    assert insisted == ["SIGTERM"]
