"""`openai:NAME`, through the openai SDK on its aiohttp transport."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Any, Self

import msgspec

from whoknew.agents.errors import ModelError, ServerUnavailable
from whoknew.agents.models.connections import check_redirect
from whoknew.agents.models.http import NO_REPLY, completed, no_reply, refused, request_body
from whoknew.agents.models.model import Reply, Request

MOST = "max_completion_tokens"
"""What OpenAI calls the limit of a reply: its newer models refuse the old name, `max_tokens`."""


class OpenAI:
    """Where the server is, the SDK takes from OPENAI_BASE_URL. Its own retries are off: they are
    for `Retrying`, which counts them."""

    def __init__(self, name: str, key: str, timeout: float = 120.0) -> None:
        from openai import AsyncOpenAI, DefaultAioHttpClient

        self.name = f"openai:{name}"
        self._model, self._timeout = name, timeout
        # The hook is called for each hop of a request, before anything is sent.
        client = DefaultAioHttpClient(event_hooks={"request": [self._staying]})
        self._client = AsyncOpenAI(api_key=key, max_retries=0, timeout=timeout, http_client=client)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._client.close()

    async def _staying(self, request: Any) -> None:
        check_redirect(str(self._client.base_url), str(request.url))

    async def complete(self, request: Request) -> Reply:
        import aiohttp
        import httpx2
        import openai

        begun = perf_counter()
        try:
            # The SDK's own time-out begins anew with each byte that comes.
            async with asyncio.timeout(self._timeout):
                # Asked for as bytes: what the SDK would check and take apart, `completed` does.
                response = await self._client.post(
                    "/chat/completions",
                    cast_to=httpx2.Response,
                    body=msgspec.json.decode(
                        request_body(self._model, request, with_schema=True, most=MOST)
                    ),
                )
            body = response.content
        except openai.APIStatusError as error:
            answer = error.response
            raise refused(self.name, answer.status_code, answer.headers, answer.content) from None
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, ModelError):
                raise error.__cause__ from None
            raise self._unreachable(error) from None
        except (TimeoutError, aiohttp.ClientError) as error:  # the SDK has no name for it
            raise self._unreachable(error) from None
        except (openai.OpenAIError, *NO_REPLY) as error:
            raise no_reply(self.name, error) from None
        return completed(self.name, body, perf_counter() - begun)

    def _unreachable(self, error: BaseException) -> ServerUnavailable:
        """The transport calls a refused connection a time-out: what it stands on tells."""
        import openai

        cause: BaseException | None = error
        while cause is not None and (
            isinstance(cause, TimeoutError) or not isinstance(cause, OSError)
        ):
            cause = cause.__cause__
        if cause is None and isinstance(error, TimeoutError | openai.APITimeoutError):
            return ServerUnavailable(f"{self.name} gave no reply within {self._timeout:g} seconds")
        why = cause or error.__cause__ or error
        return ServerUnavailable(f"{self.name} was not reached, or broke off: {why}")
