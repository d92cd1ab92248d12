"""Law 4: how many turns a character is told are left, whatever happens unseen."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from itertools import count

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from small_worlds import NIGHT, opened
from store_places import VolatilePlace, log_at

from whoknew.agents.agent import Moment
from whoknew.agents.memories.entire import Entire
from whoknew.agents.methods.plain import Plain
from whoknew.agents.mind import Mind
from whoknew.agents.models.offline import Offline
from whoknew.engine.playing.moments import moment_of
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Acted, EpisodeOpened, EpisodeResumed, Failed, GoalGiven
from whoknew.worlds.scene import Scene

LIMIT = 20
UNSEEN = {
    "thought": Draft(Acted("Hm.", "none"), actor="Bo", witnesses=("Bo",)),
    "whisper": Draft(Acted("Psst.", to=("Cy",)), actor="Bo", witnesses=("Bo", "Cy")),
    "failure": Draft(Failed("turn", "no reply"), actor="Cy"),
}
"""What others do with a turn that Ana does not witness."""

Turns = Sequence[Sequence[str]]
"""The turns unseen before each one that Ana sees."""

turns = st.lists(st.lists(st.sampled_from(sorted(UNSEEN)), max_size=4), min_size=5, max_size=5)


def drafted(unseen: Turns, seen: int, resumed: int | None) -> list[Draft]:
    """An episode with so many turns that Ana sees; played by turns only from the `resumed`th on, or
    from the beginning."""
    limit = LIMIT if resumed is None else None
    cast = ("Ana", "Bo", "Cy")
    drafts = [
        *opened(*cast),
        Draft(
            EpisodeOpened("A room.", cast=cast, turn_limit=limit),
            NIGHT,
            episode=1,
            witnesses=cast,
        ),
        Draft(GoalGiven("Ana", "Rest."), NIGHT, episode=1, witnesses=("Ana",)),
    ]
    turn = count(1)
    for number, before in enumerate(unseen[:seen]):
        at = NIGHT + timedelta(minutes=number)
        deeds = [*(UNSEEN[one] for one in before), Draft(Acted("Ah."), actor="Bo", witnesses=cast)]
        drafts += [replace(deed, at=at, episode=1, turn=next(turn)) for deed in deeds]
        if number == resumed:
            turns = drafts[-1].turn
            resuming = EpisodeResumed(turn_limit=turns + LIMIT)
            drafts.append(Draft(resuming, at, episode=1, turn=turns))
    return drafts


async def moment(log: Log, world: str, drafts: Sequence[Draft]) -> Moment:
    await log.append(world, drafts)
    begins = next(seq for seq, one in enumerate(drafts, 1) if isinstance(one.body, EpisodeOpened))
    scene = Scene(drafts[begins - 1])
    for draft in drafts[begins:]:
        scene.take(draft)
    return moment_of(scene, (), begins, await log.view(world, "Ana"), 1)


async def prompt(moment: Moment) -> str:
    return (await Mind("Ana", Offline(), Entire(), Plain()).request(moment)).prompt


def test_turns_that_one_has_not_witnessed_change_nothing_in_a_prompt() -> None:
    @settings(max_examples=60, deadline=None)
    @given(
        one=turns,
        other=turns,
        seen=st.integers(1, 5),
        resumed=st.none() | st.integers(0, 4),
    )
    def same(one: Turns, other: Turns, seen: int, resumed: int | None) -> None:
        async def story() -> None:
            async with log_at(VolatilePlace()) as log:
                first = await moment(log, "one", drafted(one, seen, resumed))
                second = await moment(log, "other", drafted(other, seen, resumed))
                assert await prompt(first) == await prompt(second)
                if resumed is None:
                    assert first.turns_left == LIMIT - seen
                elif resumed < seen:
                    assert first.turns_left == LIMIT - (seen - resumed - 1)

        asyncio.run(story())

    same()


async def test_a_turn_is_counted_once_however_many_act_in_it() -> None:
    async with log_at(VolatilePlace()) as log:
        drafts = drafted([[]] * 2, 2, None)
        drafts.append(replace(drafts[-1], body=Acted("I, too."), actor="Cy"))
        assert (await moment(log, "w", drafts)).turns_left == LIMIT - 2
