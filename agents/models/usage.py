"""What a server says of the tokens of a call, in the OpenAI protocol."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from whoknew.agents.models.refusals import NO_REPLY


class Usage(Struct, frozen=True, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


def usage_of(told: msgspec.Raw) -> Usage:
    """A reply is none the worse for saying nothing of them that can be."""
    try:
        return msgspec.json.decode(told, type=Usage) if told else Usage()
    except NO_REPLY:
        return Usage()
