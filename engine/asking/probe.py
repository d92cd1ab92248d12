"""A character is asked: `whoknew ask`. The log is free for others while it thinks."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from whoknew.agents.models.address import OFFLINE
from whoknew.engine.asking.answer_panel import named
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
    reference: str | None = None,
    judges: Sequence[str] = (),
    judge_model: str = OFFLINE,
    save: bool = True,
) -> Asked:
    """Ask, have the answer judged, and keep all of it on the log: unless somebody else writes it,
    which is then said."""
    async with reading(address) as log:
        asked = await ask(
            log,
            world,
            character,
            question,
            at,
            model=model,
            memory=memory,
            method=method,
            reference=reference,
            judges=named(judges, judge_model),
        )
    if not save:
        return asked
    try:
        async with existing(address) as log:
            return await keep(log, asked)
    except LogInUse as error:
        return replace(asked, unkept=str(error))
