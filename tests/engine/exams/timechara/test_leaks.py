"""In `witness` mode nothing reaches a prompt that its character did not witness, but the words of the
question itself: by runs of six words, and by names."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from command_runner import answer, run
from leak_scan import runs, telltales

from whoknew.agents.methods.experts import ExpertHint
from whoknew.eventlog import Event, open_log
from whoknew.eventlog.words import words

KINDS = ("future", "past-absence", "past-only", "past-presence")
SAFE = ("zero-shot", "stepwise", "few-shot", "self-refine", "rag-cutoff", "experts")
BOTH = "experts-rag-cutoff"
EXPERTS = ("when", "where")
"""The calls in which the whole story is read."""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Cells of a sat exam, with their prompts."""
    folder = tmp_path_factory.mktemp("lamp")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run("exam", "new", "timechara", "lamp.toml", "--from", "the-lamp-room")
        plan = Path("lamp.toml")
        text = plan.read_text("utf-8").replace("# each = 100 ", "each = 2 ")
        plan.write_text(text.replace('questions = "lamp.jsonl"', ""), "utf-8")
        told = answer("exam", "run", plan)["table"]
        assert sum(told["kinds"].values()) == 12
        return [
            answer("exam", "show", plan, arm, str(number))
            for arm in (*SAFE, BOTH, "unsafe:rag")
            for number in range(1, 13)
        ] + [{"world": str(folder / "lamp.worlds.db")}]


async def events_of(shown: Sequence[dict[str, Any]]) -> list[Event]:
    async with open_log(shown[-1]["world"]) as log:
        return await (await log.director("the-lamp-room")).events()


def prompts(cell: dict[str, Any]) -> list[str]:
    """What its character is asked, without the question's own words and the hints."""
    found: list[str] = []
    for call in cell["calls"]:
        if call["called"]["purpose"] not in EXPERTS:
            text = "\n".join(one["content"] for one in call["messages"])
            for hint in ExpertHint:
                text = text.replace(hint.value, "")
            quoted = json.dumps(cell["question"]["question"], ensure_ascii=False)[1:-1]
            found.append(text.replace(quoted, "").replace(cell["question"]["question"], ""))
    return found


def given_away(cell: dict[str, Any], events: Sequence[Event]) -> int:
    """How many of its prompts hold what its character cannot know."""
    who, upto = cell["question"]["character"], cell["cursor"]
    upto = upto["seq"] if isinstance(upto, dict) else upto
    view = [one for one in events if one.seq <= upto and who in one.witnesses]
    seen = {one.seq for one in view}
    secrets = {run: seq for run, seq in telltales(events).items() if seq not in seen}
    met = {name for one in view for name in (*one.witnesses, one.actor or "")}
    known = {word for one in view for word in words(f"{one.text} {one.actor or ''}")}
    known.update(word for name in met for word in words(name))
    cast = {word for one in events for name in one.witnesses for word in words(name)}
    return sum(
        any(one in secrets for one in runs(text)) or not (cast & _names(text)) <= known
        for text in prompts(cell)
    )


def _names(text: str) -> set[str]:
    """Words that are written as names are."""
    return set(words(" ".join(re.findall(r"\b[A-Z]\w+", text))))


async def test_no_prompt_gives_anything_away(shown: list[dict[str, Any]]) -> None:
    events = await events_of(shown)
    cells = [one for one in shown[:-1] if not one["arm"].startswith("unsafe:")]
    assert len(cells) == 12 * (len(SAFE) + 1)
    assert {one["question"]["kind"] for one in cells} == set(KINDS)
    assert [one["arm"] for one in cells if given_away(one, events)] == []


async def test_the_scan_finds_what_a_search_in_all_gives_away(shown: list[dict[str, Any]]) -> None:
    events = await events_of(shown)
    leaking = [one for one in shown[:-1] if one["arm"] == "unsafe:rag"]
    assert sum(given_away(one, events) for one in leaking) >= 4


def test_hints_are_the_two_sentences_and_nothing_else(shown: list[dict[str, Any]]) -> None:
    """Byte for byte, in parentheses behind the question."""
    said = 0
    for cell in shown[:-1]:
        if cell["arm"] in ("experts", BOTH):
            text = cell["calls"][-1]["messages"][1]["content"]
            asked = text.rpartition("# The question\n")[2]
            plain = json.dumps(cell["question"]["question"], ensure_ascii=False)[:-1]
            rest = asked.removeprefix(plain)
            assert rest in ('"', *(f' ({hint.value})"' for hint in ExpertHint))
            said += rest != '"'
    assert said
