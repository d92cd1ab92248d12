"""A server that speaks the OpenAI protocol and answers any JSON schema, after a fixed time.

    python stub.py LATENCY_MS

It prints its port. What it says is always the same, so that clients can be compared; how often it
was asked can be had at /v1/count, so that none of them does less than it says.
"""

from __future__ import annotations

import asyncio
import re
import sys
from typing import Any

import msgspec
from msgspec import Raw, Struct

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


class Asked(Struct):
    response_format: Raw = Raw(b"null")


class Format(Struct):
    json_schema: dict[str, Any] | None = None


class Stub:
    """What is answered, whoever asks."""

    def __init__(self, latency: float) -> None:
        self.latency = latency
        self.asked = 0
        self._replies: dict[bytes, bytes] = {}

    def reply(self, body: bytes) -> bytes:
        """Made once for each schema: the time of the server is not what is measured."""
        wanted = bytes(ASKED.decode(body).response_format)
        if wanted not in self._replies:
            self._replies[wanted] = _response(self._made(wanted))
        return self._replies[wanted]

    def _made(self, wanted: bytes) -> bytes:
        schema = (msgspec.json.decode(wanted, type=Format | None) or Format()).json_schema
        said = SPEECH * 6 if schema is None else _said(schema["schema"])
        message = {"role": "assistant", "content": said}
        reply = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "stub",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 900, "completion_tokens": 30, "total_tokens": 930},
        }
        return msgspec.json.encode(reply)


class Connection(asyncio.Protocol):
    """One after another on a connection, as HTTP/1.1 has them: only what the clients of this bench
    send. A web framework would take a fifth of the machine that is to be measured."""

    def __init__(self, stub: Stub) -> None:
        self._stub = stub
        self._read = bytearray()
        self._loop = asyncio.get_running_loop()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._read += data
        while (end := self._read.find(b"\r\n\r\n")) >= 0:
            head = bytes(self._read[:end])
            length = LENGTH.search(head)
            whole = end + 4 + (int(length[1]) if length else 0)
            if len(self._read) < whole:
                return
            body = bytes(self._read[end + 4 : whole])
            del self._read[:whole]
            self._answer(head, body)

    def _answer(self, head: bytes, body: bytes) -> None:
        if head.startswith(b"GET"):
            self._transport.write(_response(b"%d" % self._stub.asked))
            return
        self._stub.asked += 1
        reply = self._stub.reply(body)
        if self._stub.latency:
            self._loop.call_later(self._stub.latency, self._transport.write, reply)
        else:
            self._transport.write(reply)


ASKED = msgspec.json.Decoder(Asked)

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


def _response(body: bytes) -> bytes:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    return head % len(body) + body


def _said(schema: dict[str, Any]) -> str:
    return msgspec.json.encode(filled(schema, schema.get("$defs", {}))).decode()


async def main(latency: float) -> None:
    loop, stub = asyncio.get_running_loop(), Stub(latency)
    server = await loop.create_server(lambda: Connection(stub), "127.0.0.1", 0, backlog=4096)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(float(sys.argv[1]) / 1000))
