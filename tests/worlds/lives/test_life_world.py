"""A life as a world: who reads what, when, and what nobody reads."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import cache

import pytest
from leak_scan import runs

from whoknew.agents.answering import FoldedLife, Respondent
from whoknew.agents.memories.entire import Entire
from whoknew.agents.memories.recall import Recall
from whoknew.agents.methods.plain import Plain
from whoknew.agents.models.offline import Offline
from whoknew.eventlog import Log, open_log
from whoknew.eventlog.kinds import EvidenceNoted, Felt, Traced
from whoknew.worlds.lives.life import OWN, LifeGraph
from whoknew.worlds.lives.life_world import world_of_life, written
from whoknew.worlds.lives.making import life_of


@cache
def life() -> LifeGraph:
    return life_of(5)


@pytest.fixture
async def log() -> AsyncIterator[Log]:
    async with open_log(":memory:") as log:
        world = world_of_life(life())
        await log.append(world.name, world.drafts)
        yield log


async def test_each_contact_reads_what_it_wrote_or_was_sent_and_nothing_else(log: Log) -> None:
    traces = {one.id: one for one in life().traces}
    for name in (one.name for one in life().contacts):
        seen = await (await log.view(life().name, name)).events()
        read = {event.source for event in seen if isinstance(event.body, Traced)}
        assert read == {
            one.id for one in traces.values() if name == one.writer or name in one.audience
        }
        assert not any(traces[source].medium in OWN for source in read if source)


async def test_the_persona_reads_all_of_it_and_nobody_evidence_or_states(log: Log) -> None:
    persona = life().persona.name
    mine = await (await log.view(life().name, persona)).events()
    assert {one.source for one in mine if isinstance(one.body, Traced)} == {
        one.id for one in life().traces
    }
    everything = await (await log.director(life().name)).events()
    hidden = [one for one in everything if isinstance(one.body, EvidenceNoted | Felt)]
    assert len(hidden) > len(life().events)
    assert not any(one.witnesses for one in hidden)


async def test_states_are_the_personas_where_that_is_wanted() -> None:
    drafts = world_of_life(life(), states="owner").drafts
    felt = [one for one in drafts if isinstance(one.body, Felt)]
    assert len(felt) == len(life().events)
    assert all(one.witnesses == (life().persona.name,) for one in felt)


async def test_evidence_is_about_the_traces_that_show_it(log: Log) -> None:
    shows: dict[str, set[str]] = {}
    for trace in life().traces:
        for name in trace.evidence:
            shows.setdefault(name, set()).add(trace.id)
    everything = await (await log.director(life().name)).events()
    found: dict[str, set[str]] = {}
    for event in everything:
        if isinstance(event.body, EvidenceNoted) and event.source:
            sources = {everything[seq - 1].source or "" for seq in event.about}
            found.setdefault(event.source, set()).update(sources)
    assert found == shows


async def test_a_date_is_a_cursor_before_that_days_first_trace(log: Log) -> None:
    persona = life().persona.name
    day = life().begins.replace(day=1).replace(year=life().begins.year + 1)
    view = await log.view(life().name, persona, f"@{day.isoformat()}")
    seen = {one.source for one in await view.events() if isinstance(one.body, Traced)}
    assert seen == {one.id for one in life().traces if one.at.date() < day}


@pytest.mark.parametrize("memory", [Entire, lambda: Recall(20)])
async def test_no_prompt_holds_evidence(log: Log, memory: type[Entire]) -> None:
    told = {run for trace in life().traces for run in runs(written(trace))}
    claims = {run for one in life().evidence for run in runs(one.claim) if run not in told}
    assert len(claims) > 1000
    asked = Respondent(Offline(), FoldedLife(memory), Plain())
    view = await log.view(life().name, life().persona.name, "E40")
    for one in life().evidence[100:900:200]:
        request = await asked.request(view, f"Is it so: {one.claim.split()[-1]}?")
        text = "\n".join(message.text for message in request.messages)
        assert life().traces[0].text[:20] in text or memory is not Entire
        assert not claims.intersection(runs(text))


def test_a_world_is_the_same_each_time() -> None:
    assert world_of_life(life()) == world_of_life(life_of(5))
