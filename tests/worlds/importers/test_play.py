"""Plays as worlds: who hears which words follows from the stage directions, and from them alone."""

from __future__ import annotations

import asyncio
from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from line_count import lines_run
from play_scripts import markup
from shared_data import data
from stage_reference import agreement, present, witnessed

from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Acted, CharacterAdded, Entered, EpisodeOpened, Left, Narrated
from whoknew.eventlog.story import story_digest
from whoknew.worlds.errors import BadSource
from whoknew.worlds.importers.play import bundled, world_of, worlds_of

PLAYS = ("hamlet", "macbeth", "dream", "r_and_j")
EVERYBODY = ("ANA", "BO", "CY")


def play(*scenes: str) -> str:
    parts = "".join(f"<SCENE><TITLE>SCENE I. A room.</TITLE>{one}</SCENE>" for one in scenes)
    people = "".join(f"<PERSONA>{name}</PERSONA>" for name in (*EVERYBODY, "LORDS"))
    return f"<PLAY><TITLE>P</TITLE><PERSONAE>{people}</PERSONAE><ACT><TITLE>ACT I</TITLE>{parts}</ACT></PLAY>"


def says(who: str, *parts: str) -> str:
    lines = "".join(
        f"<STAGEDIR>{part[1:-1]}</STAGEDIR>" if part.startswith("[") else f"<LINE>{part}</LINE>"
        for part in parts
    )
    speakers = "".join(f"<SPEAKER>{name}</SPEAKER>" for name in who.split("+"))
    return f"<SPEECH>{speakers}{lines}</SPEECH>"


def goes(text: str) -> str:
    return f"<STAGEDIR>{text}</STAGEDIR>"


def heard(tmp_path: Path, *scenes: str) -> dict[str, set[str]]:
    """Each speech by its words, with those who hear it."""
    file = tmp_path / "p.xml"
    file.write_text(play(*scenes))
    return {
        draft.body.text: set(draft.witnesses)
        for draft in world_of(file).drafts
        if isinstance(draft.body, Acted)
    }


ALL_IN = goes("Enter ANA, BO, and CY")
SPEAK = says("ANA", "a") + says("BO", "b") + says("CY", "c")


@pytest.mark.parametrize(
    ("direction", "there"),
    [
        ("Exit CY", {"ANA", "BO"}),
        ("Exeunt BO and CY", {"ANA"}),
        ("Exeunt all but ANA", {"ANA"}),
        ("Exeunt all except ANA and BO", {"ANA", "BO"}),
        ("Exeunt CY and train", {"ANA"}),
        ("CY dies", {"ANA", "BO"}),
        ("CY falls asleep", {"ANA", "BO"}),
        ("CY vanishes", {"ANA", "BO"}),
        ("BO is carried out", {"ANA", "CY"}),
        ("CY hides behind the arras", {"ANA", "BO", "CY"}),
        ("BO's sword falls", {"ANA", "BO", "CY"}),
        ("A noise within", {"ANA", "BO", "CY"}),
        ("The ghost of CY's father in BO's chair", {"ANA", "BO", "CY"}),
    ],
)
def test_who_hears_what_comes_after_a_direction(
    tmp_path: Path, direction: str, there: set[str]
) -> None:
    found = heard(tmp_path, ALL_IN + SPEAK + goes(direction) + says("ANA", "after"))
    assert found["after"] == there
    assert found["a"] == set(EVERYBODY)


def test_exit_is_of_whoever_spoke_last(tmp_path: Path) -> None:
    found = heard(tmp_path, ALL_IN + says("BO", "I go.", "[Exit]") + says("ANA", "Gone."))
    assert found["Gone."] == {"ANA", "CY"}


def test_who_speaks_on_has_not_gone(tmp_path: Path) -> None:
    scene = ALL_IN + says("CY", "c") + says("ANA", "Go, Cy.") + goes("Exit") + says("ANA", "So.")
    assert heard(tmp_path, scene)["So."] == {"ANA", "BO"}


def test_who_speaks_has_come_in_with_the_others(tmp_path: Path) -> None:
    scene = goes("Enter ANA") + says("ANA", "Alone.") + goes("Enter BO and others")
    found = heard(tmp_path, scene + says("BO", "b") + says("CY", "c"))
    assert found["Alone."] == {"ANA"}
    assert found["b"] == set(EVERYBODY)


