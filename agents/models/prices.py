"""What a call costs, by the name of the model; a price that is not known stays unknown.

`prices.toml` beside this holds list prices; a plan's `price_in` and `price_out` go before it.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from whoknew.agents.models.address import CACHE, LOCAL, MINILM, OFFLINE, RECORDED

VERSION = re.compile(r"(?:-(?:\d{2,}|latest|preview|exp))*+")
"""What stands behind the name of a model in that of one version of it: "-2024-08-06", "-preview-05-20".
Any other word makes another model of it, at another price: "-pro", "-audio", "-image"."""

FREE = (OFFLINE, MINILM, RECORDED, CACHE, LOCAL)


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """Dollars for a million tokens."""

    tokens_in: float
    tokens_out: float

    def money(self, tokens_in: int | None, tokens_out: int | None) -> float | None:
        """What a call cost; unknown where its tokens are, unless they cost nothing."""
        if self.tokens_in == self.tokens_out == 0:
            return 0.0
        if tokens_in is None or tokens_out is None:
            return None
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1_000_000


NOTHING = Price(0.0, 0.0)


def price_of(
    address: str, price_in: float | None = None, price_out: float | None = None
) -> Price | None:
    """The price of a model: as given, else as listed, else unknown."""
    if price_in is not None and price_out is not None:
        return Price(price_in, price_out)
    return NOTHING if address.startswith(FREE) else _listed(address)


@lru_cache(1024)
def _listed(address: str) -> Price | None:
    """By the longest name: a version of a model may be listed by itself."""
    for name in sorted(prices(), key=len, reverse=True):
        if address.startswith(name) and VERSION.fullmatch(address, len(name)):
            return prices()[name]
    return None


@cache
def prices() -> dict[str, Price]:
    text = files("whoknew.agents.models").joinpath("prices.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text)["models"], dict[str, Price])
