"""`gemini:NAME`, through google-genai on its aiohttp transport."""

from __future__ import annotations

import json
import os
from time import perf_counter
from typing import Any, Literal, Self

import msgspec

from whoknew.agents.errors import BadReply, ModelError
from whoknew.agents.models.connections import session
from whoknew.agents.models.model import EMBED, Reply, Request, schema_of
from whoknew.agents.models.refusals import (
    no_reply,
    no_vectors,
    not_reached,
    refused,
    too_large,
    too_slow,
)
from whoknew.agents.models.schemas import Schemas

REFUSALS = ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII")


class Gemini:
    """Another server than Google's is named by GEMINI_BASE_URL. A call takes 1.3 ms of CPU (4 KB of
    prompt, a server on this host), most of it the SDK's way to the request; that it checks the
    reply, too, is 0.05 of them."""

    def __init__(self, name: str, key: str, timeout: float = 120.0) -> None:
        from google import genai
        from google.genai.types import HttpOptions, HttpRetryOptions

        self.name = f"gemini:{name}"
        self._model, self._timeout = name, timeout
        self._schemas = Schemas(self.name)
        # Without a version the SDK asks a server of one's own at a path without one.
        self._session = session()
        options = HttpOptions(
            aiohttp_client=self._session,
            base_url=os.environ.get("GEMINI_BASE_URL"),
            api_version="v1beta",
            timeout=int(timeout * 1000),
            retry_options=HttpRetryOptions(attempts=1),
        )
        self._client = genai.Client(api_key=key, http_options=options)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self._client.aio.aclose()
        await self._session.close()

    async def complete(self, request: Request) -> Reply:
        if request.purpose == EMBED:
            raise no_vectors(self.name)
        import aiohttp
        from google.genai import errors

        contents: Any = _contents(request)  # its type differs where Pillow is there
        with_schema = self._schemas.sent_with(request)
        config: Any = _config(request, with_schema=with_schema)
        begun = perf_counter()
        try:
            response = await self._client.aio.models.generate_content(
                model=self._model, contents=contents, config=config
            )
        except errors.APIError as error:
            if with_schema and self._schemas.refused(error.code, str(error).encode()):
                return await self.complete(request)
            raise self._refused(error) from None
        except TimeoutError:
            raise too_slow(self.name, self._timeout) from None
        except (aiohttp.ClientError, OSError) as error:
            raise not_reached(self.name, error) from None
        except BadReply:
            raise BadReply(too_large(self.name)) from None
        except ModelError:
            raise
        except Exception as error:  # noqa: BLE001  (the SDK takes apart whatever was sent)
            raise no_reply(self.name, error) from None
        return self._completed(response, perf_counter() - begun)

    def _completed(self, response: Any, seconds: float) -> Reply:
        usage = response.usage_metadata
        tokens_in = usage.prompt_token_count if usage else None
        tokens_out = usage.candidates_token_count if usage else None
        if usage and usage.thoughts_token_count:  # billed as what is said is, and counted apart
            tokens_out = (tokens_out or 0) + usage.thoughts_token_count
        if not response.candidates:
            if response.prompt_feedback is None:
                raise BadReply(f"{self.name} sent a reply without a candidate in it")
            return Reply(
                text="",
                tokens_in=tokens_in,
                tokens_out=tokens_out,
                seconds=seconds,
                ended="refused",
            )
        first = response.candidates[0]
        parts = (first.content.parts if first.content else None) or []
        text = "".join(part.text or "" for part in parts if not part.thought)
        return Reply(
            text=text,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            seconds=seconds,
            ended=_ended(first.finish_reason),
        )

    def _refused(self, error: Any) -> ModelError:
        headers = getattr(error.response, "headers", None) or {}
        return refused(self.name, error.code, headers, json.dumps(error.details).encode())


def _contents(request: Request) -> list[dict[str, Any]]:
    roles = {"user": "user", "assistant": "model"}
    return [
        {"role": roles[one.role], "parts": [{"text": one.text}]}
        for one in request.messages
        if one.role != "system"
    ]


def _config(request: Request, *, with_schema: bool) -> dict[str, Any]:
    """A plain dict, which the SDK takes as it takes its own `GenerateContentConfig`."""
    system = "\n\n".join(one.text for one in request.messages if one.role == "system")
    sampling, schema = request.sampling, schema_of(request.answer) if with_schema else None
    return {
        "system_instruction": system or None,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_output_tokens": sampling.max_tokens,
        "seed": sampling.seed,
        "response_mime_type": "application/json" if schema else None,
        "response_json_schema": msgspec.json.decode(schema) if schema else None,
    }


def _ended(reason: Any) -> Literal["stop", "length", "refused"]:
    name = getattr(reason, "name", None)
    return "length" if name == "MAX_TOKENS" else "refused" if name in REFUSALS else "stop"
