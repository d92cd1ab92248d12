"""Every attack in its short form; `make attack` runs them at length."""

from __future__ import annotations

from pathlib import Path

import pytest
from adversity.attack import Ground, play
from adversity.attacks import ATTACKS

SEED = 38
"""With this one writers are killed on every store, and runs in both orders, on a file and a server."""

pytestmark = pytest.mark.filterwarnings(
    # What is cut in the middle leaves sockets behind, of the attacker's and of the clients'.
    "ignore::ResourceWarning",
    "ignore::pytest.PytestUnraisableExceptionWarning",
)


@pytest.mark.parametrize("name", ATTACKS)
def test_nothing_is_lost_or_wrong_under_attack(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    attack = ATTACKS[name]
    ground = Ground(tmp_path, lambda: request.getfixturevalue("postgres"))
    with attack.setup(ground) as strike:
        for number in range(attack.short):
            play(name, strike, SEED, number)
