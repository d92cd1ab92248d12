"""What is to happen, with exactly the witnesses it will have."""

from __future__ import annotations

import pytest
from small_scenes import THREE, go_on, next_turn, opened

from whoknew.eventlog.dealing import total
from whoknew.eventlog.kinds import Acted, Became, Entered, Left, Narrated, Seen
from whoknew.worlds.drafting import points
from whoknew.worlds.errors import OffStage
from whoknew.worlds.reach import Reach
from whoknew.worlds.setting import Cue, Scenario

HARBOUR = Scenario(
    "harbour",
    "Fog.",
    ("Oda", "Bram", "Kit", "Nell"),
    place="quay",
    where={"Kit": "shed", "Nell": "office"},
    hidden=("Kit",),
)
POOL = Scenario("pool", "Things.", ("Oda", "Bram"), pool={"book": 2, "hat": 1})


def test_speech_is_witnessed_at_its_place_and_where_it_is_overheard() -> None:
    scene = opened(HARBOUR, Reach({"shed": ("quay",)}))
    drafting = next_turn(scene)
    drafting.act("Oda", Acted("The boat is mine."))
    assert drafting.drafts[0].witnesses == ("Oda", "Bram", "Kit")
    assert drafting.drafts[0].place == "quay"


def test_deeds_and_whispers_are_not_overheard() -> None:
    drafting = next_turn(opened(HARBOUR, Reach({"shed": ("quay",)})))
    drafting.act("Oda", Acted("ties a knot", "action"))
    drafting.act("Bram", Acted("Not so loud.", to=("Oda",)))
    assert [set(draft.witnesses) for draft in drafting.drafts] == [{"Oda", "Bram"}] * 2


def test_one_who_leaves_for_another_place_is_seen_going_and_coming() -> None:
    drafting = next_turn(opened(HARBOUR))
    drafting.act("Bram", Acted("", "leave"), goes="office")
    kinds = [(type(one.body), one.place, one.witnesses) for one in drafting.drafts]
    assert kinds == [
        (Acted, "quay", ("Oda", "Bram")),
        (Left, "quay", ("Oda", "Bram")),
        (Entered, "office", ("Nell", "Bram")),
    ]


def test_a_seat_is_kept_by_one_who_goes_elsewhere() -> None:
    scene = opened(HARBOUR)
    drafting = next_turn(scene)
    drafting.act("Bram", Acted("", "leave"), goes="office")
    go_on(scene, drafting.drafts)
    assert scene.seats == ["Oda", "Bram", "Kit", "Nell"]
    assert scene.present == ("Oda", "Bram", "Kit", "Nell")


def test_one_who_comes_is_told_what_there_is_to_see_the_first_time_only() -> None:
    scene = opened(THREE)
    for turn, turning in enumerate(
        [Cue(1, who="Ines", enters="openly"), Cue(2, who="Ines", leaves=True)], start=1
    ):
        drafting = next_turn(scene)
        drafting.turning(turning, "A kitchen.")
        go_on(scene, drafting.drafts)
        assert scene.turn == turn
    drafting = next_turn(scene)
    drafting.turning(Cue(3, who="Ines", enters="openly"), "A kitchen.")
    assert [type(one.body) for one in drafting.drafts] == [Entered]


def test_the_first_coming_is_with_the_scenario_for_whoever_comes_alone() -> None:
    drafting = next_turn(opened(THREE))
    drafting.turning(Cue(1, who="Ines", enters="hidden"), "A kitchen.")
    told, entered = drafting.drafts
    assert isinstance(told.body, Narrated)
    assert told.witnesses == entered.witnesses == ("Ines",)


def test_who_is_there_does_not_come_again_and_who_is_gone_does_not_go() -> None:
    drafting = next_turn(opened(THREE))
    drafting.turning(Cue(1, who="Oda", enters="openly"), "A kitchen.")
    drafting.turning(Cue(1, who="Ines", leaves=True), "A kitchen.")
    assert drafting.drafts == []


def test_narration_at_a_place_is_witnessed_there_only() -> None:
    drafting = next_turn(opened(HARBOUR))
    drafting.turning(Cue(1, narrates="A bell.", place="office"), "")
    drafting.turning(Cue(1, narrates="Thunder."), "")
    assert [one.witnesses for one in drafting.drafts] == [
        ("Nell",),
        ("Oda", "Bram", "Kit", "Nell"),
    ]
    assert [one.place for one in drafting.drafts] == ["office", None]


def came(
    who: str, how: str, place: str | None = None
) -> list[tuple[type, str | None, tuple[str, ...]]]:
    drafting = next_turn(opened(HARBOUR))
    drafting.turning(Cue(1, who=who, enters=how, place=place), "Fog.")  # type: ignore[arg-type]
    return [(type(one.body), one.place, one.witnesses) for one in drafting.drafts]


