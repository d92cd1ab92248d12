"""A bargainer plays dividing scenarios by rule: it proposes, concedes, and learns.

What the others care for it reads from what they kept for themselves whenever they offered a
division, and from what they agreed to: in this episode, and in earlier ones as far as its memory
brings them to mind. Of all divisions that are still good enough for itself it proposes the one that should please the
others most. So who remembers gives away what costs little and is worth much to the other. Where
there is nothing to divide it is a mind like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from whoknew.agents.agent import Action, Agent, AgentEntry, AgentSeat, Moment, Note, Offer
from whoknew.agents.divisions import Division, Divisions, value
from whoknew.agents.lines import things
from whoknew.agents.mind import Mind
from whoknew.eventlog import Event, View
from whoknew.eventlog.kinds import Acted, EpisodeOpened, GoalGiven, Remembered

FIRST, LAST = 0.95, 0.5
"""Of the most that it could have, a bargainer asks for so much at first, and at the end."""

DOUBT = 1.0
"""As much as one offer weighs the guess that everything is worth the same to everybody."""

STRESS = 2.0
"""How much more a thing is taken to be worth of which all was kept than one given away."""

SHY = 4.0
"""After so many offers of somebody one is half sure of what it cares for."""

Cares = Mapping[str, Mapping[str, float]]


class Hint(NamedTuple):
    """Somebody's share in an offer that it made or took: what part of each thing, and where in
    the view that stands."""

    place: int
    who: str
    part: Mapping[str, float]


class Bargainer(Agent):
    """Its knowledge is a fold of its view: made anew, it acts the same."""

    def __init__(self, mind: Mind) -> None:
        self._who, self._mind = mind.who, mind
        self._seen = 0
        self._notes: dict[int, tuple[int, ...]] = {}
        """What it remembered, by the place in its view: each with the seqs that it rests on."""
        self._hints: list[Hint] = []
        self._pool: dict[str, int] = {}
        self._worth: dict[str, int] = {}
        self._standing: Offer = {}
        self._turns = 0

    async def act(self, moment: Moment) -> Action:
        await self._catch_up(moment.view)
        if not self._pool or not moment.present:
            return await self._mind.act(moment)
        if moment.hidden:
            return Action(act="none")
        known = await self._recollected(moment.view)
        hints = [one for one in self._hints if one.place > moment.begins or one.place in known]
        others = moment.present
        cares = {who: _cares(who, self._pool, hints) for who in others}
        least = self._least(moment, others, cares, _sureness(others, hints))
        mine = value(self._standing.get(self._who, {}), self._worth)
        enough = self._enough(others, cares) if moment.turns_left == 1 else least
        if self._standing and mine >= enough:
            return Action(text="Agreed.", agrees=True)
        chosen = self._choose(others, cares, least)
        told = hints if self._turns == 0 else []  # once is enough
        said, places = _words(self._who, chosen, told, moment.begins)
        return Action(text=said, refers_to=places, offer=chosen)

    @property
    def keeps_before_turns(self) -> bool:
        return self._mind.keeps_before_turns

    async def before_turn(self, moment: Moment) -> tuple[Note, ...]:
        return await self._mind.before_turn(moment)

    @property
    def keeps_of_episodes(self) -> bool:
        return self._mind.keeps_of_episodes

    async def remember(self, moment: Moment) -> tuple[Note, ...]:
        return await self._mind.remember(moment)

    async def _recollected(self, view: View) -> frozenset[int]:
        """The places of what comes to mind of earlier episodes, and of what notes of it rest on."""
        places = (await self._mind.recollect(view)).places
        noted = (seq for place in places for seq in self._notes.get(place, ()))
        return frozenset(places).union(view.before(seq) + 1 for seq in noted)

    def _least(self, moment: Moment, others: Sequence[str], cares: Cares, sure: float) -> float:
        """What a share must be worth by now: less with every turn, to the last. The surer one is
        of what the others care for, the nearer to what is fair one begins."""
        most = value(self._pool, self._worth)
        fair = self._fair(others, cares)
        first = FIRST + sure * (min(FIRST, fair + 0.1) - FIRST)
        last = min(LAST, fair)
        left = 9 if moment.turns_left is None else (moment.turns_left - 1) // (len(others) + 1)
        gone = self._turns / (self._turns + left) if left > 0 else 1.0
        return most * (first - (first - last) * gone)

    def _enough(self, others: Sequence[str], cares: Cares) -> float:
        """What one takes when nobody has a turn any more: without an agreement there is nothing."""
        return value(self._pool, self._worth) * min(LAST, self._fair(others, cares))

    def _fair(self, others: Sequence[str], cares: Cares) -> float:
        """The part of all one's points that one has where whoever has least has most."""
        most = value(self._pool, self._worth) or 1
        ways = Divisions(self._pool, (self._who, *others))
        own = ways.values(self._who, self._worth) / most
        least = own
        for who in others:
            least = least.clip(max=ways.values(who, cares[who]))
        return float(own[least.argmax()])

    def _choose(self, others: Sequence[str], cares: Cares, least: float) -> Division:
        """Good enough for oneself, and then the best for the others as far as one knows them."""
        ways = Divisions(self._pool, (self._who, *others))
        own = ways.values(self._who, self._worth)
        (enough,) = (own >= least).nonzero()
        assert len(enough), "to have everything is always good enough"
        pleased = [ways.values(who, cares[who])[enough] for who in others]
        worst = pleased[0]
        for other in pleased[1:]:
            worst = worst.clip(max=other)
        pleases = worst + 0.01 * sum(pleased)
        best = enough[pleases == pleases.max()]
        return ways[int(best[own[best].argmax()])]

    async def _catch_up(self, view: View) -> None:
        for place, event in enumerate(await view.events(self._seen), start=self._seen + 1):
            self._take(place, event)
        self._seen = len(view)

    def _take(self, place: int, event: Event) -> None:
        match event.body:
            case EpisodeOpened() as opened:
                self._pool, self._worth = dict(opened.pool), {}
                self._standing, self._turns = {}, 0
            case GoalGiven(owner, _, worth) if owner == self._who:
                self._worth = dict(worth)
            case Remembered(sources=sources):
                self._notes[place] = sources
            case Acted() as acted if event.actor:
                self._heard(place, event.actor, acted)

    def _heard(self, place: int, actor: str, acted: Acted) -> None:
        if actor == self._who:
            self._turns += 1
        taken = acted.offer or (self._standing if acted.agrees else {})
        if actor != self._who and self._pool and taken:
            share = taken.get(actor, {})
            part = {item: share.get(item, 0) / count for item, count in self._pool.items()}
            self._hints.append(Hint(place, actor, part))
        if acted.offer:
            self._standing = acted.offer


