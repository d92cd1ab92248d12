"""`whoknew serve`: a page and an API on a log."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.server.connections import MOST
from whoknew.engine.server.serve import Serving, serve
from whoknew.engine.terminal.answer import answer, reporting
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.exam.plans import exam_to_serve
from whoknew.engine.terminal.options import PORT, LogOption, alone, flag, option

app = alone()


@app.command(epilog="Example: whoknew serve --log midnight-diner.db")
def command(
    log: LogOption = DEFAULT_LOG,
    host: Annotated[str, option("--host", "HOST", "Where to listen.")] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port", min=0, max=65535, metavar="PORT", help="The port; 0 takes a free one."
        ),
    ] = PORT,
    token: Annotated[
        str | None,
        option("--token", "TOKEN", "Whoever changes anything must send it.", "WHOKNEW_TOKEN"),
    ] = None,
    read_token: Annotated[
        str | None,
        option("--read-token", "TOKEN", "Whoever looks must send it.", "WHOKNEW_READ_TOKEN"),
    ] = None,
    connections: Annotated[
        int,
        typer.Option("--connections", min=1, metavar="N", help="At most N connections at once."),
    ] = MOST,
    recorded: Annotated[
        list[str] | None,
        typer.Option("--recorded", metavar="LOG", help="A log whose answers plans may play."),
    ] = None,
    exam: Annotated[
        list[Path] | None,
        typer.Option("--exam", metavar="PLAN", help="An exam about this log, to be looked at."),
    ] = None,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option("--allow-origin", metavar="SITE", help="A site whose pages may ask, too."),
    ] = None,
    new: Annotated[bool, flag("--new", "Begin a log where there is none yet.")] = False,
    trace: Annotated[
        Path | None, option("--trace", "FILE", "What is logged, as JSON lines.")
    ] = None,
) -> None:
    """Serve a log: a page to watch its worlds, and an API for programs.

    Only this machine can reach it, unless --host says otherwise; then it needs a --token. Worlds
    can be played from its page. Ctrl-C or SIGTERM suspends its runs, which can go on later.
    """
    with reporting(trace, server=True):
        exams = [exam_to_serve(plan) for plan in exam or ()]
    work = serve(
        log,
        host,
        port,
        token,
        read_token,
        ready,
        connections,
        new=new,
        recorded=recorded or (),
        exams=exams,
        origins=allow_origin or (),
    )
    answer(work, lambda _: "", trace=trace, server=True)


def ready(serving: Serving) -> None:
    typer.echo(f"{safe(serving.log)} at {serving.url}")
    if not serving.writable:
        typer.echo("Another process writes this log: here it can only be looked at.")
    typer.echo("Ctrl-C stops it.")
