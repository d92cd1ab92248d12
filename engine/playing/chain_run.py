"""One start of a chain: who plays it, and what they play by."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from whoknew.agents.agent import Agent
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.engine.playing.allowance import Allowance
from whoknew.engine.playing.chain_log import ChainLog
from whoknew.engine.playing.ledger import Ledger
from whoknew.engine.playing.panel import Panel
from whoknew.engine.playing.state import ChainState


class ChainRun(Struct, frozen=True, kw_only=True):
    """All that an episode needs of its chain."""

    rules: PlayRules
    log: ChainLog
    allowance: Allowance
    ledger: Ledger
    agents: Mapping[str, Agent]
    panel: Panel | None = None

    @property
    def state(self) -> ChainState:
        return self.log.state
