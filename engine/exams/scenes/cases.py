"""The episodes of a scene that is over, as judges are given them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from whoknew.engine.exams.arms import ExamJudge
from whoknew.engine.exams.scenes.sitters import Sitters
from whoknew.engine.plan.program import Chain
from whoknew.engine.playing.case import Ending, EpisodeCase
from whoknew.engine.playing.state import ChainState
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import EpisodeClosed
from whoknew.worlds import beginning


class ClosedEpisode(Struct, frozen=True):
    """An episode, as it stood when it closed; and who of the judges were `absent` then."""

    number: int
    case: EpisodeCase
    absent: frozenset[str]


async def cases_of(log: Log, chain: Chain, judges: Sequence[ExamJudge]) -> list[ClosedEpisode]:
    """All of them, whenever that is looked at."""
    worth = {one.name: one.worth for one in chain.setting.scenarios}
    state, sitters = ChainState(chain.reach), Sitters(judges)
    found: list[ClosedEpisode] = []
    async for event in await log.director(chain.world):
        sitters.take(event)
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
            found.append(ClosedEpisode(event.episode, case, sitters.absent))
        state.take(event)
    return found
