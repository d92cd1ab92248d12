"""How often recall finds the evidence for a question, on data from outside the project."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import count
from pathlib import Path
from statistics import mean
from typing import Any

from msgspec.structs import replace
from small_worlds import NIGHT, opened

from whoknew.eventlog import Draft, Log, View, open_log
from whoknew.eventlog.kinds import Acted, EpisodeClosed, EpisodeOpened, Narrated
from whoknew.worlds.importers.locomo import KINDS, TURN_ID, worlds_of

Shares = dict[str, list[float]]
"""By kind of question, what part of the evidence was found for each."""


def mean_of(shares: Shares) -> float:
    """Over all questions."""
    return mean(share for some in shares.values() for share in some)


async def conversations(folder: Path) -> Shares:
    """LoCoMo: the part of the evidence in the first ten, of all that was said and nothing else."""
    shares: Shares = defaultdict(list)
    async with open_log(":memory:") as log:
        for conversation in json.loads((folder / "locomo.json").read_text()):
            view, places = await talked(log, conversation)
            for question in conversation["qa"]:
                ids = re.findall(TURN_ID, " ".join(question["evidence"]))
                if evidence := {places[one] for one in ids if one in places}:
                    share = await share_found(view, question["question"], evidence, 10)
                    shares[KINDS[question["category"]]].append(share)
    return shares


Changing = Callable[[Draft], Draft | None]


def as_it_is(draft: Draft) -> Draft:
    return draft


def as_said(draft: Draft) -> Draft | None:
    """Without the openings and endings of sessions, and with photos in no other words than their own:
    what `conversations` has."""
    if isinstance(draft.body, EpisodeOpened | EpisodeClosed):
        return None
    if not isinstance(draft.body, Acted):
        return draft
    text = draft.body.text.replace("[sends a photo: ", "[")
    return replace(draft, body=replace(draft.body, text=text))


async def imported(
    folder: Path, changed: Changing = as_it_is, *, asked: bool = False, every: int = 1
) -> Shares:
    """The same of the worlds that an import makes of them, for every so many of the questions. `asked`:
    as one who is asked after the last session has it, with all of that at hand, and ten of what came
    before."""
    shares: Shares = defaultdict(list)
    numbers = count()
    async with open_log(":memory:") as log:
        for world in worlds_of(folder / "locomo.json"):
            await log.append(world.name, [one for one in map(changed, world.drafts) if one])
            view = await log.view(world.name, world.questions[0].character)
            events = await view.events()
            places = {str(one.source): place for place, one in enumerate(events, start=1)}
            now = {n for n, one in enumerate(events, start=1) if one.episode == events[-1].episode}
            for question in world.questions:
                evidence = {places[str(one)] for some in question.evidence for one in some}
                if not evidence or next(numbers) % every:
                    continue
                upto = min(now) - 1 if asked else None
                found = {one.place for one in await view.recall(question.question, 10, upto=upto)}
                found |= now if asked else set()
                shares[question.kind].append(len(found & evidence) / len(evidence))
    return shares


async def tales(folder: Path, ks: tuple[int, ...] = (5, 10)) -> tuple[dict[int, float], int]:
    """FairytaleQA: the part of the evidence in the first k, and among how many sections."""
    sections: dict[tuple[str, str], str] = {}
    questions: list[tuple[str, set[tuple[str, str]]]] = []
    for path in sorted((folder / "section-stories").glob("*-story.csv")):
        tale = path.name.removesuffix("-story.csv")
        sections |= {(tale, row["section"].strip()): row["text"] for row in rows(path)}
        for row in rows(folder / "questions" / f"{tale}-questions.csv"):
            cited = {(tale, one.strip()) for one in row["cor_section"].split(",")}
            questions.append((row["question"], cited))
    places = {section: place for place, section in enumerate(sections, start=1)}
    async with open_log(":memory:") as log:
        told = [Draft(Narrated(text), witnesses=("Reader",)) for text in sections.values()]
        await log.append("tales", [*opened("Reader", at=NIGHT), *told])
        view = await log.view("tales", "Reader")
        flat = {}
        for k in ks:
            shares = [
                await share_found(view, question, evidence, k)
                for question, cited in questions
                if (evidence := {places[one] for one in cited if one in places})
            ]
            flat[k] = sum(shares) / len(shares)
    return flat, len(sections)


async def share_found(view: View, question: str, evidence: set[int], k: int) -> float:
    found = {one.place for one in await view.recall(question, k)}
    return len(found & evidence) / len(evidence)


async def talked(log: Log, conversation: Any) -> tuple[View, dict[str, int]]:
    """A conversation as a world, seen by one of the two: and the place of each turn in the view."""
    world, said = conversation["sample_id"], conversation["conversation"]
    both = (said["speaker_a"], said["speaker_b"])
    turns = list(turns_of(said))
    await log.append(world, opened(*both))
    speech = [
        Draft(Acted(text), session_time(said, turn), actor=turn["speaker"], witnesses=both)
        for turn in turns
        for text in [" ".join(filter(None, [turn["text"], caption(turn)]))]
    ]
    await log.append(world, speech)
    places = {turn["dia_id"]: place for place, turn in enumerate(turns, start=1)}
    return await log.view(world, both[0]), places


def turns_of(said: Any) -> Iterator[Any]:
    sessions = sorted(int(key.split("_")[1]) for key in said if key.endswith("_date_time"))
    for session in sessions:
        yield from said.get(f"session_{session}", [])


def session_time(said: Any, turn: Any) -> datetime:
    """When the two talked: "1:56 pm on 8 May, 2023"."""
    session = turn["dia_id"][1:].split(":")[0]
    return datetime.strptime(said[f"session_{session}_date_time"], "%I:%M %p on %d %B, %Y")


def caption(turn: Any) -> str:
    return f"[{turn['blip_caption']}]" if turn.get("blip_caption") else ""


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))
