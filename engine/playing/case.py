"""What a judge is given: an episode as the director saw it, and how it came to be; or an answer, and
what it was given from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

from msgspec import Struct

from whoknew.engine.plan.plan import Plan
from whoknew.eventlog import Event, Log, View
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.frozen_dict import NONE, freeze
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    Entered,
    EpisodeOpened,
    GoalGiven,
    RelationSet,
)
from whoknew.eventlog.story import of_story
from whoknew.eventlog.words import terms
from whoknew.worlds.setting import Need, Scenario, Setting


class Ending(Struct, frozen=True):
    """How an episode ended; where there was something to divide, the points that each has, and the
    most that it could have."""

    reason: str
    points: dict[str, tuple[int, int]] = NONE

    def __post_init__(self) -> None:
        freeze(self, "points")


class EpisodeCase:
    """One episode, played to its end: `events` are its own, `background` those before the first
    episode of its world; without calls, and without what stands beside the story."""

    def __init__(
        self,
        log: Log,
        plan: Plan,
        setting: Setting,
        background: Sequence[Event],
        events: Sequence[Event],
        ending: Ending,
    ) -> None:
        opened = events[0].body
        assert isinstance(opened, EpisodeOpened)
        self.log, self.plan, self.ending = log, plan, ending
        self.background, self.events, self.episode = background, events, opened
        named = (one for one in setting.scenarios if one.name == opened.name)
        self.scenario: Scenario | None = next(named, None)

    @classmethod
    async def of(
        cls, log: Log, world: str, plan: Plan, setting: Setting, opened: int, upto: int, end: Ending
    ) -> Self:
        """The case of the episode that opened at a seq, up to another."""
        first = next(
            event.seq
            for event in await log.landmarks(world, upto)
            if isinstance(event.body, EpisodeOpened)
        )
        background = await _story(log, world, 0, first - 1)
        return cls(log, plan, setting, background, await _story(log, world, opened - 1, upto), end)

    async def earlier(self, after: int = 0) -> list[Event]:
        """The story of its world before this episode, past a seq."""
        opened = self.events[0]
        return await _story(self.log, opened.world, after, opened.seq - 1)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """All who have been in it, in the order of their coming."""
        came = (event.actor for event in self.events if isinstance(event.body, Entered))
        return tuple(dict.fromkeys([*self.events[0].witnesses, *filter(None, came)]))

    @cached_property
    def goals(self) -> dict[str, str]:
        bodies = [event.body for event in self.events]
        return {body.owner: body.goal for body in bodies if isinstance(body, GoalGiven)}

    def portrait(self, who: str) -> str:
        """Who somebody is, as it knows itself."""
        for event in self.background:
            if isinstance(event.body, CharacterAdded) and event.body.name == who:
                return event.body.description or who
        return who

    def relations(self, who: str) -> dict[str, str]:
        """How somebody stands to those who are there."""
        bodies = [event.body for event in self.background]
        return {
            body.to: body.relation
            for body in bodies
            if isinstance(body, RelationSet) and body.of == who and body.to in self.people
        }

    def acts(self, who: str) -> list[Acted]:
        """What somebody did, in order."""
        mine = (event.body for event in self.events if event.actor == who)
        return [body for body in mine if isinstance(body, Acted)]

    async def evidence(self) -> list[Event]:
        """The earlier events that decide here, as the scenario's needs find them on the log."""
        needs = self.scenario.needs if self.scenario else ()
        found = {
            event.seq: event
            for need in needs
            for event in needed(await self._episodes(need.scenario), need)
        }
        return [found[seq] for seq in sorted(found)]

    async def _episodes(self, name: str) -> list[Event]:
        """The story of the earlier episodes of a scenario, and of no others."""
        world, upto = self.events[0].world, self.events[0].seq - 1
        opened = [
            event
            for event in await self.log.landmarks(world, upto)
            if isinstance(event.body, EpisodeOpened)
        ]
        ends = [*(event.seq - 1 for event in opened[1:]), upto]
        return [
            event
            for one, end in zip(opened, ends, strict=False)
            if isinstance(one.body, EpisodeOpened) and one.body.name == name
            for event in await _story(self.log, world, one.seq - 1, end)
        ]


class AnswerCase(Struct, frozen=True, kw_only=True):
    """What a character answered to a question, the events that it named for it, and the view that it
    had, which ends at the cursor. `reference` is an answer that is known to be right, `choices` are
    those that it could choose from, of which `correct` is right; `evidence` are sets of seqs that a right
    answer rests on, `labels` what else is known of the question, and told to judges alone: where there
    are any. `came` gives the seqs of all that came to mind, of what was written down the ones that it
    was written from, and no more of them than were to be chosen; nothing where a memory does not choose
    what fits the question. `brought` gives what came to mind as it stood in the prompt, line by line;
    nothing where a memory asks a model for it."""

    character: str
    question: str
    answer: str
    rests_on: tuple[Event, ...]
    view: View
    reference: str | None = None
    choices: tuple[str, ...] = ()
    correct: str | None = None
    evidence: tuple[tuple[int, ...], ...] = ()
    labels: Mapping[str, Any] = {}
    came: Callable[[], Awaitable[frozenset[int] | None]] | None = None
    brought: Callable[[], Awaitable[tuple[str, ...] | None]] | None = None

    @property
    def people(self) -> tuple[str, ...]:
        return (self.character,)

    @property
    def cursor(self) -> int:
        return self.view.cursor.seq


Case = EpisodeCase | AnswerCase


def needed(story: Sequence[Event], need: Need) -> list[Event]:
    """What somebody did in these episodes, as far as it holds the most of the words; without words,
    whatever it offered or agreed to."""
    acted = [
        (event, event.body)
        for event in story
        if event.actor == need.who and isinstance(event.body, Acted)
    ]
    words = frozenset(terms(need.words))
    if not words:
        return [event for event, body in acted if body.offer or body.agrees]
    held = [(len(words.intersection(terms(body.text))), event) for event, body in acted]
    most = max((count for count, _ in held), default=0)
    return [event for count, event in held if count == most > 0]


async def _story(log: Log, world: str, after: int, upto: int) -> list[Event]:
    return [event async for event in log.read(world, AtSeq(after), AtSeq(upto)) if of_story(event)]
