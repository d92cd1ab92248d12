"""A key that a server quotes goes no further."""

from __future__ import annotations

import pytest
from clients import KEY

from whoknew.agents.errors import Busy
from whoknew.agents.models.hidden_key import hiding
from whoknew.agents.models.model import Reply, Request
from whoknew.testing.models import ASKED


class Quoting:
    """Says what it is given, or that it is too busy to say it."""

    name = "quoting"

    def __init__(self, said: str, *, busy: bool = False) -> None:
        self._said, self._busy = said, busy

    async def complete(self, request: Request) -> Reply:
        if self._busy:
            raise Busy(self._said, 3.0)
        return Reply(text=self._said)


@pytest.mark.parametrize("key", [None, "", "EMPTY", "token-abc123"])
async def test_a_word_that_is_no_secret_is_left_where_it_stands(key: str | None) -> None:
    reply = await hiding(Quoting(f"It was {key}."), key).complete(ASKED)
    assert reply.text == f"It was {key}."


@pytest.mark.parametrize("piece", [KEY, KEY[:-3], KEY[:10], KEY[7:]])
async def test_an_error_keeps_its_kind_and_loses_the_key_and_pieces_of_it(piece: str) -> None:
    with pytest.raises(Busy) as caught:
        await hiding(Quoting(f"{piece}... asks too often", busy=True), KEY).complete(ASKED)
    assert (str(caught.value), caught.value.after) == ("[the key]... asks too often", 3.0)
