"""Controls: what they bring, that those which leak are caught, seen, and nowhere else to be had."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace
from remembered_lives import WORLD, asking, lives, logged, seen
from small_worlds import NIGHT, WATCH, opened, said
from watch_exams import written

from whoknew.agents.models.offline import Offline
from whoknew.engine.asking.putting import respondent
from whoknew.engine.errors import NoSuchPart
from whoknew.engine.exams.cells import cell_of
from whoknew.engine.exams.controlling import controlled
from whoknew.engine.exams.document import load
from whoknew.engine.exams.material import units
from whoknew.engine.exams.program import load_exam, read_exam, sit_exam
from whoknew.engine.exams.remembering import LifeStep, Remembering
from whoknew.engine.exams.report_page import report_page
from whoknew.engine.exams.show import show
from whoknew.engine.plan.document import parse_plan
from whoknew.engine.plan.settings import trusting
from whoknew.engine.registry import CONTROLS, MEMORIES
from whoknew.engine.terminal.exam.many_scores import _far
from whoknew.engine.terminal.exam.report import _costs, _scores
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.cursor import AtSeq
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened
from whoknew.testing.unseen import unseen_altered
from whoknew.worlds.errors import BadDocument
from whoknew.worlds.question import Question

LEAKING = [name for name in CONTROLS.ours if name.startswith("unsafe:")]

PLAN = f"""
exam = "questions"
name = "watch"
material = "lives.db"
questions = "questions.jsonl"
[grid]
memories = {json.dumps(["recall", *CONTROLS.ours])}
"""

KEY = "The key lies under the seventh stone."
SECRET = "The key is false, and Bernardo made it."
LATER = "The key was thrown into the sea."


def watch() -> list[Draft]:
    """Horatio hears of a key; that it is false he does not; later it is thrown away."""
    begun = [
        Draft(EpisodeOpened(f"Night {n}", WATCH), NIGHT, episode=n, witnesses=WATCH)
        for n in (1, 2, 3)
    ]
    over = [Draft(EpisodeClosed("over"), episode=n, witnesses=WATCH) for n in (1, 2, 3)]
    return [
        *opened(*WATCH),
        begun[0],
        said("Bernardo", KEY, "Horatio", "Marcellus", episode=1, turn=1),
        said("Bernardo", SECRET, "Marcellus", episode=1, turn=2),
        over[0],
        begun[1],
        over[1],
        begun[2],
        said("Bernardo", LATER, "Horatio", "Marcellus", episode=3, turn=1),
        over[2],
    ]


async def brought(folder: Path, name: str, at: str = "E2", settings: str = "") -> str:
    """What Horatio is given at a cursor where what he remembers stands, once he is asked of the key."""
    plan = re.sub(r"memories = .*", f'memories = ["{name}"]\n{settings}', PLAN)
    question = Question(
        world=WORLD,
        character="Horatio",
        at=at,
        question="Where is the key?",
        kind="fact",
        evidence=((6, 7),),
    )
    exam = load(written(folder, plan, [question]))
    async with logged(watch()) as material:
        (unit,) = await units(exam, material)
        cell = cell_of(unit, exam.arms[0], 1)
        view = await material.view(WORLD, "Horatio", AtSeq(unit.seq))
        past = await controlled(cell, material, view, Remembering(material, nothing), Offline())
        asked = respondent("Horatio", cell.arm.seat, Offline(), past)
        return (await asked.recollect(view, question.question)).text


async def nothing(step: LifeStep) -> tuple[()]:
    """What was kept of a step, where none was taken."""
    return ()


async def test_the_oracle_brings_what_the_answer_rests_on_and_nothing_unseen(
    tmp_path: Path,
) -> None:
    found = await brought(tmp_path, "oracle")
    assert found == f'[2] Bernardo says: "{KEY}"'


async def test_the_full_control_brings_all_that_happens(tmp_path: Path) -> None:
    found = await brought(tmp_path, "unsafe:full")
    assert all(text in found for text in (KEY, SECRET, LATER))
    assert f'\nBernardo says: "{SECRET}"' in found, "what is not in the view has no number"


async def test_the_naive_control_finds_what_is_yet_to_come(tmp_path: Path) -> None:
    assert LATER in await brought(tmp_path, "unsafe:naive")


async def test_to_cut_after_the_search_leaves_what_was_not_witnessed_and_fewer_than_were_asked_for(
    tmp_path: Path,
) -> None:
    found = await brought(tmp_path, "unsafe:recall-late")
    assert LATER not in found and SECRET in found and KEY in found
    table = '[agents.everyone."unsafe:recall-late"]\nk = 1\n'
    assert len((await brought(tmp_path, "unsafe:recall-late", "E2", table)).splitlines()) <= 1


@pytest.mark.parametrize("name", CONTROLS.ours)
async def test_what_a_control_brings_keeps_to_the_budget(name: str, tmp_path: Path) -> None:
    whole = await brought(tmp_path, name)
    some = await brought(tmp_path, name, settings="[agents.everyone]\nbudget = 16\n")
    assert len(some) <= 64 and len(some.splitlines()) < max(2, len(whole.splitlines()))


async def test_those_that_leak_are_caught_by_what_holds_for_every_memory_and_no_other_is(
    tmp_path: Path,
) -> None:
    """Laws 3 and 4, over the exams of lives at random: of many prompts of each arm, those that have
    another byte for what came later, or was not witnessed."""
    caught = dict.fromkeys(("recall", *CONTROLS.ours), 0)
    asked = 0
    for seed in range(4):
        chance = Random(seed)
        drafts = lives(chance, 5)
        async with logged(drafts) as log:
            events = [event async for event in log.read(WORLD)]
        for who in WATCH:
            place = (who, len(drafts) * 3 // 4)
            later = await _asked(tmp_path / f"{seed} {who} whole", drafts, place)
            until = await _asked(tmp_path / f"{seed} {who} short", drafts[: place[1]], place)
            altered = unseen_altered(events, who, chance)
            end = await _asked(tmp_path / f"{seed} {who} end", drafts, (who, len(drafts)))
            other = await _asked(tmp_path / f"{seed} {who} other", altered, (who, len(altered)))
            asked += 2
            for name in caught:
                caught[name] += (later[name] != until[name]) + (end[name] != other[name])
    assert caught["recall"] == caught["oracle"] == 0
    assert all(caught[name] >= asked / 10 for name in LEAKING), caught


async def _asked(
    folder: Path, drafts: Sequence[Draft], place: tuple[str, int]
) -> dict[str, tuple[str, ...]]:
    return (await seen(folder, drafts, [place], plan=PLAN))[place].asked


@pytest.mark.parametrize("name", CONTROLS.ours)
def test_no_plan_that_plays_can_name_one(name: str, tmp_path: Path) -> None:
    """Wherever it comes from, for memories are looked for and these are none."""
    assert name not in MEMORIES.names()
    with pytest.raises(NoSuchPart, match="only an exam of questions can name it"):
        MEMORIES.entry(name)
    text = f'world = "flatmates"\n[agents.everyone]\nmemory = "{name}"\n'
    with pytest.raises(BadDocument, match="is a control"):
        parse_plan(text, "plan.toml")
    with pytest.raises(BadDocument, match="is a control"):
        parse_plan(text, "plan.toml", tmp_path, further=trusting(tmp_path, lambda what: None))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["lifelong", "scenes"])
def test_no_exam_that_plays_can_name_one(kind: str, tmp_path: Path) -> None:
    plan = f'exam = "{kind}"\nname = "x"\ngrid.memories = ["unsafe:full"]\n'
    path = tmp_path / "exam.toml"
    path.write_text(plan, "utf-8")
    with pytest.raises(BadDocument, match=r"grid.memories\[0\]: 'unsafe:full' is a control"):
        load(path)


@pytest.mark.parametrize(
    ("arm", "memory", "why"),
    [
        ("best", "unsafe:full", "call it 'unsafe:best'"),
        ("unsafe:best", "recall", "is no name for an arm that does not leak"),
        ("unsafe:oracle", "oracle", "is no name for an arm that does not leak"),
    ],
)
def test_arms_that_leak_are_called_so_and_no_others(
    arm: str, memory: str, why: str, tmp_path: Path
) -> None:
    plan = f'{PLAN}[arms."{arm}"]\nmemory = "{memory}"\nbudget = 900\n'
    path = written(tmp_path, plan, asking([("Horatio", 6)]))
    with pytest.raises(BadDocument, match=re.escape(why)):
        load(path)


def test_an_arm_of_the_grid_that_leaks_is_called_so_whatever_else_is_in_its_name(
    tmp_path: Path,
) -> None:
    plan = PLAN.replace("[grid]", '[grid]\nmethods = ["plain", "stepwise"]')
    exam = load(written(tmp_path, plan, asking([("Horatio", 6)])))
    names = [arm.name for arm in exam.arms]
    assert "unsafe:full-stepwise" in names and "recall-plain" in names


async def test_those_that_leak_stand_in_red_in_every_table_and_in_a_remark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with open_log("lives.db") as log:
        await log.append(WORLD, watch())
    question = Question(
        world=WORLD, character="Horatio", at="E2", question="Where is the key?", kind="fact"
    )
    plan = f'{PLAN}[judges.words]\nby = "overlap"\n'
    exam = load_exam(written(tmp_path, plan, [replace(question, reference="Under a stone.")]))
    assert (await sit_exam(exam)).progress.answered == 7
    found = await read_exam(exam)
    red = {*LEAKING}
    (remark,) = [one for one in found.table.remarks if "unsafe:full" in one]
    assert "no memory to choose" in remark and "oracle" not in remark
    for table in (_scores(found.table), _costs(found.table), _far(found.table)):
        names = list(table.columns[0].cells)
        styles = {str(name): row.style for name, row in zip(names, table.rows, strict=True)}
        assert {name for name, style in styles.items() if style == "red"} == red
    page = report_page(found.table, found.cells, "", [])
    rows = set(re.findall(r'<tr class="unsafe"><td>(?:<a[^>]*>)?([^<]*)', page))
    assert rows == red and '<h3 id="arm2" class="unsafe">unsafe:full' in page
    for name in CONTROLS.ours:  # each cell can be looked at, and its prompt comes out again
        shown = await show(exam, name, "1")
        assert {call.agrees for call in shown.calls} == {True}
