"""The prompts of a world and what was answered to them, as a file of prompts: `whoknew export prompts`."""

from __future__ import annotations

import zlib
from pathlib import Path

import msgspec
from msgspec import Struct

from whoknew.agents.models.model import Message
from whoknew.agents.models.prompt_cache import CachedPrompt, prompt_text
from whoknew.engine.opening import check_new, reading
from whoknew.eventlog.archive import becoming
from whoknew.eventlog.kinds import Called


class ExportedPrompts(Struct, frozen=True):
    """How many answered prompts went into a file, and of how many the prompt is not kept."""

    file: str
    world: str
    prompts: int
    missing: int


async def export_prompts(address: str, world: str, file: Path) -> ExportedPrompts:
    """Write the prompts of a world, or of an exam by its name, that were kept and answered."""
    check_new(file)
    prompts = missing = 0
    async with reading(address) as log:
        director = await log.director(world)
        with becoming(file) as partial, partial.open("wb") as out:
            async for event in director:
                body = event.body
                if not isinstance(body, Called) or body.reply is None:
                    continue
                if body.prompt is None:
                    missing += 1
                    continue
                text = prompt_text(_messages(body.prompt))
                out.write(msgspec.json.encode(CachedPrompt(text, body.reply, body.model)) + b"\n")
                prompts += 1
    return ExportedPrompts(str(file), world, prompts, missing)


def _messages(prompt: bytes) -> tuple[Message, ...]:
    """Those of a prompt as it is kept: its messages, its schema, its sampling."""
    messages, _, _ = msgspec.json.decode(
        zlib.decompress(prompt), type=tuple[tuple[Message, ...], msgspec.Raw, msgspec.Raw]
    )
    return messages
