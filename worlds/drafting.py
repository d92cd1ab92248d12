"""What is to happen next in a scene, as drafts: each with exactly the witnesses it will have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from whoknew.eventlog import Draft, Kind
from whoknew.eventlog.dealing import why_void
from whoknew.eventlog.kinds import Acted, Became, Entered, Failed, Left, Narrated, Seen, State
from whoknew.worlds.errors import OffStage
from whoknew.worlds.scene import Scene
from whoknew.worlds.setting import Cue
from whoknew.worlds.stage import Stage, Witnesses

SHOWS = frozenset(("asleep", "awake", "invisible", "visible"))
"""The states that others notice, when somebody comes to be in one."""


class Drafting:
    """The drafts of one turn, in order. Each stands on those before it; the scene itself stays as
    it is until they are on the log."""

    def __init__(self, scene: Scene, turn: int, at: datetime) -> None:
        self._scene, self._turn, self._at = scene, turn, at
        self._stage: Stage = scene.stage
        """As it will be: that of the scene, until somebody moves."""
        self._came = set[str]()
        self.drafts: list[Draft] = []

    def turning(self, one: Cue, scenario: str) -> None:
        """What the scenario lets happen. Who is gone does not go."""
        if one.narrates is not None:
            witnesses = self._stage.narration(one.place)
            self._add(Narrated(one.narrates), None, one.place, witnesses)
        elif one.who and one.enters:
            self._come(one.who, one.place, scenario, one.enters)
        elif one.who and one.becomes:
            self.become(one.who, one.becomes)
        elif one.who in self._stage.present:
            self._leave(one.who, Left())

    def become(self, who: str, state: State, by: str | None = None) -> None:
        """Somebody is asleep from now on, or can hear again, and so on; where it is so already, nothing
        happens. Who wakes is told what there is to see, if it slept as the others were."""
        there = who in self._stage.present
        is_new = self._stage.conditions.is_new(who, state)
        if not is_new or (state in ("asleep", "awake") and not there):
            return
        stage = self._changing()
        before = stage.passing(who) if there else (who,)
        stage.conditions.become(who, state)
        after = stage.passing(who) if there else (who,)
        place = stage.place_of(who) if there else None
        if state == "awake" and who not in self._scene.told:
            self._add(Narrated(self._scene.opened.scenario), None, place, (who,))
        shows = max(before, after, key=len) if state in SHOWS else (who,)
        self._add(Became(state, by), who, place, shows)

    def act(
        self, who: str, acted: Acted, about: Sequence[int] = (), goes: str | None = None
    ) -> None:
        """What a character does with its turn; OffStage where it cannot be done. Those who see that
        something is said, and do not hear it, witness that."""
        self._check(who, acted)
        place, witnesses = self._stage.place_of(who), self._witnesses(who, acted)
        self._add(acted, who, place, witnesses, tuple(about))
        if acted.act == "speak" and (seeing := self._seeing(who, acted, witnesses)):
            self._add(Seen(acted.to or self._stage.perceived(who)), who, place, seeing)
        if acted.act == "leave":
            self._leave(who, Left())
            if goes is not None:
                self._add(Entered(), who, goes, self._changing().enter(who, goes))

    def fail(self, who: str, error: str) -> None:
        """A turn that could not be had: the failure stands in its place, and nobody witnesses it."""
        self._add(Failed("turn", error), who, self._stage.place_of(who), ())

    def _witnesses(self, who: str, acted: Acted) -> Witnesses:
        match acted.act:
            case "speak" if acted.to:
                return self._stage.whisper(who, acted.to)
            case "speak":
                return self._stage.speech(who)
            case "none":
                return self._stage.thought(who)
            case "leave" if acted.text:
                return self._stage.farewell(who)
            case "leave":
                return self._stage.passing(who)
            case _:
                return self._stage.deed(who)

    def _seeing(self, who: str, acted: Acted, heard: Witnesses) -> Witnesses:
        """Those who see something said that they do not hear."""
        if acted.to:
            return self._stage.whisper_seen(who, acted.to)
        return self._stage.speech_seen(who, heard)

    def _come(self, who: str, place: str | None, scenario: str, how: str) -> None:
        """Come in; from elsewhere, where one is there. Who hides there steps out; who is there openly
        does not come again."""
        hidden = self._stage.is_hidden(who)
        if who in self._stage.present:
            at = self._stage.place_of(who)
            place = place or (at if hidden else self._scene.place)
            if at != place:
                self._leave(who, Left())
            elif how == "hidden" or not hidden:
                return
        self._enter(who, place or self._scene.place, scenario, how)

    def _enter(self, who: str, place: str | None, scenario: str, how: str) -> None:
        """One who is to come is told what there is to see, the first time."""
        if scenario and who not in self._came and who not in self._scene.seats:
            self._add(Narrated(scenario), None, place, (who,))
        self._came.add(who)
        hidden = how == "hidden"
        self._add(Entered(hidden), who, place, self._changing().enter(who, place, hidden=hidden))

    def _leave(self, who: str, left: Left) -> None:
        place = self._stage.place_of(who)
        self._add(left, who, place, self._changing().leave(who))

    def _changing(self) -> Stage:
        """A stage of its own, on which others can come, go and be otherwise."""
        if self._stage is self._scene.stage:
            self._stage = self._scene.stage.copy()
        return self._stage

    def _check(self, who: str, acted: Acted) -> None:
        """An offer is void unless it gives away all that there is, once, to those who are there."""
        scene = self._scene
        if acted.agrees and who not in scene.offered:
            raise OffStage("there is no offer to agree to: make one")
        if why := why_void(acted.offer, scene.opened.pool, scene.seats):
            raise OffStage(why)

    def _add(
        self,
        body: Kind,
        actor: str | None,
        place: str | None,
        witnesses: Witnesses,
        about: tuple[int, ...] = (),
    ) -> None:
        number = self._scene.number
        self.drafts.append(
            Draft(
                body,
                at=self._at,
                episode=number,
                turn=self._turn,
                actor=actor,
                place=place,
                witnesses=witnesses,
                about=about,
            )
        )


def points(share: Mapping[str, int], worth: Mapping[str, int]) -> int:
    """What a share is worth to somebody."""
    return sum(count * worth.get(item, 0) for item, count in share.items())