def test_who_comes_in_again_had_gone(tmp_path: Path) -> None:
    scene = ALL_IN + SPEAK + goes("Exit BO") + says("ANA", "x") + goes("Re-enter BO and CY")
    found = heard(tmp_path, scene + says("CY", "y"))
    assert found["x"] == {"ANA"}
    assert found["y"] == set(EVERYBODY)


def test_asides_are_heard_by_those_addressed(tmp_path: Path) -> None:
    scene = ALL_IN + says("ANA", "loud", "[Aside]", "soft", "[To BO]", "again")
    found = heard(tmp_path, scene + says("BO", "[Aside to CY]", "psst"))
    assert found["loud"] == found["again"] == set(EVERYBODY)
    assert found["soft"] == {"ANA"}
    assert found["psst"] == {"BO", "CY"}


def test_a_letter_read_to_oneself_is_heard_by_nobody_else(tmp_path: Path) -> None:
    scene = (
        ALL_IN + SPEAK + says("BO", "[Reads to himself]", "Dear Bo") + says("CY", "[Reads]", "Ho")
    )
    found = heard(tmp_path, scene)
    assert found["Dear Bo"] == {"BO"}
    assert found["Ho"] == set(EVERYBODY)


def test_one_who_is_hidden_hears_and_is_not_perceived(tmp_path: Path) -> None:
    file = tmp_path / "p.xml"
    scene = goes("Enter ANA") + says("ANA", "a") + goes("Enter CY behind") + says("ANA", "b")
    after = goes("CY comes forward") + says("ANA", "Oh.")
    file.write_text(play(scene + says("CY", "Who is this?") + after))
    drafts = world_of(file).drafts
    words = {one.body.text: one.witnesses for one in drafts if isinstance(one.body, Acted)}
    (entered,) = [one for one in drafts if isinstance(one.body, Entered) and one.body.hidden]
    assert entered.witnesses == ("CY",)
    assert set(words["b"]) == {"ANA", "CY"}
    assert words["Who is this?"] == ("CY",)
    assert "ANA" in next(one.witnesses for one in drafts if one.body == Entered(how="comes out"))


def test_a_voice_from_off_the_stage_is_heard_on_it(tmp_path: Path) -> None:
    scene = goes("Enter ANA") + says("ANA", "a") + says("BO", "[Within]", "Ho!") + says("ANA", "b")
    found = heard(tmp_path, scene + says("CY", "c"))
    assert found["Ho!"] >= {"ANA", "BO"}
    assert "BO" not in found["b"]


def test_several_say_a_speech_together_in_one_event(tmp_path: Path) -> None:
    file = tmp_path / "p.xml"
    file.write_text(play(ALL_IN + SPEAK + says("ANA+BO", "Both.") + says("All", "Every one.")))
    said = {
        one.body.text: (one.actor, *one.body.also)
        for one in world_of(file).drafts
        if isinstance(one.body, Acted)
    }
    assert said["Both."] == ("ANA", "BO")
    assert said["Every one."] == ("CY",)


def test_a_scene_without_an_entrance_goes_on_from_the_last(tmp_path: Path) -> None:
    found = heard(tmp_path, ALL_IN + SPEAK + goes("Exit CY"), says("BO", "Still."))
    assert found["Still."] == {"ANA", "BO"}


def test_the_one_asleep_in_the_title_wakes(tmp_path: Path) -> None:
    file = tmp_path / "p.xml"
    text = play(goes("Enter ANA") + says("ANA", "a") + says("BO", "[Awaking]", "b"))
    file.write_text(text.replace("A room.", "A room. BO lying asleep."))
    drafts = world_of(file).drafts
    words = {one.body.text: set(one.witnesses) for one in drafts if isinstance(one.body, Acted)}
    assert words["a"] == {"ANA"}
    assert words["b"] == {"ANA", "BO"}
    (opened,) = [one.body for one in drafts if isinstance(one.body, EpisodeOpened)]
    assert opened.scenario == "A room"