def _cares(who: str, pool: Mapping[str, int], hints: Sequence[Hint]) -> dict[str, float]:
    """What one of each thing may be worth to somebody, all of the pool being worth 1: more than
    the rest where more of it was kept than of the rest."""
    leaning = dict.fromkeys(pool, 0.0)
    shown = [one.part for one in hints if one.who == who]
    for part in shown:
        usual = sum(part.values()) / len(part)
        for item in pool:
            leaning[item] += part.get(item, usual) - usual
    weights = {
        item: max(0.1, 1 + STRESS * lean / (DOUBT + len(shown))) for item, lean in leaning.items()
    }
    whole = sum(weights[item] * count for item, count in pool.items())
    return {item: weight / whole for item, weight in weights.items()}


def _sureness(others: Sequence[str], hints: Sequence[Hint]) -> float:
    """How well one knows them: by the one of whom least was seen."""
    seen = [sum(one.who == who for one in hints) for who in others]
    least = min(seen, default=0)
    return least / (least + SHY)


def _words(
    me: str, offer: Division, hints: Sequence[Hint], begins: int
) -> tuple[str, tuple[int, ...]]:
    """The offer in words, with what of earlier episodes it relies on."""
    shares = "; ".join(f"{who}: {things(share)}" for who, share in offer.items() if who != me)
    said = f"I take {things(offer[me])}. {shares}."
    if best := max(_remembered(me, offer, hints, begins), default=None):
        _, place, who, item = best
        return f"{who}, you cared for {item} before. {said}", (place,)
    return said, ()


def _remembered(
    me: str, offer: Division, hints: Sequence[Hint], begins: int
) -> Iterator[tuple[float, int, str, str]]:
    """Things that one gives to somebody who kept them in an earlier episode."""
    for hint in hints:
        if hint.place <= begins:
            for item, part in hint.part.items():
                if part > 0 and offer.get(hint.who, {}).get(item):
                    yield part, hint.place, hint.who, item


class BargainerEntry(AgentEntry, frozen=True):
    """divides things by rule; else a mind"""

    thinks: ClassVar[bool] = True

    def make(self, seating: AgentSeat) -> Agent:
        return Bargainer(seating.mind())
