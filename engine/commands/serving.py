"""Serving a log to browsers and programs."""

from __future__ import annotations

from typing import Annotated

import typer

from whoknew.engine.commands.options import DEFAULT_LOG, LogOption, answer, option

app = typer.Typer()


@app.command(epilog="Example: whoknew serve --log midnight-diner.db")
def serve(
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
) -> None:
    """Serve a log: a page to watch its worlds, and an API for programs.

    It listens on this machine alone, unless --host says otherwise; then it needs a token. Worlds
    can be played from it. SIGTERM and Ctrl-C suspend its runs in order.
    """
    from whoknew.engine.server.serving import serve
    from whoknew.engine.show.serving import ready

    answer(serve(log, host, port, token, read_token, ready), lambda _: "")
