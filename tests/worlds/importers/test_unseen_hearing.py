"""Who is only acted upon, who hears from off the stage, who hides from whom, and what grows out of an aside:
scenes of our own making. ANA, BO and CY are there, and have spoken, as each begins."""

from __future__ import annotations

from itertools import islice, product
from pathlib import Path
from time import process_time

import pytest
from play_scripts import check_hearers, hearers, imported

from whoknew.eventlog.kinds import Doubted

ALL = "ANA BO CY"

SCENES: dict[str, tuple[str, dict[str, str]]] = {
    # whoever is only acted upon does not go
    "kisses, and exit": ("CY. So. [Kisses BO, and exit]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "wounds from behind": ("[CY from behind wounds BO in the leg, and exit]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "gives, and exits": ("CY. So. [Gives a purse to BO, and exits]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "runs at one who stabs another": (
        "ANA. Villain! [She runs at CY CY, from behind, stabs BO, and exit]\nANA. Gone.",
        {"Gone.": "ANA BO"},
    ),
    "stabs under an arm, and flies": ("[CY under ANA's arm stabs BO, and flies]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "two bow, and exeunt": ("[BO and CY bow, and exeunt]\nANA. Gone.", {"Gone.": "ANA"}),
    "things that go": ("[The lights go out]\nANA. Dark.\n[The banquet vanishes]\nANA. Gone.", {"Dark.": ALL, "Gone.": ALL}),
    # who is named in a further sentence comes as well
    "carried in a chair": (
        "[Enter DAN. EVE, carried in a chair, and GHOST OF FINN]\nANA. Welcome.",
        {"Welcome.": f"{ALL} DAN EVE GHOST_OF_FINN"},
    ),
    "sits, who is not said to come": ("[Enter DAN. BO sits]\nANA. Welcome.", {"Welcome.": f"{ALL} DAN"}),
    # carried out in what they hid in
    "in the basket": (
        "[CY gets into the basket]\nANA. Now.\n[Enter DAN and EVE]\nANA. That.\n[Exeunt DAN and EVE with the basket]\nANA. Gone.",
        {"That.": f"{ALL} DAN EVE", "Gone.": "ANA BO"},
    ),
    "out of it before": (
        "[CY gets into the basket]\nANA. Now.\n[CY comes out of the basket]\n[Enter DAN]\nANA. That.\n[Exit DAN with the basket]\nANA. Gone.",
        {"Gone.": ALL},
    ),
    "from the trunk": ("[CY gets into the trunk]\nANA. Now.\n[CY comes from the trunk]\nCY. I.", {"I.": ALL}),
    # who is within hears those who answer or call
    "answered": (
        "EVE. [Within] Who is it?\nANA. A friend, good Eve.\nEVE. [Within] Come in.\nANA. Gladly.\nEVE. [Within] Soon.",
        {"A friend, good Eve.": f"{ALL} EVE"},
    ),
    "called in by name": ("ANA. Eve and Dan!\n[Enter EVE]\nEVE. Madam?", {"Eve and Dan!": f"{ALL} EVE"}),
    "bidden to come": ("ANA. Come in, you there!\n[Enter DAN]\nDAN. I.", {"Come in, you there!": f"{ALL} DAN"}),
    "not called": ("ANA. A fine night.\n[Enter DAN]\nDAN. I.", {"A fine night.": ALL}),
    "a voice that talks to others": (
        "EVE. [Within] Lead, boy.\nANA. Noise? I must be brief with thee.\n[Enter EVE and Page]\nPage. Here.",
        {"Noise? I must be brief with thee.": ALL},
    ),
    "within all along": (
        "EVE. [Within] Who calls?\nANA. A friend to thee.\nEVE. Then let me out.\nBO. Ha, she rages.\nANA. Hush.",
        {"A friend to thee.": f"{ALL} EVE", "Ha, she rages.": ALL, "Hush.": ALL},
    ),
    "within until she comes": (
        "[Enter DAN]\nDAN. So.\nEVE. [Within] Let me in.\nANA. Who is it?\nEVE. A woman. Open the door.\n[Enter EVE]\nBO. Well.",
        {"So.": f"{ALL} DAN", "Well.": f"{ALL} DAN EVE"},
    ),
    "answers through the door": (
        "EVE. [Within] Such a noise at the door!\nBO. What a noise she makes.\nANA. Let him in, whoever is there.\nEVE. [Within] Let him go home.\nANA. Hm.",
        {"What a noise she makes.": ALL, "Let him in, whoever is there.": f"{ALL} EVE"},
    ),
    # who hides from whom
    "in ambush": (
        "[Exeunt]\n[Enter DAN, with others in ambush]\nDAN. This way. [Enter EVE]\nEVE. A fine night.\nDAN. Thou sayest truth.\nEVE. I am tired of it.",
        {"A fine night.": "DAN EVE", "Thou sayest truth.": "DAN"},
    ),
    "let's stay till he be past": (
        "ANA. Here comes a man. Let us stay till he be past.\n[Enter DAN]\nDAN. A fine night.\nBO. A fool.\nDAN. I go home.",
        {"A fine night.": f"{ALL} DAN", "A fool.": ALL},
    ),
    "two talk on past one who is hidden": (
        "[CY hides]\nANA. You wrong me.\nBO. Not so.\nCY. Poor fools, you both are.\nANA. You do.\nBO. No.",
        {"Poor fools, you both are.": "CY", "No.": ALL},
    ),
    "comes out when they have gone": (
        "[ANA and BO hide]\nCY. Farewell. [Exit]\n[Enter DAN]\nDAN. Alone at last.\n[Exit DAN]\n[Enter EVE]\nANA. Welcome, you.\nEVE. Hm.",
        {"Alone at last.": "ANA BO DAN", "Welcome, you.": "ANA BO EVE"},
    ),
    "waits for who has not come": (
        "[CY hides]\nANA. Come.\n[Exeunt ANA and BO]\n[Enter DAN]\nDAN. Alone.\nCY. [Aside] So.",
        {"Alone.": "CY DAN", "So.": "CY"},
    ),
    "one goes to listen, one goes": (
        "CY. Bring me where I may overhear them.\n[Exeunt CY and DAN]\nANA. One thing.\nBO. Another.\n[Enter CY]\nCY. I heard.",
        {"One thing.": ALL, "I heard.": ALL},
    ),
    "another says that she hides": (
        "ANA. I'll go hide me.\n[Exit CY]\nANA. One thing.\nBO. Another.\n[Enter CY]\nCY. Well?",
        {"One thing.": "ANA BO"},
    ),
    "sits close about a table": (
        "[Enter DAN]\nANA. Sit we close about this table.\nDAN. So.\nBO. Well.",
        {"So.": f"{ALL} DAN", "Well.": f"{ALL} DAN"},
    ),
    "sent aside in the middle of a speech": (
        "ANA. Stand there. [CY retires] Now for the jest. [Enter DAN] How do you, Dan?",
        {"Stand there.": ALL, "Now for the jest.": "ANA BO", "How do you, Dan?": f"{ALL} DAN"},
    ),
    # asides
    "lower": ("BO. Well?\nANA. [Speaking lower] Mark.\nCY. What?", {"Mark.": "ANA BO"}),
    "among fellows": (
        "[Enter First Watchman and Second Watchman]\nFirst Watchman. Ho.\nSecond Watchman. Hey.\nFirst Watchman. [Aside] Masters, stand close.\nANA. Who?",
        {"Masters, stand close.": "First_Watchman Second_Watchman"},
    ),
    "asks one who answers": (
        "ANA. [Aside] Too hot. O, too hot. Cy, art thou mine?\nCY. Ay.\nBO. What means she?",
        {"Too hot. O, too hot.": "ANA", "Cy, art thou mine?": ALL, "Ay.": ALL},
    ),
    "asks of the heavens": (
        "ANA. [Aside] Too hot. Gods, is this well?\nCY. Ay.\nBO. What means she?",
        {"Too hot. Gods, is this well?": "ANA"},
    ),
    "to one who is hidden": (
        "[CY hides]\nANA. [To CY] Hark, thou.\nCY. I hark.\nBO. What?",
        {"Hark, thou.": "ANA CY", "I hark.": "ANA CY"},
    ),
    "drawing her aside": (
        "BO. Hark, Ana. [Drawing her aside] A word.\nANA. Well?\nCY. What is it?",
        {"A word.": "ANA BO", "Well?": "ANA BO"},
    ),
    # who come among others
    "four or five": (
        "ANA. Call them.\n[Enter four or five Serving-men]\nFirst Watchman. Here.\nDAN. Here, too.\nEVE. And I.",
        {"Call them.": ALL, "Here.": f"{ALL} DAN EVE First_Watchman"},
    ),
    "goes who came among others": (
        "ANA. Ho.\n[Enter GHOST OF FINN and others]\nANA. Welcome.\n[Exeunt GHOST OF FINN and DAN]\nANA. Gone.\nDAN. [Within] Farewell.",
        {"Ho.": ALL, "Welcome.": f"{ALL} DAN GHOST_OF_FINN", "Gone.": ALL},
    ),
    "is borne in dead": (
        "[Enter DAN, with the body of EVE]\nDAN. Alas.\nANA. O.\n[Enter EVE]\nEVE. I live.",
        {"Alas.": f"{ALL} DAN", "I live.": f"{ALL} DAN EVE"},
    ),
    # who come back together
    "and his train": (
        "[Enter DAN and EVE]\nDAN. Come.\n[Exeunt DAN and EVE]\nANA. Gone.\n[Re-enter DAN and his Train]\nDAN. Again.",
        {"Gone.": ALL, "Again.": f"{ALL} DAN EVE"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("scene", SCENES)
def test_who_hears_whom(tmp_path: Path, scene: str) -> None:
    check_hearers(tmp_path, *SCENES[scene])


def test_a_speaker_of_whose_name_a_letter_is_left_out_is_no_other(tmp_path: Path) -> None:
    often = "\n".join(f"First Watchman. Ho {n}." for n in range(12))
    heard = hearers(tmp_path, f"[Enter First Watchman]\n{often}\nFirst Wachman. Late.\nANA. So.")
    assert heard["So."] == {"ANA", "BO", "CY", "First Watchman"}


def doubted(folder: Path, script: str) -> set[str]:
    """The words of which it is open who hears them."""
    drafts = imported(folder, script).drafts
    about = {one.cause for one in drafts if isinstance(one.body, Doubted)}
    return {drafts[seq - 1].body.words for seq in about if seq is not None}


def test_a_feast_is_over_when_most_have_gone(tmp_path: Path) -> None:
    talk = "ANA. A {0}.\nBO. B {0}.\nANA. C {0}.\nBO. D {0}."
    script = (
        f"[Enter DAN, EVE, and GHOST OF FINN. A banquet]\n{talk.format('then')}\n"
        f"[Exeunt DAN, EVE, and GHOST OF FINN]\n{talk.format('now')}"
    )
    found = doubted(tmp_path, script)
    assert any(words.endswith("then.") for words in found)
    assert not any(words.endswith("now.") for words in found)


def test_of_whom_a_direction_has_a_word_it_says_when_they_come(tmp_path: Path) -> None:
    script = "[Enter the Watch]\nANA. Well?\nBO. So.\nFirst Watchman. Here.\nDAN. And I."
    assert {"Well?", "So."} <= doubted(tmp_path, script)
    assert doubted(tmp_path, script.replace("\nDAN. And I.", "")) == set()


def test_one_who_comes_in_musing_may_not_hear_what_is_said_of_him(tmp_path: Path) -> None:
    script = (
        "[Enter DAN]\nDAN. A weary night, and a wearier morning after it.\nANA. He looks pale.\n"
        "BO. He does.\nDAN. Ana! You here?\nANA. He speaks."
    )
    assert doubted(tmp_path, script) == {"He looks pale.", "He does."}
    asking = script.replace("after it.", "after it?")
    assert doubted(tmp_path, asking) == set()


def test_a_name_in_a_direction_with_a_letter_changed_is_the_same(tmp_path: Path) -> None:
    often = "\n".join(f"GHOST OF FINN. Ho {n}." for n in range(3))
    script = f"[Enter GHOST OF FIMNN]\n{often}\n[Exit GHOSTT]\nANA. Gone."
    assert "GHOST OF FINN" not in hearers(tmp_path, script)["Gone."]


def test_names_that_are_alike_take_a_time_that_grows_with_their_number(tmp_path: Path) -> None:
    letters = ("".join(some) for some in product("ABCDEFGHIJ", repeat=4))
    alike = [f"AA{one}QR" for one in islice(letters, 3, 9_000, 3)]
    said = "\n".join(f"{one}. Ho." for one in alike)
    directed = "\n".join(f"[Music for {one[:2]}{one[5:1:-1]}RQ]" for one in alike)
    begun = process_time()
    imported(tmp_path, f"{said}\n{directed}")
    assert process_time() - begun < 20


def test_all_of_a_guard_go(tmp_path: Path) -> None:
    guards = "First Guard. A.\nSecond Guard. B.\nGuard. C."
    script = f"[Enter First Guard, Second Guard, and Guard]\n{guards}\n[Exeunt Guard]\nANA. Gone."
    assert hearers(tmp_path, script)["Gone."] == {*ALL.split()}


def test_what_is_said_of_a_dupe_who_listens_may_be_an_aside(tmp_path: Path) -> None:
    script = (
        "[CY hides]\nANA. Bait the hook well, he will bite.\nBO. Ay.\nANA. A fine day.\nBO. Ay."
    )
    assert doubted(tmp_path, script) == {"Bait the hook well, he will bite."}
