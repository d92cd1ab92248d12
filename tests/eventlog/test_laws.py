"""The laws of the log, held against plain lists, on every store.

One machine appends, conflicts, retries, forks, reads, looks and reopens at random; beside it a
model does the same with lists. What a character saw or recalled is written down and asked again
at the end, when everything else has happened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, ClassVar, TypeVar

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace
from small_worlds import NIGHT, opened
from store_places import Place, log_at
from strategies import phrases

from whoknew.eventlog import ABSENT, ANY, Draft, Event, Log, exactly, verify
from whoknew.eventlog.errors import Conflict, KeyReused, Refused
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    EpisodeOpened,
    Kind,
    MarkPlaced,
    Narrated,
    WorldForked,
)

T = TypeVar("T")

CAST = ("Ana", "Ødön", "世")

EXAMPLES = {"volatile": 120, "sqlite": 50, "apsw": 50, "postgres": 20}
"""How many runs of the machine, by what opening a store costs."""

# drafts, with what depends on the world left open: people by number, references by distance

bodies = (
    phrases.map(Acted)
    | phrases.map(Narrated)
    | st.sampled_from(["dawn", "noon"]).map(MarkPlaced)
    | phrases.map(EpisodeOpened)
)


@dataclass(frozen=True)
class Sketch:
    body: Kind
    actor: int | None
    witnesses: tuple[int, ...]
    back: tuple[int, ...]
    minutes: int | None
    turn: int

    def draft(self, cast: list[str], seq: int, now: datetime) -> Draft:
        """The draft that this is as event `seq` of a world at `now`."""
        people = dict.fromkeys(cast[number % len(cast)] for number in self.witnesses if cast)
        return Draft(
            self.body,
            None if self.minutes is None else now + timedelta(minutes=self.minutes),
            turn=self.turn,
            actor=cast[self.actor % len(cast)] if self.actor is not None and cast else None,
            witnesses=tuple(people),
            about=tuple(dict.fromkeys(seq - 1 - step % (seq - 1) for step in self.back)),
        )


numbers = st.integers(0, 9)

sketches = st.builds(
    Sketch,
    body=bodies,
    actor=st.none() | numbers,
    witnesses=st.lists(numbers, max_size=4).map(tuple),
    back=st.lists(st.integers(0, 20), max_size=2).map(tuple),
    minutes=st.none() | st.integers(0, 3),
    turn=st.integers(0, 4),
)


@dataclass
class Plain:
    """A world as plain lists."""

    events: list[tuple[str, Draft]] = field(default_factory=list)
    """Each with the world that it happened in, its time made plain."""
    cast: list[str] = field(default_factory=list)
    keys: dict[str, tuple[list[Draft], int, int]] = field(default_factory=dict)

    @property
    def head(self) -> int:
        return len(self.events)

    @property
    def now(self) -> datetime:
        return _at(self.events[-1][1])

    def add(self, world: str, drafts: list[Draft]) -> None:
        for draft in drafts:
            at = draft.at or self.now
            self.events.append((world, replace(draft, at=at)))
            if isinstance(draft.body, CharacterAdded):
                self.cast.append(draft.body.name)

    def cut(self, seq: int) -> Plain:
        events = self.events[:seq]
        added = [draft.body.name for _, draft in events if isinstance(draft.body, CharacterAdded)]
        return Plain(list(events), added)


def _at(draft: Draft) -> datetime:
    assert draft.at is not None
    return draft.at


class LogMachine(RuleBasedStateMachine):
    place: ClassVar[Place]

    def __init__(self) -> None:
        super().__init__()
        self.place.renew()
        self.runner = asyncio.Runner()
        self.worlds: dict[str, Plain] = {}
        self.looks: dict[tuple[str, str, int, str], Any] = {}
        self.arrived: list[tuple[str, int]] = []
        self.open()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    def open(self) -> None:
        # So little is kept in memory that all of it is also read from the store.
        self.log = log_at(self.place, keep_events=20, keep_worlds=2)
        self.run(self.log.__aenter__())

    def close(self) -> None:
        self.run(self.log.__aexit__(None, None, None))

    def teardown(self) -> None:
        try:
            self.everything_is_as_it_was()
        finally:
            self.close()
            self.runner.close()

    # what happens

    @initialize(people=st.integers(1, 3))
    def begin(self, people: int) -> None:
        self.open_world(people)

    @precondition(lambda self: len(self.worlds) < 4)
    @rule(people=st.integers(1, 3))
    def open_world(self, people: int) -> None:
        name = f"world {len(self.worlds)}"
        drafts = opened(*CAST[:people])
        self.run(self.log.append(name, drafts, expect=ABSENT))
        self.worlds[name] = Plain()
        self.written(name, drafts)

    @rule(
        data=st.data(),
        some=st.lists(sketches, min_size=1, max_size=5),
        expect=st.sampled_from(["any", "any", "exact", "stale", "absent"]),
        key=st.none() | st.sampled_from(["k", "ключ"]),
    )
    def append(self, data: st.DataObject, some: list[Sketch], expect: str, key: str | None) -> None:
        name, plain = self.chosen(data)
        drafts = self.drafts(plain, some)
        wanted = {
            "any": ANY,
            "exact": exactly(plain.head),
            "stale": exactly(max(1, plain.head - 1)),
            "absent": ABSENT,
        }[expect]
        appending = self.log.append(name, drafts, expect=wanted, key=key)
        if key in plain.keys:
            before, first, last = plain.keys[key]
            if drafts == before:
                again = self.run(appending)
                assert (again.first, again.last) == (first, last)
            else:
                with pytest.raises(KeyReused):
                    self.run(appending)
        elif wanted.seq not in (None, plain.head):
            with pytest.raises(Conflict) as caught:
                self.run(appending)
            assert caught.value.actual == plain.head
        else:
            appended = self.run(appending)
            assert (appended.first, appended.last) == (plain.head + 1, plain.head + len(drafts))
            if key is not None:
                plain.keys[key] = (drafts, appended.first, appended.last)
            self.written(name, drafts)

    @rule(data=st.data())
    def send_again(self, data: st.DataObject) -> None:
        name, plain = self.chosen(data)
        for key, (drafts, first, last) in plain.keys.items():
            again = self.run(self.log.append(name, drafts, expect=exactly(10**6), key=key))
            assert (again.first, again.last) == (first, last)

    @rule(data=st.data(), some=st.lists(st.lists(sketches, min_size=1, max_size=3), max_size=5))
    def append_at_once(self, data: st.DataObject, some: list[list[Sketch]]) -> None:
        """Several writers, of whom all expect the same head: one wins, the others lose."""
        name, plain = self.chosen(data)
        batches = [self.drafts(plain, one) for one in some]

        async def together() -> list[Any]:
            expect = exactly(plain.head)
            appends = [self.log.append(name, drafts, expect=expect) for drafts in batches]
            return await asyncio.gather(*appends, return_exceptions=True)

        results = self.run(together())
        winners = [n for n, one in enumerate(results) if not isinstance(one, Conflict)]
        assert len(winners) == min(1, len(batches))
        for winner in winners:
            assert results[winner].first == plain.head + 1
            self.written(name, batches[winner])

    @rule(data=st.data(), some=st.lists(sketches, min_size=1, max_size=3), wrong=st.integers(0, 4))
    def append_what_breaks_a_law(self, data: st.DataObject, some: list[Sketch], wrong: int) -> None:
        name, plain = self.chosen(data, lambda plain: bool(plain.cast))
        body = Narrated("never")
        last = plain.head + len(some) + 1
        bad = [
            Draft(body, witnesses=("Nobody",)),
            Draft(body, plain.now - timedelta(microseconds=1)),
            Draft(body, about=(last,)),
            Draft(body, witnesses=(plain.cast[0], plain.cast[0])),
            Draft(CharacterAdded(plain.cast[0])),
        ][wrong]
        with pytest.raises(Refused):
            self.run(self.log.append(name, [*self.drafts(plain, some), bad]))

    @precondition(lambda self: len(self.worlds) < 8)
    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        parent, plain = self.chosen(data)
        seq = data.draw(st.integers(1, plain.head), "fork at")
        child = f"world {len(self.worlds)}"
        appended = self.run(self.log.fork(parent, child, f"#{seq}"))
        assert (appended.first, appended.last) == (seq + 1, seq + 1)
        self.worlds[child] = plain.cut(seq)
        # A fork from before its parent's own seam is one of the world where that happened.
        origin = plain.events[seq - 1][0]
        self.written(child, [Draft(WorldForked(origin, seq))])

    @rule()
    def reopen(self) -> None:
        self.close()
        self.open()

    # what is seen of it

    @rule(data=st.data(), backward=st.booleans())
    def read(self, data: st.DataObject, backward: bool) -> None:
        name, plain = self.chosen(data)
        after, upto = (data.draw(st.integers(0, plain.head), "seq") for _ in range(2))
        reading = self.log.read(name, f"#{after}", f"#{upto}", backward=backward)
        found = self.run(_listed(reading))
        wanted = self.expected(plain)[after:upto]
        assert [_plain(event) for event in found] == (wanted[::-1] if backward else wanted)

    @rule(data=st.data(), minutes=st.integers(-1, 12))
    def find_a_story_time(self, data: st.DataObject, minutes: int) -> None:
        name, plain = self.chosen(data)
        at = NIGHT + timedelta(minutes=minutes)
        found = self.run(self.log.cursor(name, f"@{at.isoformat()}"))
        assert found.seq == sum(_at(draft) <= at for _, draft in plain.events)

    @rule(data=st.data(), query=phrases)
    def look(self, data: st.DataObject, query: str) -> None:
        name, plain = self.chosen(data, lambda plain: bool(plain.cast))
        character = data.draw(st.sampled_from(plain.cast), "character")
        added = [
            isinstance(draft.body, CharacterAdded) and draft.body.name == character
            for _, draft in plain.events
        ].index(True)
        seq = data.draw(st.integers(added + 1, plain.head), "cursor")
        self.looks[name, character, seq, query] = self.seen(self.log, name, character, seq, query)

    @invariant()
    def heads_are_where_they_should_be(self) -> None:
        for name, plain in self.worlds.items():
            assert self.run(self.log.cursor(name)).seq == plain.head

    def everything_is_as_it_was(self) -> None:
        """Law 1: nothing is lost or moved. Law 3: no look has changed. Law 12: the chain holds."""
        for log in (self.log, Log(self.log.store)):
            for name, plain in self.worlds.items():
                found = self.run(_listed(log.read(name)))
                assert [_plain(event) for event in found] == self.expected(plain)
                assert all(one.at <= other.at for one, other in pairwise(found))
            for name, character in {(name, character) for name, character, _, _ in self.looks}:
                # So that all that is kept of its life reaches past every look.
                self.seen(log, name, character, self.worlds[name].head, "ghost")
            for (name, character, seq, query), then in self.looks.items():
                assert self.seen(log, name, character, seq, query) == then
        placed = self.run(_listed(self.log.read_all()))
        assert [(one.event.world, one.event.seq) for one in placed] == self.arrived
        checked = self.run(verify(self.log))
        assert checked.faults == ()
        assert checked.events == len(self.arrived)

    # how

    def chosen(
        self, data: st.DataObject, fit: Callable[[Plain], bool] = lambda _: True
    ) -> tuple[str, Plain]:
        worlds = [name for name, plain in self.worlds.items() if fit(plain)]
        name = data.draw(st.sampled_from(worlds), "world")
        return name, self.worlds[name]

    def drafts(self, plain: Plain, some: list[Sketch]) -> list[Draft]:
        now, drafts = plain.now, []
        for seq, sketch in enumerate(some, start=plain.head + 1):
            drafts.append(sketch.draft(plain.cast, seq, now))
            now = drafts[-1].at or now
        return drafts

    def written(self, name: str, drafts: list[Draft]) -> None:
        plain = self.worlds[name]
        self.arrived += [(name, plain.head + n) for n in range(1, len(drafts) + 1)]
        plain.add(name, drafts)

    def expected(self, plain: Plain) -> list[tuple[str, int, Draft]]:
        return [(world, seq, draft) for seq, (world, draft) in enumerate(plain.events, start=1)]

    def seen(self, log: Log, name: str, character: str, seq: int, query: str) -> Any:
        """All that a character can see at a cursor. Law 2: and it is what it witnessed."""

        async def seen() -> Any:
            view = await log.view(name, character, f"#{seq}")
            events = await view.events()
            recalled = await view.recall(query, 5)
            knowledge = (await log.knowledge(name, f"#{seq}")).matrix(range(1, seq + 2))
            return list(view.seqs()), events, recalled, knowledge

        seqs, events, recalled, knowledge = self.run(seen())
        past = self.expected(self.worlds[name])[:seq]
        witnessed = [one for one in past if character in one[2].witnesses]
        assert [_plain(event) for event in events] == witnessed
        assert seqs == [seq for _, seq, _ in witnessed]
        assert all(seqs[one.place - 1] == one.seq for one in recalled)
        return seqs, events, recalled, knowledge


def _plain(event: Event) -> tuple[str, int, Draft]:
    return event.world, event.seq, event.draft


async def _listed(coming: Any) -> list[Any]:
    return [one async for one in coming]


def test_the_log_does_what_plain_lists_do(kind: str, place: Place) -> None:
    machine = type("Machine", (LogMachine,), {"place": place})
    phases = set(Phase) - {Phase.explain}  # which takes minutes to explain one failure here
    chosen = settings(max_examples=EXAMPLES[kind], stateful_step_count=25, phases=phases)
    run_state_machine_as_test(machine, settings=chosen)
