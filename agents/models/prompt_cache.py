"""`cache:FILE`, a model that answers what a file of prompts says it was answered: one JSON object a line,
with `prompt`, `response` and `model`, as the authors of Bookmarks keep theirs.

It is read as data, and nothing in it is run. Of the same prompt the last line holds, as in a cache. A
prompt is found by its text: its messages, one under the other.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.agents.errors import BadModel, NotRecorded
from whoknew.agents.models.model import Message, Reply, Request

BETWEEN = "\n\n"
"""Stands between the messages of a prompt."""

LONGEST = 2**26
"""Bytes. No line of such a file is longer: what is, is not read to its end."""


class CachedPrompt(Struct, frozen=True):
    """One line of the file."""

    prompt: str
    response: str
    model: str | None = None


class PromptCache:
    """The answers of a file."""

    def __init__(self, address: str, answers: Mapping[bytes, CachedPrompt]) -> None:
        self.name, self._answers = address, answers

    async def complete(self, request: Request) -> Reply:
        found = self._answers.get(prompt_key(prompt_text(request.messages)))
        if found is None:
            raise NotRecorded(
                f"{self.name} holds no answer to this prompt (to {request.purpose}): the plan, a "
                "prompt or a memory is not what it was when the file was written"
            )
        return Reply(text=found.response, model=found.model)


def prompt_text(messages: tuple[Message, ...]) -> str:
    return BETWEEN.join(one.text for one in messages)


async def prompt_cache(address: str, file: Path) -> PromptCache:
    """The model of a file; BadModel where a line of it is none."""
    return PromptCache(address, await asyncio.to_thread(lambda: dict(_read(address, file))))


def _read(address: str, file: Path) -> Iterator[tuple[bytes, CachedPrompt]]:
    try:
        if file.exists() and not file.is_file():
            raise BadModel(f"{address} cannot be read: it is no file. Name a file of prompts")
        with file.open("rb") as lines:
            for number, line in enumerate(iter(lambda: lines.readline(LONGEST + 1), b""), start=1):
                if len(line) > LONGEST:
                    raise BadModel(
                        f"{address}, line {number}: has more than {LONGEST:,} bytes, which no prompt has "
                        "with its answer. Name a file of prompts, one a line"
                    )
                if line.strip():
                    yield _cached(line, f"{address}, line {number}")
    except OSError as error:
        raise BadModel(f"{address} cannot be read: {error.strerror or error}") from None


def _cached(line: bytes, where: str) -> tuple[bytes, CachedPrompt]:
    """An answer, under the key of its prompt, which is not kept."""
    try:
        found = msgspec.json.decode(line, type=CachedPrompt)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadModel(f'{where}: is no object with "prompt" and "response": {error}') from None
    return prompt_key(found.prompt), msgspec.structs.replace(found, prompt="")


def prompt_key(prompt: str) -> bytes:
    return hashlib.sha256(prompt.encode(errors="surrogatepass")).digest()
