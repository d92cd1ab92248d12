"""How often recall finds the evidence for a question, on data from outside the project."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from small_worlds import NIGHT, opened

from whoknew.eventlog import Draft, Log, View, open_log
from whoknew.eventlog.kinds import Acted, Narrated


async def conversations(folder: Path) -> tuple[float, int]:
    """LoCoMo: the part of the evidence in the first ten, and over how many questions."""
    shares = []
    async with open_log(":memory:") as log:
        for conversation in json.loads((folder / "locomo.json").read_text()):
            view, places = await talked(log, conversation)
            for question in conversation["qa"]:
                ids = re.findall(r"D\d+:\d+", " ".join(question["evidence"]))
                if evidence := {places[one] for one in ids if one in places}:
                    shares.append(await share_found(view, question["question"], evidence, 10))
    return sum(shares) / len(shares), len(shares)


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
