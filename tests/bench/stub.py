"""A server that speaks the OpenAI protocol and answers any JSON schema, after a fixed time.

    python stub.py LATENCY_MS

It prints its port. What it says is always the same, so that clients can be compared; how often it
was asked can be had at /v1/count, so that none of them does less than it says.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import msgspec
from aiohttp import web

SPEECH = (
    "I hear what you are saying, and I would like us to find something that works for both of us "
    "before we settle on it."
)


def filled(schema: dict[str, Any], parts: dict[str, Any], name: str = "") -> Any:
    """A value that fits a schema, as far as this bench needs it."""
    if "$ref" in schema:
        return filled(parts[schema["$ref"].rsplit("/", 1)[-1]], parts, name)
    if "anyOf" in schema:
        return filled(schema["anyOf"][0], parts, name)
    if "enum" in schema:
        return "speak" if "speak" in schema["enum"] else schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    match schema.get("type"):
        case "object":
            inner = schema.get("properties", {})
            return {key: filled(value, parts, key) for key, value in inner.items()}
        case "array":
            return []
        case "integer" | "number":
            return 0
        case "boolean":
            return False
        case _:
            long = ("argument", "text", "overview", "negotiation", "knowledge")
            return SPEECH if name in long else "nothing"


class Stub:
    def __init__(self, latency: float) -> None:
        self._latency = latency
        self._replies: dict[bytes, bytes] = {}
        self._asked = 0

    async def complete(self, request: web.Request) -> web.Response:
        self._asked += 1
        body = msgspec.json.decode(await request.read())
        if self._latency:
            await asyncio.sleep(self._latency)
        return web.Response(body=self._reply(body), content_type="application/json")

    async def count(self, request: web.Request) -> web.Response:
        return web.Response(text=str(self._asked))

    def _reply(self, body: dict[str, Any]) -> bytes:
        """Made once for each schema: the time of the server is not what is measured."""
        wanted = (body.get("response_format") or {}).get("json_schema")
        key = msgspec.json.encode(wanted)
        if key not in self._replies:
            schema = wanted["schema"] if wanted else None
            said = SPEECH * 6 if schema is None else _said(schema)
            message = {"role": "assistant", "content": said}
            reply = {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": "stub",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 900, "completion_tokens": 30, "total_tokens": 930},
            }
            self._replies[key] = msgspec.json.encode(reply)
        return self._replies[key]


def _said(schema: dict[str, Any]) -> str:
    return msgspec.json.encode(filled(schema, schema.get("$defs", {}))).decode()


async def main(latency: float) -> None:
    stub = Stub(latency)
    app = web.Application(client_max_size=64 * 2**20)
    app.router.add_post("/v1/chat/completions", stub.complete)
    app.router.add_get("/v1/count", stub.count)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) / 1000))
