"""Which models another process can ask: those of ours that are given bytes, and give bytes."""

from __future__ import annotations

from collections.abc import Mapping

from whoknew.agents.models.address import HttpEntry, HttpsEntry, OpenAIEntry
from whoknew.agents.models.model import ModelEntry

SENT: Mapping[str, type[HttpEntry | OpenAIEntry]] = {
    "http": HttpEntry,
    "https": HttpsEntry,
    "openai": OpenAIEntry,
}
"""By how their addresses begin."""


def is_sent(entry: ModelEntry) -> bool:
    return type(entry) in SENT.values()


def sent_entry(address: str) -> ModelEntry:
    scheme, _, rest = address.partition(":")
    return SENT[scheme](address=address, rest=rest)
