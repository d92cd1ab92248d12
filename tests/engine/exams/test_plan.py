"""The plan of an exam: sound as a whole before anything runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from shared_data import data
from small_exams import exam, lives_of, program_of

from whoknew.engine.exams.document import load, parse
from whoknew.engine.exams.lifelong.lifelong_exam import LifelongExam
from whoknew.engine.exams.run import check_people
from whoknew.worlds.errors import BadDocument, TooFew


def test_the_template_is_the_plan_that_runs_without_one() -> None:
    one = load(Path("lifelong"))
    assert [arm.name for arm in one.arms] == ["none", "recall", "summary", "entire"]
    assert len(program_of(one, "x").chains) == 48


def test_each_line_of_the_template_that_is_off_can_be_turned_on() -> None:
    on = re.sub(r"^# (\[|\w+ = |\w+\.\w+ = )", r"\1", LifelongExam.template, flags=re.MULTILINE)
    on = on.replace('models."openai:gpt-5-mini"', 'models."offline:"')
    one = parse(on.replace("NAME", "lives"), "template")
    assert [arm.name for arm in one.arms][4:] == ["short", "no-negotiation"]
    short, without = one.arms[4:]
    assert short.sides["first"].settings["summary"] == {"words": 50}
    assert without.sides["second"].settings["summary"] == {"aspects": ["overview", "knowledge"]}
    assert {judge.name for judge in one.judges} == {"dimensions", "checklist", "rules", "evidence"}


def test_models_and_memories_make_arms_and_sides_have_seats() -> None:
    one = exam(
        'grid.models = ["offline:", "openai:gpt-5"]\ngrid.memories = ["none", "recall"]\n'
        '[agents.everyone]\nagent = "mind"\nmax_tokens = 9\n'
        '[agents.second]\nmodel = "gemini:flash"\n'
    )
    assert [arm.name for arm in one.arms] == [
        "offline-none",
        "offline-recall",
        "gpt-5-none",
        "gpt-5-recall",
    ]
    seats = one.arms[3].sides
    assert (seats["first"].model, seats["first"].memory) == ("openai:gpt-5", "recall")
    assert (seats["second"].model, seats["second"].memory) == ("gemini:flash", "recall")
    assert seats["second"].max_tokens == 9
    life = lives_of(one)[0]
    chain = program_of(one, "x").chains[-1]
    assert chain.plan.agents[lives_of(one)[-1].pair[1].name].model == "gemini:flash"
    assert life.pair[0].name != life.pair[1].name


def test_lines_are_only_for_those_who_cannot_speak_by_themselves() -> None:
    goals = program_of(exam(), "x").chains[0].setting.scenarios[0].goals
    assert all('Say: "' in goal for goal in goals.values())
    other = exam('grid.models = ["openai:gpt-5"]\ngrid.memories = ["none"]\n')
    goals = program_of(other, "x").chains[0].setting.scenarios[0].goals
    assert not any("Say:" in goal for goal in goals.values())


def test_every_mistake_comes_in_one_report() -> None:
    with pytest.raises(BadDocument) as found:
        exam(
            'bank = "frend"\nchains = 0\ngrid.memories = ["recal"]\nmemories = ["none"]\n'
            '[agents.frist]\nagent = "mind"\n[judges.points]\nby = "rules"\n'
            '[judges.other]\nby = "checklist"\nmodel = "opnai:x"\n'
        )
    said = str(found.value)
    for what in (
        "did you mean 'friend'",
        ":4: chains: is 0",
        "did you mean 'recall'",
        "memories: stands under [grid]: grid.memories = [...]",
        "did you mean 'first'",
        "judges.points: is a name that exact points have already",
        "'opnai:x' is no address of a model",
    ):
        assert what in said, said


def test_more_than_a_bank_has_is_refused_before_anything_runs() -> None:
    with pytest.raises(TooFew, match=r"60 scenarios are wanted.*friend.*has 42"):
        lives_of(exam("episodes = 60"))


def test_a_human_in_many_lives_is_refused() -> None:
    with pytest.raises(BadDocument, match="a person cannot be in 40 scenes at once"):
        check_people(exam('[agents.second]\nagent = "human"\n'), 40)
    one = exam('chains = 1\ngrid.memories = ["none"]\n[agents.second]\nagent = "human"\n')
    check_people(one, 1)


def test_a_folder_of_sotopia_is_people_and_bank() -> None:
    folder = data("sotopia")
    one = exam(f'people = "{folder}"\nbank = "friend"\nhard = 0\n')
    life = lives_of(one)[0]
    assert len(life.sketches) == len({sketch.name for sketch in life.sketches}) == 40
    with pytest.raises(BadDocument, match="is no relationship"):
        exam(f'people = "{folder}"\nbank = "enemy"\n')


def test_what_is_wrong_with_an_arm_or_a_model_is_told_where_it_stands() -> None:
    with pytest.raises(BadDocument) as found:
        exam(
            'grid.models = ["offline:", "opnai:x"]\n[models."openai:y"]\nattempts = 0\n'
            '[agents.first]\nreasks = -1\n[arms.a]\nmethod = "plan"\n'
        )
    keys = {mistake.key for mistake in found.value.mistakes}
    assert {
        "grid.models[1]",
        'models."openai:y".attempts',
        "agents.first.reasks",
        "arms.a.method",
    } <= keys
    assert all(not key.startswith(("agents.arm", "agents.model")) for key in keys)
