"""What is told of errors and warnings, and where."""

from __future__ import annotations

from pathlib import Path

import pytest
import structlog

from whoknew.engine.terminal.trace import tracing
from whoknew.eventlog.logger import logger


@pytest.mark.parametrize("into", ["stderr", "a file"])
def test_a_traceback_tells_nothing_of_the_values_of_variables(
    into: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def called(key: str) -> None:
        raise ValueError(f"a key of {len(key)} signs was not taken")

    path = tmp_path / "trace.jsonl" if into == "a file" else None
    with tracing(path):
        try:
            called("sk-" + "secret" * 2)
        except ValueError:
            logger().exception("chain.failed", world="w")
    told = path.read_text("utf-8") if path else capsys.readouterr().err
    assert "a key of 15 signs was not taken" in told
    assert "chain.failed" in told
    assert "secretsecret" not in told
    assert "\x1b" not in told


@pytest.mark.parametrize(("server", "told"), [(False, ["w"]), (True, ["call.retried", "w"])])
def test_only_a_server_tells_what_is_no_warning(
    server: bool, told: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with tracing(None, server=server):
        logger().info("call.retried", why="429")
        logger().warning("w")
    lines = capsys.readouterr().err.splitlines()
    assert [next(name for name in ("call.retried", "w") if name in line) for line in lines] == told
    assert all(line.startswith("{") == server for line in lines)  # JSON, where it is no terminal


def test_where_nothing_is_set_up_only_warnings_are_told_and_not_on_stdout(
    capsys: pytest.CaptureFixture[str],
) -> None:
    structlog.reset_defaults()
    logger().info("run.started")
    logger().warning("presence.hidden")
    said = capsys.readouterr()
    assert said.out == ""
    assert "presence.hidden" in said.err and "run.started" not in said.err