def test_one_who_is_elsewhere_comes_from_there() -> None:
    assert came("Nell", "openly") == [
        (Left, "office", ("Nell",)),
        (Entered, "quay", ("Oda", "Bram", "Nell")),
    ]
    assert came("Oda", "openly", "office") == [
        (Left, "quay", ("Oda", "Bram")),
        (Entered, "office", ("Nell", "Oda")),
    ]
    assert came("Nell", "hidden") == [(Left, "office", ("Nell",)), (Entered, "quay", ("Nell",))]


def test_one_who_hides_steps_out_where_it_is_or_comes_from_there() -> None:
    assert came("Kit", "openly") == [(Entered, "shed", ("Kit",))]
    assert came("Kit", "openly", "quay") == [
        (Left, "shed", ("Kit",)),
        (Entered, "quay", ("Oda", "Bram", "Kit")),
    ]
    assert came("Kit", "hidden") == []


def test_those_who_act_at_once_stand_on_each_other_in_the_order_of_seats() -> None:
    drafting = next_turn(opened(THREE))
    drafting.act("Oda", Acted("", "leave"))
    with pytest.raises(OffStage, match="Oda is not here"):
        drafting.act("Bram", Acted("Stay.", to=("Oda",)))


def test_the_scene_stays_as_it_is_until_the_drafts_are_taken() -> None:
    scene = opened(THREE)
    next_turn(scene).act("Oda", Acted("", "leave"))
    assert scene.present == ("Oda", "Bram", "Kit")


@pytest.mark.parametrize(
    ("offer", "why"),
    [
        ({"Oda": {"book": 2}}, "gives away 0 of hat, but there are 1"),
        ({"Oda": {"book": 3, "hat": 1}}, "gives away 3 of book, but there are 2"),
        ({"Oda": {"book": 2, "hat": 1, "cat": 1}}, "1 of cat, but there are 0"),
        ({"Ines": {"book": 2, "hat": 1}}, "Ines is not here"),
        ({"Oda": {"book": 3, "hat": 1}, "Bram": {"book": -1}}, "fewer than none"),
    ],
)
def test_an_offer_gives_away_exactly_what_there_is(
    offer: dict[str, dict[str, int]], why: str
) -> None:
    with pytest.raises(OffStage, match=why):
        next_turn(opened(POOL)).act("Oda", Acted("So.", offer=offer))


def test_nobody_can_agree_to_nothing() -> None:
    with pytest.raises(OffStage, match="no offer to agree to"):
        next_turn(opened(POOL)).act("Oda", Acted("Yes.", agrees=True))


def test_points_are_arithmetic() -> None:
    assert points({"book": 2, "hat": 1}, {"book": 5, "hat": 3}) == 13
    assert total({"Oda": {"book": 1}, "Bram": {"book": 1, "hat": 1}}) == {"book": 2, "hat": 1}


WATCHED = Reach(sees={"office": ("quay",)})


def test_who_only_sees_people_speak_witnesses_that_right_behind_it() -> None:
    drafting = next_turn(opened(HARBOUR, WATCHED))
    drafting.act("Oda", Acted("The boat is mine."))
    spoken, seen = drafting.drafts
    assert spoken.witnesses == ("Oda", "Bram")
    assert seen.body == Seen(("Bram",))
    assert (seen.actor, seen.place, seen.witnesses, seen.about) == ("Oda", "quay", ("Nell",), ())


def test_a_whisper_does_not_show() -> None:
    drafting = next_turn(opened(HARBOUR, WATCHED))
    drafting.act("Bram", Acted("Not so loud.", to=("Oda",)))
    assert [type(one.body) for one in drafting.drafts] == [Acted]


def test_one_who_wakes_is_told_what_there_is_to_see_if_it_slept_as_it_began() -> None:
    scene = opened(Scenario("cabin", "A cabin.", ("Oda", "Bram"), asleep=("Bram",)))
    assert (scene.awake, scene.told) == (("Oda",), {"Oda"})
    drafting = next_turn(scene)
    drafting.become("Bram", "awake", by="Oda")
    told, woke = go_on(scene, drafting.drafts)
    assert (told.body, told.witnesses) == (Narrated("A cabin."), ("Bram",))
    assert (woke.body, woke.witnesses) == (Became("awake", "Oda"), ("Oda", "Bram"))
    assert scene.awake == ("Oda", "Bram")


def test_what_is_so_already_does_not_happen() -> None:
    drafting = next_turn(opened())
    drafting.become("Bram", "awake")
    drafting.become("Bram", "deaf")
    drafting.become("Bram", "deaf")
    assert [(one.body, one.witnesses) for one in drafting.drafts] == [(Became("deaf"), ("Bram",))]


def test_others_see_one_vanish_and_come_to_be_seen_again() -> None:
    drafting = next_turn(opened())
    drafting.become("Bram", "invisible")
    drafting.act("Bram", Acted("lights the lamp", "action"))
    drafting.become("Bram", "visible")
    everybody = ("Oda", "Bram", "Kit")
    assert [one.witnesses for one in drafting.drafts] == [everybody, ("Bram",), everybody]
