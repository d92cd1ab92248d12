"""The questions that sources have: all of them, as they can be put to a log."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from command_runner import answer, refused, run
from msgspec.structs import replace
from shared_data import data
from small_imports import LOCOMO

from whoknew.engine.exams.questions import check, resolved
from whoknew.engine.logs.exchange import _sound_questions
from whoknew.engine.opening import reading, writing
from whoknew.worlds import question
from whoknew.worlds.importers import bigtom, locomo
from whoknew.worlds.importers.imported import ImportedWorld, Remark
from whoknew.worlds.question import Question, QuestionFile

QA = [
    {"question": "Who said 2?", "answer": "Bo", "evidence": ["D1:2"], "category": 4},
    {"question": "When?", "answer": 2023, "evidence": ["D1:1; D1:3", "D1:1"], "category": 2},
    {"question": "Why?", "adversarial_answer": "Spite", "evidence": ["D1:9", "D"], "category": 5},
    {"question": "Who said 2?", "answer": "Bo", "evidence": ["D1:2"], "category": 4},
    {"question": "What?", "answer": "x", "evidence": [], "category": 9},
]


def small(folder: Path) -> Path:
    file = folder / "locomo.json"
    file.write_text(json.dumps([{**LOCOMO[0], "qa": QA}]))
    return file


def test_locomos_questions_keep_their_evidence_and_what_one_may_fall_for(tmp_path: Path) -> None:
    [world] = locomo.worlds_of(small(tmp_path))
    first, second, third, _ = world.questions
    asked = Question(
        world="locomo-c-1",
        character="Ana",
        at="E1",
        question="Who said 2?",
        kind="single-hop",
        reference="Bo",
        evidence=(("D1:2",),),
    )
    assert first == asked
    assert (second.reference, second.evidence) == ("2023", (("D1:1",), ("D1:3",)))
    assert (third.reference, third.evidence, third.kind) == (None, (), "adversarial")
    assert third.labels == {"adversarial_answer": "Spite"}
    told = [(one.record, one.what.partition(":")[0]) for one in world.remarks]
    assert told == [
        ("c-1 question 3", "names evidence that is no turn"),
        ("c-1 question 5", "is no question as LoCoMo writes it"),
    ]


def test_an_import_writes_them_into_a_new_file(tmp_path: Path) -> None:
    source, log, file = small(tmp_path), tmp_path / "l.db", tmp_path / "q.jsonl"
    assert (
        "3 questions on it: --questions FILE"
        in run("import", "locomo", source, "--log", log).stdout
    )
    done = run("import", "locomo", source, "--log", log, "--questions", file)
    told = "".join(done.stdout.split())  # a long path may go over the end of a line
    assert f"wrote3questionsto{file}" in told and "isaskedtwice" in told
    assert len(question.read(file).questions) == 3
    assert "exists already" in refused(
        "import", "locomo", source, "--log", log, "--questions", file
    )
    found = answer("import", "locomo", source, "--log", log)
    assert (found["questions"], found["questions_file"]) == (3, None)


def test_where_there_are_none_none_are_promised(tmp_path: Path) -> None:
    file = tmp_path / "locomo.json"
    file.write_text(json.dumps(LOCOMO))
    log = tmp_path / "l.db"
    told = refused("import", "locomo", file, "--log", log, "--questions", tmp_path / "q.jsonl")
    assert "has no questions" in told and not log.exists()
    assert "question" not in run("import", "locomo", file, "--log", log).stdout


def test_where_none_can_be_asked_it_is_told_why(tmp_path: Path) -> None:
    file = tmp_path / "locomo.json"
    asked = {"question": " ", "category": 1, "answer": "x"}
    file.write_text(json.dumps([{**LOCOMO[0], "qa": [asked]}]))
    log = ("--log", tmp_path / "l.db", "--questions", tmp_path / "q.jsonl")
    told = refused("import", "locomo", file, *log)
    assert "has no sound question, of 1 (left out: question is empty" in told


def test_what_cannot_be_read_again_is_left_out_and_told() -> None:
    asked = Question(world="w", character="Ann", at="E1", question="Who?", kind="k")
    bad = (
        replace(asked, question="W\x1bho?"),
        replace(asked, choices=("a",)),
        replace(asked, choices=("a", "\x1b")),
        replace(asked, evidence=(("D1:1", "\ud83d"),)),
        asked,
    )
    remarks: list[Remark] = []
    assert _sound_questions([ImportedWorld("w", (), questions=bad)], remarks) == [asked]
    assert [one.what for one in remarks] == [
        "left out: question holds the control character U+001B, at character 2: leave it out",
        "left out: choices has 1 choice, but needs 2 at least",
        "left out: choices[1] holds the control character U+001B, at character 1: leave it out",
        "left out: evidence[0][1] holds half of a character U+D83D, at character 1: leave it out",
    ]


async def imported(folder: Path, worlds: list[ImportedWorld]) -> tuple[QuestionFile, str]:
    """All worlds on a log, and their questions in a file."""
    log, file = str(folder / "l.db"), folder / "q.jsonl"
    async with writing(log) as opened:
        for world in worlds:
            await opened.append(world.name, world.drafts)
    question.write(file, [one for world in worlds for one in world.questions])
    return question.read(file), log


async def test_all_of_locomos_are_there_and_all_of_their_evidence_is_in_view(
    tmp_path: Path,
) -> None:
    file, place = await imported(tmp_path, list(locomo.worlds_of(data("locomo"))))
    assert Counter(one.kind for one in file.questions) == {
        "single-hop": 418,
        "adversarial": 237,
        "temporal": 156,
        "multi-hop": 142,
        "open-domain": 46,
    }
    async with reading(place) as log:
        found = await check(log, file)
        assert found.mistakes == ()
        assert {one.what for one in found.remarks} == {"stands in the question"}
        for one in await resolved(log, file):
            asked = one.question
            view = await log.view(asked.world, asked.character, asked.at)
            assert all(seq in view for some in one.evidence for seq in some)


async def test_all_of_bigtoms_are_there_and_only_the_event_that_matters_turns_them(
    tmp_path: Path,
) -> None:
    worlds = list(bigtom.worlds_of(data("bigtom", "bigtom.csv")))
    file, place = await imported(tmp_path, worlds)
    assert len(file.questions) == 3 * len(worlds) == 1200
    assert len({one.cluster for one in file.questions}) == 100
    async with reading(place) as log:
        found = await check(log, file)
    assert found.mistakes == found.remarks == ()
    beliefs = {(one.cluster, one.tags): one for one in file.questions if one.kind == "belief"}
    for (cluster, tags), one in beliefs.items():
        unaware = beliefs[cluster, ("causal", "unaware")]
        assert (one.correct != unaware.correct) == (tags == ("causal", "aware"))
        assert one.choices == unaware.choices and one.correct in one.choices
