"""`http(s)://HOST/v1#NAME`: any server that speaks the OpenAI protocol, without an SDK.

A fifth of a millisecond of CPU a call, where the SDKs take 0.7 and 1.3 ms.
"""

from __future__ import annotations

from typing import Any

import aiohttp
from yarl import URL

from whoknew.agents.errors import ServerUnavailable
from whoknew.agents.models.chat import ChatModel
from whoknew.agents.models.refusals import LARGEST, NO_REPLY, no_reply, not_reached, too_slow


class HttpModel(ChatModel):
    """The session is shared, and whoever opened it closes it."""

    def __init__(
        self,
        url: str,
        name: str,
        session: aiohttp.ClientSession,
        *,
        key: str | None = None,
        timeout: float = 120.0,
    ) -> None:
        super().__init__(f"{url}#{name}", name)
        self._url = URL(f"{url.rstrip('/')}/chat/completions")
        self._session, self._timeout = session, timeout
        self._patience = aiohttp.ClientTimeout(total=timeout)
        self._headers = {"Content-Type": "application/json"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    async def _post(self, data: bytes) -> tuple[int, Any, bytes]:
        try:
            async with self._session.post(
                self._url, data=data, headers=self._headers, timeout=self._patience
            ) as response:
                body = bytearray()  # what a server says of its length is not believed
                while len(body) <= LARGEST and not response.content.at_eof():
                    body += await response.content.read(LARGEST + 1 - len(body))
                return response.status, response.headers, bytes(body)
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise self._unreachable(error) from None
        except NO_REPLY as error:
            raise no_reply(self.name, error) from None

    def _unreachable(self, error: Exception) -> ServerUnavailable:
        if isinstance(error, TimeoutError):
            return too_slow(self.name, self._timeout)
        return not_reached(self.name, error)
