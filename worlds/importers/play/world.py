"""A play as a world: each scene an episode, each speech an event with those who hear it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from whoknew.eventlog import Draft, Kind
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    Doubted,
    Entered,
    EpisodeClosed,
    EpisodeOpened,
    Imported,
    Left,
    Narrated,
    WorldOpened,
)
from whoknew.worlds.importers.imported import ImportedWorld, Remark
from whoknew.worlds.importers.play.audience import YOU
from whoknew.worlds.importers.play.casting import parts_of
from whoknew.worlds.importers.play.changes import Change
from whoknew.worlds.importers.play.direction import business
from whoknew.worlds.importers.play.doubts import Doubts
from whoknew.worlds.importers.play.markup import PlayText, SceneText, read
from whoknew.worlds.importers.play.people import PlayPeople
from whoknew.worlds.importers.play.sight import followers
from whoknew.worlds.importers.play.staging import Staging
from whoknew.worlds.importers.play.steps import Directed, Spoken, Step
from whoknew.worlds.stage import Stage

FORMAT = "play"
BEGINS = datetime(1600, 1, 1, 12)
"""When a story begins that does not say when."""

WORDS_A_SECOND = 2.5
HOURS = {
    "dawn": 5, "daybreak": 5, "morning": 8, "noon": 12, "afternoon": 15, "evening": 19, "night": 22,
}  # fmt: skip
"""What hour it is where a scene's title says so."""

_TIMES = {*HOURS, "the", "same", "next", "day", "later", "that"}
_SENTENCE = re.compile(r"(?<=[.:])\s+")
_NUMBER = re.compile(r"^(?:SCENE|PROLOGUE|EPILOGUE|INDUCTION)\b\s*[IVXLC\d]*\.?\s*", re.IGNORECASE)

HOW = {
    "die": "dies",
    "sleep": "falls asleep",
    "walk": "walks asleep",
    "pray": "is lost in thought",
    "stay": "stays behind",
    "hide": "hides",
    "wake": "wakes",
    "show": "comes out",
}
"""How somebody goes or comes, other than by going or coming."""


def world_of(path: Path) -> ImportedWorld:
    """The play in a file as a world of its own."""
    play = read(path)
    people = PlayPeople(play)
    drafts = [
        Draft(WorldOpened(play.title, planned=len(play.scenes)), BEGINS),
        *(
            Draft(CharacterAdded(name, people.descriptions.get(name, "")), witnesses=(name,))
            for name in people.names
        ),
    ]
    performance = Performance(people, parts_of(play, people))
    for number, scene in enumerate(play.scenes, start=1):
        drafts += performance.scene(scene, number, len(drafts))
    about = {"title": play.title, "persons": [one.name for one in play.people]}
    drafts.append(Draft(Imported(FORMAT, path.name, about)))
    return ImportedWorld(_slug(path.stem), tuple(drafts), tuple(_remarks(play, people, path.name)))


GOING = ("exit", "die", "sleep", "walk", "pray", "stay", "hide")
"""What leaves somebody with nobody else."""


class Performance:
    """A play, scene by scene. The dead stay dead, the clock goes on."""

    def __init__(self, people: PlayPeople, parts: Mapping[str, str]) -> None:
        self._people, self._parts = people, parts
        self._at = BEGINS
        self._there: tuple[str, ...] = ()

    def scene(self, scene: SceneText, number: int, before: int) -> list[Draft]:
        """One scene; `before` events of the world come before it."""
        location = self._location(scene.title)
        self._at = _begins(scene.title, self._at) if number > 1 else self._at
        staging = Staging(scene, self._people, self._there, self._parts)
        self._there = tuple(staging.there)
        name = ", ".join(filter(None, map(_sentence_case, (scene.act, scene.title))))
        acting = Acting(self._people, number, name, location, self._at)
        acting.open(location, staging)
        doubts = Doubts(staging.staged, staging.unsaid(), self._people)
        for at, one in enumerate(staging.staged):
            acting.step(one.step, one.changes)
            acting.doubt(doubts.of(at, acting.there), before)
        acting.close()
        self._at = acting.at
        return acting.drafts

    def _location(self, title: str) -> str:
        """Where a scene plays: its title without its number, and without when, or who is in it."""
        sentences = _SENTENCE.split(_NUMBER.sub("", title).strip())
        plain = [
            one
            for one in sentences
            if not _TIMES.issuperset(re.findall(r"[a-z]+", one.casefold()))
            and not any(one[m.start : m.end].isupper() for m in self._people.mentions(one))
        ]
        return " ".join(plain).rstrip(".: ")


