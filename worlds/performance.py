"""A script played: each beat a draft, with exactly the witnesses that the stage gives it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, time

from msgspec import Struct

from whoknew.eventlog import Draft, Kind
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    Entered,
    EpisodeClosed,
    EpisodeOpened,
    GoalGiven,
    Left,
    MarkPlaced,
    Narrated,
    PlaceAdded,
    RelationSet,
    Traced,
    WorldOpened,
)
from whoknew.worlds.errors import BadScript, OffStage
from whoknew.worlds.script import Beat, Scene, Script, WhatIf
from whoknew.worlds.stage import Stage, Witnesses


class Played(Struct, frozen=True):
    """Drafts in order, and the seq that each label stands for. They follow upon seq `after`."""

    after: int
    drafts: tuple[Draft, ...]
    labels: dict[str, int]


def play(script: Script) -> Played:
    """The whole script, as the first events of a new world."""
    stand = _Performance(script)
    for number, scene in enumerate(script.episodes, start=1):
        stand.open(number, scene)
        stand.go_on(scene.beats, f"episodes[{number - 1}]")
        stand.close()
    return Played(0, tuple(stand.drafts), dict(stand.labels))


def play_what_if(script: Script) -> Played:
    """What happens instead, in a fork made at seq `after`."""
    instead = script.what_if
    if instead is None:
        raise BadScript(f"{script.source}: the script has no what_if")
    stand = _Performance(script)
    for number, scene in enumerate(script.episodes, start=1):
        stand.open(number, scene)
        for place, beat in enumerate(scene.beats):
            if beat.label == instead.instead_of:
                return _other_way(stand, instead)
            stand.go_on([beat], f"episodes[{number - 1}]", place)
        stand.close()
    raise BadScript(f"{script.place('what_if')}: no beat has the label {instead.instead_of!r}")


def _other_way(stand: _Performance, instead: WhatIf) -> Played:
    after = len(stand.drafts)
    stand.drafts.append(Draft(Kind()))  # stands for the event by which the fork begins
    stand.go_on(instead.beats, "what_if")
    stand.close()
    return Played(after, tuple(stand.drafts[after + 1 :]), dict(stand.labels))


class _Performance:
    """The drafts so far, the labels they bear, and how people stand after them."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._names = tuple(person.name for person in script.characters)
        self._stage = Stage()
        self._now = script.begins
        self._place: str | None = None
        self._episode = self._turn = 0
        self.drafts: list[Draft] = list(self._prologue())
        self.labels: dict[str, int] = {}

    def open(self, number: int, scene: Scene) -> None:
        where = self._script.place(f"episodes[{number - 1}]")
        self._check_names([*scene.cast, *scene.goals], where)
        if scene.begins < self._now:
            raise BadScript(f"{where}: begins {scene.begins}, before {self._now}, the story's time")
        self._stage, self._place = Stage(scene.cast), scene.place
        self._episode, self._turn, self._now = number, 0, scene.begins
        self._add(EpisodeOpened(scene.scenario, scene.cast, order="scripted"), None, scene.cast)
        for owner, goal in scene.goals.items():
            self._add(GoalGiven(owner, goal), None, (owner,))

    def go_on(self, beats: Sequence[Beat], part: str, first: int = 0) -> None:
        for number, beat in enumerate(beats, start=first):
            where = self._script.place(f"{part}.beats[{number}]")
            try:
                self._beat(beat, where)
            except OffStage as error:
                raise BadScript(f"{where}: {error}") from None

    def close(self) -> None:
        self._add(EpisodeClosed("the script ends"), None, self._stage.present)

    def _prologue(self) -> Iterator[Draft]:
        """What the world is. Of people each knows itself, and how it stands to others; of
        places everyone knows."""
        script = self._script
        yield Draft(WorldOpened(script.title, script.seed), script.begins)
        for person in script.characters:
            body = CharacterAdded(person.name, person.description)
            yield Draft(body, witnesses=(person.name,))
        for place in script.places:
            yield Draft(PlaceAdded(place.name, place.description), witnesses=self._names)
        for one in script.relations:
            self._check_names([one.of, one.to], script.place("relations"))
            yield Draft(RelationSet(one.of, one.to, one.relation), witnesses=(one.of,))

    def _beat(self, beat: Beat, where: str) -> None:
        if len(beat.deeds) != 1:
            given = " and ".join(beat.deeds) or "nothing"
            raise BadScript(f"{where}: {given} happens in it: give it exactly one thing to happen")
        self._check_names([*([beat.who] if beat.who else []), *beat.to], where)
        self._now = self._time(beat, where)
        self._turn += 1
        actor, body, witnesses, about = self._happening(beat, where)
        about += tuple(self._seq(label, where) for label in beat.about)
        self._add(body, actor, witnesses, about)
        if beat.label:
            if beat.label in self.labels:
                raise BadScript(f"{where}: an earlier beat has the label {beat.label!r} already")
            self.labels[beat.label] = len(self.drafts)

    def _happening(
        self, beat: Beat, where: str
    ) -> tuple[str | None, Kind, Witnesses, tuple[int, ...]]:
        """Who does it, what it is, who witnesses it, and what it is about by its nature."""
        stage = self._stage
        if beat.narrates is not None:
            return None, Narrated(beat.narrates), stage.narration(), ()
        if beat.mark is not None:
            return None, MarkPlaced(beat.mark), (), ()
        who = beat.who
        if not who:
            raise BadScript(f"{where}: who {beat.deeds[0]}? Give `who`")
        if beat.to and not (beat.whispers or beat.writes or beat.says):
            raise BadScript(f"{where}: `to` goes with says, whispers and writes only")
        if beat.says is not None:
            return who, Acted(beat.says, "speak", beat.to), stage.speech(who), ()
        if beat.whispers is not None:
            body = Acted(beat.whispers, "speak", self._addressed(beat, where))
            return who, body, stage.whisper(who, beat.to), ()
        if beat.does is not None:
            return who, Acted(beat.does, "action"), stage.deed(who), ()
        if beat.gestures is not None:
            return who, Acted(beat.gestures, "non-verbal"), stage.deed(who), ()
        if beat.thinks is not None:
            return who, Acted(beat.thinks, "none"), stage.thought(who), ()
        if beat.writes is not None:
            letter = Traced("letter", beat.writes, self._addressed(beat, where))
            return who, letter, stage.writing(who), ()
        if beat.reads is not None:
            return self._reading(who, beat.reads, where)
        if beat.enters is not None:
            hidden = beat.enters == "hidden"
            return who, Entered(hidden), stage.enter(who, hidden=hidden), ()
        return who, Left(), stage.leave(who), ()

    def _reading(
        self, reader: str, label: str, where: str
    ) -> tuple[str | None, Kind, Witnesses, tuple[int, ...]]:
        """The letter reaches its reader: its writer is who tells, and it is about the writing."""
        seq = self._seq(label, where)
        written = self.drafts[seq - 1]
        if not isinstance(written.body, Traced) or reader not in written.body.audience:
            raise BadScript(f"{where}: {label!r} is no letter to {reader}")
        return written.actor, written.body, self._stage.reading(reader), (seq,)

    def _add(
        self,
        body: Kind,
        actor: str | None,
        witnesses: Witnesses,
        about: tuple[int, ...] = (),
    ) -> None:
        draft = Draft(
            body, self._now, self._episode, self._turn, actor, self._place, witnesses, about
        )
        self.drafts.append(draft)

    def _time(self, beat: Beat, where: str) -> datetime:
        if beat.at is None:
            return self._now
        try:
            of_day = len(beat.at) <= 8
            at = (
                datetime.combine(self._now.date(), time.fromisoformat(beat.at))
                if of_day
                else datetime.fromisoformat(beat.at)
            )
        except ValueError:
            raise BadScript(
                f'{where}: at = "{beat.at}" is no time: write it as "23:04" or "1998-11-13T00:10"'
            ) from None
        if at < self._now:
            raise BadScript(
                f'{where}: at = "{beat.at}" is before {self._now:%H:%M}, the story\'s time; '
                f'past midnight, give the date too: "{self._now:%Y-%m-%d}T..."'
            )
        return at

    def _addressed(self, beat: Beat, where: str) -> tuple[str, ...]:
        if not beat.to:
            raise BadScript(f"{where}: to whom? Give `to`")
        return beat.to

    def _seq(self, label: str, where: str) -> int:
        if label not in self.labels:
            known = ", ".join(self.labels) or "none"
            raise BadScript(f"{where}: no earlier beat has the label {label!r} (labels: {known})")
        return self.labels[label]

    def _check_names(self, names: Sequence[str], where: str) -> None:
        unknown = [name for name in names if name not in self._names]
        if unknown:
            raise BadScript(
                f"{where}: {unknown[0]!r} is not among the characters ({', '.join(self._names)})"
            )
