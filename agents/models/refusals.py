"""What a model's server answers where a reply should be (a status such as 404 or 429): in words, with
what to do about it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec
from msgspec import Struct

from whoknew.agents.errors import (
    BadReply,
    Busy,
    KeyRefused,
    ModelError,
    Rejected,
    ServerUnavailable,
)

LARGEST = 4 * 2**20
"""No reply that is asked for is as long; what is, is not read to its end."""

NO_REPLY = (msgspec.MsgspecError, ValueError, RecursionError, OverflowError)
"""All that comes of reading what makes no sense: no JSON, no UTF-8, nested without an end, numbers
that are none."""


MEANT = {
    (400, b"API_KEY_INVALID"): 401,
    (429, b"insufficient_quota"): 402,
    (403, b"Key limit exceeded"): 402,
    (403, b"model_not_found"): 404,
    (403, b'"flagged_input"'): 400,
    (400, b"context_length_exceeded"): 413,
    (400, b"maximum context length"): 413,
    (400, b"maximum model length"): 413,
    (400, b"exceed_context_size"): 413,
    (400, b"exceeds the maximum number of tokens"): 413,
}
"""What stands under another status: Gemini calls a key that it does not know a bad request, OpenAI an account
in which nothing is left too many requests, OpenRouter a key whose limit is spent forbidden. OpenAI also forbids
a model that the key's project may not use, OpenRouter a prompt that its moderation refused: neither says
anything of other models, or other prompts. And a prompt that is too long is a bad request to OpenAI, vLLM (in
two wordings), llama.cpp and Gemini, in this order."""


def refused(name: str, status: int, headers: Any, body: bytes) -> ModelError:
    """What a status that is not 200 comes to."""
    said = f"{name} answered {status}: {message_of(body)}"
    for (given, word), meant in MEANT.items():
        if status == given and word in body:
            return rejected(said, meant)
    after = retry_after(headers.get("Retry-After"))
    if status == 429 or (status == 503 and after is not None):
        return Busy(said, retry_delay(body) if after is None else after)
    if status >= 500 or status == 408:
        return ServerUnavailable(said)
    return rejected(said, status)


KEY = (401, 402, 403)
"""Nobody, nothing left to pay with, not for you or not from here: it concerns every call with the key."""


def rejected(said: str, status: int) -> Rejected:
    """What is refused for good, with what to do about it."""
    return (KeyRefused if status in KEY else Rejected)(f"{said}{_hint(status)}")


def _hint(status: int) -> str:
    match status:
        case 401:
            return " (check the key: `whoknew doctor` says which variable holds it)"
        case 403:
            return (
                " (not allowed to this key, or from this place: check the permissions of the key, its "
                "region and the network; `whoknew doctor` says which variable holds the key)"
            )
        case 402:
            return " (check the account of the key: there is nothing left to pay with)"
        case 404:
            return " (check the address and the name of the model)"
        case 413:
            return (
                " (the prompt is too long for it: give the seat a `budget`, fewer `max_tokens`, or a model "
                "with a larger window)"
            )
        case _:
            return ""


def no_vectors(name: str) -> Rejected:
    """What is asked for vectors of texts, and has none to give."""
    return Rejected(
        f"{name} is asked for words alone: minilm: gives vectors of texts, and any server that "
        "speaks the protocol of OpenAI"
    )


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


_RETRY_DELAY = re.compile(rb'"retryDelay"\s*+:\s*+"(\d{1,9}+(?:\.\d{1,9}+)?+)s"')


def retry_delay(body: bytes) -> float | None:
    """The same where it stands in what is answered, as Google's servers have it."""
    found = _RETRY_DELAY.search(body)
    return float(found[1]) if found else None


def not_reached(name: str, why: BaseException) -> ServerUnavailable:
    """A server that could not be reached, or that broke off."""
    what = (str(why) or type(why).__name__).replace(" ssl:default", "")
    return ServerUnavailable(
        f"{name} was not reached, or broke off ({what}): check the address, and that its server runs"
    )


def too_slow(name: str, seconds: float) -> ServerUnavailable:
    """A server that was waited for in vain."""
    return ServerUnavailable(
        f"{name} gave no reply within {seconds:g} seconds: check its server, or set a longer timeout"
    )


def no_reply(name: str, error: Exception, body: bytes = b"") -> BadReply:
    """What a server sent, whatever it was, where a reply should be."""
    why = shortened((str(error) or type(error).__name__).encode())
    return BadReply(f"{name} sent what is no reply ({why}): {shortened(body)}")


class _Problem(Struct):
    message: str = ""


class _Envelope(Struct):
    error: _Problem | str | None = None
    message: str = ""


def message_of(body: bytes) -> str:
    """The server's own words, where it has any."""
    try:
        told = msgspec.json.decode(body, type=_Envelope | list[_Envelope])
    except NO_REPLY:
        return shortened(body)
    if isinstance(told, list):  # as Google's servers have it where they speak another's protocol
        told = told[0] if told else _Envelope()
    error = told.error
    words = error.message if isinstance(error, _Problem) else error or told.message
    return shortened(words.encode()) if words else shortened(body)


def too_large(name: str, largest: int = LARGEST) -> str:
    return f"{name} sent more than {largest // 2**20} MiB in reply: nothing of it was taken"


def shortened(body: bytes) -> str:
    text = " ".join(body[:400].decode("utf-8", "replace").split())
    return (text[:200] + "...") if len(text) > 200 or len(body) > 400 else text or "(nothing)"
