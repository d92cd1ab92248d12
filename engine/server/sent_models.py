"""Models that came over the network, by themselves or in a plan: none of them opens a file here."""

from __future__ import annotations

from collections.abc import Iterable

from whoknew.agents.models.address import CACHE, LOCAL
from whoknew.engine.errors import EngineError

UNOPENED = {
    CACHE: "it reads no file of prompts",
    LOCAL: "it loads no model into its own process",
}
"""Addresses that begin so name a file of this machine; with what the server does not do."""


def check_sent(addresses: Iterable[str]) -> None:
    """An EngineError where a file of this machine would be opened."""
    for address in addresses:
        for form, why in UNOPENED.items():
            if address.startswith(form):
                raise EngineError(f"{address!r} would be opened by this server: {why}")
