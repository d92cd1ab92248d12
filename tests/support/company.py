"""Who perceives what, by plain sets: the rules of `docs/plans.md`, and nothing of the engine. And what can
happen in a house, as strategies."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from whoknew.eventlog.kinds import State
from whoknew.worlds.reach import Reach

PEOPLE = ("Oda", "Bram", "Kit")
ROOMS = ("hall", "loft", "yard")
SCENARIO = "A house by night."
ENDS: dict[State, State] = {
    "awake": "asleep",
    "hearing": "deaf",
    "seeing": "blind",
    "visible": "invisible",
}


# what can happen

people, rooms = st.sampled_from(PEOPLE), st.sampled_from(ROOMS)
groups = st.lists(people, unique=True, max_size=2).map(tuple)
states = st.sampled_from((*ENDS, *ENDS.values()))


class Says(NamedTuple):
    who: str
    to: tuple[str, ...] = ()


class Does(NamedTuple):
    who: str


class Thinks(NamedTuple):
    who: str


class Goes(NamedTuple):
    who: str
    place: str
    text: str


class Becomes(NamedTuple):
    who: str
    state: State


class Comes(NamedTuple):
    who: str
    place: str
    hidden: bool


class IsGone(NamedTuple):
    who: str


class IsTold(NamedTuple):
    place: str | None


class NextEpisode(NamedTuple):
    where: dict[str, str]
    hidden: tuple[str, ...]
    asleep: tuple[str, ...]


Step = Says | Does | Thinks | Goes | Becomes | Comes | IsGone | IsTold | NextEpisode

anything = (
    st.builds(Says, people)
    | st.builds(Says, people, groups)
    | st.builds(Does, people)
    | st.builds(Thinks, people)
    | st.builds(Goes, people, rooms, st.sampled_from(["", "Good night."]))
    | st.builds(Becomes, people, states)
    | st.builds(Comes, people, rooms, st.booleans())
    | st.builds(IsGone, people)
    | st.builds(IsTold, st.none() | rooms)
    | st.builds(NextEpisode, st.dictionaries(people, rooms), groups, groups)
)


def spell(who: str, ends: State, meanwhile: list[Step]) -> list[Step]:
    """Something is the matter with somebody for a while."""
    return [Becomes(who, ENDS[ends]), *meanwhile, Becomes(who, ends)]


spells = st.builds(
    spell, people, st.sampled_from(tuple(ENDS)), st.lists(anything, min_size=1, max_size=4)
)
steps = st.lists(anything.map(lambda step: [step]) | spells, min_size=2, max_size=8).map(
    lambda parts: [step for part in parts for step in part]
)
near = st.dictionaries(rooms, st.lists(rooms, unique=True, max_size=2).map(tuple))
reaches = st.builds(Reach, near, near)

ailing = st.dictionaries(
    people, st.lists(st.sampled_from(["deaf", "blind", "invisible"]), unique=True).map(tuple)
)

# the model


Perceived = list[tuple[str, set[str]]]
"""The kind of each event, and who perceives it."""


class Company:
    """Who is where, and what is the matter with whom. What happens is
    perceived so; None where it cannot happen."""

    def __init__(self, reach: Reach) -> None:
        self.reach, self.begun = reach, False
        self.at: dict[str, str] = {}
        self.ails: dict[str, set[str]] = {name: set() for name in PEOPLE}
        self.hidden, self.met, self.told = set[str](), set[str](), set[str]()

    def hear(self, place: str) -> set[str]:
        return {
            name
            for name, at in self.at.items()
            if place in (at, *self.reach.hears.get(at, ()))
            and not self.ails[name] & {"asleep", "deaf"}
        }

    def see(self, place: str) -> set[str]:
        return {
            name
            for name, at in self.at.items()
            if place in (at, *self.reach.sees.get(at, ()))
            and not self.ails[name] & {"asleep", "blind"}
        }

    def awake(self, place: str | None) -> set[str]:
        there = [name for name, at in self.at.items() if place in (None, at)]
        return {name for name in there if not self.sleeps(name)}

    def sleeps(self, who: str) -> bool:
        return "asleep" in self.ails[who]

    def unseen(self, who: str) -> bool:
        return who in self.hidden or "invisible" in self.ails[who]

    def notice(self, who: str, those: set[str]) -> set[str]:
        return {who} if self.unseen(who) else {who, *those}

    def passing(self, who: str) -> set[str]:
        """Coming and going is seen, or heard by those who are near."""
        place = self.at[who]
        return self.notice(who, self.see(place) | self.awake(place))

    def happen(self, step: Step) -> Perceived | None:
        match step:
            case NextEpisode():
                return self.next_episode(step)
            case Becomes(who, state):
                return self.become(who, state)
            case Comes(who, place, hidden):
                return self.come(who, place, hidden)
            case IsGone(who):
                return self.leave(who) if who in self.at else []
            case IsTold(place):
                return [("Narrated", self.awake(place))]
            case Says(who) | Does(who) | Thinks(who) | Goes(who):
                if who not in self.awake(None):
                    return None
        place = self.at[who]
        match step:
            case Says(who, ()):
                heard = {who, *self.hear(place)}
                saw = self.notice(who, self.see(place)) - heard
            case Says(who, to):
                alike = all(self.at.get(name) == place and not self.unseen(name) for name in to)
                if not alike or who in to:
                    return None
                heard = {who, *(self.hear(place) & set(to))}
                saw = self.notice(who, self.see(place) & set(to)) - heard
            case Does(who):
                return [("Acted", self.notice(who, self.see(place)))]
            case Thinks(who):
                return [("Acted", {who})]
            case Goes(who, further, text):
                near = {name for name in self.hear(place) if self.at[name] == place}
                going = self.notice(who, near) if text else self.passing(who)
                return [("Acted", going), *self.leave(who), *self.enter(who, further)]
        if who in self.hidden:
            return None
        return [("Acted", heard), *([("Seen", saw)] if saw else [])]

    def become(self, who: str, state: State) -> Perceived:
        ails = self.ails[who]
        after = ails - {ENDS[state]} if state in ENDS else ails | {state}
        if after == ails or (who not in self.at and state in ("asleep", "awake")):
            return []
        before = self.passing(who) if who in self.at else {who}
        self.ails[who] = after
        noticed = before | self.passing(who) if who in self.at else {who}
        shows = state in ("asleep", "awake", "invisible", "visible")
        wakes = state == "awake" and who not in self.told
        return [*self.tell(who, wakes), ("Became", noticed if shows else {who})]

    def come(self, who: str, place: str, hidden: bool) -> Perceived:
        if self.at.get(who) == place:
            if who not in self.hidden or hidden:
                return []
            self.hidden.remove(who)
            return [("Entered", self.passing(who))]
        left = self.leave(who) if who in self.at else []
        first = self.tell(who, who not in self.met)
        return [*left, *first, *self.enter(who, place, hidden)]

    def tell(self, who: str, now: bool) -> Perceived:
        """What there is to see, to one who learns it now."""
        if not now:
            return []
        self.told.add(who)
        return [("Narrated", {who})]

    def leave(self, who: str) -> Perceived:
        noticed = self.passing(who)
        del self.at[who]
        self.hidden.discard(who)
        return [("Left", noticed)]

    def enter(self, who: str, place: str, hidden: bool = False) -> Perceived:
        self.at[who] = place
        self.met.add(who)
        if hidden:
            self.hidden.add(who)
        return [("Entered", self.passing(who))]

    def next_episode(self, step: NextEpisode) -> Perceived:
        closed = [("EpisodeClosed", set(self.at))] if self.begun else []
        self.begun = True
        cast, asleep = set(step.where), set(step.asleep) & set(step.where)
        for ails in self.ails.values():
            ails.discard("asleep")
        apart = {
            name
            for name in cast
            if step.where[name] != ROOMS[0] or name in step.hidden or "invisible" in self.ails[name]
        }
        self.at = dict.fromkeys(cast - apart, ROOMS[0])
        self.hidden, self.met, self.told = set(), set(cast), cast - asleep
        for name in asleep:
            self.ails[name].add("asleep")
        opened = [("EpisodeOpened", cast - asleep)]
        for name in step.where:
            if name in apart:
                opened += self.enter(name, step.where[name], name in step.hidden)
        fell = [("Became", self.passing(name)) for name in step.asleep if name in cast]
        return [*closed, *opened, *fell]
