"""Connections to servers, without a limit of their own: how many are used at once is for `Limits`."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace

import aiohttp
from yarl import URL

from whoknew.agents.errors import BadReply, Rejected
from whoknew.agents.models.refusals import LARGEST, too_large


def session() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=connector(),
        timeout=aiohttp.ClientTimeout(total=None),
        trace_configs=[_staying()],
        response_class=BoundedResponse,
    )


class BoundedResponse(aiohttp.ClientResponse):
    """An answer that is not read to its end where it is too long (BadReply): whoever reads it through an SDK
    has no say in how much."""

    async def read(self) -> bytes:
        if self._body is None:
            try:
                self._body = await self._bounded()
            except BaseException:
                self.close()
                raise
        return await super().read()

    async def _bounded(self) -> bytes:
        body = bytearray()
        while not self.content.at_eof():
            body += await self.content.readany()
            if len(body) > LARGEST:
                raise BadReply(too_large(str(self.url.origin())))
        return bytes(body)


def connector() -> aiohttp.TCPConnector:
    return aiohttp.TCPConnector(limit=0, keepalive_timeout=60)


def _staying() -> aiohttp.TraceConfig:
    """A prompt goes to the server that a plan names. One that sends it on to another is not obeyed:
    whoever trusts that one names it."""
    tracing = aiohttp.TraceConfig()
    tracing.on_request_redirect.append(_redirected)
    return tracing


async def _redirected(
    session: aiohttp.ClientSession,
    context: SimpleNamespace,
    params: aiohttp.TraceRequestRedirectParams,
) -> None:
    check_redirect(str(params.url), sent_to(params.response.headers))


def sent_to(headers: Mapping[str, str]) -> str:
    """Where a server sends whoever asks it, if it does."""
    return headers.get("Location") or headers.get("URI") or ""


def check_redirect(asked: str, location: str) -> None:
    """Refuse to be sent from one server to another."""
    here = URL(asked)
    try:
        there = here.join(URL(location))
        away = there.origin() != here.origin()
    except ValueError:
        return  # no address: nothing is followed
    if away:
        raise Rejected(
            f"{here.origin()} sends prompts on to {there.origin()}, which the plan does not name: "
            "nothing was sent there; name that address if you trust it"
        )
