"""`whoknew token ls`: the tokens that stand."""

from __future__ import annotations

from collections.abc import Sequence

from whoknew.engine.opening import DEFAULT_LOG
from whoknew.engine.server.shared_tokens import standing
from whoknew.engine.server.tokens import Given, Token
from whoknew.engine.terminal.answer import answer
from whoknew.engine.terminal.console import safe
from whoknew.engine.terminal.options import Json, LogOption, alone

app = alone()


@app.command(epilog="Example: whoknew token ls --log midnight-diner.db")
def command(log: LogOption = DEFAULT_LOG, json: Json = False) -> None:
    """List the valid tokens: for whom each is, and until when."""
    answer(standing(log), tokens, json)


def tokens(found: Sequence[Token]) -> str:
    return "".join(f"{_scope(token)}\n" for token in found) or "no token stands\n"


def _scope(token: Given | Token) -> str:
    ends = f"{token.ends:%Y-%m-%d %H:%M}"
    kind = ", an invitation" if isinstance(token, Token) and token.invitation else ""
    return f"{token.id}  {safe(token.character)} in {safe(token.world)}, until {ends} UTC{kind}"
