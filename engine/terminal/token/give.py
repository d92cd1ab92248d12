"""`whoknew token give`: a token that lets its holder be one character of one world."""

from __future__ import annotations

from typing import Annotated

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.server.shared_tokens import give
from whoknew.engine.server.tokens import LASTS, Given, Token
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import (
    Json,
    LogOption,
    World,
    alone,
    argument,
    on,
    option,
)

app = alone()


@app.command(
    epilog="Example: whoknew token give midnight-diner Vera --for 2d --log midnight-diner.db"
)
def command(
    world: World,
    character: Annotated[str, argument("CHARACTER")],
    log: LogOption = DEFAULT_LOG,
    lasts: Annotated[str, option("--for", "TIME", "How long it lasts: 30m, 12h, 7d.")] = LASTS,
    json: Json = False,
) -> None:
    """Give a token with which somebody sees and plays CHARACTER in WORLD.

    It is shown only this once. Its holder opens the page of `whoknew serve` with #token=TOKEN.
    """
    answer(on(log, lambda opened: give(opened, log, world, character, lasts)), given, json)


def given(token: Given) -> str:
    """The token stands alone on its line, to be copied: it is told this once."""
    return f"{token.token}\n{_scope(token)}, shown only this once\n"


def _scope(token: Given | Token) -> str:
    ends = f"{token.ends:%Y-%m-%d %H:%M}"
    return f"{token.id}  {safe(token.character)} in {safe(token.world)}, until {ends} UTC"
