"""Others write beside a story while it is played, on stores that several processes share: it goes on the
same, and nothing of either is lost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from store_places import SHARED, Place, log_at, place_for

from whoknew.agents.models.model import Reply, Request
from whoknew.engine.errors import BeingPlayed
from whoknew.engine.plan.play_rules import PlayRules
from whoknew.engine.playing import chain
from whoknew.engine.travel.mark import mark, marks
from whoknew.engine.travel.tellings import say, tellings
from whoknew.eventlog import Draft, Event, Log
from whoknew.eventlog.kinds import Acted, EpisodeClosed, Planned, Probed, Reviewed, TellingFound
from whoknew.testing.small_chain import SETTING, chain_of_minds, digest_of, episodes, events_of
from whoknew.testing.stub_models import ByDigest


@pytest.fixture(params=SHARED)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    with place_for(request.param, tmp_path, request) as place:
        yield place


class Busy(ByDigest):
    """Before each answer somebody writes beside the story, in turn: a mark, a question, a word on what
    was told, what a rule finds."""

    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log, self._numbers = log, count(1)

    async def complete(self, request: Request) -> Reply:
        number = next(self._numbers)
        if number % 4 == 0:
            await mark(self._log, "ferry", f"mark {number}")
        elif number % 4 == 1:
            probe = Probed("Oda", 1, "Who was here?")
            await self._log.append("ferry", [Draft(probe)])
        elif number % 4 == 2:
            await self._say()
        else:
            await tellings(self._log, "ferry")
        return await super().complete(request)

    async def _say(self) -> None:
        events = await events_of(self._log)
        spoken = [one for one in events if len(one.witnesses) > 1 and isinstance(one.body, Acted)]
        if len(spoken) > 1:
            await say(self._log, "ferry", spoken[-1].seq, spoken[0].seq)


async def played_alone(place: Place) -> str:
    async with log_at(place) as log:
        run = await chain_of_minds(log, ByDigest(), rules=PlayRules(tellings=True))
        await chain.play(run, SETTING, episodes())
        digest = await digest_of(log)
    place.renew()
    return digest


async def test_a_story_goes_on_the_same_while_others_write_beside_it(place: Place) -> None:
    alone = await played_alone(place)
    async with log_at(place) as log, log_at(place) as other:
        model = Busy(other)
        run = await chain_of_minds(log, model, rules=PlayRules(tellings=True))
        await chain.play(run, SETTING, episodes())
        assert await digest_of(log) == alone
        assert len(await marks(log, "ferry")) == len(model.calls) // 4
        story = await events_of(log)
    assert run.state.head == len(story)
    check_references(story)


def check_references(story: list[Event]) -> None:
    """What names a seq names it where it stands after all."""
    by_seq = {event.seq: event for event in story}
    for event in story:
        if isinstance(event.body, Reviewed):
            assert isinstance(by_seq[event.cause or 0].body, EpisodeClosed)
        if isinstance(event.body, TellingFound):
            assert set(event.body.hearers) <= set(by_seq[event.cause or 0].witnesses)
    bodies = [(one.cause, one.body) for one in story]
    by_rule = [
        (cause, body)
        for cause, body in bodies
        if isinstance(body, TellingFound) and body.origin == "rule"
    ]
    assert all(by_rule.count(one) == 1 for one in by_rule), "nothing stands twice"


@pytest.mark.parametrize("body", [Acted("I am here, too."), Planned(b"another")])
async def test_one_that_goes_on_with_the_story_is_another_player(
    place: Place, body: Acted | Planned
) -> None:
    async with log_at(place) as log, log_at(place) as other:
        run = await chain_of_minds(log, ByDigest())
        await chain.play(run, SETTING, episodes()[:1])
        await mark(other, "ferry", "here")
        await other.append("ferry", [Draft(body)])
        with pytest.raises(BeingPlayed, match="somebody else"):
            await chain.play(run, SETTING, episodes())