class Acting:
    """One scene as drafts. The stage says who witnesses what."""

    def __init__(
        self, people: PlayPeople, number: int, name: str, place: str, at: datetime
    ) -> None:
        self.at = at
        self._people = people
        self.drafts: list[Draft] = []
        self._number, self._name, self._place = number, name, place or None
        self._stage = Stage()
        self._come: set[str] = set()
        self._away: set[str] = set()
        """Who is in sight, but asleep or lost in thought."""
        self._seers: dict[str, tuple[str, ...]] = {}
        """Who alone perceives whom."""
        self._hid: dict[str, float] = {}
        """When each last hid, in steps; those who follow some unseen count as having hid before them."""
        self._steps = 0
        self._scenario = ""
        self._turn = 0
        self._previous: tuple[str, ...] = ()
        self._spoken_to: tuple[str, ...] = ()
        """Whom the last words were meant for, as a direction says."""

    def open(self, scenario: str, staging: Staging) -> None:
        """All who are there before the first word are in the room as the scene opens."""
        first: list[str] = list(staging.begins)
        for one in staging.staged:
            if isinstance(one.step, Spoken):
                break
            if any(change.how != "enter" for change in one.changes):
                break
            first += [change.who for change in one.changes if change.who not in first]
        for who in first:
            self._stage.enter(who)
        self._come.update(first)
        self._scenario = scenario
        cast = tuple(first)
        self._add(EpisodeOpened(scenario, cast, "as-written", name=self._name), witnesses=cast)

    def step(self, step: Step, changes: Sequence[Change]) -> None:
        self._turn = step.number
        self._steps += 1
        if hiding := [one.who for one in changes if one.how in ("hidden", "hide")]:
            behind = followers(step.text, self._people) if isinstance(step, Directed) else ()
            self._hid |= {who: self._steps - 0.5 * (who in behind) for who in hiding}
        for move in step.moves if isinstance(step, Directed) else ():
            seers = tuple(name for one in move.seen_by for name in one.names)
            self._seers |= {name: seers for one in move.hidden for name in one.names}
        goes = [one for one in changes if one.how in GOING]
        for one in changes:
            if one not in goes:
                self._comes(one)
        if isinstance(step, Spoken):
            self._says(step)
        elif told := business(step.text, self._people):
            unseen = [one.who for one in changes if one.how == "hidden"]
            seeing = [name for one in unseen for name in (one, *self._seeing(one))]
            self._add(Narrated(told), witnesses=seeing or self._stage.narration())
        for one in goes:
            self._goes(one)

    @property
    def there(self) -> tuple[str, ...]:
        """Those who are there and awake."""
        return self._stage.present

    def doubt(self, doubts: Mapping[str, str], before: int) -> None:
        """Say of the last event whose hearing it is open."""
        seq = before + len(self.drafts)
        names: dict[str, list[str]] = {}
        for who, why in doubts.items():
            names.setdefault(why, []).append(who)
        for why, (who, *also) in names.items():
            self._add(Doubted(who, why, tuple(also)), cause=seq)

    def close(self) -> None:
        self._add(EpisodeClosed("the scene ends"), witnesses=self._stage.narration())

    def _says(self, said: Spoken) -> None:
        speakers = self._all() if said.everybody else said.speakers
        self.at += timedelta(seconds=max(1, round(len(said.text.split()) / WORDS_A_SECOND)))
        if not speakers:
            self._add(Narrated(said.text), witnesses=self._stage.narration())
            return
        actor, *also = speakers
        to, witnesses = self._heard(actor, said)
        hearing = [name for name in (*witnesses, *said.called) if name not in said.deaf]
        heard = tuple(dict.fromkeys((*speakers, *hearing)))
        acted = Acted(said.text, to=to, also=tuple(also), writer=said.writer)
        self._add(acted, actor, heard)
        self._previous, self._spoken_to = speakers, to

    def _heard(self, actor: str, said: Spoken) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """For whom words are meant, and who hears them."""
        there = self._stage.present
        to = tuple(one for one in said.to if one in there and one != actor)
        unseen = to and all(map(self._stage.is_hidden, to)) and not self._stage.is_hidden(actor)
        if said.audience.kind == "aside" or unseen:
            to = to or self._called_unseen(actor, said.text)
            return to or (actor,), to
        if self._stage.is_hidden(actor) and not said.voice:
            asking = self._previous if actor in self._spoken_to else ()
            hidden = [name for name in there if self._listens_to(name, actor)]
            return to, tuple(name for name in there if name in (*asking, *hidden))
        return to, there

    def _called_unseen(self, actor: str, text: str) -> tuple[str, ...]:
        """Whom words call by name and "thee" that nobody else perceives."""
        named = [one.names[0] for one in self._people.mentions(text) if one.certain]
        hidden = [name for name in named if name != actor and self._stage.is_hidden(name)]
        return tuple(dict.fromkeys(hidden)) if YOU.search(text) else ()

    def _listens_to(self, name: str, hidden: str) -> bool:
        """Whether one who is hidden hears another who is: they hid together, or that one came later."""
        return self._stage.is_hidden(name) and self._hid[name] <= self._hid[hidden]

    def _all(self) -> tuple[str, ...]:
        """Whoever is there, but for the one who is being answered. Where one of several who are numbered
        has just spoken, it is these."""
        seen = self._stage.seen
        fellows = {name for one in self._previous for name in self._people.fellows(one)}
        if len(chorus := tuple(name for name in seen if name in fellows)) > 1:
            return chorus
        return tuple(name for name in seen if name not in self._previous) or seen

    def _comes(self, change: Change) -> None:
        who = change.who
        hidden = change.how == "hidden"
        if who in self._stage.present and not self._stage.is_hidden(who):
            return
        if who not in self._come and self._scenario:
            self._add(Narrated(self._scenario), witnesses=(who,))
        self._come.add(who)
        self._away.discard(who)
        witnesses = (*self._stage.enter(who, hidden=hidden), *self._seeing(who))
        self._add(Entered(hidden, HOW.get(change.how, "")), who, witnesses)

    def _goes(self, change: Change) -> None:
        who = change.who
        if who not in self._stage.present:
            if who in self._away and change.how == "exit":
                self._away.remove(who)
                self._add(Left(), who, self._stage.narration())
            return
        if change.how not in ("exit", "die", "hide"):
            self._away.add(who)
        seeing = self._seeing(who)
        self._add(Left(HOW.get(change.how, "")), who, (*self._stage.leave(who), *seeing))
        if change.how == "hide":
            self._add(Entered(hidden=True), who, self._stage.enter(who, hidden=True))

    def _seeing(self, who: str) -> tuple[str, ...]:
        """Who alone perceives one who is hidden."""
        there = self._stage.present if self._stage.is_hidden(who) else ()
        return tuple(name for name in self._seers.get(who, ()) if name in there)

    def _add(
        self,
        body: Kind,
        actor: str | None = None,
        witnesses: Sequence[str] = (),
        cause: int | None = None,
    ) -> None:
        source = f"{self._name}, speech {self._turn}"
        self.drafts.append(
            Draft(
                body,
                at=self.at,
                episode=self._number,
                turn=self._turn,
                actor=actor,
                place=self._place,
                witnesses=tuple(witnesses),
                source=source,
                cause=cause,
            )
        )


