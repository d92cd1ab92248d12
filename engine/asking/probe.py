"""A character is asked: `whoknew ask`. The log is free for others while it thinks."""

from __future__ import annotations

from msgspec.structs import replace

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.asking.ask import Asked, ask, keep
from whoknew.engine.opening import existing, reading
from whoknew.eventlog.errors import LogInUse


async def probe(
    address: str,
    world: str,
    character: str,
    question: str,
    at: str = "end",
    model: str = OFFLINE,
    memory: str = "entire",
    method: str = "plain",
    *,
    save: bool = True,
) -> Asked:
    """Ask, and keep question and answer on the log: unless somebody else writes it, which is then
    said."""
    async with reading(address) as log:
        asked = await ask(
            log, world, character, question, at, model=model, memory=memory, method=method
        )
    if not save:
        return asked
    try:
        async with existing(address) as log:
            return await keep(log, asked)
    except LogInUse as error:
        return replace(asked, unkept=str(error))
