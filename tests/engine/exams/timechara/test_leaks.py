"""In `witness` mode nothing reaches a prompt that its character did not witness, in `paper` mode nothing that
lies past its moment, but the words of the question itself: by runs of six words, and by names. (All arms on 600
questions: `make bench ONLY=moments`.)"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from command_runner import answer, run
from moment_leaks import AskedPrompt, MomentScan, prompts, scans

from whoknew.engine import load_exam
from whoknew.eventlog import open_log

ARMS = {
    *("zero-shot", "stepwise", "few-shot", "self-refine", "unsafe:rag", "rag-cutoff"),
    *("experts", "experts-rag-cutoff"),
}
ALL_PAST = """
[arms."unsafe:rag-cutoff"]
memory = "unsafe:recall-all"

[arms."unsafe:experts-rag-cutoff"]
memory = "unsafe:recall-all"
method = "experts"
experts = { bare = true }
"""

Found = tuple[list[AskedPrompt], dict[str, MomentScan]]


def asked(folder: Path, mode: str, more: str = "") -> Found:
    """All that was asked in an exam of two questions of each sort, and the scans of its world."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run("exam", "new", "timechara", "lamp.toml", "--from", "the-lamp-room")
        plan = Path("lamp.toml")
        text = plan.read_text("utf-8").replace("# each = 100 ", "each = 2\nkeep_prompts = true #")
        text = text.replace('# mode = "witness"', f'mode = "{mode}"')
        plan.write_text(text.replace('questions = "lamp.jsonl"', "") + more, "utf-8")
        told = answer("exam", "run", plan)["table"]
        assert sum(told["kinds"].values()) == 12 and len(told["kinds"]) == 4
        return asyncio.run(_kept())


async def _kept() -> Found:
    async with open_log("lamp.worlds.db", read_only=True) as material:
        return [one async for one in prompts(load_exam("lamp.toml"))], await scans(material)


@pytest.fixture(scope="module")
def witnessed(tmp_path_factory: pytest.TempPathFactory) -> Found:
    return asked(tmp_path_factory.mktemp("witness"), "witness")


def test_no_prompt_gives_anything_away(witnessed: Found) -> None:
    found, known = witnessed
    assert {one.arm for one in found} == ARMS and len(found) >= 12 * len(ARMS)
    safe = [one for one in found if not one.arm.startswith("unsafe:")]
    assert [one for one in safe if known[one.world].unseen(one)] == []


def test_the_scan_finds_what_a_search_in_all_gives_away(witnessed: Found) -> None:
    found, known = witnessed
    leaking = [one for one in found if one.arm == "unsafe:rag" and known[one.world].unseen(one)]
    assert len(leaking) >= 4
    assert any(known[one.world].later(one) for one in leaking)


def test_hints_are_the_two_sentences_and_nothing_else(witnessed: Found) -> None:
    """Byte for byte, in parentheses behind the question."""
    found, _ = witnessed
    hints = {one.hint for one in found if one.arm.startswith("experts")}
    assert hints == {"", "FUTURE", "ABSENT"}
    assert {one.hint for one in found if "experts" not in one.arm} == {""}


def test_in_the_paper_s_mode_nothing_is_told_of_what_comes_later(tmp_path: Path) -> None:
    """Of what others have witnessed by then much is."""
    found, known = asked(tmp_path, "paper", ALL_PAST)
    past = [one for one in found if one.arm != "unsafe:rag"]
    assert len({one.arm for one in past}) == len(ARMS) + 1
    assert [one for one in past if known[one.world].later(one)] == []
    assert any(known[one.world].unseen(one) for one in past)
