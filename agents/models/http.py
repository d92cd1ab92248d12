"""`http(s)://HOST/v1#NAME`: any server that speaks the OpenAI protocol, without an SDK.

A fifth of a millisecond of CPU a call, where the SDKs take ten times that.
"""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from time import perf_counter
from typing import Any

import aiohttp
import msgspec
import structlog
from msgspec import Struct
from yarl import URL

from whoknew.agents.errors import (
    BadReply,
    Busy,
    KeyRefused,
    ModelError,
    Rejected,
    ServerUnavailable,
)
from whoknew.agents.models.model import Reply, Request, schema_of

LARGEST = 4 * 2**20
"""No reply that is asked for is as long; what is, is not read to its end."""

NO_REPLY = (msgspec.MsgspecError, ValueError, RecursionError, OverflowError)
"""All that comes of reading what makes no sense: no JSON, no UTF-8, nested without an end, numbers
that are none."""

_encode = msgspec.json.Encoder().encode


class ChoiceMessage(Struct, frozen=True, gc=False):
    content: str | None = None
    refusal: str | None = None


class Choice(Struct, frozen=True, gc=False):
    message: ChoiceMessage = ChoiceMessage()
    finish_reason: str | None = None


class Usage(Struct, frozen=True, gc=False):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Completion(Struct, frozen=True, gc=False):
    """As much of a reply as is read."""

    choices: list[Choice] = []
    usage: msgspec.Raw = msgspec.Raw()


_decode = msgspec.json.Decoder(Completion).decode


class HttpModel:
    """One model on one server. The session is shared, and whoever opened it closes it."""

    def __init__(
        self,
        url: str,
        name: str,
        session: aiohttp.ClientSession,
        *,
        key: str | None = None,
        timeout: float = 120.0,
    ) -> None:
        self.name = f"{url}#{name}"
        self._url, self._model = URL(f"{url.rstrip('/')}/chat/completions"), name
        self._session, self._timeout = session, timeout
        self._patience = aiohttp.ClientTimeout(total=timeout)
        self._headers = {"Content-Type": "application/json"}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"
        self._schemas = True

    async def complete(self, request: Request) -> Reply:
        with_schema = self._schemas and request.answer is not None
        begun = perf_counter()
        try:
            status, headers, body = await self._post(
                request_body(self._model, request, with_schema=with_schema)
            )
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise self._unreachable(error) from None
        except NO_REPLY as error:
            raise no_reply(self.name, error) from None
        if status != 200:
            if with_schema and status in (400, 404, 422) and _no_schemas(body):
                self._give_up_schemas()
                return await self.complete(request)
            raise refused(self.name, status, headers, body)
        return completed(self.name, body, perf_counter() - begun)

    async def _post(self, data: bytes) -> tuple[int, Any, bytes]:
        async with self._session.post(
            self._url, data=data, headers=self._headers, timeout=self._patience
        ) as response:
            body = bytearray()  # what a server says of its length is not believed
            while len(body) <= LARGEST and not response.content.at_eof():
                body += await response.content.read(LARGEST + 1 - len(body))
            return response.status, response.headers, bytes(body)

    def _give_up_schemas(self) -> None:
        self._schemas = False
        structlog.get_logger().warning(
            "the server takes no JSON schema; its answers are read as they come", model=self.name
        )

    def _unreachable(self, error: Exception) -> ServerUnavailable:
        if isinstance(error, TimeoutError):
            return ServerUnavailable(f"{self.name} gave no reply within {self._timeout:g} seconds")
        what = str(error) or type(error).__name__
        return ServerUnavailable(f"{self.name} was not reached, or broke off: {what}")


