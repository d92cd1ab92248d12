"""`whoknew token revoke`: a token is taken back."""

from __future__ import annotations

from typing import Annotated

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.server.shared_tokens import revoke as taken_back
from whoknew.engine.server.tokens import Given, Token
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, LogOption, alone, argument

app = alone()


@app.command(epilog="Example: whoknew token revoke 5f0c21aa --log midnight-diner.db")
def command(
    token: Annotated[str, argument("ID")], log: LogOption = DEFAULT_LOG, json: Json = False
) -> None:
    """Take a token back. `whoknew token ls` shows its ID."""
    answer(taken_back(log, token), revoked, json)


def revoked(token: Token) -> str:
    return f"taken back: {_scope(token)}\n"


def _scope(token: Given | Token) -> str:
    ends = f"{token.ends:%Y-%m-%d %H:%M}"
    return f"{token.id}  {safe(token.character)} in {safe(token.world)}, until {ends} UTC"
