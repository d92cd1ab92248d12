"""An episode log of Sotopia as a world: its messages become events, each with its witnesses."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from whoknew.eventlog import Draft, Kind
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    Described,
    EpisodeClosed,
    EpisodeOpened,
    Failed,
    GoalGiven,
    Imported,
    Left,
    Reviewed,
    WorldOpened,
)
from whoknew.worlds.importers.imported import ImportedWorld, Remark
from whoknew.worlds.importers.sotopia import actiontext, background, export
from whoknew.worlds.importers.sotopia.reasoning import split
from whoknew.worlds.importers.sotopia.records import SotopiaRecord

BEGINS = datetime(2000, 1, 1, 12)
"""Sotopia has no story time: its episodes begin here, and each turn takes a minute."""
TURN = timedelta(minutes=1)


def world_of(record: SotopiaRecord) -> ImportedWorld:
    return _Episode(record).world()


class _Episode:
    def __init__(self, record: SotopiaRecord) -> None:
        self._record, self._fields = record, record.fields
        self._messages: list[list[list[str]]] = (
            record.fields.get("messages") or record.fields.get("raw_messages") or []
        )
        first = self._messages[0] if self._messages else []
        self._names = tuple(dict.fromkeys(to for by, to, _ in first if by == "Environment"))
        self._drafts: list[Draft] = []
        self._remarks: list[Remark] = []
        if not self._names:
            raise ValueError("its messages do not begin with what Environment tells each agent")
        self._turns = list(filter(None, map(_actions, self._messages)))
        self._order = self._order_of_turns()

    def world(self) -> ImportedWorld:
        self._open()
        for number, actions in enumerate(self._turns, start=1):
            self._turn(number, actions)
        self._close()
        verbatim = self._verbatim()
        rest = {**self._rest(), **({"verbatim": verbatim} if verbatim else {})}
        if verbatim:
            self._remark(
                f"{len(verbatim)} parts are not what its events give, and kept as they are"
            )
        self._remark("has no story time: it begins at noon on 1 January 2000, a minute a turn")
        kept = Imported(export.FORMAT, self._record.id, rest)
        self._add(kept, turn=len(self._turns))
        name = f"sotopia-{self._record.id}"
        return ImportedWorld(name, tuple(self._drafts), tuple(self._remarks))

    def _open(self) -> None:
        self._drafts.append(Draft(WorldOpened(f"Sotopia {self._record.id}"), BEGINS))
        told = {
            to: background.parse(text, self._names)
            for by, to, text in self._messages[0]
            if by == "Environment"
        }
        for name in self._names:
            own = told[name]
            description = own.known[name] if own else ""
            self._add(CharacterAdded(name, description), (name,), episode=0)
        for viewer, seen in told.items():
            if seen is None:
                self._remark(f"the opening message to {viewer} is in a form that is not known")
                continue
            for name in self._names:
                if name != viewer and seen.known[name] != background.UNKNOWN:
                    self._add(Described(name, seen.known[name]), (viewer,), episode=0)
        scenario = next(
            (one.scenario for one in told.values() if one), self._fields.get("scenario", "")
        )
        opened = EpisodeOpened(
            scenario,
            cast=self._names,
            order=self._order,
            turn_limit=None,
            name=self._fields.get("codename", ""),
        )
        self._add(opened, self._names)
        for viewer, seen in told.items():
            if seen is not None and seen.goals[viewer] != background.UNKNOWN:
                self._add(GoalGiven(viewer, seen.goals[viewer]), (viewer,))

    def _order_of_turns(self) -> str:
        """Round-robin, where nobody ever acts out of turn."""
        count = len(self._names)
        in_turn = all(
            text.strip() == actiontext.NOTHING
            for number, actions in enumerate(self._turns)
            for who, text in actions
            if who != self._names[number % count]
        )
        return "round-robin" if in_turn else "simultaneous"

    def _turn(self, number: int, actions: Sequence[tuple[str, str]]) -> None:
        """In a round, one who is out of turn does nothing that would be an event."""
        due = self._names[(number - 1) % len(self._names)]
        for who, text in actions:
            acted = actiontext.parse(text)
            if acted is None:
                self._remark(f"turn {number - 1}: {who}'s action is in a form that is not known")
                acted = Acted(text, "action")
            if self._order == "round-robin" and who != due:
                continue
            self._act(number, who, acted)

    def _act(self, number: int, who: str, acted: Acted) -> None:
        known = tuple(name for name in acted.to if name in self._names)
        witnesses = (who, *known) if known else (who,) if acted.act == "none" else self._names
        self._add(acted, tuple(dict.fromkeys(witnesses)), turn=number, actor=who)
        if acted.act == "leave":
            self._add(Left(), self._names, turn=number, actor=who)

    def _close(self) -> None:
        fields, turn = self._fields, len(self._turns)
        reasoning = split(fields.get("reasoning") or "", len(self._names))
        self._add(EpisodeClosed(reasoning.environment), self._names, turn=turn)
        closed = len(self._drafts)
        rewards = fields.get("raw_rewards") if "raw_rewards" in fields else fields.get("rewards")
        for name, reward, why in zip(self._names, rewards or [], reasoning.agents, strict=False):
            if reward is not None:
                self._add(self._reward(name, reward, why), turn=turn, actor=name, cause=closed)

    def _reward(self, name: str, reward: Any, why: str) -> Kind:
        """A bare zero is how Sotopia stores an evaluation that failed or never was: no score."""
        if isinstance(reward, int | float):
            if reward == 0:
                self._remark(f"{name}'s reward is a bare 0: the judge failed, or there was none")
                return Failed("review", "Sotopia stored 0 where no evaluation came")
            return Reviewed("sotopia", {"overall_score": float(reward)}, why)
        scores = reward if isinstance(reward, dict) else reward[1]
        return Reviewed("sotopia", {key: float(value) for key, value in scores.items()}, why)

    def _verbatim(self) -> dict[str, Any]:
        """The parts of the record that its events do not give back, as they are."""
        derived = export.derived(self._drafts, self._names, newer=self._newer())
        return {
            name: value
            for name, value in (
                ("messages", self._messages),
                ("rewards", self._fields.get("raw_rewards", self._fields.get("rewards"))),
                ("reasoning", self._fields.get("reasoning")),
            )
            if value is not None and export.as_bytes(derived[name]) != export.as_bytes(value)
        }

    def _newer(self) -> bool:
        return any(text.startswith(" ") for actions in self._turns for _, text in actions)

    def _rest(self) -> dict[str, Any]:
        """Fields that have no place in the story, in the order of the file."""
        derivable = {"messages", "raw_messages", "raw_rewards", "reasoning"}
        if self._record.form == "database":
            derivable.add("rewards")
        rest = {key: value for key, value in self._fields.items() if key not in derivable}
        return {
            "form": self._record.form,
            "newer": self._newer(),
            "keys": list(self._fields),
            "fields": rest,
        }

    def _remark(self, what: str) -> None:
        self._remarks.append(Remark(self._record.source, self._record.id, what))

    def _add(
        self,
        body: Kind,
        witnesses: tuple[str, ...] = (),
        *,
        turn: int = 0,
        actor: str | None = None,
        cause: int | None = None,
        episode: int = 1,
    ) -> None:
        at = BEGINS + turn * TURN
        self._drafts.append(
            Draft(
                body,
                at=at,
                episode=episode,
                turn=turn,
                actor=actor,
                place=None,
                witnesses=witnesses,
                cause=cause,
            )
        )


def _actions(turn: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
    return [(by, text) for by, _, text in turn if by != "Environment"]
