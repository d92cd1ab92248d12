"""The command line: each command parses, calls the engine once, and shows the result.

Exit codes: 0 done; 1 something was refused, failed or has faults, or too much of a run failed;
2 wrong usage; 3 a run was suspended and can go on; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from whoknew.engine.commands import examining, exchange, playing, serving, travelling, upkeep
from whoknew.engine.commands.options import group
from whoknew.engine.terminal.garbage import collect_seldom

app = group("Worlds on an append-only log that knows who knew what, when.")
for commands in (playing.app, serving.app, travelling.app, examining.app):
    app.registered_commands += commands.registered_commands
app.add_typer(exchange.import_group, name="import")
app.add_typer(exchange.export_group, name="export")
app.add_typer(examining.bank_group, name="bank")
app.add_typer(serving.token_group, name="token")
app.add_typer(upkeep.log_group, name="log")


def main() -> None:
    """Run a command. A reader that goes away (`| head`) ends it quietly."""
    from whoknew.engine.show.usage import run_command

    collect_seldom()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            code = run_command(typer.main.get_command(app), sys.argv[1:])
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"whoknew {version('whoknew')}")
        raise typer.Exit


@app.callback()
def whoknew(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Say which, and stop."),
    ] = False,
) -> None:
    pass


if __name__ == "__main__":
    main()
