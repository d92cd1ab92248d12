"""The guard in a plan: for everyone and for one, by its name alone or with settings."""

from __future__ import annotations

import pytest

from whoknew.engine.plan.differences import differences
from whoknew.engine.plan.document import parse_plan
from whoknew.engine.plan.plan import Guarding, Plan
from whoknew.engine.plan.program import Chain
from whoknew.worlds import shelf
from whoknew.worlds.errors import BadDocument


def plan(text: str) -> Plan:
    return parse_plan(f'world = "harbour"\n{text}', "plan.toml").plan


def test_it_is_set_for_everyone_and_taken_out_for_one() -> None:
    found = plan("[agents.everyone]\nguard = true\n[agents.Nanna]\nguard = false\n[agents.Pim]\n")
    assert found.seat("Gideon").guarding == found.seat("Pim").guarding == Guarding()
    assert found.seat("Nanna").guarding is None
    assert plan("").seat("Nanna").guarding is None


def test_as_a_table_it_has_settings() -> None:
    found = plan('[agents.Pim]\nguard = { tries = 1, then = "stop" }').seat("Pim")
    assert found.guarding == Guarding(tries=1, then="stop") and found.askings == 2


@pytest.mark.parametrize(
    ("guard", "told"),
    [
        ('"yes"', "is 'yes', but should be true or false"),
        ("{ tries = 0 }", "guard.tries"),
        ('{ then = "dorp" }', "'drop'"),
        ("{ time = 1 }", "no such key"),
    ],
)
def test_a_mistake_in_it_is_told(guard: str, told: str) -> None:
    with pytest.raises(BadDocument, match=told):
        plan(f"[agents.everyone]\nguard = {guard}")


def test_a_world_that_was_begun_without_it_is_not_gone_on_with_under_one() -> None:
    setting = shelf.find("harbour")
    before, now = plan(""), plan("[agents.everyone]\nguard = { tries = 1 }")
    found = differences(Chain("w", before, setting), Chain("w", now, setting))
    assert any("agents.everyone.guard" in one for one in found)
    assert differences(Chain("w", now, setting), Chain("w", now, setting)) == []
