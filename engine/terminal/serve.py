"""`whoknew serve`: a page and an API on a log."""

from __future__ import annotations

from typing import Annotated

import typer

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.server.serve import Serving, serve
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import LogOption, alone, flag, option

app = alone()


@app.command(epilog="Example: whoknew serve --log midnight-diner.db")
def command(
    log: LogOption = DEFAULT_LOG,
    host: Annotated[str, option("--host", "HOST", "Where to listen.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, metavar="PORT", help="0 takes a free one.")
    ] = 8420,
    token: Annotated[
        str | None, option("--token", "TOKEN", "Needed to change anything.", "WHOKNEW_TOKEN")
    ] = None,
    read_token: Annotated[
        str | None, option("--read-token", "TOKEN", "Needed to look.", "WHOKNEW_READ_TOKEN")
    ] = None,
    connections: Annotated[
        int,
        typer.Option("--connections", min=1, metavar="N", help="How many there may be at once."),
    ] = 1000,
    new: Annotated[bool, flag("--new", "Begin a log where there is none yet.")] = False,
) -> None:
    """Serve a log: a page to watch its worlds, and an API for programs.

    It listens on this machine alone, unless --host says otherwise; then it needs a token. Worlds
    can be played from it. SIGTERM and Ctrl-C suspend its runs in order.
    """
    work = serve(log, host, port, token, read_token, ready, connections, new=new)
    answer(work, lambda _: "")


def ready(serving: Serving) -> None:
    typer.echo(f"{safe(serving.log)} at {serving.url}")
    if not serving.writable:
        typer.echo("Another process writes this log: here it can only be looked at.")
    typer.echo("Ctrl-C stops it.")
