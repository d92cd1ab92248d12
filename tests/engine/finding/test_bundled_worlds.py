"""What is found in the bundled worlds, as the offline model plays them, held against `labels.toml`, which
were read by hand, and `three_readings.toml`."""

from __future__ import annotations

import asyncio
import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from command_runner import run

from whoknew.engine.finding.finder import Finder, Found
from whoknew.engine.finding.records import RULE
from whoknew.eventlog import Event, open_log

Labels = dict[str, list[dict[str, Any]]]


def _labels(name: str) -> Labels:
    return tomllib.loads(Path(__file__).with_name(name).read_text("utf-8"))


BY_HAND, THREE_READINGS = _labels("labels.toml"), _labels("three_readings.toml")

SURE = 0.6


async def _events(file: Path, world: str) -> list[Event]:
    async with open_log(file, read_only=True) as log:
        return [event async for event in await log.director(world)]


def _begin_with(words: list[str], story: list[Event]) -> set[int]:
    said = {event.seq: " ".join(event.body.words.split()) for event in story if event.witnesses}
    return {seq for seq, text in said.items() if any(text.startswith(one) for one in words)}


def _pairs(label: dict[str, Any], story: list[Event], *keys: str) -> set[tuple[int, int]]:
    of = _begin_with([words for key in keys for words in label.get(key, [])], story)
    return {(speech, one) for speech in _begin_with([label["says"]], story) for one in of}


@pytest.fixture(scope="module")
def stories(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Event]]:
    found = {}
    for world in BY_HAND:
        file = tmp_path_factory.mktemp(world) / "log.db"
        run("run", world, "--log", file)
        found[world] = asyncio.run(_events(file, world))
    return found


def _heard(story: list[Event]) -> list[Found]:
    finder = Finder()
    return [one for event in story for one in finder.hear(event)]


class Count(NamedTuple):
    pairs: int = 0
    right: int = 0
    labels: int = 0
    recalled: int = 0


def _count(stories: dict[str, list[Event]], labelled: Labels) -> Count:
    """How many pairs were found and how many of them are right; labels, and how many were found."""
    count = Count()
    for world, labels in labelled.items():
        story = stories[world]
        found = {(one.speech, one.of) for one in _heard(story) if one.score >= SURE}
        right = [_pairs(label, story, "of", "also") for label in labels if "of" in label]
        sure = set().union(*right)
        open_ = set().union(*(_pairs(label, story, "maybe") for label in labels)) - sure
        count = Count(
            count.pairs + len(found - open_),
            count.right + len(found & sure),
            count.labels + len(right),
            count.recalled + sum(bool(found & one) for one in right),
        )
    return count


def test_what_the_rule_finds_changes_only_with_its_name(stories: dict[str, list[Event]]) -> None:
    """Worlds are looked through anew where the rule has another name, and only there."""
    found = [_heard(stories[world])[:40] for world in BY_HAND]
    pairs = [(one.speech, one.of, one.hearers, one.score) for some in found for one in some]
    digest = hashlib.sha256(json.dumps(pairs).encode()).hexdigest()[:16]
    assert (RULE, digest) == ("rule 5", "2fa2560c62d7cfc4"), (
        "give the rule another name in records.py"
    )


@pytest.mark.parametrize(
    ("labels", "right", "recalled"),
    [(BY_HAND, 0.8, 0.4), (THREE_READINGS, 0.85, 0.35)],
    ids=["by hand", "three readings"],
)
def test_what_is_found_in_the_bundled_worlds_is_right_and_a_good_part_of_what_is_told(
    stories: dict[str, list[Event]], labels: Labels, right: float, recalled: float
) -> None:
    count = _count(stories, labels)
    assert count.right / count.pairs >= right
    assert count.recalled / count.labels >= recalled
