"""A game log of Sotopia as a world of n characters: who saw what stands in the prompts."""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from whoknew.eventlog import Draft, Kind
from whoknew.eventlog.kinds import (
    Act,
    Acted,
    Called,
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    GoalGiven,
    Imported,
    Narrated,
    Reviewed,
    WorldOpened,
)
from whoknew.worlds.importers.imported import ImportedWorld, Remark
from whoknew.worlds.importers.sotopia.episode import BEGINS, TURN
from whoknew.worlds.importers.sotopia.records import SotopiaRecord

FORMAT = "sotopia-game"

_TURN = re.compile(r"^Turn #(\d{1,9}): ", re.MULTILINE)
_GOAL = re.compile(r"^Your \((.*?)'s\) goal: (.*)$", re.MULTILINE)
_ABOUT = "Here is the description of the game: "
_PRIVATE = re.compile(r"^\[Private to (.*?)\] ")


class PromptedLine(Struct):
    """What the players' prompts show of a turn: each line, with those to whom it is shown."""

    lines: dict[str, list[str]]


def world_of(record: SotopiaRecord) -> ImportedWorld:
    return _Game(record).world()


class _Game:
    def __init__(self, record: SotopiaRecord) -> None:
        self._record = record
        self._names = tuple(record.fields["model_mapping"])
        self._drafts: list[Draft] = []
        self._turns: dict[int, list[Mapping[str, Any]]] = defaultdict(list)
        last = {turn["agent_name"]: turn["turn_number"] for turn in record.fields["turns"]}
        self._last = max(last.values(), default=0)
        for turn in record.fields["turns"]:
            self._turns[turn["turn_number"]].append(turn)
        self._prompts = {
            turn["agent_name"]: "\n".join(part["content"] for part in turn["prompt"])
            for turn in record.fields["turns"]
        }
        self._seen = self._shown()
        self._inferred = 0

    def world(self) -> ImportedWorld:
        fields, names = self._record.fields, self._names
        self._drafts.append(Draft(WorldOpened(f"Sotopia game {self._record.id}"), BEGINS))
        for name in names:
            self._drafts.append(Draft(CharacterAdded(name), witnesses=(name,)))
        self._add(EpisodeOpened(self._description(), names, "simultaneous"), 0, names)
        for name, prompt in self._prompts.items():
            for owner, goal in _GOAL.findall(prompt)[:1]:
                self._add(GoalGiven(owner, goal), 0, (name,))
        last = 0
        for number in sorted({*self._seen, *self._turns}):
            last = number + 1
            for turn in self._turns.get(number, ()):
                self._act(number + 1, turn)
            for line, seers in self._seen.get(number, PromptedLine({})).lines.items():
                self._narrate(number + 1, line, seers)
        self._add(EpisodeClosed("the game ends"), last, names)
        closed = len(self._drafts)
        for name, reward in zip(names, fields["rewards"], strict=False):
            review = Reviewed("sotopia-game", {"reward": float(reward)})
            self._add(review, last, (), name, cause=closed)
        rest = {key: value for key, value in fields.items() if key not in ("turns", "rewards")}
        self._add(Imported(FORMAT, self._record.id, rest), last, ())
        return ImportedWorld(
            f"sotopia-game-{self._record.id}", tuple(self._drafts), self._remarks()
        )

    def _act(self, turn: int, told: Mapping[str, Any]) -> None:
        """The call is real, and on the log; what came of it is seen by those who were shown it."""
        who = told["agent_name"]
        prompt = json.dumps(told["prompt"], sort_keys=True).encode()
        digest = hashlib.sha256(prompt).hexdigest()
        called = Called("act", told["model_name"], digest, told["response"])
        self._add(called, turn, (), who)
        try:
            said = json.loads(told["response"])
            text, kind = str(said["argument"]), said["action_type"]
        except (ValueError, KeyError, TypeError, RecursionError):
            text, kind = told["response"], "none"
        act: Act = "speak" if kind == "speak" else "none" if kind == "none" else "action"
        self._add(Acted(text, act), turn, self._witnesses(turn - 1, who), who)

    def _witnesses(self, number: int, who: str) -> tuple[str, ...]:
        """Those whose later prompts show it; of the last turn, which no prompt shows, everybody."""
        lines = self._seen.get(number, PromptedLine({})).lines
        shown = {
            seer for line, seers in lines.items() if line.startswith(f"{who}: ") for seer in seers
        }
        if number >= self._last:
            self._inferred += 1
            return self._names
        return tuple(name for name in self._names if name in shown or name == who)

    def _narrate(self, turn: int, line: str, seers: list[str]) -> None:
        if any(line.startswith(f"{name}: ") for name in self._names):
            return
        private = _PRIVATE.match(line)
        witnesses = tuple(name for name in self._names if name in seers)
        text = line[private.end() :] if private else line.removeprefix("[Game] ")
        self._add(Narrated(text), turn, witnesses)

    def _shown(self) -> dict[int, PromptedLine]:
        """From each player's last prompt, what it was shown of each turn."""
        seen: dict[int, PromptedLine] = {}
        for name, prompt in self._prompts.items():
            for number, lines in _turns(prompt):
                found = seen.setdefault(number, PromptedLine({}))
                for line in lines:
                    found.lines.setdefault(line, []).append(name)
        return seen

    def _description(self) -> str:
        _, _, told = next(iter(self._prompts.values()), "").partition(_ABOUT)
        about, end, _ = told.partition("\n\nThe players")
        return about if end else "A game."

    def _remarks(self) -> tuple[Remark, ...]:
        remarks = ["has no story time: it begins at noon on 1 January 2000, a minute a turn"]
        if self._inferred:
            remarks.append(
                f"{self._inferred} actions of the last turn are taken to be witnessed by everybody: "
                "no prompt comes after them"
            )
        return tuple(Remark(self._record.source, self._record.id, what) for what in remarks)

    def _add(
        self,
        body: Kind,
        turn: int,
        witnesses: tuple[str, ...],
        actor: str | None = None,
        cause: int | None = None,
    ) -> None:
        at = BEGINS + turn * TURN
        self._drafts.append(
            Draft(
                body,
                at=at,
                episode=1,
                turn=turn,
                actor=actor,
                place=None,
                witnesses=witnesses,
                cause=cause,
            )
        )


def _turns(prompt: str) -> Iterator[tuple[int, list[str]]]:
    """The turns that a prompt shows, each with its lines."""
    _, _, shown = prompt.partition("Conversation Starts:")
    shown, _, _ = shown.partition("\n\nYour available action type")
    parts = _TURN.split(shown)
    for number, text in zip(parts[1::2], parts[2::2], strict=True):
        yield int(number), [line for line in text.strip().split("\n") if line.strip()]
