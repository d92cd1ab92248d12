"""A sign of life while something long goes on."""

from __future__ import annotations

import threading

import pytest

from whoknew.engine.terminal import waiting as signs
from whoknew.engine.terminal.waiting import waiting


def test_without_a_terminal_how_far_it_has_come_is_told_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(signs, "EVERY", 0.001)
    asked = threading.Semaphore(0)

    def words() -> str:
        asked.release()
        return "half of it"

    with waiting(words):
        asked.acquire()
        asked.acquire()
    assert "half of it" in capsys.readouterr().err


def test_without_a_terminal_that_it_goes_on_is_not_said(capsys: pytest.CaptureFixture[str]) -> None:
    with waiting("thinking"):
        pass
    assert capsys.readouterr().err == ""
