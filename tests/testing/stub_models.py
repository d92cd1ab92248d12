"""Models for tests: one that answers anything, one that never comes to the point, one that is away."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from whoknew.agents.errors import ServerUnavailable
from whoknew.agents.models.model import EMBED, Reply, Request, schema_of
from whoknew.agents.models.vectors import packed


class ByDigest:
    """Answers anything, each prompt always the same way, which a salt makes another. It keeps
    count of its calls."""

    name = "digest:"

    def __init__(self, wait: Callable[[Request], float] | None = None, salt: str = "") -> None:
        self._wait, self._salt = wait, salt
        self.calls: list[str] = []

    async def complete(self, request: Request) -> Reply:
        digest = request.digest
        self.calls.append(digest)
        await asyncio.sleep(self._wait(request) if self._wait else 0)
        if self._salt:
            digest = hashlib.sha256(f"{self._salt}{digest}".encode()).hexdigest()
        return Reply(text=_said(request, digest), tokens_in=10, tokens_out=5)


class Rambling:
    """Never comes to the point, and counts how often it was asked to."""

    name = "rambling:"
    asked = 0

    async def complete(self, request: Request) -> Reply:
        self.asked += 1
        return Reply(text="Where to begin? They were all quite good, or nine.")


class Away:
    """Is not reached, and counts how often that was tried."""

    name = "away:"
    asked = 0

    async def complete(self, request: Request) -> Reply:
        self.asked += 1
        raise ServerUnavailable("away: not reached")


def _said(request: Request, digest: str) -> str:
    if request.purpose == EMBED:
        return packed(list(hashlib.sha256(one.text.encode()).digest()) for one in request.messages)
    if request.answer is None:
        return f"It was {digest[:6]}."
    if int(digest[:2], 16) % 31 == 0 and request.purpose in ("act", "remember"):
        return "I would rather not."
    if request.purpose == "act":
        return msgspec.json.encode(_act(digest)).decode()
    schema = msgspec.json.decode(schema_of(request.answer) or b"{}")
    return msgspec.json.encode(filled_in(schema, digest, schema.get("$defs", {}))).decode()


def _act(digest: str) -> dict[str, Any]:
    chosen = int(digest[:2], 16)
    if chosen % 9 == 0:
        return {"act": "speak", "text": "Of this.", "refers_to": [1 + chosen % 5]}
    act = ("speak", "speak", "speak", "action", "non-verbal", "none", "leave", "speak")
    return {"act": act[chosen % 8], "text": f"I say {digest[2:8]}."}


def filled_in(schema: Mapping[str, Any], digest: str, named: Mapping[str, Any]) -> Any:
    """Something that a schema allows, of which a digest says what. A number without bounds is 0, a
    list has one item or as many as it must have, and what may be left out is."""
    if "$ref" in schema:
        return filled_in(named[schema["$ref"].rsplit("/", 1)[-1]], digest, named)
    if "anyOf" in schema:
        return filled_in(schema["anyOf"][0], digest, named)
    chosen = int(digest[:8], 16)
    if "enum" in schema:
        return schema["enum"][chosen % len(schema["enum"])]
    match schema.get("type"):
        case "object":
            fields = {
                name: schema.get("properties", {})[name] for name in schema.get("required", ())
            }
            return {name: filled_in(one, digest, named) for name, one in fields.items()}
        case "array":
            item = filled_in(schema.get("items") or {}, digest, named)
            return [item] * max(1, schema.get("minItems", 1))
        case "boolean":
            return chosen % 2 == 0
        case "integer" | "number":
            least, most = schema.get("minimum", 0), schema.get("maximum")
            return least if most is None else least + chosen % (int(most - least) + 1)
        case "null":
            return None
    return f"It was {digest[:6]}."
