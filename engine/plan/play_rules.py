"""The rules that a chain is played by, as its plan says."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from whoknew.engine.plan.plan import NO_LIMIT, Limit
from whoknew.eventlog.kinds import Planned


class PlayRules(Struct, frozen=True, kw_only=True):
    """How a chain is played, as its plan says."""

    seed: int = 0
    pace: int = 20
    when_bad: Literal["skip", "suspend"] = "skip"
    keep_prompts: bool = False
    scan_prompts: float = 0.0
    tellings: bool = False
    chain: Limit = NO_LIMIT
    episode: Limit = NO_LIMIT
    character: Limit = NO_LIMIT
    planned: Planned | None = None
