"""Who a character is, what it wants, where it is and who is there: what a player has to know.

A fold of the character's own view alone: what happened unseen changes nothing in it (law 4).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from whoknew.agents.life import Life
from whoknew.engine.server.character_view import KEPT, Own
from whoknew.engine.server.errors import RequestRefused
from whoknew.engine.travel.character_events import Perceived
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import Acted, Became, Entered, EpisodeClosed, EpisodeOpened, Left

PAGE = 500


class PersonHere(Struct, frozen=True, kw_only=True):
    """Somebody who is there, and what is known of them."""

    name: str
    relation: str | None
    about: str | None


class OwnSelf(Struct, frozen=True, kw_only=True):
    """A character by its own knowledge, at its newest event. Between episodes it is `resting`."""

    character: str
    about: str
    goal: str
    worth: dict[str, int]
    pool: dict[str, int]
    scenario: str
    episode: int
    place: str | None
    place_about: str
    hidden: bool
    resting: bool
    present: tuple[PersonHere, ...]


class Selves:
    """The lives of the characters that were asked about lately."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._lives: dict[tuple[str, str], Life] = {}

    async def of(self, own: Own) -> OwnSelf:
        if own.who is None:
            raise RequestRefused("the public part is nobody: take a seat, or come with a token")
        life = await self._life(own.world, own.who)
        here = Whereabouts(own.who)
        if own.episodes:
            first = own.episodes[-1].first
            for after in range(first - 1, own.count, PAGE):
                here.take(await own.events(after, min(own.count, after + PAGE)))
        return _told(own, life, here)

    async def _life(self, world: str, who: str) -> Life:
        if len(self._lives) >= KEPT:
            self._lives.clear()
        life = self._lives.setdefault((world, who), Life(who))
        view = await self._log.view(world, who)
        events = await view.events(done := life.upto)
        if life.upto == done:  # nobody else took them meanwhile
            life.extend(events)
        return life


class Whereabouts:
    """Where a character is in its newest episode, and with whom, as it perceived that."""

    def __init__(self, who: str) -> None:
        self._who = who
        self.place: str | None = None
        self.present: dict[str, None] = {}
        self.hidden = False
        self.resting = True

    def take(self, events: Iterable[Perceived]) -> None:
        for event in events:
            self._take(event)

    def _take(self, event: Perceived) -> None:
        mine = event.actor == self._who
        match event.body:
            case EpisodeOpened():
                self.resting, self.place, self.present = False, event.place, {}
            case EpisodeClosed():
                self.resting, self.present = True, {}
            case Entered(hidden) if mine:
                self.resting, self.hidden, self.place = False, hidden, event.place
                self.present = {}
            case Left() if mine:
                self.resting, self.present = True, {}
            case Left() | Became(state="invisible"):
                self.present.pop(event.actor or "", None)
        if isinstance(event.body, EpisodeOpened | Entered | Acted) and not self.resting:
            self.present.update(dict.fromkeys(event.present))
            if isinstance(event.body, Entered) and not mine and event.place == self.place:
                self.present[event.actor or ""] = None


def _told(own: Own, life: Life, here: Whereabouts) -> OwnSelf:
    now = life.now
    return OwnSelf(
        character=life.who,
        about=life.myself,
        goal=now.goal if now else "",
        worth=dict(now.worth) if now else {},
        pool=dict(now.pool) if now else {},
        scenario=now.scenario if now else "",
        episode=len(own.episodes),
        place=here.place,
        place_about=life.whereabouts.get(here.place or "", ""),
        hidden=here.hidden,
        resting=here.resting,
        present=tuple(
            PersonHere(name=name, relation=life.relations.get(name), about=life.people.get(name))
            for name in here.present
        ),
    )
