"""The examples of the plan that `exam new` writes: one of each type, of no world that is asked about."""

from __future__ import annotations

import json
import tomllib
from importlib.resources import files

import pytest
from leak_scan import runs

from whoknew.engine.exams.timechara.labels import TYPES
from whoknew.engine.exams.timechara.timechara_exam import TimecharaExam
from whoknew.engine.judges.moment_words import judged

EXAMPLES = tomllib.loads(TimecharaExam.template)["arms"]["few-shot"]["few-shot"]["examples"]

LABELS: dict[str, dict[str, str]] = {
    "future": {},
    "past-absence": {},
    "past-presence": {"key": "There is flour on the sill, and nobody has baked"},
    "past-only": {"key": "said", "false": "carved"},
}


@pytest.mark.parametrize(("place", "kind"), list(enumerate(LABELS)))
def test_there_is_one_of_each_type_and_its_reply_is_right(place: int, kind: str) -> None:
    assert [*LABELS] == [*TYPES] and len(EXAMPLES) == len(TYPES)
    reply = json.loads(EXAMPLES[place]["reply"])["answer"]
    scores, why = judged(reply, {"type": kind, **LABELS[kind]})
    assert set(scores.values()) == {1.0}, why


def test_they_say_nothing_of_a_world_that_comes_with_whoknew() -> None:
    shelf = files("whoknew.worlds.library").iterdir()
    worlds = [one.read_text("utf-8") for one in shelf if one.name.endswith((".toml", ".xml"))]
    known = {run for text in worlds for run in runs(text)}
    assert len(worlds) >= 4 and len(known) > 1000
    told = [f"{one['question']} {one['reply']}" for one in EXAMPLES]
    assert not known & {run for text in told for run in runs(text)}
