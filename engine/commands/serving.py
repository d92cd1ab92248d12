"""Serving a log to browsers and programs."""

from __future__ import annotations

from typing import Annotated

import typer

from whoknew.engine.commands.options import (
    DEFAULT_LOG,
    Json,
    LogOption,
    World,
    answer,
    argument,
    flag,
    group,
    on,
    option,
)

app = typer.Typer()
token_group = group("View tokens: each lets its holder be one character of one world.")


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
    from whoknew.engine.server.serve import serve
    from whoknew.engine.show.serving import ready

    work = serve(log, host, port, token, read_token, ready, connections, new=new)
    answer(work, lambda _: "")


@token_group.command(
    epilog="Example: whoknew token give midnight-diner Vera --for 2d --log midnight-diner.db"
)
def give(
    world: World,
    character: Annotated[str, argument("CHARACTER")],
    log: LogOption = DEFAULT_LOG,
    lasts: Annotated[str, option("--for", "TIME", "How long it lasts: 30m, 12h, 7d.")] = "7d",
    json: Json = False,
) -> None:
    """Give a token for CHARACTER in WORLD: it shows what that one perceives, and plays it.

    It is told this once. Whoever is served the log opens the page with ?token=TOKEN.
    """
    from whoknew.engine.server.tokens import give
    from whoknew.engine.show.tokens import given

    answer(on(log, lambda opened: give(opened, log, world, character, lasts)), given, json)


@token_group.command("ls", epilog="Example: whoknew token ls --log midnight-diner.db")
def ls(log: LogOption = DEFAULT_LOG, json: Json = False) -> None:
    """List the tokens that stand: for whom each is, and until when."""
    from whoknew.engine.server.tokens import tokens_of
    from whoknew.engine.show.tokens import tokens

    answer(lambda: tokens_of(log).all(), tokens, json)


@token_group.command(epilog="Example: whoknew token revoke 5f0c21aa --log midnight-diner.db")
def revoke(
    token: Annotated[str, argument("ID")], log: LogOption = DEFAULT_LOG, json: Json = False
) -> None:
    """Take a token back, by its ID as `whoknew token ls` tells it."""
    from whoknew.engine.server.tokens import tokens_of
    from whoknew.engine.show.tokens import revoked

    answer(lambda: tokens_of(log).revoke(token), revoked, json)
