"""The plan of an exam: sound as a whole before anything runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from shared_data import data
from small_exams import exam

from whoknew.engine.exams.lifelong.lives import lives, program_of
from whoknew.engine.exams.lifelong.plan import crowded, load, parse, template
from whoknew.worlds.errors import BadDocument, TooFew


def test_the_template_is_the_plan_that_runs_without_one() -> None:
    one = load(None)
    assert [arm.name for arm in one.arms] == ["none", "recall", "summary", "entire"]
    assert len(program_of(one, "x").chains) == 40


def test_each_line_of_the_template_that_is_off_can_be_turned_on() -> None:
    on = re.sub(r"^# (\[|\w+ = |\w+\.\w+ = )", r"\1", template(), flags=re.MULTILINE)
    on = on.replace('calling."openai:NAME"', 'calling."offline:"')
    one = parse(on, "template")
    assert [arm.name for arm in one.arms][4:] == ["short", "no-negotiation"]
    short, without = one.arms[4:]
    assert short.seats["everyone"].settings["summary"] == {"words": 50}
    assert without.seats["everyone"].settings["summary"] == {"aspects": ["overview", "knowledge"]}
    assert set(one.plan.judges) == {"dimensions", "checklist", "rules", "evidence"}


def test_models_and_memories_make_arms_and_sides_have_seats() -> None:
    one = exam(
        'models = ["offline:", "openai:gpt-5"]\nmemories = ["none", "recall"]\n'
        '[agents.everyone]\nagent = "mind"\nmax_tokens = 9\n'
        '[agents.second]\nmodel = "gemini:flash"\n'
    )
    assert [arm.name for arm in one.arms] == ["m1-none", "m1-recall", "m2-none", "m2-recall"]
    seats = one.arms[3].seats
    assert (seats["everyone"].model, seats["everyone"].memory) == ("openai:gpt-5", "recall")
    assert (seats["second"].model, seats["second"].memory) == ("gemini:flash", "recall")
    assert seats["second"].max_tokens == 9
    life = lives(one)[0]
    chain = program_of(one, "x").chains[-1]
    assert chain.plan.agents[lives(one)[-1].pair[1].name].model == "gemini:flash"
    assert life.pair[0].name != life.pair[1].name


def test_lines_are_only_for_those_who_cannot_speak_by_themselves() -> None:
    goals = program_of(exam(), "x").chains[0].setting.scenarios[0].goals
    assert all('Say: "' in goal for goal in goals.values())
    other = exam('models = ["openai:gpt-5"]\nmemories = ["none"]\n')
    goals = program_of(other, "x").chains[0].setting.scenarios[0].goals
    assert not any("Say:" in goal for goal in goals.values())


def test_every_mistake_comes_in_one_report() -> None:
    with pytest.raises(BadDocument) as found:
        exam(
            'bank = "frend"\nchains = 0\nmemories = ["recal"]\nmodel = "offline:"\n'
            '[agents.frist]\nagent = "mind"\n[judges.points]\nby = "rules"\n'
            '[judges.other]\nby = "checklist"\nmodel = "opnai:x"\n'
        )
    said = str(found.value)
    for what in (
        "did you mean 'friend'",
        ":2: chains: is 0",
        "did you mean 'recall'",
        "did you mean 'models'",
        "did you mean 'first'",
        "judges.points: is a name that exact points have already",
        "'opnai:x' is no address of a model",
    ):
        assert what in said, said


def test_more_than_a_bank_has_is_refused_before_anything_runs() -> None:
    with pytest.raises(TooFew, match=r"60 scenarios are wanted.*friend.*has 42"):
        lives(exam("episodes = 60"))


def test_a_human_in_many_lives_is_refused() -> None:
    found = crowded(exam('[agents.second]\nagent = "human"\n'))
    assert "a person cannot lead 40 lives at once" in str(found)
    one = exam('chains = 1\nmemories = ["none"]\n[agents.second]\nagent = "human"\n')
    assert crowded(one) is None
    assert exam('chains = 1\nmemories = ["none"]\n[agents.second]\nagent = "human"\n')


def test_a_folder_of_sotopia_is_people_and_bank() -> None:
    folder = data("sotopia")
    one = parse(f'people = "{folder}"\nbank = "friend"\nhard = 0\n', "test", Path())
    life = lives(one)[0]
    assert len(life.sketches) == len({sketch.name for sketch in life.sketches}) == 40
    with pytest.raises(BadDocument, match="is no relationship"):
        parse(f'people = "{folder}"\nbank = "enemy"\n', "test", Path())


def test_what_is_wrong_with_an_arm_or_a_model_is_told_where_it_stands() -> None:
    with pytest.raises(BadDocument) as found:
        exam(
            'models = ["offline:", "opnai:x"]\n[calling."openai:y"]\nattempts = 0\n'
            '[agents.first]\nreasks = -1\n[arms.a]\nmethod = "plan"\n'
        )
    keys = {mistake.key for mistake in found.value.mistakes}
    assert {"models[1]", 'calling."openai:y"', "agents.first.reasks", "arms.a.method"} <= keys
    assert all(not key.startswith(("agents.arm", "agents.model")) for key in keys)
