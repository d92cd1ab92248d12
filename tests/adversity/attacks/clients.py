"""A hostile client of a real `whoknew serve`: it answers in time, never with a 500, and goes on.

Requests are made of the server's own description, of what its worlds hold, and of junk; some are not
even HTTP. What the server logs as a warning or worse is a finding, too.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

from adversity.attack import Attack, Ground, Strike
from adversity.mutations import STRANGE, altered, mutated
from command_runner import COMMAND, ENVIRONMENT
from diner_world import WORLD, nights
from waiting import PATIENCE

LASTS = 2000
"""Rounds after which a server on a new log takes the place of one that has seen much."""

METHODS = ("GET", "GET", "GET", "POST", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "BREW")

CURSORS = ("end", "E2", "E5.T3", "#97", "#173", "E2.T1", "@2003-01-01T00:00", "recorded:2026-11-20")
PEOPLE = ("Vera", "Emil", "Dorte", "Yusuf")

MEANT: dict[str, Sequence[Any]] = {
    "world": (WORLD, WORLD, WORLD, "flatmates"),
    "run": (1, 2),
    "at": CURSORS,
    "from": CURSORS,
    "after": (0, 97, 173, *CURSORS),
    "upto": (1, 97, 500),
    "limit": (1, 20, 1000),
    "k": (1, 5, 100),
    "event": (1, 97, 173),
    "as": PEOPLE,
    "who": (*PEOPLE, "Vera,Emil"),
    "character": PEOPLE,
    "about": ("cannot taste", "97", "90-99"),
    "words": ("cannot taste", "the soup"),
    "question": ("Who cannot taste?",),
    "model": ("offline:",),
    "memory": ("entire", "recall", "summary", "none"),
    "method": ("plain", "stepwise"),
    "save": (True, False),
    "secret": (True, False),
    "name": ("told", "here", "Christmas, year 1"),
    "tell": ([["Vera", "He hides something."]],),
    "goal": ([["Vera", "Find out."]],),
    "replace": ([97, "Another wording."],),
    "other": (WORLD, "told"),
    "seats": ([], ["Vera"]),
    "go_on": (WORLD,),
    "plan": ('world = "harbour"', 'world = "flatmates"\n[episodes]\nturns = 1'),
}
"""Values that mean something to this server."""

ANY: Sequence[Any] = tuple(value for values in MEANT.values() for value in values)

SOCKET = """Connection: Upgrade\r
Upgrade: websocket\r
Sec-WebSocket-Version: 13\r
Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="""

HEADERS = (
    "Host: evil.example",
    "Origin: http://evil.example",
    "Origin: null",
    "Sec-Fetch-Site: cross-site",
    "Authorization: Bearer x",
    "Authorization: Bearer view.00.00",
    "Authorization: Basic \xff",
    "Cookie: whoknew=view.7a.7a",
    "Cookie: \x01=\x02; ;;=",
    "Content-Type: text/plain; charset=klingon",
    "Content-Type: multipart/form-data",
    "Content-Encoding: gzip",
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Content-Length: 5",
    "Content-Length: -5",
    "Content-Length: 99999999999999999999",
    "Expect: 100-continue",
    "Expect: nothing",
    "Range: bytes=0-0,5-2",
    "If-None-Match: *",
    SOCKET,
    "Connection: Upgrade\r\nUpgrade: websocket",
    "Connection: Upgrade\r\nUpgrade: h2c",
    "Sec-WebSocket-Protocol: whoknew.v1",
    "Sec-WebSocket-Protocol: chat",
    "Accept: \x00",
    "X: " + "x" * 9000,
    "No colon",
    ": no name",
    " folded: yes",
)


class Served:
    """A server of its own: its port, its description, and what it says on stderr."""

    def __init__(self, folder: Path) -> None:
        self._errors, self._heard = folder / "stderr", 0
        with self._errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [*COMMAND, "serve", "--log", nights(folder), "--port", "0"],
                stdout=subprocess.PIPE,
                stderr=errors,
                env={**ENVIRONMENT, "PYTHONUNBUFFERED": "1"},
            )
        assert self._process.stdout
        line = self._process.stdout.readline().decode()
        found = re.search(r"http://\S+:(\d+)", line)
        assert found, f"{line!r}, {self._errors.read_text()}"
        self.port = int(found[1])
        with urlopen(f"http://127.0.0.1:{self.port}/api/v1/openapi.json") as response:
            described = json.load(response)
        self.parts = described["components"]["schemas"]
        self.routes = [
            (method.upper(), path, told)
            for path, methods in described["paths"].items()
            for method, told in methods.items()
        ]

    def check(self) -> None:
        """It is well, and tells of nothing that is wrong."""
        with urlopen(f"http://127.0.0.1:{self.port}/api/v1/health", timeout=PATIENCE) as response:
            assert response.status == 200
        said = self._errors.read_text(errors="replace")
        new, self._heard = said[self._heard :], len(said)
        wrong = [line for line in new.splitlines() if '"level": "info"' not in line]
        assert not wrong, "\n".join(wrong)[-3000:]

    def stop(self) -> None:
        self._process.terminate()
        try:
            assert self._process.wait(PATIENCE) == 0
        finally:
            self._process.kill()
            self._process.communicate()


@contextmanager
def setup(ground: Ground) -> Iterator[Strike]:
    served, rounds = _begun(ground), 0

    def strike(chance: Random) -> None:
        nonlocal served, rounds
        rounds += 1
        if rounds % LASTS == 0:
            served.stop()
            served = _begun(ground)
        request, whole = _request(served, chance), chance.random() < 0.92
        if not whole:
            request = mutated(request, chance)
        answer = _answered(served.port, request, whole)
        status = answer[9:12]
        told = f"{request[:2000]!r} was answered {answer[:2000]!r}"
        assert answer.startswith(b"HTTP/") or not (answer or whole), told
        assert not status.startswith(b"5") or status in (b"501", b"502", b"503"), told
        assert b"Traceback" not in answer, told
        try:
            served.check()
        except Exception as error:
            raise AssertionError(f"{request[:2000]!r}: {error!r}") from error

    try:
        yield strike
    finally:
        served.stop()


ATTACK = Attack(setup=setup, short=400)


def _begun(ground: Ground) -> Served:
    return Served(Path(mkdtemp(dir=ground.folder)))


def _answered(port: int, request: bytes, whole: bool) -> bytes:
    """What comes back at first; for what is not whole nobody waits long."""
    patience = PATIENCE if whole else 0.05
    with socket.create_connection(("127.0.0.1", port), timeout=patience) as client:
        try:
            client.sendall(request)
            return client.recv(1 << 16)
        except ConnectionError:
            return b""
        except TimeoutError:
            if whole:
                raise
            return b""


# requests


def _request(served: Served, chance: Random) -> bytes:
    method, path, told = chance.choice(served.routes)
    if chance.random() < 0.1:
        path, told = (
            chance.choice(("/api/v1/worlds/{world}/stream", "/metrics", "/", "/{world}")),
            {},
        )
    if chance.random() < 0.1:
        method = chance.choice(METHODS)
    target = re.sub(r"{(\w+)}", lambda found: _named(found[1], chance), path)
    query = _query(told.get("parameters", ()), chance)
    body = _body(served, told, chance)
    headers = ["Host: 127.0.0.1", f"Content-Length: {len(body)}"]
    if chance.random() < 0.2:
        headers += chance.sample(HEADERS, chance.choice((1, 1, 2, 4)))
    lines = [f"{method} {target}{query} HTTP/1.1", *headers, "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace") + body


def _named(name: str, chance: Random) -> str:
    """What stands in a path."""
    return quote(_text(_value(name, chance)), safe=chance.choice(("", "", "/.", "%")))


def _query(parameters: Sequence[Any], chance: Random) -> str:
    queried = [one for one in parameters if one["in"] == "query"]
    chosen = [
        one["name"] for one in queried if chance.random() < (0.95 if one["required"] else 0.4)
    ]
    if chance.random() < 0.05:
        chosen += chance.choices((*chosen, "token", "as", "from", "x"), k=2)
    pairs = [f"{name}={quote(_text(_value(name, chance)))}" for name in chosen]
    return "?" + "&".join(pairs) if pairs else ""


def _body(served: Served, told: Any, chance: Random) -> bytes:
    wanted = told.get("requestBody")
    if not wanted:
        return b"" if chance.random() < 0.95 else b"\x00{"
    schema = wanted["content"]["application/json"]["schema"]
    part = served.parts[schema["$ref"].rsplit("/", 1)[-1]]
    value: Any = {
        name: _value(name, chance)
        for name in part["properties"]
        if chance.random() < (0.95 if name in part.get("required", ()) else 0.3)
    }
    if chance.random() < 0.2:
        value = altered(value, chance, lambda: _value("", chance))
    data = json.dumps(value).encode()
    return mutated(data, chance) if chance.random() < 0.1 else data


def _value(name: str, chance: Random) -> Any:
    """One that fits its name, one that does not, or one that fits nothing."""
    fits = chance.random()
    return chance.choice(MEANT.get(name, ANY) if fits < 0.85 else ANY if fits < 0.93 else STRANGE)


def _text(value: Any) -> bytes:
    text = value if isinstance(value, str) else json.dumps(value)
    return text.encode("utf-8", "surrogatepass")
