"""Instances in the two forms of TimeChara, of a series that we made up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

SERIES = "the_lanterns"
PEOPLE = ("Mara Quill", "Odo Finch")
BOOKS, CHAPTERS = 2, 4


def instances(scenes: int = 1, series: str = SERIES) -> Iterator[dict[str, Any]]:
    """Each chapter has scenes, of which every second has both people, the others Mara alone, who is
    called otherwise there. Both are asked at the ends of all chapters of the same book."""
    for book in range(1, BOOKS + 1):
        for chapter in range(1, CHAPTERS + 1):
            for scene in range(1, scenes + 1):
                both = (chapter + scene) % 2 == 0
                event = f"Mara lit lantern {book}{chapter}{scene} on the {_th(scene)} pier."
                people = ["Captain Mara Quill", *(["Odo Finch"] if both else []), "the harbour cat"]
                for who in PEOPLE:
                    for now in range(1, CHAPTERS + 1):
                        yield from _asked(series, book, chapter, now, event, people, who)


def _th(number: int) -> str:
    return ("first", "second", "third")[number % 3]


def _asked(
    series: str, book: int, chapter: int, now: int, event: str, people: list[str], who: str
) -> Iterator[dict[str, Any]]:
    told = event.removesuffix(".")
    one = {
        "series": series,
        "character": who,
        "character_period": f"end of chapter {now} of book {book}",
        "question_period": f"Book{book}-chapter{chapter}",
        "participants": people,
        "event_summary": event,
        "fake_method": "-",
        "question_generation": "fact_structured",
        "question": f"Did you see it when {told}?",
        "spatial_label": "-",
    }
    if chapter > now:
        label = f"Future: {who} should not know of the moment when {event}"
        yield {**one, "data_type": "future", "temporal_label": label}
        return
    there = who.split()[0] in " ".join(people)
    past = f"Past: {who} can answer.\nMoment: \u201cLight it,\u201d she said."
    yield {
        **one,
        "data_type": "past-presence" if there else "past-absence",
        "temporal_label": past,
        "spatial_label": f"{'Presence' if there else 'Absence'}: {who} should not say otherwise.",
    }
    answered = f"{past}\nAnswer: Mara lit it."
    free = {**one, "data_type": "past-only", "temporal_label": answered}
    yield {**free, "question_generation": "fact_freeform", "question": f"Who did it when {told}?"}
    fake = {**free, "question_generation": "fake_freeform", "fake_method": "3"}
    yield {**fake, "question": f"Why was it in the tower that {told}?"}


def as_hub(one: dict[str, Any]) -> dict[str, Any]:
    """The same as the hub has it: hyphens, a list printed in a string, escapes written out."""
    label = one["temporal_label"].replace("\n", "\\n").replace("\u201c", "\\u201c")
    return {
        **one,
        "question_generation": one["question_generation"].replace("_", "-"),
        "participants": repr(one["participants"]),
        "temporal_label": label.replace("\u201d", "\\u201d"),
    }


def written(path: Path, *, hub: bool = False, scenes: int = 1) -> Path:
    some = [as_hub(one) if hub else one for one in instances(scenes)]
    if hub:
        path.write_text("".join(f"{json.dumps(one)}\n" for one in some), "utf-8")
    else:
        path.write_text(json.dumps(some, indent=1), "utf-8")
    return path


def written_chapters(folder: Path, series: str = SERIES) -> Path:
    """The text of all chapters: of each a few passages in which the same bell rings."""
    for book in range(1, BOOKS + 1):
        place = folder / series / f"book_{book}"
        place.mkdir(parents=True)
        for chapter in range(1, CHAPTERS + 1):
            rings = (
                f"It was late on the pier, and bell {book}-{chapter} rang {n} times."
                for n in range(60)
            )
            (place / f"chapter_{chapter}.txt").write_text("\n".join(rings), "utf-8")
    return folder


SCENES = 20
"""Of each chapter, in a file of many: no two chapters and scenes have the same number."""

WORDS = "The lamp was carried down to the water, and whoever stood there looked on in silence. "


def many(path: Path, count: int) -> Path:
    """So many instances, of four series, as the hub has them: with labels of five hundred words."""
    scene = WORDS * 33
    every = chain.from_iterable(instances(SCENES, f"{SERIES}_{n}") for n in range(1, 5))
    with path.open("w", encoding="utf-8") as file:
        for one in islice(every, count):
            label = one["temporal_label"].replace("she said.", f"she said. {scene}")
            file.write(f"{json.dumps(as_hub({**one, 'temporal_label': label}))}\n")
    return path
