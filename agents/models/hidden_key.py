"""A key that a server quotes: what it says goes on the log, into traces and onto the screen, and its key
does not."""

from __future__ import annotations

from msgspec.structs import replace

from whoknew.agents.errors import AgentError
from whoknew.agents.models.model import Model, Reply, Request

STANDS = "[the key]"
"""What stands in place of it."""

LEAST = 16
"""Characters of a key that is a secret. Servers of one's own are given words, such as `EMPTY`, that a reply may
well hold."""

PIECE = 10
"""So much of its beginning, or of its end, is left out of errors, too: what is long is cut in them."""


class HiddenKey:
    """A model whose key stands in nothing that comes of a call."""

    def __init__(self, model: Model, key: str) -> None:
        self.name, self._model, self._key = model.name, model, key

    async def complete(self, request: Request) -> Reply:
        try:
            reply = await self._model.complete(request)
        except AgentError as error:
            error.args = tuple(self._left_out(str(said)) for said in error.args)
            raise
        if self._key in reply.text:
            return replace(reply, text=reply.text.replace(self._key, STANDS))
        return reply

    def _left_out(self, said: str) -> str:
        """Without the key, and without pieces of it, the longest first."""
        for length in range(len(self._key), PIECE - 1, -1):
            for piece in (self._key[:length], self._key[-length:]):
                said = said.replace(piece, STANDS)
        return said


def hiding(model: Model, key: str | None) -> Model:
    """The same model, which tells its key to nobody, where that is a secret."""
    return HiddenKey(model, key) if key and len(key) >= LEAST else model