def request_body(
    model: str, request: Request, *, with_schema: bool, most: str = "max_tokens"
) -> bytes:
    """A request in the OpenAI protocol. `most` is what a server calls its limit of tokens."""
    body: dict[str, Any] = {
        "model": model,
        "messages": request.encoded,
    }
    sampling = request.sampling
    for name in ("temperature", "top_p", "max_tokens", "seed"):
        if (value := getattr(sampling, name)) is not None:
            body[most if name == "max_tokens" else name] = value
    if with_schema and request.answer is not None:
        schema = {"name": request.answer.__name__, "schema": schema_of(request.answer)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    return _encode(body)


def completed(name: str, body: bytes, seconds: float) -> Reply:
    """What a server said, as long as it is in the protocol."""
    if len(body) > LARGEST:
        raise BadReply(too_large(name))
    try:
        completion = _decode(body)
    except NO_REPLY as error:
        raise no_reply(name, error, body) from None
    if not completion.choices:
        raise BadReply(f"{name} sent a reply without a choice in it: {shortened(body)}")
    choice, usage = completion.choices[0], _usage(completion.usage)
    ended = _ended(choice)
    return Reply(
        text=choice.message.content or choice.message.refusal or "",
        tokens_in=usage.prompt_tokens,
        tokens_out=usage.completion_tokens,
        seconds=seconds,
        ended=ended,
    )


def _usage(told: msgspec.Raw) -> Usage:
    """What a server says of tokens; a reply is none the worse for saying nothing that can be."""
    try:
        return msgspec.json.decode(told, type=Usage) if told else Usage()
    except NO_REPLY:
        return Usage()


def no_reply(name: str, error: Exception, body: bytes = b"") -> BadReply:
    """What a server sent, whatever it was, where a reply should be."""
    why = shortened((str(error) or type(error).__name__).encode())
    return BadReply(f"{name} sent what is no reply ({why}): {shortened(body)}")


def refused(name: str, status: int, headers: Any, body: bytes) -> ModelError:
    """What a status that is not 200 comes to."""
    said = f"{name} answered {status}: {message_of(body)}"
    after = retry_after(headers.get("Retry-After"))
    if status == 429 or (status == 503 and after is not None):
        return Busy(said, after)
    if status >= 500 or status == 408:
        return ServerUnavailable(said)
    return rejected(said, status)


KEY = (401, 402, 403)
"""Nobody, nothing left to pay with, not for you: it concerns the key, and every call with it."""


def rejected(said: str, status: int) -> Rejected:
    """What is refused for good, with what to do about it."""
    return (KeyRefused if status in KEY else Rejected)(f"{said}{_hint(status)}")


def _hint(status: int) -> str:
    match status:
        case 401 | 403:
            return " (check the key: `whoknew doctor` says which variable holds it)"
        case 402:
            return " (check the account of the key: there is nothing left to pay with)"
        case 404:
            return " (check the address and the name of the model)"
        case 413:
            return " (the prompt is too long for it)"
        case _:
            return ""


def retry_after(value: str | None) -> float | None:
    """The seconds that a server asks to wait: as a number, or until a date."""
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, OverflowError):  # OverflowError: a year or a zone that no date has
        return None
    if until.tzinfo is None:  # or -0000: RFC 5322 takes both for UTC
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - datetime.now(UTC)).total_seconds())


class _Problem(Struct):
    message: str = ""


class _Envelope(Struct):
    error: _Problem | str | None = None
    message: str = ""


def message_of(body: bytes) -> str:
    """The server's own words, where it has any."""
    try:
        told = msgspec.json.decode(body, type=_Envelope)
    except NO_REPLY:
        return shortened(body)
    error = told.error
    words = error.message if isinstance(error, _Problem) else error or told.message
    return shortened(words.encode()) if words else shortened(body)


def too_large(name: str) -> str:
    return f"{name} sent more than {LARGEST // 2**20} MiB in reply: nothing of it was taken"


def shortened(body: bytes) -> str:
    text = " ".join(body[:400].decode("utf-8", "replace").split())
    return (text[:200] + "...") if len(text) > 200 or len(body) > 400 else text or "(nothing)"


def _ended(choice: Choice) -> Any:
    if choice.message.refusal or choice.finish_reason == "content_filter":
        return "refused"
    return "length" if choice.finish_reason == "length" else "stop"


def _no_schemas(body: bytes) -> bool:
    """Whether a server complains of the schema itself, as those do that know of none."""
    said = body.decode("utf-8", "replace")
    return "response_format" in said or "json_schema" in said
