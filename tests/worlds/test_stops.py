"""When an episode is over, and why."""

from __future__ import annotations

from datetime import timedelta

from small_scenes import EVENING, TWO, go_on, next_turn, opened

from whoknew.eventlog.kinds import Acted
from whoknew.worlds.drafting import Drafting
from whoknew.worlds.setting import Cue
from whoknew.worlds.stops import stale, too_few, turn_limit, until


def test_rules_are_composed_and_the_first_that_holds_gives_the_reason() -> None:
    stop = turn_limit(2) | stale(1)
    scene = opened(TWO)
    assert stop(scene) is None
    drafting = next_turn(scene)
    drafting.act("Oda", Acted(act="none"))
    go_on(scene, drafting.drafts)
    assert stop(scene) == "nothing happened for 1 turns"
    drafting = next_turn(scene)
    drafting.act("Bram", Acted("Well."))
    go_on(scene, drafting.drafts)
    assert stop(scene) == "2 turns"


def test_what_is_still_to_come_is_waited_for() -> None:
    scene = opened(TWO)
    drafting = next_turn(scene)
    drafting.act("Oda", Acted(act="none"))
    go_on(scene, drafting.drafts)
    assert stale(1, lambda _: True)(scene) is None
    assert stale(1, lambda _: False)(scene) == "nothing happened for 1 turns"


def test_what_is_narrated_is_something_that_happened() -> None:
    scene = opened(TWO)
    for who in TWO.cast:
        drafting = next_turn(scene)
        drafting.act(who, Acted(act="none"))
        go_on(scene, drafting.drafts)
    assert scene.stale == 2
    drafting = next_turn(scene)
    drafting.turning(Cue(3, narrates="A bell."), "")
    go_on(scene, drafting.drafts)
    assert scene.stale == 0
    drafting = Drafting(scene, scene.turn, EVENING)
    drafting.act("Oda", Acted(act="none"))
    go_on(scene, drafting.drafts)
    assert scene.stale == 1


def test_fewer_than_two_end_it_unless_somebody_is_expected() -> None:
    scene = opened(TWO)
    drafting = next_turn(scene)
    drafting.act("Oda", Acted("", "leave"))
    go_on(scene, drafting.drafts)
    assert too_few(2, lambda _: False)(scene) == "fewer than 2 are left"
    assert too_few(2, lambda _: True)(scene) is None


def test_story_time_ends_it() -> None:
    assert until(EVENING)(opened(TWO)) == "it is 20:00"
    assert until(EVENING + timedelta(hours=1))(opened(TWO)) is None
