"""Directions as plays of later times word them, of our own making; and who hears what is said after them.
ANA, BO and CY are there, and have spoken, as each begins."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest
from play_scripts import check_hearers, imported

from whoknew.eventlog.kinds import Acted, Entered, Left
from whoknew.worlds.importers.play import world_of

ALL = "ANA BO CY"

GONE = [
    "CY goes into the next room", "CY goes into the garden", "CY leaves by the window", "CY has gone",
    "CY leaves ANA and BO", "The door slams. CY has gone out unnoticed",
    "CY steps out for a moment", "CY goes upstairs", "CY goes outside", "CY disappears", "CY goes",
    "CY bows and goes", "CY goes to fetch DAN", "CY is sent away", "BO shows CY out", "BO sees CY out",
    "CY strides out", "CY walks off", "CY slinks off", "CY sneaks away", "CY tiptoes out",
    "CY creeps out", "CY dashes off", "CY marches off", "CY staggers out",
    "CY jumps out of the window", "CY climbs out of the window",
]  # fmt: skip
"""After these CY is gone."""

ALONE = [
    "All leave but ANA", "All leave, except ANA", "Everyone leaves except ANA",
    "CY leaves with BO", "ANA is left alone", "ANA alone", "ANA remains alone", "Manet ANA",
    "BO goes out, followed by CY", "BO goes out, CY following", "Exit BO; CY follows",
    "BO goes out. CY follows her", "BO goes out, CY follows",
    "BO takes CY out", "BO goes out, and CY follows",
]  # fmt: skip
"""After these ANA is alone."""

COME = [
    "DAN has come in", "DAN joins them", "DAN joins CY at the fire", "DAN comes on", "DAN comes", "DAN steps in",
    "DAN climbs in at the window", "DAN jumps in through the window", "EVE leads in DAN",
    "BO brings DAN in", "BO leads DAN in", "DAN is carried in", "DAN is led on", "To them DAN",
    "DAN shows himself at the door", "CY returns; DAN follows",
]  # fmt: skip
"""After these DAN is there."""

LED = [
    "BO takes him out", "BO leads him off", "BO drags him away", "He takes him out", "CY is led out by BO",
    "BO takes him by the arm and leads him out", "BO bears him off in his arms", "BO supports him off",
    "BO conducts CY off", "BO hands CY out", "BO carries off CY", "Exit BO, with him", "BO leads them off",
    "Exit CY, supported out by BO",
]  # fmt: skip
"""After these ANA is alone: CY, who spoke last, is led off by BO."""

LEADS = [
    "Takes him out", "Leads him off", "He leads him away", "Takes him by the hand and leads him out",
    "Supporting him out", "Exit, with him", "Exit with him", "Leading them off",
]  # fmt: skip
"""BO, so, after CY: ANA is alone."""

SENT = [
    "Shows him out",
    "Drives him out",
    "Waves him off",
    "He orders him away",
    "Thrusts him forth",
]
"""BO, so, after CY, who alone goes."""

UNSEEN = [
    "visible only to ANA", "visible to ANA only", "seen only by ANA", "seen by ANA alone",
    "seen and heard by ANA alone", "seen by none but ANA", "seen of none save ANA",
    "visible to nobody but ANA", "unseen by all but ANA", "unseen by all save ANA",
    "invisible to all but ANA", "invisible except to ANA", "unseen but by ANA", "perceived by ANA alone",
]  # fmt: skip
"""Of a ghost that comes so nobody learns but ANA."""

HERE = [
    "BO takes him by the hand", "BO takes it out", "BO takes out CY's letter",
    "BO hands them out", "BO carries off CY's cloak",
    "ANA takes a letter out", "ANA takes off her cloak", "ANA takes CY's cloak off",
    "ANA joins their hands", "BO joins hands with CY", "ANA walks to the window. CY follows her",
    "BO sees CY to the door", "CY walks away from BO", "CY goes to find a chair", "CY shows off",
    "CY goes up stage", "CY leaves BO alone", "CY leaves her seat", "CY starts to go out. ANA stops her", "CY moves to go out", "CY turns to go out", "CY does not go out",
    "CY tries to go out, but the door is locked", "CY nearly goes out", "CY wants to go in",
]  # fmt: skip
"""After these nobody is gone, and nobody came."""

ELSEWHERE = [
    "Off stage", "Outside", "Outside the door", "From the next room", "Behind the door", "From the street",
    "Calling from outside", "Behind the scenes",
]  # fmt: skip
"""Who speaks so is not there."""

PRIVATELY = [
    "(Aside to ANA)", "(Low, to her.)", "Softly, so that only ANA hears", "Low, to her", "Aside to her", "In a whisper, to her", "To ANA, in a whisper", "To ANA, low",
    "To her, softly", "Whispers to her", "In her ear",
]  # fmt: skip
"""BO, so, to ANA who has just spoken."""

SCENES: dict[str, tuple[str, dict[str, str]]] = {
    "the others follow": (
        "[ANA goes out. The others follow]\nDAN. [Entering] Empty.",
        {"Empty.": "DAN"},
    ),
    "enters, and one follows": ("[DAN enters, and EVE follows]\nANA. See.", {"See.": f"{ALL} DAN EVE"}),
    "follows, having spoken": (
        "ANA. Bye. [Exit]\nBO. Wait. [Follows her]\nCY. Alone.",
        {"Wait.": "BO CY", "Alone.": "CY"},
    ),
    "follows, in a direction of its own": ("[Exit ANA]\n[BO follows]\nCY. Alone.", {"Alone.": "CY"}),
    "running in, and there": (
        "CY. [Running in] Ho!\nANA. Well?",
        {"Ho!": ALL, "Well?": ALL},
    ),
    "goes out and is heard from outside": (
        "CY. Bye. [He slips out]\nANA. Two.\nCY. [Within] Ho!\nANA. Come.",
        {"Two.": "ANA BO", "Ho!": ALL, "Come.": "ANA BO"},
    ),
    "stops behind": (
        "[CY goes, but stops behind the wall and listens]\nANA. Secret.\nCY. Ha!\nANA. Go on.",
        {"Secret.": ALL, "Ha!": "CY", "Go on.": ALL},
    ),
    "hidden, as all but one go": (
        "[CY hides]\n[Exeunt all but ANA]\nANA. Secret.\n[CY comes out]\nCY. So!",
        {"Secret.": "ANA CY", "So!": "ANA CY"},
    ),
    "steps in from hiding": (
        "[CY hides]\nCY. Hm.\n[CY steps in]\nCY. So!",
        {"Hm.": "CY", "So!": ALL},
    ),
    "steps out of hiding": (
        "[CY hides]\nCY. Hm.\n[CY steps out]\nCY. So!",
        {"Hm.": "CY", "So!": ALL},
    ),
    "is followed at a distance": (
        "[Enter DAN, followed at a distance by EVE]\nDAN. Ho.\nEVE. Hm.\n[EVE comes up to him]\nEVE. I.",
        {"Ho.": f"{ALL} DAN EVE", "Hm.": "EVE", "I.": f"{ALL} DAN EVE"},
    ),
    "takes aside": (
        "[ANA takes BO aside]\nANA. Secret.\nBO. Mum.\nCY. What?\nANA. Nothing.",
        {"Secret.": "ANA BO", "Mum.": "ANA BO", "What?": ALL, "Nothing.": ALL},
    ),
    "takes aside, speaking": (
        "ANA. [Taking BO aside] Secret.\nBO. Mum.\nCY. What?",
        {"Secret.": "ANA BO", "Mum.": "ANA BO", "What?": ALL},
    ),
    "draws aside, and one grows loud": (
        "[ANA draws BO aside]\nANA. Secret.\nBO. [Loudly] What?\nANA. Hush.",
        {"Secret.": "ANA BO", "What?": ALL, "Hush.": ALL},
    ),
    "takes aside, and speaks to another": (
        "[ANA takes BO aside]\nANA. Secret. [To CY] Well?",
        {"Secret.": "ANA BO", "Well?": ALL},
    ),
    "talk apart, and one comes": (
        "[ANA and BO talk apart]\nANA. Secret.\n[Enter DAN]\nANA. Welcome.",
        {"Secret.": "ANA BO", "Welcome.": f"{ALL} DAN"},
    ),
    "aside, then loud": ("ANA. [Aside] Fool. [Loudly] Sir!", {"Fool.": "ANA", "Sir!": ALL}),
    "is heard before he speaks": (
        "[DAN is heard outside]\nDAN. Dinner!\nANA. Yes.",
        {"Dinner!": f"{ALL} DAN", "Yes.": ALL},
    ),
    "begins to weep, and goes": ("[CY begins to weep and goes out]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "turns to the door, and goes": ("[CY turns to the door and goes out]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "pretends to go, and hides": (
        "[CY pretends to go out and hides behind the screen]\nCY. Ha.\nANA. Hm.",
        {"Ha.": "CY", "Hm.": ALL},
    ),
    "talks in his sleep": (
        "[CY sleeps]\nCY. [In his sleep] Mother!\nANA. Hush.\nCY. [Dreaming] Father!\nANA. Mum.\nCY. [Wakes] Ho!",
        {"Mother!": ALL, "Hush.": "ANA BO", "Mum.": "ANA BO", "Ho!": ALL},
    ),
    "enters twice in a direction": (
        "[Enter DAN and EVE; DAN comes in last]\nANA. See.",
        {"See.": f"{ALL} DAN EVE"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("direction", GONE)
def test_who_goes(tmp_path: Path, direction: str) -> None:
    check_hearers(tmp_path, f"[{direction}]\nANA. Gone.", {"Gone.": "ANA BO"})


@pytest.mark.parametrize("direction", ALONE)
def test_who_is_left_alone(tmp_path: Path, direction: str) -> None:
    check_hearers(tmp_path, f"[{direction}]\nANA. Alone.", {"Alone.": "ANA"})


@pytest.mark.parametrize("direction", LED)
def test_who_is_led_off(tmp_path: Path, direction: str) -> None:
    check_hearers(tmp_path, f"[{direction}]\nANA. Alone.", {"Alone.": "ANA"})


@pytest.mark.parametrize("direction", LEADS)
def test_whom_a_speaker_leads_off(tmp_path: Path, direction: str) -> None:
    script = f"CY. Help.\nBO. Come. [{direction}]\nANA. Alone."
    check_hearers(tmp_path, script, {"Come.": ALL, "Alone.": "ANA"})


@pytest.mark.parametrize("direction", SENT)
def test_whom_a_speaker_sends_off(tmp_path: Path, direction: str) -> None:
    script = f"CY. Why?\nBO. Go. [{direction}]\nANA. Gone."
    check_hearers(tmp_path, script, {"Go.": ALL, "Gone.": "ANA BO"})


def test_who_speaks_on_was_not_led_off(tmp_path: Path) -> None:
    script = "[Enter DAN]\nDAN. So.\n[BO leads him off]\nDAN. Here.\nANA. Well."
    check_hearers(tmp_path, script, {"Here.": "ANA DAN", "Well.": "ANA DAN"})
    script = "[Enter DAN]\nDAN. So.\n[BO leads them off]\nDAN. Here.\nANA. Well."
    check_hearers(tmp_path, script, {"Here.": "ANA DAN", "Well.": "ANA DAN"})


@pytest.mark.parametrize("direction", UNSEEN)
def test_who_is_seen_by_one_alone(tmp_path: Path, direction: str) -> None:
    script = (
        f"[Enter the GHOST OF FINN, {direction}]\nGHOST OF FINN. Mark.\nANA. I do.\n"
        "GHOST OF FINN. Swear.\nBO. What?\n[Exit Ghost]\nCY. Well."
    )
    heard = {"Mark.": "ANA GHOST_OF_FINN", "I do.": f"{ALL} GHOST_OF_FINN"}
    heard |= {"Swear.": "ANA GHOST_OF_FINN", "What?": f"{ALL} GHOST_OF_FINN", "Well.": ALL}
    check_hearers(tmp_path, script, heard)
    of_the_ghost = [
        one for one in imported(tmp_path, script).drafts if one.actor == "GHOST OF FINN"
    ]
    assert {frozenset(one.witnesses) for one in of_the_ghost} == {
        frozenset(("ANA", "GHOST OF FINN"))
    }
    assert [type(one.body) for one in of_the_ghost] == [Entered, Acted, Acted, Left]


def test_a_ghost_that_one_alone_sees_can_show_itself(tmp_path: Path) -> None:
    script = (
        "[The GHOST OF FINN appears, seen by none but ANA and BO]\nGHOST OF FINN. Mark.\n"
        "[The GHOST OF FINN comes forward]\nGHOST OF FINN. Swear."
    )
    heard = {"Mark.": "ANA BO GHOST_OF_FINN", "Swear.": f"{ALL} GHOST_OF_FINN"}
    check_hearers(tmp_path, script, heard)


@pytest.mark.parametrize("direction", COME)
def test_who_comes(tmp_path: Path, direction: str) -> None:
    check_hearers(tmp_path, f"[{direction}]\nANA. Welcome.", {"Welcome.": f"{ALL} DAN"})


@pytest.mark.parametrize("direction", HERE)
def test_who_stays(tmp_path: Path, direction: str) -> None:
    check_hearers(tmp_path, f"[{direction}]\nANA. Three.", {"Three.": ALL})


@pytest.mark.parametrize("direction", ELSEWHERE)
def test_who_is_heard_from_elsewhere(tmp_path: Path, direction: str) -> None:
    script = f"DAN. [{direction}] Dinner!\nANA. Yes."
    check_hearers(tmp_path, script, {"Dinner!": f"{ALL} DAN", "Yes.": ALL})


@pytest.mark.parametrize("direction", PRIVATELY)
def test_who_is_spoken_to_in_private(tmp_path: Path, direction: str) -> None:
    check_hearers(tmp_path, f"ANA. Well?\nBO. [{direction}] Yes.", {"Well?": ALL, "Yes.": "ANA BO"})


@pytest.mark.parametrize("scene", SCENES)
def test_who_hears_in_a_scene(tmp_path: Path, scene: str) -> None:
    check_hearers(tmp_path, *SCENES[scene])


LONG = [
    "ANA drags off CY's cloak ", "seen only by ANA ", "is led out by BO ", "takes him out ", "Exeunt, ",
    "Exeunt ANA and ", "reads ", "Exeunt all but ANA ", "Enter DAN with ", "aside to ANA ", "unseen by all but ",
]  # fmt: skip
"""What took up to hours where it was said over and over."""


@pytest.mark.parametrize("words", LONG)
def test_a_direction_takes_a_time_that_grows_with_its_length(tmp_path: Path, words: str) -> None:
    text = words * (40_000 // len(words))
    begun = process_time()
    imported(tmp_path, f"[{text}]\nANA. Well.")
    assert (
        process_time() - begun < 10
    )  # it takes half a second; what grows with the square took 24 and more


LONG_SCENES = {
    "a list of names": f"[Enter {'ANA, ' * 12_000}]",
    "words with hyphens before a letter": f"BO. {'well-' * 10_000}\nANA. [reads a letter] 'Dear",
    "a ghost that is asked of": f"BO. {'see ' * 25_000}\nANA. No.\nGHOST OF FINN. Mark.",
    "one who talks with nobody": "[Exeunt BO and CY]\n"
    + "[They hide]\n[They fight]\nANA. Yes.\n" * 3_000,
}
"""What took half a minute and more: all behind each name was looked at, each of the words was begun from, the
end of a question was looked for behind each word of seeing, and who else had spoken was looked for back to the beginning."""


@pytest.mark.parametrize("scene", LONG_SCENES)
def test_a_scene_takes_a_time_that_grows_with_its_length(tmp_path: Path, scene: str) -> None:
    begun = process_time()
    imported(tmp_path, f"{LONG_SCENES[scene].rstrip()}\nANA. Well.")
    assert process_time() - begun < 10  # it takes a second


def test_many_companies_are_looked_for_at_once(tmp_path: Path) -> None:
    """Each was looked for in each direction by a pattern of its own, which took a minute."""
    names = [f"A{number}" for number in range(1200)]
    people = "".join(
        f"<PERSONA>{name}, w{place // 2}s.</PERSONA>" for place, name in enumerate(names)
    )
    speeches = "".join(
        f"<SPEECH><SPEAKER>{name}</SPEAKER><LINE>Yes.</LINE></SPEECH>" for name in names
    )
    directions = "<STAGEDIR>Exeunt</STAGEDIR>" * 300
    file = tmp_path / "p.xml"
    file.write_text(
        f"<PLAY><PERSONAE>{people}</PERSONAE><ACT><SCENE>{directions}</SCENE>"
        f"<SCENE>{speeches}</SCENE></ACT></PLAY>"
    )
    begun = process_time()
    world_of(file)
    assert process_time() - begun < 20  # it takes three seconds
