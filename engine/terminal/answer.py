"""How a command answers: what came of it on stdout, what went wrong on stderr."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, TypeVar

import typer
from rich.console import Console, RenderableType
from rich.text import Text

from whoknew.engine.errors import Interrupted, Suspended
from whoknew.engine.terminal.console import TextLines, out
from whoknew.engine.terminal.errors import explained, say_error
from whoknew.engine.terminal.jsontext import as_json
from whoknew.engine.terminal.trace import tracing
from whoknew.engine.terminal.waiting import Doing, waiting

T = TypeVar("T")


def answer(
    work: Coroutine[Any, Any, T] | Callable[[], T],
    shown: Callable[[T], Any],
    json: bool = False,
    doing: Doing = "",
    trace: Path | None = None,
    *,
    server: bool = False,
) -> T:
    """Do it and show what came of it; what takes long says on a terminal what it is `doing`."""
    with reporting(trace, server=server):
        with waiting(doing), set_aside(json):
            found = work() if callable(work) else asyncio.run(work)
        say(found if json else shown(found), json=json)
        return found


@contextmanager
def set_aside(json: bool) -> Iterator[None]:
    """What the code of others prints goes to stderr, where stdout is to hold JSON and nothing else."""
    with redirect_stdout(sys.stderr if json else sys.stdout):
        yield


def say(result: Any, *, json: bool = False) -> None:
    """JSON and lines of text as they are, never cut: they are searched for and copied. What is
    laid out fits the width of the terminal."""
    console = out()
    if json:
        typer.echo(as_json(result))
    elif isinstance(result, str):
        typer.echo(result, nl=False)
    elif isinstance(result, TextLines) and not console.is_terminal:
        typer.echo("\n".join(line.plain.rstrip() for line in result))
    elif isinstance(result, TextLines):
        for line in result:
            console.print(line, soft_wrap=True)
    elif console.is_terminal:
        console.print(result, soft_wrap=isinstance(result, Text), crop=False)
    else:
        _say_in_pipe(console, result)


def _say_in_pipe(console: Console, result: RenderableType) -> None:
    """Without the blanks that fill up lines."""
    with console.capture() as captured:
        console.print(result, soft_wrap=isinstance(result, Text), crop=False)
    typer.echo("\n".join(line.rstrip() for line in captured.get().split("\n")), nl=False)


@contextmanager
def reporting(trace: Path | None = None, *, server: bool = False) -> Iterator[None]:
    """Say what went wrong in one message, and exit with 1. Warnings go to stderr too, or into a
    file as JSON."""
    try:
        with tracing(trace, server=server):
            yield
    except BrokenPipeError:
        raise
    except Interrupted as stopped:
        say_error(str(stopped))
        raise typer.Exit(130) from None
    except _refusals() as error:
        say_error(explained(error))
        raise typer.Exit(3 if isinstance(error, Suspended) else 1) from None
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except Exception as error:
        if not (where := _culprit(error)):
            raise
        say_error(f"{where}{type(error).__name__}: {error}")
        raise typer.Exit(1) from None


def _culprit(error: Exception) -> str:
    """In which part from outside something went wrong. Looked up only then."""
    from whoknew.engine.part_code import culprit

    return culprit(error)


def _refusals() -> tuple[type[Exception], ...]:
    """What says for itself what to do. Looked up when something was raised: few commands need all
    rooms."""
    from whoknew.agents.errors import AgentError
    from whoknew.engine.errors import EngineError
    from whoknew.eventlog.errors import LogError
    from whoknew.worlds.errors import WorldError

    return (LogError, WorldError, AgentError, EngineError, OSError)
