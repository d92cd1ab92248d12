"""`whoknew parts`: what a plan can name."""

from __future__ import annotations

import re

from command_runner import answer, run

from whoknew.engine.plan.new import template
from whoknew.engine.plan.parts import form_of, judges_of
from whoknew.engine.registry import JUDGES, KINDS, OF_A_PLAN


def test_each_part_is_listed_with_its_line_of_help_and_its_settings() -> None:
    shown = run("parts").stdout
    for kind in KINDS:
        assert f"{kind.what}:\n" in shown
        for name in kind.ours:
            form = re.escape(form_of(kind, name))
            assert re.search(rf"^  {form}  \w", shown, re.MULTILINE)
    assert "    words = 300\n" in shown
    assert re.search(r"^  rules  .*  \(judges episodes\)$", shown, re.MULTILINE)
    assert re.search(r"^  reference  .*  \(judges answers\)$", shown, re.MULTILINE)
    assert re.search(r"^  questions  .*\n    material  \(must be given\)\n", shown, re.MULTILINE)
    assert max(map(len, shown.splitlines())) <= 80


def test_the_same_can_be_had_as_json() -> None:
    found = {(one["kind"], one["name"]): one for one in answer("parts")}
    assert found["memory", "recall"]["settings"] == {"k": 10, "embedder": "", "share": 0.3}
    assert set(found["exam", "questions"]["needed"]) == {"material", "questions"}
    assert found["model", "offline"]["needed"] == []
    assert found["judge", "rubric"]["judges"] == ["answer"]
    assert found["memory", "recall"]["judges"] == []
    assert {name for kind, name in found if kind == "judge"} == set(KINDS[3].ours)


def test_the_template_of_a_plan_names_all_of_ours_and_their_settings() -> None:
    text = template("harbour")
    for kind in OF_A_PLAN:
        names = judges_of("episode") if kind is JUDGES else kind.ours
        assert all(f'"{form_of(kind, name)}"' in text for name in names)
    of_answers_alone = set(judges_of("answer")) - set(judges_of("episode"))
    assert not any(f'"{name}"' in text for name in of_answers_alone)
    assert '# summary = { words = 300, aspects = ["overview", "negotiation", "knowledge"] }' in text
    assert "CHOICES" not in text and "SETTINGS" not in text
