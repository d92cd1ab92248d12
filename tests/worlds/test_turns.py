"""Whose turn it is."""

from __future__ import annotations

import os
import subprocess
import sys

from small_scenes import THREE, go_on, next_turn, opened

from whoknew.eventlog.kinds import Acted
from whoknew.worlds.scene import Scene
from whoknew.worlds.setting import Cue
from whoknew.worlds.turns import at_random, round_robin, simultaneous


def had(scene: Scene, who: str, act: str = "speak") -> None:
    drafting = next_turn(scene)
    drafting.act(who, Acted("x", act))  # type: ignore[arg-type]
    go_on(scene, drafting.drafts)


def test_round_robin_goes_by_seats_and_starts_over() -> None:
    scene, order = opened(THREE), []
    for _ in range(4):
        (who,) = round_robin(scene, 0)
        order.append(who)
        had(scene, who)
    assert order == ["Oda", "Bram", "Kit", "Oda"]


def test_round_robin_passes_over_one_who_has_left() -> None:
    scene = opened(THREE)
    had(scene, "Oda")
    had(scene, "Bram", "leave")
    had(scene, "Kit")
    had(scene, "Oda")
    assert round_robin(scene, 0) == ("Kit",)


def test_one_who_comes_in_sits_down_last() -> None:
    scene = opened(THREE)
    drafting = next_turn(scene)
    drafting.turning(Cue(1, who="Ines", enters="openly"), "")
    go_on(scene, drafting.drafts)
    for who in ("Oda", "Bram", "Kit"):
        had(scene, who)
    assert round_robin(scene, 0) == ("Ines",)


def test_simultaneous_is_everybody_present() -> None:
    scene = opened(THREE)
    had(scene, "Oda", "leave")
    assert simultaneous(scene, 0) == ("Bram", "Kit")


def test_the_draw_depends_on_seed_episode_and_turn_alone() -> None:
    def drawn(seed: int) -> list[str]:
        scene, order = opened(THREE), []
        for _ in range(20):
            (who,) = at_random(scene, seed)
            order.append(who)
            had(scene, who)
        return order

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert set(drawn(1)) == {"Oda", "Bram", "Kit"}


def test_the_draw_is_the_same_under_any_hash_seed() -> None:
    program = "from random import Random; print(Random('7/1/3').choice('abcdefgh'))"
    drawn = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(drawn) == 1
