"""What happens, day by day, each event made together with its evidence; and what there is to write of it.

An event moves the snapshot on, which the next one begins with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import partial
from itertools import chain
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from whoknew.worlds.lives.bank import Dimension, LifeBank, LifeSituation
from whoknew.worlds.lives.life import (
    EventSort,
    LifeDetail,
    LifeEvent,
    LifeEvidence,
    LifeSnapshot,
)
from whoknew.worlds.lives.matters import keeping, settling, values
from whoknew.worlds.lives.people import KNOWN_LATER, LifeCast
from whoknew.worlds.lives.plan import LifePlan, PlannedArc, PlannedEvent, loose
from whoknew.worlds.lives.snapshots import TURN, beginning, moved
from whoknew.worlds.lives.wording import Wording, slots

OF_ARC: Mapping[Dimension, str] = {
    "experience": "fact",
    "emotion": "emotion",
    "opinion": "opinion",
}

YEAR = timedelta(days=365)

OTHERS = 6
"""So many other answers a detail has, where its list has as many."""


class LifeHappening(Struct, frozen=True, kw_only=True):
    """An event with its evidence; `texts` has the templates to write of it by, in which each name is
    `bound`."""

    event: LifeEvent
    evidence: tuple[LifeEvidence, ...]
    texts: LifeSituation
    bound: Mapping[str, str]
    also: tuple[str, ...] = ()
    """Evidence of earlier events that whatever is written of it shows, too."""

    @property
    def shows(self) -> tuple[str, ...]:
        return (*self.event.evidence, *self.also)


class LivedDays:
    """Makes what happens on one day after another."""

    def __init__(
        self, draw: Random, bank: LifeBank, cast: LifeCast, plan: LifePlan, wording: Wording
    ) -> None:
        self._draw, self._bank, self._cast, self._plan = draw, bank, cast, plan
        self._wording = wording
        self._everyday_roles = [_roles(one) for one in bank.everyday]
        self.now = beginning(6 - cast.persona.traits["neuroticism"])
        self.first = self.now
        self._events = self._evidence = 0
        self._last: dict[int, date] = {}
        """When each thing of every day happened last."""
        self._rests = date.min
        """The last day on which nothing active happens."""
        self._words: tuple[date, dict[str, str]] = (date.min, {})
        """What is the same all day, as the weather is, and on which day."""
        self.states: dict[tuple[str, int], LifeHappening] = {}
        """The events by which arcs came to stand where they stood."""
        self.settled: dict[tuple[int, int], LifeHappening] = {}
        """The events by which matters were settled, by their numbers."""
        self.standings: dict[tuple[str, int], str] = {}
        """The evidence of what holds while a state lasts."""

    def day(self, day: date, errand: Callable[[datetime], LifeHappening]) -> list[LifeHappening]:
        """All that happens on it, in its order; in between, `errand` is called for what is hardly an
        event."""
        length, named = self._plan.length, self.named(day)
        making: list[Callable[[datetime], LifeHappening]] = [
            partial(self._planned, one) for one in self._plan.days.get(day, ())
        ]
        making += [
            partial(self._everyday, named) for _ in range(about(self._draw, length.everyday))
        ]
        making += [errand] * about(self._draw, length.errands)
        self._draw.shuffle(making)
        hours = self._hours(day, len(making))
        return [make(at) for make, at in zip(making, hours, strict=True)]

    def _everyday(self, named: Mapping[str, str], at: datetime) -> LifeHappening:
        """Whatever was longest ago is likeliest; nothing comes again too soon."""
        day, absent = at.date(), self.absent(at.date())
        ago = {
            place: (day - self._last.get(place, self._plan.begins - YEAR)).days
            for place, one in enumerate(self._bank.everyday)
            if absent.isdisjoint(self._everyday_roles[place])
            and day.month in (one.months or (day.month,))
            and not (one.active and day <= self._rests)
        }
        gaps = {place: self._bank.everyday[place].gap for place in ago}
        rested = [place for place in ago if ago[place] > gaps[place]]
        rested = rested or [max(ago, key=lambda one: ago[one] / gaps[one])]
        (place,) = self._draw.choices(rested, [ago[one] for one in rested])
        self._last[place] = day
        sketch = self._bank.everyday[place]
        if sketch.rests:
            self._rests = max(self._rests, day + timedelta(days=sketch.rests))
        return self._of(sketch, at, "everyday", "", named)

    def absent(self, day: date) -> frozenset[str]:
        """The roles of those whom the life has left behind, and of those who are yet to come."""
        gone = {role for arc in self._plan.arcs for role in (*_changes(arc, day), *_away(arc, day))}
        return frozenset(gone | self.strangers(day))

    def strangers(self, day: date) -> frozenset[str]:
        """Who has not come into the life yet, or never does."""
        come = {arc.sketch.person: arc.begins[0] for arc in self._plan.arcs if arc.sketch.person}
        return frozenset(role for role in KNOWN_LATER if role not in come or day < come[role])

    def named(self, day: date) -> dict[str, str]:
        """What its people are called on a day, by the persona itself."""
        changed = {
            role: name for arc in self._plan.arcs for role, name in _changes(arc, day).items()
        }
        return {**self._cast.own, **self.seasonal(day), **changed}

    def seasonal(self, day: date) -> Mapping[str, str]:
        """What is the same all day long, and fits its month."""
        if self._words[0] != day:
            season = next(one for one in self._bank.seasons if day.month in one.months)
            words = {name: self._wording.one_of(some, name) for name, some in season.words.items()}
            self._words = (day, words)
        return self._words[1]

    def errand(self, at: datetime, claim: str) -> LifeHappening:
        """What is hardly an event, and leaves a trace all the same."""
        return self._made(at, "errand", "", [("fact", claim)], NOTHING, self._cast.own)

    def _hours(self, day: date, count: int) -> Sequence[datetime]:
        minutes = sorted(self._draw.sample(range(7 * 60 + 30, 20 * 60), count))
        return [datetime.combine(day, time()) + timedelta(minutes=one) for one in minutes]

    def _planned(self, planned: PlannedEvent, at: datetime) -> LifeHappening:
        match planned.sort:
            case "turn":
                return self._turn(self._plan.arcs[planned.of], planned.anchor, at)
            case "arc":
                arc = self._plan.arcs[planned.of]
                situation = arc.anchor(planned.anchor).situations[planned.situation]
                bound = {
                    **self._cast.own,
                    **self.seasonal(at.date()),
                    **arc.bound[planned.anchor],
                }
                return self._of(situation, at, "arc", arc.sketch.id, bound, arc, planned.anchor)
            case "echo" | "shown":
                return self._reminder(self._plan.arcs[planned.of], planned, at)
            case "habit":
                return self._habit(planned.of, at)
            case "wish":
                return self._wish(planned.of, at)
            case "settled" | "kept":
                return self._matter(planned, at)

    def _turn(self, arc: PlannedArc, place: int, at: datetime) -> LifeHappening:
        """An arc comes to stand elsewhere: what brought that about, how it stands, what holds now."""
        anchor, bound = arc.anchor(place), {**self._cast.own, **arc.bound[place]}
        names = arc.bound[place]
        claims = [
            ("fact", self._told(anchor.trigger, names)),
            (
                OF_ARC[arc.sketch.dimension],
                self._told(f"from then on {{me}} was {anchor.state}", names),
            ),
        ]
        said = list(anchor.told[:2])
        if anchor.now is not None:
            bound["value"] = arc.standings[place]
            claims.append(("fact", self._told(f"from then on {anchor.now.claim}", bound)))
            said.append(anchor.now.told)
        texts = LifeSituation(
            fact=anchor.trigger,
            diary=(f"{TURNING} {anchor.trigger}.", " ".join(said)),
            msg=(f"[Listen.|News.|You'll laugh, or not.|Sit down.] {anchor.told[0]}",),
            to="friend",
        )
        made = self._made(at, "turn", arc.sketch.id, claims, texts, bound, arc=arc, place=place)
        self.states[arc.sketch.id, place] = made
        if anchor.now is not None:
            self.standings[arc.sketch.id, place] = made.evidence[-1].id
        return made

    def _reminder(self, arc: PlannedArc, planned: PlannedEvent, at: datetime) -> LifeHappening:
        """Nothing happens, but the arc is thought of; or it shows."""
        place = planned.anchor
        anchor, bound = arc.anchor(place), {**self._cast.own, **arc.bound[place]}
        if planned.sort == "shown":
            claim = self._told(f"{{me}} {anchor.shown}", bound)
            texts = LifeSituation(fact=anchor.shown, diary=(f"{SHOWING} {anchor.shown}.",))
        else:
            claim = self._told(f"{{me}} was still {anchor.state}", bound)
            said = self._wording.one_of(anchor.told, f"{arc.sketch.id}/{place}")
            bound["title"] = self._wording.fill(arc.sketch.title, bound)
            texts = LifeSituation(
                fact=anchor.state,
                diary=(f"[{{still}}|] {said}",),
                memo=(f"[NB:|For me:|Later:] {said}",),
            )
        sort = OF_ARC[arc.sketch.dimension]
        return self._made(
            at, planned.sort, arc.sketch.id, [(sort, claim)], texts, bound, arc=arc, place=place
        )

    def _habit(self, number: int, at: datetime) -> LifeHappening:
        habit = self._plan.habits[number]
        claim = f"{habit.when}, and {{me}} {habit.does}"
        texts = LifeSituation(fact=claim, diary=habit.diary)
        bound = self.named(at.date())
        wearing = habit.dimension == "emotion"
        return self._made(
            at,
            "habit",
            f"habit-{number}",
            [("fact", self._told(claim, {}))],
            texts,
            bound,
            feeling="worn" if wearing else "",
        )

    def _wish(self, number: int, at: datetime) -> LifeHappening:
        wish = self._plan.wishes[number]
        bound = {**self.named(at.date()), **self._plan.wished[number]}
        claim = self._told(f"{{me}} looked into {wish.title} and did not {wish.deed}", bound)
        texts = LifeSituation(fact=wish.title, diary=wish.diary, search=wish.search)
        return self._made(at, "wish", f"wish-{number}", [("fact", claim)], texts, bound)

    def _matter(self, planned: PlannedEvent, at: datetime) -> LifeHappening:
        """It is settled, or settled anew; or what holds of it is come back to."""
        matter, place = self._plan.matters[planned.of], planned.anchor
        bound = {**self.named(at.date()), **values(matter, place)}
        fresh = planned.sort == "settled"
        said = "from then on " if fresh else "as before, "
        claim = self._told(f"{said}{matter.sketch.claim}", bound)
        texts = settling(matter.sketch, place, self._wording) if fresh else keeping(matter.sketch)
        made = self._made(
            at,
            planned.sort,
            f"matter-{matter.sketch.id}",
            [(OF_ARC[matter.sketch.dimension], claim)],
            texts,
            bound,
        )
        if fresh:
            self.settled[planned.of, place] = made
            return made
        return replace(made, also=self.settled[planned.of, place].event.evidence)

    def _of(
        self,
        sketch: LifeSituation,
        at: datetime,
        sort: EventSort,
        of: str,
        named: Mapping[str, str],
        arc: PlannedArc | None = None,
        place: int = 0,
    ) -> LifeHappening:
        """One of the bank: all its texts name the same things."""
        drawn = {name: self._wording.word(kind, named) for name, kind in sketch.draw.items()}
        drawn |= {name: f"{at:%A}" for name, kind in sketch.draw.items() if kind == WEEKDAY}
        bound = {**named, **drawn}
        bound |= loose((sketch.fact, sketch.ask), bound, self._wording, named)
        claim = self._told(sketch.fact, bound)
        return self._made(
            at,
            sort,
            of,
            [("fact", claim)],
            sketch,
            bound,
            arc=arc,
            place=place,
            detail=self._detail(sketch, bound),
        )

    def _detail(self, sketch: LifeSituation, bound: Mapping[str, str]) -> LifeDetail | None:
        if not sketch.ask:
            return None
        words = self._bank.lists[sketch.draw.get(sketch.key, sketch.key.rstrip("0123456789"))]
        right = bound[sketch.key]
        others = [one for one in words if one.casefold() != right.casefold() and "{" not in one]
        return LifeDetail(
            ask=self._wording.say(sketch.ask, {**bound, **self._cast.asked, **_kept(bound)}),
            answer=right,
            others=tuple(self._draw.sample(others, min(OTHERS, len(others)))),
        )

    def _made(
        self,
        at: datetime,
        sort: EventSort,
        of: str,
        claims: Sequence[tuple[str, str]],
        texts: LifeSituation,
        bound: Mapping[str, str],
        *,
        arc: PlannedArc | None = None,
        place: int = 0,
        feeling: str = "",
        detail: LifeDetail | None = None,
    ) -> LifeHappening:
        self._events += 1
        name = f"h{self._events:05}"
        evidence = []
        for kind, claim in claims:
            self._evidence += 1
            number = f"v{self._evidence:05}"
            evidence.append(LifeEvidence(id=number, sort=kind, claim=claim, event=name))  # type: ignore[arg-type]
        before, self.now = self.now, self._moved(arc, place, sort, feeling)
        event = LifeEvent(
            id=name,
            at=at,
            sort=sort,
            of=of,
            evidence=tuple(one.id for one in evidence),
            before=before,
            after=self.now,
            detail=detail,
        )
        return LifeHappening(event=event, evidence=tuple(evidence), texts=texts, bound=bound)

    def _moved(
        self, arc: PlannedArc | None, place: int, sort: EventSort, feeling: str
    ) -> LifeSnapshot:
        if arc is None:
            return moved(self.now, feeling, "", {})
        anchor = arc.anchor(place)
        names = {**_kept(arc.bound[place]), **self._cast.claim}
        title = self._wording.fill(arc.sketch.title, names)
        stands = {title: self._wording.fill(anchor.state, names)} if sort == "turn" else {}
        weight = TURN if sort == "turn" else 0.5 if sort in ("echo", "shown") else 1.0
        return moved(self.now, anchor.feeling, title, stands, weight=weight)

    def _told(self, template: str, bound: Mapping[str, str]) -> str:
        """As it is told of the persona by somebody else."""
        text = self._wording.fill(template, {**_kept(bound), **self._cast.claim})
        return f"{text[:1].upper()}{text[1:]}."


NOTHING = LifeSituation(fact="")

WEEKDAY = "weekday"
"""The list that is not drawn from where something happens: each trace has its date."""

TURNING = "[So it has happened:|This is what happened:|It came about like this:|To be kept for later:|Today, then:]"
SHOWING = "[I saw myself at it:|Today, again:|It must have looked odd:|Nobody asked why:] I"


def _kept(bound: Mapping[str, str]) -> dict[str, str]:
    """What was drawn: all but what people are called."""
    return {name: word for name, word in bound.items() if name not in PERSONAL}


PERSONAL = frozenset(("me", "me_too", "my", "mother", "father"))
"""What is said otherwise by the persona itself than by others."""


def _roles(sketch: LifeSituation) -> frozenset[str]:
    """Of whom it tells, and to whom it is written."""
    texts = (sketch.fact, *sketch.diary, *sketch.msg, *sketch.post, *sketch.mail)
    return frozenset((*chain.from_iterable(map(slots, texts)), sketch.to))


def _changes(arc: PlannedArc, day: date) -> Mapping[str, str]:
    place = arc.at(day)
    if not arc.sketch.changes or place is None or place < arc.sketch.changes_at:
        return {}
    return arc.sketch.changes


def _away(arc: PlannedArc, day: date) -> Sequence[str]:
    place = arc.at(day)
    return () if place is None else arc.anchor(place).away


def about(draw: Random, mean: float) -> int:
    """A whole number, in the mean this one."""
    return int(mean) + (draw.random() < mean - int(mean))