def _begins(title: str, now: datetime) -> datetime:
    """When a scene begins: at the next hour of the name that its title gives, on the next day if it
    says so; else at the next full hour."""
    words = set(re.findall(r"[a-z]+", title.casefold()))
    named = [hour for word, hour in HOURS.items() if word in words]
    day = now.replace(minute=0, second=0, microsecond=0)
    if words >= {"next", "day"}:
        return day.replace(hour=named[0] if named else 8) + timedelta(days=1)
    if not named:
        return day + timedelta(hours=1)
    begins = day.replace(hour=named[0])
    return begins if begins >= now else begins + timedelta(days=1)


def _sentence_case(title: str) -> str:
    """ACT III as Act III: the words, not the numbers."""
    head = _SENTENCE.split(title)[0].rstrip(".:")
    return " ".join(
        word if re.fullmatch(r"[IVXLC]+", word) else word.capitalize() for word in head.split()
    )


def _slug(stem: str) -> str:
    return re.sub(r"[^\w]+", "-", stem.casefold()).strip("-") or "play"


def _remarks(play: PlayText, people: PlayPeople, source: str) -> Iterator[Remark]:
    yield Remark(source, play.title, "has no clock: it begins at noon on 1 January 1600")
    for spelt, name in people.renamed.items():
        yield Remark(source, spelt, f"is taken for {name}")
