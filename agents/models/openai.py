"""`openai:NAME`, through the openai SDK on its aiohttp transport."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import Any, Self

from whoknew.agents.errors import ModelError, ServerUnavailable
from whoknew.agents.models.chat import ChatModel
from whoknew.agents.models.connections import check_redirect
from whoknew.agents.models.embeddings import LARGEST as LARGEST_VECTORS
from whoknew.agents.models.refusals import LARGEST, NO_REPLY, no_reply, not_reached, too_slow


class OpenAI(ChatModel):
    """Where the server is, the SDK takes from OPENAI_BASE_URL. Its own retries are off: they are
    for `Retrying`, which counts them."""

    most = "max_completion_tokens"  # newer models refuse the old name

    def __init__(self, name: str, key: str, timeout: float = 120.0) -> None:
        from openai import AsyncOpenAI, DefaultAioHttpClient

        super().__init__(f"openai:{name}", name)
        self._timeout = timeout
        # The hooks are called for each hop of a request: before anything is sent, and before it is read.
        hooks: dict[str, list[Any]] = {"request": [self._staying], "response": [_read]}
        client = DefaultAioHttpClient(event_hooks=hooks)
        self._client = AsyncOpenAI(api_key=key, max_retries=0, timeout=timeout, http_client=client)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._client.close()

    async def _staying(self, request: Any) -> None:
        check_redirect(str(self._client.base_url), str(request.url))

    async def post(
        self, path: str, data: bytes, *, largest: int = LARGEST
    ) -> tuple[int, Any, bytes]:
        """As bytes both ways, which the SDK offers for what it has no types for. Its typed
        `chat.completions.create` checks and copies what is checked here anyway: 1.4 ms of CPU a
        call against 0.7, where `HttpModel` takes 0.1 (4 KB of prompt, a server on this host)."""
        import aiohttp
        import openai

        try:
            # The SDK's own time-out begins anew with each byte that comes.
            async with asyncio.timeout(self._timeout):
                response = await self._client.post(
                    f"/{path}",
                    content=data,
                    cast_to=openai.HttpxBinaryResponseContent,
                )
            return 200, {}, response.content
        except openai.APIStatusError as error:
            answer = error.response
            return answer.status_code, answer.headers, answer.content
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, ModelError):
                raise error.__cause__ from None
            raise self._unreachable(error) from None
        except (TimeoutError, aiohttp.ClientError) as error:  # the SDK has no name for it
            raise self._unreachable(error) from None
        except (openai.OpenAIError, *NO_REPLY) as error:
            raise no_reply(self.name, error) from None

    def _unreachable(self, error: BaseException) -> ServerUnavailable:
        """The transport calls a refused connection a time-out: what it stands on tells."""
        import openai

        cause: BaseException | None = error
        while cause is not None and (
            isinstance(cause, TimeoutError) or not isinstance(cause, OSError)
        ):
            cause = cause.__cause__
        if cause is None and isinstance(error, TimeoutError | openai.APITimeoutError):
            return too_slow(self.name, self._timeout)
        return not_reached(self.name, cause or error.__cause__ or error)


async def _read(response: Any) -> None:
    """Read an answer here: of one that is too long no more than shows it. The SDK has no bounds, and takes
    what stands in `_content` for read, of which no documents tell."""
    body = bytearray()
    async with aclosing(response.aiter_bytes()) as parts:
        async for part in parts:
            body += part
            if len(body) > LARGEST_VECTORS:
                break
    await response.aclose()
    response._content = bytes(body)
