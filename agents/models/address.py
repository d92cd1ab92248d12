"""The names of models are addresses; here they are opened."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from difflib import get_close_matches
from urllib.parse import urlsplit

from whoknew.agents.errors import BadModel
from whoknew.agents.models.model import Model

OFFLINE = "offline:"
"""The model that needs nothing, and costs nothing."""

RECORDED = "recorded:"
"""Before the address of the log whose calls are answered as they were."""

SCHEMES = ("openai:", "gemini:", "http:", "https:", OFFLINE, RECORDED)
FORMS = "openai:NAME, gemini:NAME, http://HOST:PORT/v1#NAME, offline: or recorded:LOG"


def check_address(address: str) -> None:
    """Refuse what is no address of a model; nothing is opened."""
    scheme, colon, rest = address.partition(":")
    if f"{scheme}{colon}" not in SCHEMES:
        close = get_close_matches(f"{scheme}:", SCHEMES, 1)
        meant = f"; did you mean {close[0] + rest!r}?" if close else ":"
        raise BadModel(f"{address!r} is no address of a model{meant} give one of {FORMS}")
    if scheme in ("openai", "gemini") and not rest:
        raise BadModel(f"{address!r} names no model: give {scheme}:NAME")
    if scheme in ("http", "https"):
        url, _, name = address.partition("#")
        if not name or len(url) <= len(scheme) + 3:
            raise BadModel(f"{address!r} names no model: give {scheme}://HOST:PORT/v1#NAME")
        if "@" in url:
            raise BadModel(f"the address of {name} holds a key: set WHOKNEW_HTTP_KEY instead")
        if why := _no_url(url):
            raise BadModel(f"{address!r} is no address of a server: {why}")
    if scheme == "recorded" and not rest:
        raise BadModel(f"{address!r} names no log: give recorded:LOG")


def name_of(address: str) -> str:
    """The name of the model at an address, wherever it is reached."""
    scheme, _, rest = address.partition(":")
    match scheme:
        case "http" | "https":
            return address.partition("#")[2]
        case "openai" | "gemini":
            return rest
        case _:
            return address


def _no_url(url: str) -> str:
    """What is wrong with the address of a server."""
    from yarl import URL

    try:
        parts = urlsplit(url)
        if not parts.hostname:
            return "it names no host"
        if parts.port == 0:
            return "there is no port 0"
        URL(url)
    except ValueError as error:
        return str(error)
    return ""


@asynccontextmanager
async def opened(address: str, patience: float = 120.0) -> AsyncIterator[Model]:
    """The model behind an address, for as long as it is needed; `recorded:` is opened by a run."""
    check_address(address)
    scheme, _, rest = address.partition(":")
    match scheme:
        case "offline":
            from whoknew.agents.models.offline import Offline

            yield Offline()
        case "http" | "https":
            from whoknew.agents.models.connections import session
            from whoknew.agents.models.http import HttpModel

            url, _, name = address.partition("#")
            async with session() as connections:
                key = os.environ.get("WHOKNEW_HTTP_KEY")
                yield HttpModel(url, name, connections, key=key, timeout=patience)
        case "openai":
            from whoknew.agents.models.openai import OpenAI

            async with OpenAI(rest, _key(address, "OPENAI_API_KEY"), patience) as model:
                yield model
        case "gemini":
            from whoknew.agents.models.gemini import Gemini

            key = _key(address, "GEMINI_API_KEY", "GOOGLE_API_KEY")
            async with Gemini(rest, key, patience) as model:
                yield model
        case _:
            raise BadModel(
                f"{address!r} is opened by a run, which knows the world: put it in a plan"
            )


def _key(address: str, *variables: str) -> str:
    for variable in variables:
        if key := os.environ.get(variable):
            return key
    raise BadModel(f"{address} needs a key: set {' or '.join(variables)}")
