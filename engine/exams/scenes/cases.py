"""The episodes of a scene that is over, as judges are given them."""

from __future__ import annotations

from whoknew.engine.plan.program import Chain
from whoknew.engine.playing.case import Ending, EpisodeCase
from whoknew.engine.playing.state import ChainState
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import EpisodeClosed
from whoknew.worlds import beginning


async def cases_of(log: Log, chain: Chain) -> list[EpisodeCase]:
    """Each as it stood when it closed, whenever that is looked at."""
    worth = {one.name: one.worth for one in chain.setting.scenarios}
    state, found = ChainState(chain.reach), list[EpisodeCase]()
    async for event in await log.director(chain.world):
        if isinstance(event.body, EpisodeClosed) and state.scene is not None:
            shares = beginning.shares(state.scene, worth.get(state.scene.opened.name, {}))
            ending = Ending(event.body.reason, shares)
            case = await EpisodeCase.of(
                log,
                chain.world,
                chain.plan,
                chain.setting,
                state.opened_seq,
                event.seq - 1,
                ending,
            )
            found.append(case)
        state.take(event)
    return found
