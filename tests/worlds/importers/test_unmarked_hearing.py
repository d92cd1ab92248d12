"""Who hears what no direction says, or says in passing, of our own making: hidden people and their fellows,
talk apart, sleepers, asides that end. ANA, BO and CY are there, and have spoken, as each begins."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest
from play_scripts import check_hearers, imported

ALL = "ANA BO CY"

SCENES: dict[str, tuple[str, dict[str, str]]] = {
    "behind, said before the names": (
        "[Enter, behind, DAN and EVE]\nDAN. Fools.\nANA. Well.\nEVE. Look at that.\nBO. So.",
        {"Fools.": "DAN EVE", "Look at that.": "DAN EVE", "Well.": f"{ALL} DAN EVE"},
    ),
    "behind one who is at a distance": (
        "[Enter DAN, at a distance; after him, EVE]\nEVE. Fools.\nANA. Well.\nDAN. Alas.\nANA. So.",
        {"Fools.": "EVE", "Alas.": "DAN EVE"},
    ),
    "hides where another hides": (
        "[BO hides]\n[CY hides]\nCY. Ho.\n[Enter DAN]\nDAN. I.\nBO. Ha.",
        {"Ho.": "BO CY", "Ha.": "BO"},
    ),
    "hide together": ("[BO and CY hide]\nCY. Ho.\n[Enter DAN]\nDAN. I.", {"Ho.": "BO CY"}),
    "stands by": ("[CY stands by]\nCY. Fools.\nANA. Well.", {"Fools.": "CY", "Well.": ALL}),
    "is brought forth later": (
        "[CY retires]\nANA. Ha!\nCY. Do you laugh, knave?\nANA. You will see.\n[CY advances]\nCY. Now.",
        {"Do you laugh, knave?": "CY", "Now.": ALL},
    ),
    "comes forth in the middle of a speech": (
        "[CY hides]\nANA. Hm.\nCY. A knave, sir! [Comes forward] Stand!\nANA. You?",
        {"A knave, sir!": "CY", "Stand!": ALL},
    ),
    "hides again before he comes forth": (
        "[CY hides]\nANA. Hm.\nCY. Whose house is this, sir?\nANA. Mine, sir.\nCY. Good.\n[CY hides]\nANA. Gone?\n[CY comes forward]\nCY. No.",
        {"Whose house is this, sir?": ALL, "Good.": ALL, "No.": ALL},
    ),
    "calls one who hides with him": (
        "[BO and CY hide]\nANA. Hm.\nCY. Peace, Bo, I pray you.\nANA. You stars!",
        {"Peace, Bo, I pray you.": "BO CY"},
    ),
    "speaks up between two who talk": (
        "[CY hides]\nANA. Will you?\nCY. What will you, knave?\nBO. You know.",
        {"What will you, knave?": "CY"},
    ),
    "is spoken of in a speech that is made up": (
        "[CY hides]\nANA. I will be great.\nCY. Will you so, knave?\nANA. 'Cy,' I will say, 'where is your hat?'",
        {"Will you so, knave?": "CY"},
    ),
    "stand close, behind one who talks to the night": (
        "[Enter DAN]\nDAN. O night!\nBO. What man is this?\nCY. Stand close, and list him.\nDAN. O moon!",
        {"O night!": f"{ALL} DAN", "What man is this?": ALL, "O moon!": f"{ALL} DAN"},
    ),
    "stand close, too late": (
        "[Enter DAN]\nDAN. O night!\nBO. Who are you?\nCY. Stand close.\nDAN. A friend.",
        {"Who are you?": f"{ALL} DAN"},
    ),
    "stand by and mark": (
        "BO. Stand by, and mark him.\n[Enter DAN]\nDAN. Hm.\nCY. A fool.\nDAN. Ay me.",
        {"A fool.": ALL, "Ay me.": f"{ALL} DAN"},
    ),
    "two whisper, and the others talk": (
        "[Enter DAN]\n[ANA and BO whisper]\nCY. Cold.\nDAN. Very.\nANA. Well.\nCY. What?",
        {"Cold.": "CY DAN", "Very.": "CY DAN", "Well.": f"{ALL} DAN", "What?": f"{ALL} DAN"},
    ),
    "three talk apart, and one comes forward": (
        "[ANA, BO, and CY talk apart]\n[Enter DAN and EVE]\nEVE. Alone.\n[BO comes forward]\nDAN. Come.",
        {"Alone.": "DAN EVE", "Come.": "BO DAN EVE"},
    ),
    "they talk apart": (
        "ANA. Hm?\nBO. Yes. [They converse apart]\nCY. Cold.\nBO. Come.\nCY. I come.",
        {"Cold.": "CY", "Come.": ALL, "I come.": ALL},
    ),
    "one of two who whisper is called": (
        "[ANA and BO whisper]\nCY. Come, Bo.\nBO. Ay.\nCY. Well.",
        {"Come, Bo.": ALL, "Ay.": ALL},
    ),
    "an aside is answered": (
        "ANA. [Aside to BO] Shall we?\nBO. No.\nCY. What?",
        {"No.": "ANA BO", "What?": ALL},
    ),
    "an aside is answered by calling another": (
        "ANA. [Aside to BO] Shall we?\nBO. Well, Cy, sit.\nCY. I sit.",
        {"Well, Cy, sit.": ALL},
    ),
    "an aside is answered, and one comes": (
        "ANA. [Aside to BO] Shall we?\n[Enter DAN]\nBO. No.",
        {"No.": f"{ALL} DAN"},
    ),
    "all answer an aside": ("ANA. [Aside to BO] Shall we?\nAll. No.", {"No.": ALL}),
    "an aside ends as its hearer goes": (
        "ANA. [Aside to CY] Go. [Exit CY] So it goes.",
        {"Go.": "ANA CY", "So it goes.": "ANA BO"},
    ),
    "an aside ends with a greeting": (
        "ANA. [Aside] Fools. [Takes off her hat] How now, all!",
        {"Fools.": "ANA", "How now, all!": ALL},
    ),
    "aside to him, who is called": (
        "BO. Hm.\nCY. [Aside to her] How now, Ana! Go.",
        {"How now, Ana! Go.": "ANA CY"},
    ),
    "called awake after music": (
        "[Music]\nANA. Secret.\nBO. Cy, awake!\nCY. Ho.\nANA. Well.",
        {"Secret.": "ANA BO", "Cy, awake!": ALL, "Well.": ALL},
    ),
    "called awake, having lain down": (
        "[CY lies down]\nANA. Secret.\n[Enter DAN]\nBO. Ho, Cy! Awake!\nDAN. Hush.\nCY. Ho.",
        {"Secret.": "ANA BO", "Hush.": "ANA BO DAN"},
    ),
    "slept all the while": (
        "ANA. Secret.\nBO. Cy, thou hast been all this while asleep.\nANA. Ho.",
        {"Secret.": "ANA BO"},
    ),
    "kept awake": ("ANA. It keeps me wide awake, Cy.\nBO. So.", {"It keeps me wide awake, Cy.": ALL, "So.": ALL}),
    "all sleep but two, and wake": (
        "[All sleep except ANA and BO]\nANA. Secret.\nBO. Good. [They wake]\nANA. Good day.",
        {"Secret.": "ANA BO", "Good.": "ANA BO", "Good day.": ALL},
    ),
    "a sleeper answers": (
        "[CY sleeps]\nANA. Secret.\nBO. How do you, sir?\nCY. Well.",
        {"Secret.": "ANA BO", "How do you, sir?": ALL},
    ),
    "brought in as dead": (
        "[Enter DAN, bearing EVE as dead]\nANA. Poor Eve.\nEVE. [Waking] Ho.\nANA. Eve!",
        {"Poor Eve.": f"{ALL} DAN", "Eve!": f"{ALL} DAN EVE"},
    ),
    "another falls and dies": (
        "BO. Come. [Kisses them. CY falls and dies] Gone.\nANA. Ay.",
        {"Gone.": "ANA BO", "Ay.": "ANA BO"},
    ),
    "stabs himself": ("BO. So. [Stabs himself]\nANA. Gone.", {"Gone.": "ANA CY"}),
    "kills himself": ("BO. So. [Kills himself]\nANA. Gone.", {"Gone.": "ANA CY"}),
    "runs on his sword": ("BO. So. [Runs on his sword]\nANA. Gone.", {"Gone.": "ANA CY"}),
    "stabs himself, and speaks on": ("BO. So. [Stabs himself]\nANA. Ay?\nBO. Alive.", {"Ay?": ALL}),
    "exit with his train": ("CY. Bye.\n[Exit with his train]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "a train goes without one who is sent off later": (
        "[Exeunt BO and his train]\nANA. Stay.\n[Exit CY]\nANA. Gone.",
        {"Stay.": "ANA CY", "Gone.": "ANA"},
    ),
    "a guardsman goes": (
        "[Enter Guard]\nGuard. I.\nANA. Go. [Exit Guardsman] Gone.\n[Re-enter Guardsman]\nGuard. Here.",
        {"Gone.": ALL, "Here.": f"{ALL} Guard"},
    ),
    "the citizens go, who speak together, too": (
        "[Enter Citizens]\nFirst Citizen. Ho.\nSecond Citizen. Hey.\nCitizens. Hear.\n[Exeunt Citizens]\nANA. Gone.",
        {"Gone.": ALL},
    ),
    "the guard go": (
        "[Enter First Guard and Second Guard]\nFirst Guard. Ho.\nSecond Guard. Hey.\n[Exeunt Guard]\nANA. Gone.",
        {"Gone.": ALL},
    ),
    "descends, and speaks on": ("[CY descends]\nANA. Come.\nCY. Here.", {"Come.": ALL}),
}  # fmt: skip


@pytest.mark.parametrize("scene", SCENES)
def test_who_hears_in_a_scene(tmp_path: Path, scene: str) -> None:
    check_hearers(tmp_path, *SCENES[scene])


LONG = [
    "look where he comes ", "awake, Cy, ", "a word, Bo ", "'Cy ", "O Eve ", "hark, ", "all this while asleep ",
    "yond Cy ", "Bo, ", "here ", "O, ", ". ", "- ", "Cy, art thou? ", "bait the hook ",
]  # fmt: skip


@pytest.mark.parametrize("words", LONG)
def test_a_speech_takes_a_time_that_grows_with_its_length(tmp_path: Path, words: str) -> None:
    text = words * (100_000 // len(words))
    begun = process_time()
    imported(
        tmp_path,
        f"[CY hides]\nANA. [Aside to BO] Hm?\nBO. {text}\n[Enter DAN]\nCY. {text} [Exit]\nANA. {text}",
    )
    assert process_time() - begun < 20
