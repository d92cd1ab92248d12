"""A light episode: no messages, only what was said and done, as one text; as far as it goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    EpisodeClosed,
    EpisodeOpened,
    GoalGiven,
    Imported,
    Left,
    Reviewed,
    WorldOpened,
)
from whoknew.worlds.importers.imported import ImportedWorld, Remark
from whoknew.worlds.importers.sotopia import actiontext
from whoknew.worlds.importers.sotopia.episode import BEGINS, TURN
from whoknew.worlds.importers.sotopia.profiles import untagged
from whoknew.worlds.importers.sotopia.reasoning import split
from whoknew.worlds.importers.sotopia.records import SotopiaRecord

FORMAT = "sotopia-light-episode"
TAKEN = {"scenario", "agents_background", "social_goals", "social_interactions", "reasoning"}


def world_of(record: SotopiaRecord) -> ImportedWorld:
    fields = record.fields
    backgrounds: dict[str, str] = fields["agents_background"]
    names = tuple(backgrounds)
    drafts = [Draft(WorldOpened(f"Sotopia {record.id}"), BEGINS)]
    drafts += [
        Draft(CharacterAdded(name, text), witnesses=(name,)) for name, text in backgrounds.items()
    ]
    opened = EpisodeOpened(
        fields["scenario"],
        cast=names,
        order="round-robin",
        turn_limit=None,
        name=fields.get("codename", ""),
    )
    drafts.append(Draft(opened, at=BEGINS, episode=1, turn=0, witnesses=names))
    for owner, goal in (fields.get("social_goals") or {}).items():
        drafts.append(
            Draft(
                GoalGiven(owner, untagged(goal)), at=BEGINS, episode=1, turn=0, witnesses=(owner,)
            )
        )
    remarks = [
        "has no messages: what each saw of the other, and who did nothing when, is not known",
        "has no story time: it begins at noon on 1 January 2000, a minute a turn",
    ]
    turn = 0
    for turn, (who, text) in enumerate(_lines(fields["social_interactions"], names), start=1):
        if not who:
            continue
        acted = actiontext.parse(text)
        if acted is None:
            remarks.append(f"turn {turn}: {who}'s action is in a form that is not known")
            acted = Acted(text, "action")
        drafts.append(
            Draft(acted, at=BEGINS + turn * TURN, episode=1, turn=turn, actor=who, witnesses=names)
        )
        if acted.act == "leave":
            drafts.append(
                Draft(
                    Left(),
                    at=BEGINS + turn * TURN,
                    episode=1,
                    turn=turn,
                    actor=who,
                    witnesses=names,
                )
            )
    drafts += _ending(fields, names, turn, len(drafts))
    rest = {key: value for key, value in fields.items() if key not in TAKEN}
    drafts.append(Draft(Imported(FORMAT, record.id, rest), episode=1, turn=turn))
    told = tuple(Remark(record.source, record.id, what) for what in remarks)
    return ImportedWorld(f"sotopia-{record.id}", tuple(drafts), told)


def _lines(text: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Who did what, turn by turn; an empty piece is a turn in which nobody was seen to do anything.
    A piece without a name in front is part of what was said last."""
    told: list[tuple[str, str]] = []
    for piece in text.split("\n\n"):
        who = next((name for name in names if piece.startswith((f"{name} ", f"{name}: "))), "")
        if who or not piece:
            told.append((who, piece[len(who) :].removeprefix(":").removeprefix(" ")))
        elif told:
            told[-1] = (told[-1][0], f"{told[-1][1]}\n\n{piece}")
    yield from told


def _ending(
    fields: dict[str, Any], names: Sequence[str], turn: int, drafts: int
) -> Iterator[Draft]:
    reasoning = split(fields.get("reasoning") or "", len(names))
    yield Draft(
        EpisodeClosed(reasoning.environment), at=None, episode=1, turn=turn, witnesses=tuple(names)
    )
    for name, scores, why in zip(
        names, fields.get("rewards") or [], reasoning.agents, strict=False
    ):
        review = Reviewed("sotopia", {key: float(value) for key, value in scores.items()}, why)
        yield Draft(review, at=None, episode=1, turn=turn, actor=name, cause=drafts + 1)