def test_a_slip_of_the_pen_is_taken_for_the_name_it_is_nearest_to(tmp_path: Path) -> None:
    file = tmp_path / "p.xml"
    often = "".join(says("HERMIA", str(n)) for n in range(12))
    file.write_text(play(goes("Enter HERMIA") + often + says("HERNIA", "Oops.")))
    world = world_of(file)
    assert {one.actor for one in world.drafts if isinstance(one.body, Acted)} == {"HERMIA"}
    assert any("HERNIA" in str(remark) for remark in world.remarks)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "no XML"),
        ("<PLAY><ACT>", "no XML"),
        ("<html></html>", "outermost element is <html>"),
        ("<PLAY><TITLE>T</TITLE></PLAY>", "no play"),
    ],
)
def test_what_is_no_play_is_refused(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "p.xml"
    file.write_text(text)
    with pytest.raises(BadSource, match=what):
        world_of(file)


def test_a_file_that_is_not_there_is_told() -> None:
    with pytest.raises(BadSource, match="is not there"):
        list(worlds_of(Path("nowhere.xml")))


def test_a_play_that_does_not_come_with_us_is_told_with_those_that_do() -> None:
    with pytest.raises(BadSource, match=r"comes with Whoknew has this name: .*'the-lamp-room'"):
        list(worlds_of(Path("hamlet")))


@pytest.mark.parametrize("measure", [present])
def test_who_is_on_stage_agrees_with_the_reference(measure) -> None:  # type: ignore[no-untyped-def]
    found = {
        name: agreement(
            list(measure(world_of(data("shakespeare", f"{name}.xml")).drafts)),
            data("shakespeare-onstage", f"{name}.jsonl"),
        )
        for name in PLAYS
    }
    assert mean(found.values()) >= 0.98, found
    assert min(found.values()) >= 0.97, found


def test_those_who_hear_are_nearly_those_on_stage() -> None:
    """But for asides, the dead, those asleep, and what the hidden say among themselves."""
    for name in PLAYS:
        drafts = world_of(data("shakespeare", f"{name}.xml")).drafts
        reference = data("shakespeare-onstage", f"{name}.jsonl")
        assert agreement(list(witnessed(drafts)), reference) >= 0.94


class TestTheLampRoom:
    """Our own play: an aside, a letter, somebody hidden, somebody asleep, a death."""

    @pytest.fixture
    def drafts(self) -> tuple[Draft, ...]:
        return world_of(bundled()["the-lamp-room"]).drafts

    def hears(self, drafts: tuple[Draft, ...], begins: str) -> set[str]:
        (found,) = [
            one
            for one in drafts
            if isinstance(one.body, Acted) and one.body.text.startswith(begins)
        ]
        return set(found.witnesses)

    def test_each_scene_is_an_episode(self, drafts: tuple[Draft, ...]) -> None:
        names = [one.body.name for one in drafts if isinstance(one.body, EpisodeOpened)]
        assert len(names) == 6
        assert names[2] == "Act II, Scene I"

    def test_who_knows_what(self, drafts: tuple[Draft, ...]) -> None:
        assert self.hears(drafts, "She must not come back") == {"CAPTAIN MARROW"}
        assert self.hears(drafts, "He offered me ten crowns") == {"TOBIAS PELL", "AUGUSTA PELL"}
        assert "ISOLDE MARROW" in self.hears(drafts, "A ship with stones")
        assert "ISOLDE MARROW" not in self.hears(drafts, "What does a shipowner")
        assert self.hears(drafts, "I never meant to frighten") == {"AUGUSTA PELL"}
        assert "WREN" not in self.hears(drafts, "My heart.")
        assert "WREN" in self.hears(drafts, "I did not sleep.")
        letter = [one for one in drafts if getattr(one.body, "text", "").startswith('"Keeper')]
        assert [set(one.witnesses) for one in letter] == [{"ISOLDE MARROW"}, {"AUGUSTA PELL"}]

    def test_death_and_sleep_stand_in_the_log(self, drafts: tuple[Draft, ...]) -> None:
        assert [one.body.how for one in drafts if isinstance(one.body, Left) and one.body.how] == [
            "falls asleep",
            "dies",
        ]

    def test_no_direction_gives_a_secret_away(self, drafts: tuple[Draft, ...]) -> None:
        for draft in drafts:
            if isinstance(draft.body, Narrated):
                assert not draft.body.text.startswith("Aside")
                assert "behind" not in draft.body.text or draft.witnesses == ("ISOLDE MARROW",)

    async def test_it_can_be_appended_and_is_always_the_same(self) -> None:
        digests = []
        for world in [*worlds_of(Path("the-lamp-room")), *worlds_of(Path("the-lamp-room"))]:
            async with open_log(":memory:") as log:
                await log.append(world.name, world.drafts)
                events = await (await log.director(world.name)).events()
                assert events[-1].seq == len(world.drafts)
                assert all(event.source for event in events if event.episode)
                digests.append(story_digest(events))
        assert len(set(digests)) == 1


NAMES = st.sampled_from(["ANA", "BO", "CY", "KING DAN", "First Lord", "Second Lord", "All", ""])
DIRECTIONS = st.sampled_from(
    [
        "Enter ANA", "Enter BO and CY", "Enter KING DAN, and others", "Re-enter CY behind",
        "Exit", "Exeunt", "Exit BO", "Exeunt all but ANA", "Exeunt KING DAN and train",
        "Exeunt Lords", "Enter two Lords", "Enter a Lord", "CY hides", "ANA dies", "Dies",
        "BO sleeps", "Awaking", "CY comes forward", "Aside", "Aside to BO", "To ANA", "Within",
        "Reads", "Enter, from one side, ANA; from the other, CY, unseen", "They fight", "Flourish",
        "Exit, pursued by BO", "Exeunt severally", "BO vanishes", "They sleep", "Enter DAN for CY",
        "KING DAN, and the Lords, exeunt", "Enter ANA; BO behind; CY asleep", "Re-enter ANA, BO",
        "BO follows", "Exit ANA; BO follows", "They follow", "Follows", "ANA takes BO aside", "ANA alone",
        "CY steps out", "CY steps in", "ANA takes CY out", "Low, to her", "Loudly", "In his sleep",
        "KING DAN is heard outside", "All leave except BO", "Enter ANA, BO following", "(Exit.)",
    ]
)  # fmt: skip
TITLES = st.sampled_from(["SCENE I. A room.", "SCENE II. A wood. CY lying asleep.", "PROLOGUE", ""])


@st.composite
def anything(draw: st.DrawFn) -> str:
    """A play that nobody wrote: whatever order its directions stand in, it has to be imported."""
    scenes = []
    for _ in range(draw(st.integers(1, 3))):
        items = draw(st.lists(st.tuples(NAMES, DIRECTIONS, st.booleans()), max_size=14))
        parts = [
            says(name, f"[{direction}]", f"words {n}")
            if inside
            else goes(direction) + says(name, "x")
            for n, (name, direction, inside) in enumerate(items)
        ]
        scenes.append(f"<SCENE><TITLE>{draw(TITLES)}</TITLE>{''.join(parts)}</SCENE>")
    return f"<PLAY><TITLE>P</TITLE><ACT><TITLE>ACT I</TITLE>{''.join(scenes)}</ACT></PLAY>"


@given(anything())
def test_any_play_is_imported_and_the_log_takes_it(tmp_path_factory, text: str) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path_factory.mktemp("any") / "p.xml"
    file.write_text(text)
    if "<SPEECH>" not in text:
        return
    world = world_of(file)

    async def append() -> None:
        async with open_log(":memory:") as log:
            await log.append(world.name, world.drafts)

    asyncio.run(append())
    for draft in world.drafts:
        if isinstance(draft.body, Acted):
            assert draft.actor in draft.witnesses


def test_a_name_that_several_of_the_list_have_says_so(tmp_path: Path) -> None:
    listed = "<PERSONA>An English Doctor. </PERSONA><PERSONA>A Scotch Doctor. </PERSONA>"
    script = "[Enter ANA and Doctor]\nANA. Well?\nDoctor. Ay, sir."
    file = tmp_path / "p.xml"
    file.write_text(markup(script).replace("<PERSONAE>", f"<PERSONAE>{listed}"))
    cards = {
        one.body.name: one.body.description
        for one in world_of(file).drafts
        if isinstance(one.body, CharacterAdded)
    }
    assert cards["Doctor"] == "An English Doctor; A Scotch Doctor"
    assert cards["ANA"] == ""


def test_an_exeunt_does_not_read_on_for_everybody(tmp_path: Path) -> None:
    """Whoever speaks on stays, and comes in with the first words: a scene of n who are never announced is
    carried out n times."""

    def lines(people: int) -> int:
        file = tmp_path / "p.xml"
        names = [f"Person{chr(65 + n)}" for n in range(people)]
        file.write_text(markup("\n".join(f"{name}. Well.\n[Exeunt]" for name in names * 2)))
        return lines_run(lambda: world_of(file), ("script", "staging"))

    assert lines(24) < 3**3 * lines(8)
