"""Experts without a model, on questions of which the log knows the answer."""

from __future__ import annotations

from collections import Counter

import pytest
from shared_data import data

from whoknew.agents.methods.experts import ExpertHint
from whoknew.agents.models.model import Request
from whoknew.agents.sections import Sections
from whoknew.engine.asking.experts import StoryExperts, likely_hint
from whoknew.engine.exams.timechara.asked_world import AskedFor, asked_worlds
from whoknew.engine.exams.timechara.drawing import questions
from whoknew.engine.exams.timechara.labels import ABSENCE, FUTURE, PRESENCE, data_type
from whoknew.eventlog import open_log
from whoknew.worlds.importers.play import world_of
from whoknew.worlds.question import Question

FOR = AskedFor(each=60, speeches=5, mode="witness", seed=3)


PLAYS = ["hamlet", "macbeth", "dream", "r_and_j"]


@pytest.mark.parametrize("play", PLAYS)
async def test_they_say_what_comes_later_and_who_was_not_there(play: str) -> None:
    source = world_of(data("shakespeare", f"{play}.xml"))
    async with open_log(":memory:") as log:
        await log.append(source.name, source.drafts)
        asked = questions(await asked_worlds(log, [source.name], FOR), FOR)
        said: list[tuple[Question, ExpertHint | None]] = []
        for one in asked:
            if one.tags[0] == "structured":
                experts = StoryExperts(log, await log.view(one.world, one.character, one.at), 0)
                sections = Sections(who=one.character, question=one.question)
                found = await experts.find(Request("answer", (), None, sections=sections))
                assert experts.said == (found.name.lower() if found else "none")
                said.append((one, found))
    temporal = [(one.kind == "future") == (hint is ExpertHint.FUTURE) for one, hint in said]
    spatial = [
        (one.kind == "past-absence") == (hint is ExpertHint.ABSENT)
        for one, hint in said
        if one.kind != "future"
    ]
    assert len(said) == 180
    assert sum(temporal) / len(temporal) >= 0.9
    assert sum(spatial) / len(spatial) >= 0.9


@pytest.mark.parametrize("play", PLAYS)
async def test_of_the_true_event_they_are_always_right(play: str) -> None:
    """Every event that is asked about, every main character, at every point at which it can be asked."""
    source = world_of(data("shakespeare", f"{play}.xml"))
    hints = {FUTURE: ExpertHint.FUTURE, ABSENCE: ExpertHint.ABSENT, PRESENCE: None}
    asked: Counter[str] = Counter()
    async with open_log(":memory:") as log:
        await log.append(source.name, source.drafts)
        (world,) = await asked_worlds(log, [source.name], FOR)
        for who in world.people:
            for point in world.asked_at(who):
                view = await log.view(source.name, who, point.at)
                for event in world.events:
                    kind = data_type(world.known(event, who, point), "structured", "witness")
                    assert kind is not None
                    assert likely_hint({event.seq: 1.0}, view) is hints[kind]
                    asked[kind] += 1
    assert min(asked[kind] for kind in hints) > 1000, asked
