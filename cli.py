"""The command line: each command parses, calls the engine once, and shows the result.

Exit codes: 0 done; 1 something was refused, failed or has faults, or too much of a run failed;
2 wrong usage; 3 a run was suspended and can go on; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Annotated, Any

import typer

from whoknew.engine.terminal.commands import SETTINGS, CommandGroup, every_command
from whoknew.engine.terminal.garbage import collect_seldom

app = typer.Typer(
    help="Run societies of characters, and know exactly who knew what, when.",
    cls=CommandGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings=SETTINGS,
)


def main() -> None:
    """Run a command. A reader that goes away (`| head`) ends it quietly."""
    from whoknew.engine.terminal.usage import run_command

    collect_seldom()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            code = run_command(command(), sys.argv[1:])
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


def command() -> Any:
    """The command line as a whole, its commands behind their names."""
    whole: Any = typer.main.get_command(app)
    whole.commands = every_command()
    return whole


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"whoknew {version('whoknew')}")
        raise typer.Exit


@app.callback()
def whoknew(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version, and stop."
        ),
    ] = False,
) -> None:
    pass


if __name__ == "__main__":
    main()
