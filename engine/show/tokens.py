"""View tokens, as their owner sees them."""

from __future__ import annotations

from collections.abc import Sequence

from whoknew.engine.server.tokens import Given, Token
from whoknew.engine.show.console import safe


def given(token: Given) -> str:
    """The token stands alone on its line, to be copied: it is told this once."""
    return f"{token.token}\n{_scope(token)}, told this once\n"


def tokens(found: Sequence[Token]) -> str:
    return "".join(f"{_scope(token)}\n" for token in found) or "no token stands\n"


def revoked(token: Token) -> str:
    return f"taken back: {_scope(token)}\n"


def _scope(token: Given | Token) -> str:
    ends = f"{token.ends:%Y-%m-%d %H:%M}"
    return f"{token.id}  {safe(token.character)} in {safe(token.world)}, until {ends} UTC"
