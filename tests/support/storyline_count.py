"""How often five fixed questions are in a bank already, and how much reading that saves: counted from the files of
storylines, by nothing that is ours."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any

from shared_data import data

NOBODY = "Environment"


def counted(play: str, *, story: bool) -> tuple[int, int, int, int]:
    """Of all steps of major characters: questions, those known, lines that are new to them, all lines."""
    folder = data("shakespeare-storylines")
    titles = json.loads((folder / f"title2action_series.{play}.json").read_text())
    major = json.loads((folder / "all_characters.json").read_text())[play]["major"]
    return counted_in(titles, major, story=story)


def counted_in(
    titles: dict[str, Any], major: Sequence[str], *, story: bool
) -> tuple[int, int, int, int]:
    lines = [(title, one["characters"]) for title in titles for one in titles[title]]
    there = {title: {*chain(*(people for t, people in lines if t == title))} for title in titles}
    banks: dict[str, dict[tuple[str, ...], int]] = {}
    asked = known = new = every = 0
    for place, (_, people) in enumerate(lines):
        for who in [one for one in dict.fromkeys(people) if one in major]:
            seen = [done[:1] for title, done in lines[:place] if story or who in there[title]]
            if not seen:
                continue
            others = [
                one for (one,) in filter(None, reversed(seen[-10:])) if one not in (who, NOBODY)
            ]
            bank = banks.setdefault("" if story else who, {})
            for question in five(who, *others[:1]):
                asked, known, every = asked + 1, known + (question in bank), every + len(seen)
                new += len(seen) - bank.get(question, 0)
                bank[question] = len(seen)
    return asked, known, new, every


def five(who: str, *others: str) -> list[tuple[str, ...]]:
    """Names that differ in their case alone are one in a question."""
    who, others = who.casefold(), tuple(map(str.casefold, others))
    of_another = [question for one in others for question in (("stands", who, one), ("who", one))]
    return [("where", who), ("wants", who), ("talks", who), *of_another]
