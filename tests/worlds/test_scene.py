"""An episode as it stands is the fold of its events."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from small_scenes import THREE, TWO, go_on, next_turn, opened

from whoknew.eventlog.kinds import Acted
from whoknew.worlds.errors import OffStage
from whoknew.worlds.scene import Scene
from whoknew.worlds.setting import Scenario
from whoknew.worlds.turns import round_robin

POOL = Scenario("pool", "Things.", ("Oda", "Bram"), pool={"book": 1})


def act(scene: Scene, who: str, acted: Acted) -> None:
    drafting = next_turn(scene)
    drafting.act(who, acted)
    go_on(scene, drafting.drafts)


def test_a_turn_in_which_nothing_is_done_is_stale() -> None:
    scene = opened(TWO)
    act(scene, "Oda", Acted(act="none"))
    act(scene, "Bram", Acted(act="none"))
    assert scene.stale == 2


def test_any_deed_ends_the_staleness() -> None:
    scene = opened(TWO)
    act(scene, "Oda", Acted(act="none"))
    act(scene, "Bram", Acted("nods", "non-verbal"))
    assert scene.stale == 0


def test_when_all_act_at_once_one_deed_is_enough() -> None:
    for idle_first in (True, False):
        scene = opened(TWO)
        drafting = next_turn(scene)
        for who, idle in (("Oda", idle_first), ("Bram", not idle_first)):
            drafting.act(who, Acted("", "none") if idle else Acted("Hello."))
        go_on(scene, drafting.drafts)
        assert scene.stale == 0


def test_when_all_act_at_once_a_turn_without_any_deed_counts_once() -> None:
    scene = opened(TWO)
    for _ in range(2):
        drafting = next_turn(scene)
        drafting.act("Oda", Acted(act="none"))
        drafting.act("Bram", Acted(act="none"))
        go_on(scene, drafting.drafts)
    assert scene.stale == 2


def test_a_turn_that_failed_is_not_stale() -> None:
    scene = opened(TWO)
    act(scene, "Oda", Acted(act="none"))
    drafting = next_turn(scene)
    drafting.fail("Bram", "no answer")
    go_on(scene, drafting.drafts)
    assert (scene.stale, scene.played, scene.last_actor) == (1, True, "Bram")


def test_an_offer_stands_until_another_is_made() -> None:
    scene = opened(POOL)
    act(scene, "Oda", Acted("Mine.", offer={"Oda": {"book": 1}, "Bram": {}}))
    act(scene, "Bram", Acted("No: mine.", offer={"Oda": {}, "Bram": {"book": 1}}))
    assert not scene.settled
    act(scene, "Oda", Acted("Well then.", agrees=True))
    assert scene.settled
    assert scene.offer["Bram"] == {"book": 1}


def test_nobody_has_to_agree_to_their_own_offer() -> None:
    scene = opened(POOL)
    act(scene, "Oda", Acted("Mine.", offer={"Oda": {"book": 1}, "Bram": {}}))
    act(scene, "Bram", Acted("Yes.", agrees=True))
    assert scene.settled


def test_nobody_agrees_to_an_offer_that_they_did_not_perceive() -> None:
    mine = {"Bram": {"book": 1}, "Oda": {}}
    for unheard in (Acted("Mine.", "none", offer=mine), Acted("Mine.", to=("Vera",), offer=mine)):
        scene = opened(replace(POOL, cast=("Oda", "Bram", "Vera")))
        act(scene, "Oda", Acted("Mine.", offer={"Oda": {"book": 1}, "Bram": {}}))
        act(scene, "Bram", unheard)
        act(scene, "Vera", Acted("Yes.", agrees=True))
        act(scene, "Oda", Acted("Yes.", agrees=True))
        assert not scene.settled


def test_what_one_can_agree_to_does_not_depend_on_what_one_did_not_perceive() -> None:
    """Nor does it tell that there is something (law 4)."""
    unheard = Acted("Mine.", "none", offer={"Bram": {"book": 1}, "Oda": {}})
    for heard in (False, True):
        scene = opened(POOL)
        if heard:
            act(scene, "Oda", Acted("Mine.", offer={"Oda": {"book": 1}, "Bram": {}}))
        act(scene, "Bram", unheard)
        with nullcontext() if heard else pytest.raises(OffStage, match="no offer to agree to"):
            act(scene, "Oda", Acted("Yes.", agrees=True))


def test_who_acts_at_once_does_not_agree_to_what_is_offered_meanwhile() -> None:
    scene = opened(POOL)
    act(scene, "Oda", Acted("Yours.", offer={"Oda": {}, "Bram": {"book": 1}}))
    drafting = next_turn(scene)
    drafting.act("Oda", Acted("Mine.", offer={"Oda": {"book": 1}, "Bram": {}}))
    drafting.act("Bram", Acted("Yes.", agrees=True))
    go_on(scene, drafting.drafts)
    assert not scene.settled
    act(scene, "Bram", Acted("Yes.", agrees=True))
    assert scene.settled


@given(st.lists(st.sampled_from(["speak", "none", "leave", "action"]), max_size=12))
def test_a_scene_is_a_fold(acts: list[str]) -> None:
    """Taken event by event as it happens, or all at once afterwards: the same scene (law 8)."""
    scene, drafts = opened(THREE), []
    for act_ in acts:
        if not (actors := round_robin(scene, 0)):
            break
        drafting = next_turn(scene)
        drafting.act(actors[0], Acted("x", act_))  # type: ignore[arg-type]
        drafts += go_on(scene, drafting.drafts)
    again = opened(THREE)
    go_on(again, drafts)
    for name in ("turn", "played", "last_actor", "stale", "offer", "agreed", "seats", "present"):
        assert getattr(again, name) == getattr(scene, name)
