"""A whole life by a seed: persona, plan, what happens, what is written of it. The same seed and length
give the same life, on any machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from random import Random

from msgspec.structs import replace

from whoknew.worlds.lives.bank import LifeBank, life_bank
from whoknew.worlds.lives.happenings import LifeHappening, LivedDays
from whoknew.worlds.lives.life import (
    ArcState,
    LifeArc,
    LifeContact,
    LifeEvent,
    LifeGraph,
    LifeHabit,
    LifeMatter,
    LifePhase,
    LifeSnapshot,
    LifeStanding,
    LifeTrace,
    LifeWish,
    MajorEvent,
    SettledValue,
    ToldTwice,
)
from whoknew.worlds.lives.people import LifeCast, cast_of
from whoknew.worlds.lives.plan import DAY, LENGTHS, LifePlan, PlannedArc, PlannedMatter, life_plan
from whoknew.worlds.lives.wording import Wording
from whoknew.worlds.lives.writing import LifeWriter


def life_of(seed: int, length: str = "short") -> LifeGraph:
    """A life: `length` is one of LENGTHS."""
    bank = life_bank()
    draws = {part: Random(f"{seed}/{length}/{part}") for part in ("people", "plan", "days", "text")}
    cast = cast_of(draws["people"], bank.people)
    wording = Wording(draws["text"], {**bank.lists, **bank.voices})
    plan = life_plan(draws["plan"], bank, cast, LENGTHS[length], wording)
    return _Making(bank, cast, plan, draws["days"], wording).life(seed)


class _Making:
    """All days of one life."""

    def __init__(
        self, bank: LifeBank, cast: LifeCast, plan: LifePlan, draw: Random, wording: Wording
    ) -> None:
        self._bank, self._cast, self._plan, self._wording = bank, cast, plan, wording
        self._days = LivedDays(draw, bank, cast, plan, wording)
        self._writer = LifeWriter(
            draw, bank=bank, cast=cast, plan=plan, days=self._days, wording=wording
        )
        self._done: list[LifeHappening] = []
        self._traces: list[LifeTrace] = []

    def life(self, seed: int) -> LifeGraph:
        plan, persona = self._plan, self._cast.persona
        for number in range(plan.length.days):
            day = plan.begins + DAY * number
            happenings, traces = self._writer.day(day)
            self._done += happenings
            self._traces += traces
        ends = plan.begins + DAY * (plan.length.days - 1)
        events = [one.event for one in self._done]
        majors = self._majors()
        return LifeGraph(
            name=f"{persona.name}, {seed}",
            seed=seed,
            begins=plan.begins,
            ends=ends,
            persona=persona,
            contacts=self._contacts(),
            arcs=tuple(self._arc(one) for one in plan.arcs),
            habits=tuple(self._habits()),
            wishes=tuple(self._wishes()),
            matters=tuple(self._matters()),
            majors=tuple(majors),
            phases=tuple(_phases(events, majors, ends, self._days.first)),
            events=tuple(events),
            evidence=tuple(piece for one in self._done for piece in one.evidence),
            traces=tuple(
                replace(one, id=f"t{number:05}") for number, one in enumerate(self._traces, start=1)
            ),
        )

    def _contacts(self) -> tuple[LifeContact, ...]:
        never = self._days.strangers(date.max)
        return tuple(one for one in self._cast.contacts if one.role not in never)

    def _twice(self, template: str, arc: PlannedArc, place: int) -> ToldTwice:
        bound = arc.bound[place]
        return ToldTwice(
            claim=self._wording.fill(template, {**bound, **self._cast.claim}),
            asked=self._wording.fill(template, {**bound, **self._cast.asked}),
        )

    def _arc(self, arc: PlannedArc) -> LifeArc:
        return LifeArc(
            id=arc.sketch.id,
            dimension=arc.sketch.dimension,
            title=self._twice(arc.sketch.title, arc, 0),
            states=tuple(self._state(arc, place) for place in range(len(arc.begins))),
        )

    def _state(self, arc: PlannedArc, place: int) -> ArcState:
        anchor, made = arc.anchor(place), self._days.states[arc.sketch.id, place]
        return ArcState(
            state=self._twice(anchor.state, arc, place),
            feeling=anchor.feeling,
            trigger=self._twice(anchor.trigger, arc, place),
            shown=self._twice(anchor.shown, arc, place),
            hush=self._wording.say(anchor.hush, {**arc.bound[place], **self._cast.asked}),
            guesses=anchor.guesses,
            begins=arc.begins[place],
            event=made.event.id,
            evidence=made.evidence[1].id,
            cause=made.evidence[0].id,
            now=self._standing(arc, place),
            now_evidence=self._days.standings.get((arc.sketch.id, place), ""),
            passes=anchor.passes,
        )

    def _standing(self, arc: PlannedArc, place: int) -> LifeStanding | None:
        now, value = arc.anchor(place).now, arc.standings[place]
        if now is None:
            return None
        bound = {**arc.bound[place], "value": value}
        return LifeStanding(
            topic=now.topic,
            ask=self._wording.say(now.ask, {**bound, **self._cast.asked}),
            value=value,
            others=tuple(one for one in self._bank.lists[now.list] if one != value),
            claim=self._wording.fill(now.claim, {**bound, **self._cast.claim}),
        )

    def _majors(self) -> list[MajorEvent]:
        stands: dict[str, int] = {}
        found: list[MajorEvent] = []
        for one in self._done:
            if one.event.sort != "turn":
                continue
            stands = {**stands, one.event.of: stands.get(one.event.of, -1) + 1}
            found.append(
                MajorEvent(
                    event=one.event.id,
                    day=one.event.at.date(),
                    arc=one.event.of,
                    into=stands[one.event.of],
                    stands=stands,
                )
            )
        return found

    def _habits(self) -> list[LifeHabit]:
        return [
            LifeHabit(
                id=f"habit-{number}",
                dimension=one.dimension,
                when=one.when,
                does=self._wording.fill(one.does, self._cast.asked),
                others=tuple(
                    self._wording.fill(other.does, self._cast.asked)
                    for other in self._bank.habits
                    if other.dimension == one.dimension and other.does != one.does
                ),
                events=self._named(f"habit-{number}"),
            )
            for number, one in enumerate(self._plan.habits)
        ]

    def _wishes(self) -> list[LifeWish]:
        found: list[LifeWish] = []
        for number, one in enumerate(self._plan.wishes):
            bound = {**self._plan.wished[number], **self._cast.asked}
            title, deed = self._wording.fill(one.title, bound), self._wording.fill(one.deed, bound)
            found.append(
                LifeWish(
                    id=f"wish-{number}",
                    title=title,
                    deed=deed,
                    hush=self._wording.say(one.hush, bound),
                    guesses=one.guesses,
                    events=self._named(f"wish-{number}"),
                )
            )
        return found

    def _matters(self) -> Iterator[LifeMatter]:
        for number, one in enumerate(self._plan.matters):
            made = [self._days.settled[number, place].event for place in range(len(one.values))]
            yield LifeMatter(
                id=f"matter-{one.sketch.id}",
                dimension=one.sketch.dimension,
                ask=self._wording.say(one.sketch.ask, self._cast.asked),
                settled=tuple(
                    SettledValue(
                        value=value, begins=begins, event=event.id, evidence=event.evidence[0]
                    )
                    for value, begins, event in zip(one.values, one.begins, made, strict=True)
                ),
                others=tuple(self._others(one)),
            )

    def _others(self, matter: PlannedMatter) -> Iterator[str]:
        """What else it could be, from what held first on: so that no word is among them in all lives."""
        words = [word for word in self._bank.lists[matter.sketch.list] if "{" not in word]
        first = words.index(matter.values[0])
        yield from (*words[first:], *words[:first])

    def _named(self, of: str) -> tuple[str, ...]:
        return tuple(one.event.id for one in self._done if one.event.of == of)


TURNING = 10
"""So many days at most an arc is on the turn."""


def _phases(
    events: Sequence[LifeEvent], majors: Sequence[MajorEvent], ends: date, first: LifeSnapshot
) -> list[LifePhase]:
    """From one major event to the next: on the turn, then settling."""
    found: list[LifePhase] = []
    before = first
    for number, major in enumerate(majors):
        begins = major.day if number else events[0].at.date()
        until = majors[number + 1].day - DAY if number + 1 < len(majors) else ends
        middle = min(until, major.day + DAY * TURNING)
        for name, start, end in (("turning", begins, middle), ("settling", middle + DAY, until)):
            if start > end:
                continue
            mine = [one for one in events if start <= one.at.date() <= end]
            after = mine[-1].after if mine else before
            found.append(
                LifePhase(
                    id=f"p{len(found) + 1:03}",
                    name="turning" if name == "turning" else "settling",
                    major=major.event,
                    begins=start,
                    ends=end,
                    events=tuple(one.id for one in mine),
                    before=before,
                    after=after,
                )
            )
            before = after
    return found
