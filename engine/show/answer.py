"""How a command answers: what came of it on stdout, what went wrong on stderr."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import typer
from rich.console import RenderableType

from whoknew.agents.errors import AgentError
from whoknew.engine.conduct import Interrupted
from whoknew.engine.errors import EngineError, Suspended
from whoknew.engine.show.console import out
from whoknew.engine.show.errors import explained, say_error
from whoknew.engine.show.jsontext import as_json
from whoknew.engine.show.trace import tracing
from whoknew.engine.show.waiting import waiting
from whoknew.eventlog.errors import LogError
from whoknew.worlds.errors import WorldError

T = TypeVar("T")


def answer(
    work: Coroutine[Any, Any, T], shown: Callable[[T], Any], *, json: bool, doing: str
) -> T:
    """Do it and show what came of it; what takes long says on a terminal what it is `doing`."""
    with reporting():
        with waiting(doing):
            found = asyncio.run(work)
        say(found if json else shown(found), json=json)
        return found


def say(result: Any, *, json: bool = False) -> None:
    """Text and JSON as they are; what is laid out, to the width of the terminal."""
    if json:
        typer.echo(as_json(result))
    elif isinstance(result, str):
        typer.echo(result, nl=False)
    else:
        _lay_out(result)


def _lay_out(result: RenderableType) -> None:
    """In a pipe without the blanks that fill up lines."""
    console = out()
    if console.is_terminal:
        console.print(result)
        return
    with console.capture() as captured:
        console.print(result)
    typer.echo("\n".join(line.rstrip() for line in captured.get().split("\n")), nl=False)


@contextmanager
def reporting(trace: Path | None = None) -> Iterator[None]:
    """Say what went wrong in one message, and exit with 1. Warnings go to stderr too, or into a
    file as JSON."""
    try:
        with tracing(trace):
            yield
    except BrokenPipeError:
        raise
    except (LogError, WorldError, AgentError, EngineError, OSError) as error:
        say_error(explained(error))
        raise typer.Exit(3 if isinstance(error, Suspended) else 1) from None
    except (KeyboardInterrupt, Interrupted):
        say_error("stopped at once; the same command goes on, and nothing is lost")
        raise typer.Exit(130) from None
