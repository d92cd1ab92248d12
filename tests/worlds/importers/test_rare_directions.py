"""More directions in the manner of the period, of our own making, in rarer forms; and who hears what is said
after them. ANA, BO and CY are there, and have spoken, as each begins."""

from __future__ import annotations

from pathlib import Path

import pytest
from play_scripts import check_hearers, hearers, imported

from whoknew.eventlog.kinds import Acted

ALL = "ANA BO CY"

DIRECTIONS: dict[str, tuple[str, dict[str, str]]] = {
    # who only comes where a direction shows them
    "an apparition": (
        "ANA. Hush.\n[Thunder. EVE: a child, crowned]\nEVE. Beware.\n[EVE descends]\nANA. Gone.",
        {"Hush.": ALL, "Beware.": f"{ALL} EVE", "Gone.": ALL},
    ),
    "a ghost in armour": (
        "ANA. Hush.\n[GHOST OF FINN, in armour]\nGHOST OF FINN. Swear.",
        {"Hush.": ALL, "Swear.": f"{ALL} GHOST_OF_FINN"},
    ),
    "a chorus before they come": (
        "All. Double, double.\n[Music. EVE, with a tree in her hand]\nEVE. Beware.",
        {"Double, double.": ALL, "Beware.": f"{ALL} EVE"},
    ),
    "is revealed": ("[The curtain is drawn, and EVE is revealed]\nANA. See.", {"See.": f"{ALL} EVE"}),
    "the curtain shows": ("[The curtain opens, and shows EVE at table]\nANA. See.", {"See.": f"{ALL} EVE"}),
    "lets in": ("ANA. Who knocks?\n[CY lets in DAN]\nDAN. I.", {"Who knocks?": ALL, "I.": f"{ALL} DAN"}),
    "from without": ("DAN. [Calling from without] Open!\nANA. Who?", {"Open!": f"{ALL} DAN", "Who?": ALL}),
    "goes out, and returns with": (
        "[CY goes out, and returns with EVE]\nANA. Welcome.",
        {"Welcome.": f"{ALL} EVE"},
    ),
    "who speaks enters": ("[CY hides]\nANA. Hush.\nDAN. [Entering] Ho!", {"Hush.": ALL, "Ho!": f"{ALL} DAN"}),
    "enters unseen": ("[DAN enters unseen]\nDAN. Hush.\nANA. Talk.", {"Hush.": "DAN", "Talk.": f"{ALL} DAN"}),
    "appears behind": ("[DAN appears behind]\nDAN. Hush.\nANA. Talk.", {"Hush.": "DAN", "Talk.": f"{ALL} DAN"}),
    "is discovered asleep": (
        "[EVE is discovered, sleeping on a bank]\nANA. See.\nEVE. Ho!",
        {"See.": ALL, "Ho!": f"{ALL} EVE"},
    ),
    "rushes in": ("ANA. Hush.\n[DAN rushes in with a sword]\nDAN. Ho!", {"Hush.": ALL, "Ho!": f"{ALL} DAN"}),
    "runs in": ("ANA. Hush.\n[DAN runs in]\nBO. Well?", {"Hush.": ALL, "Well?": f"{ALL} DAN"}),
    "runs in, and speaks": ("ANA. Hush.\n[DAN runs in]\nDAN. Ho!", {"Hush.": ALL, "Ho!": f"{ALL} DAN"}),
    "running in": ("ANA. Hush.\nDAN. [Running in] Ho!", {"Hush.": ALL, "Ho!": f"{ALL} DAN"}),
    "runs into the room": ("[DAN runs into the room]\nBO. Well?", {"Well?": f"{ALL} DAN"}),
    "runs out and in": (
        "[CY runs out]\nANA. Hush.\n[CY runs in]\nBO. Well?",
        {"Hush.": "ANA BO", "Well?": ALL},
    ),
    "goes, and runs in": (
        "CY. Bye. [Exit]\nANA. Hush.\n[CY runs in]\nCY. Ho!",
        {"Hush.": "ANA BO", "Ho!": ALL},
    ),
    "runs in from the street to the house": ("[CY runs in]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "they run in": ("[They run in]\nDAN. Well?", {"Well?": f"{ALL} DAN"}),
    "enters, and another runs in": ("[Enter DAN, and EVE runs in after him]\nBO. Well?", {"Well?": f"{ALL} DAN EVE"}),
    "comes running in": ("[DAN comes running in]\nBO. Well?", {"Well?": f"{ALL} DAN"}),
    "comes in to them": ("[DAN comes in to them]\nBO. Well?", {"Well?": f"{ALL} DAN"}),
    "comes back to himself": ("[BO swoons]\nANA. Hush.\n[BO comes back to himself]\nCY. Ho!", {"Hush.": "ANA CY", "Ho!": ALL}),
    "comes back": (
        "[CY goes out]\nANA. Hush.\n[CY comes back]\nBO. Well?",
        {"Hush.": "ANA BO", "Well?": ALL},
    ),
    "in comes": ("ANA. Hush.\n[In comes DAN]\nDAN. Ho!", {"Hush.": ALL, "Ho!": f"{ALL} DAN"}),
    "arrives": ("ANA. Hush.\n[DAN arrives]\nBO. Well?", {"Hush.": ALL, "Well?": f"{ALL} DAN"}),
    "is shown in": ("ANA. Hush.\n[DAN is shown in]\nBO. Well?", {"Hush.": ALL, "Well?": f"{ALL} DAN"}),
    "ushers in": ("ANA. Hush.\n[BO ushers in DAN]\nBO. Well?", {"Hush.": ALL, "Well?": f"{ALL} DAN"}),
    "is on the threshold": (
        "ANA. Hush.\n[The door opens, and DAN stands on the threshold]\nDAN. Ho!",
        {"Hush.": ALL, "Ho!": f"{ALL} DAN"},
    ),
    "a servant comes": ("ANA. Bye. [Exit]\n[Enter a Servant]\nBO. Well?", {"Well?": "BO CY"}),
    # who goes
    "several exit": ("[ANA and BO exit]\nCY. Alone.", {"Alone.": "CY"}),
    "all exit": ("[All exit]\nDAN. [Entering] Empty.", {"Empty.": "DAN"}),
    "they exit": ("[They exit]\nDAN. [Entering] Empty.", {"Empty.": "DAN"}),
    "both exit": ("[Both exit]\nANA. Alone.", {"Alone.": "ANA"}),
    "exeunt both": ("[Exeunt both]\nANA. Alone.", {"Alone.": "ANA"}),
    "they both go out": ("[They both go out]\nANA. Alone.", {"Alone.": "ANA"}),
    "both, named": ("[BO and CY both exit]\nANA. Alone.", {"Alone.": "ANA"}),
    "both exit, and one speaks on": ("[Both exit]\nBO. I stay.", {"I stay.": "ANA BO"}),
    "goes out, and one with her": (
        "CY. Bye.\n[She goes out, and BO with her]\nANA. Alone.",
        {"Alone.": "ANA"},
    ),
    "goes out, and who spoke last with her": (
        "BO. Come.\n[She goes out, and BO with her]\nANA. Alone.",
        {"Alone.": "ANA"},
    ),
    "leaves them": ("[CY leaves them]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "leaves them something": ("[CY leaves them the lamp]\nANA. Light.", {"Light.": ALL}),
    "sends away": ("[ANA sends CY away]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "they go out": ("[They go out]\nDAN. [Entering] Empty.", {"Empty.": "DAN"}),
    "all but one exit": ("[All but CY exit]\nCY. Alone.", {"Alone.": "CY"}),
    "all go out but one": ("[All go out but CY]\nCY. Alone.", {"Alone.": "CY"}),
    "leaves": ("[CY leaves]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "leaves the room": ("[CY leaves the room]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "exiting": ("ANA. [Exiting] Farewell.\nBO. Gone.", {"Farewell.": ALL, "Gone.": "BO CY"}),
    "as she goes out": ("ANA. [As she goes out] Farewell.\nBO. Gone.", {"Farewell.": ALL, "Gone.": "BO CY"}),
    "going out with": ("ANA. [Going out with BO] Come.\nCY. Gone.", {"Come.": ALL, "Gone.": "CY"}),
    "exiting, and held": (
        "ANA. [Exiting] Farewell.\nBO. Stay.\nANA. No. [Exit]",
        {"Farewell.": ALL, "Stay.": ALL, "No.": ALL},
    ),
    "looking back": ("[Exit CY, looking back at BO]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "having wounded": ("[Exit CY, having wounded BO]\nANA. You bleed.", {"You bleed.": "ANA BO"}),
    "embracing": ("[Exit CY, embracing BO]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "dragging": ("[Exit CY, dragging BO]\nANA. Alone.", {"Alone.": "ANA"}),
    "pursued by": ("[Exit CY, pursued by BO]\nANA. Alone.", {"Alone.": "ANA"}),
    "into the house": ("[CY goes into the house]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "one way and another": ("[Exeunt ANA one way, BO another]\nCY. Alone.", {"Alone.": "CY"}),
    "all except": ("[Exeunt all except CY]\nCY. Alone.", {"Alone.": "CY"}),
    "all save": ("[Exeunt all, save CY]\nCY. Alone.", {"Alone.": "CY"}),
    "is thrust out": ("[CY is thrust out]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "pushes out": ("[BO pushes CY out]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "hurries away": ("[CY hurries away]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "is seized and led away": ("[CY is seized and led away]\nANA. Gone.", {"Gone.": "ANA BO"}),
    # who does not go after all
    "makes as if to go out": ("[CY makes as if to go out]\nANA. Stay.", {"Stay.": ALL}),
    "offers to go": ("[CY offers to go out]\nANA. Stay.", {"Stay.": ALL}),
    "is held from going out": ("[BO holds CY from going out]\nANA. Stay.", {"Stay.": ALL}),
    "is about to fly": ("[CY is about to run away]\nANA. Stay.", {"Stay.": ALL}),
    "leaves one alone": ("[BO leaves CY alone]\nANA. Stay.", {"Stay.": ALL}),
    "walks in circles": ("[CY walks in circles]\nANA. Stay.", {"Stay.": ALL}),
    "goes up to one": ("[CY goes up to BO]\nANA. Stay.", {"Stay.": ALL}),
    "flies at one": ("[CY flies at BO]\nANA. Stay.", {"Stay.": ALL}),
    # in hiding
    "into the chest": ("[CY gets into the chest]\nCY. Snug.\nANA. Talk.", {"Snug.": "CY", "Talk.": ALL}),
    "locks in": (
        "[ANA locks BO in the closet]\nANA. So.\nBO. Oh.",
        {"So.": ALL, "Oh.": "BO"},
    ),
    "lets out": (
        "[ANA locks BO in the closet]\nBO. Oh.\n[ANA lets BO out]\nBO. Well?",
        {"Oh.": "BO", "Well?": ALL},
    ),
    "shuts up in": ("[ANA shuts BO up in the closet]\nBO. Oh.", {"Oh.": "BO"}),
    "hides another": (
        "[ANA hides BO behind the curtain]\nANA. So.\nBO. Oh.",
        {"So.": ALL, "Oh.": "BO"},
    ),
    "hides a thing": ("[CY hides the letter]\nCY. So.", {"So.": ALL}),
    "hides her face": ("[CY hides her face in her hands]\nCY. So.", {"So.": ALL}),
    "under the table": ("[CY creeps under the table]\nCY. Snug.\nANA. Talk.", {"Snug.": "CY", "Talk.": ALL}),
    "crouches behind": ("[CY crouches behind the hedge]\nCY. Hush.\nANA. Talk.", {"Hush.": "CY", "Talk.": ALL}),
    "with one of those there": (
        "[Enter DAN]\nANA. Couch we awhile, and mark.\n[Retiring with BO]\nDAN. Fine.\nANA. He.\nDAN. So.",
        {"He.": "ANA BO", "Fine.": f"{ALL} DAN"},
    ),
    "sits apart": ("[CY sits apart]\nCY. Fools.\nANA. Talk.", {"Fools.": "CY", "Talk.": ALL}),
    "keeps aloof": ("[CY keeps aloof]\nCY. Fools.\nANA. Talk.", {"Fools.": "CY", "Talk.": ALL}),
    "peeps out": ("[CY hides]\n[CY peeps out]\nCY. Not yet.", {"Not yet.": "CY"}),
    "is pulled out": (
        "[CY hides]\nCY. Hush.\n[BO pulls CY from behind the arras]\nCY. Mercy.",
        {"Hush.": "CY", "Mercy.": ALL},
    ),
    "is found": ("[CY hides]\nCY. Hush.\n[BO draws the arras, and finds CY]\nCY. Mercy.", {"Hush.": "CY", "Mercy.": ALL}),
    "comes from hiding": ("[CY hides]\nCY. Hush.\n[CY comes from his hiding]\nCY. Ho!", {"Hush.": "CY", "Ho!": ALL}),
    "steps between": ("[CY hides]\nCY. Hush.\n[CY steps between them]\nCY. Ho!", {"Hush.": "CY", "Ho!": ALL}),
    "leaves his hiding-place": (
        "[CY hides]\nCY. Hush.\n[CY leaves his hiding-place]\nCY. Ho!",
        {"Hush.": "CY", "Ho!": ALL},
    ),
    "bursts out": (
        "[CY hides]\nCY. Hush.\n[CY bursts out of the cupboard]\nCY. Ho!",
        {"Hush.": "CY", "Ho!": ALL},
    ),
    "comes down": ("[CY hides]\nCY. Hush.\n[CY comes down]\nCY. Ho!", {"Hush.": "CY", "Ho!": ALL}),
    "drops from a tree": (
        "[CY climbs into a tree]\nCY. Hush.\n[CY drops from the tree]\nCY. Ho!",
        {"Hush.": "CY", "Ho!": ALL},
    ),
    "is dragged out": (
        "[CY hides]\nCY. Hush.\n[CY is dragged from behind the arras]\nCY. Ho!",
        {"Hush.": "CY", "Ho!": ALL},
    ),
    # asleep, or not
    "feigns sleep": ("[CY feigns sleep]\nANA. Now.", {"Now.": ALL}),
    "pretends to sleep": ("[CY pretends to sleep]\nANA. Now.", {"Now.": ALL}),
    "feigns to be dead": ("[CY falls, feigning death]\nANA. Now.", {"Now.": ALL}),
    "dozes": ("[CY dozes]\nANA. Now.", {"Now.": "ANA BO"}),
    "nods off": ("[CY nods off]\nANA. Now.", {"Now.": "ANA BO"}),
    "is asleep": ("[CY is asleep]\nANA. Now.", {"Now.": "ANA BO"}),
    "slumbers, is woken": (
        "[CY slumbers]\nANA. Now.\n[BO shakes CY awake]\nANA. Up.",
        {"Now.": "ANA BO", "Up.": ALL},
    ),
    "faints, revives": ("[CY faints]\nANA. Help.\n[CY revives]\nANA. Thanks.", {"Help.": "ANA BO", "Thanks.": ALL}),
    "faints, recovers": ("[CY faints]\nANA. Help.\n[CY recovers]\nANA. Thanks.", {"Help.": "ANA BO", "Thanks.": ALL}),
    "stops his ears": (
        "[CY stops his ears]\nANA. Now.\n[CY uncovers his ears]\nANA. Done.",
        {"Now.": "ANA BO", "Done.": ALL},
    ),
    "sleeps, rises": ("[CY sleeps]\nANA. Now.\n[CY rises]\nANA. Up.", {"Now.": "ANA BO", "Up.": ALL}),
    "opens his eyes": ("[CY faints]\nANA. Now.\n[CY opens his eyes]\nANA. Up.", {"Now.": "ANA BO", "Up.": ALL}),
    "woken by another": ("[CY sleeps]\nANA. Now.\n[BO wakes CY]\nANA. Up.", {"Now.": "ANA BO", "Up.": ALL}),
    # who dies
    "stabs one, who dies": ("[BO stabs CY, who dies]\nANA. Dead.\nBO. Aye.", {"Dead.": "ANA BO"}),
    "kills": ("[BO kills CY]\nANA. Dead.\nBO. Aye.", {"Dead.": "ANA BO"}),
    "kills himself": ("[CY kills himself]\nANA. Dead.", {"Dead.": "ANA BO"}),
    "breathes his last": ("[CY breathes his last]\nANA. Dead.", {"Dead.": "ANA BO"}),
    # to whom
    "whispers one": ("ANA. [Whispers BO] Mark.", {"Mark.": "ANA BO"}),
    "takes aside": ("ANA. [Taking BO aside] Mark.", {"Mark.": "ANA BO"}),
    "draws apart": ("ANA. [Draws BO apart] Mark.", {"Mark.": "ANA BO"}),
    "in one's ear": ("ANA. [In BO's ear] Mark.", {"Mark.": "ANA BO"}),
    "whispers in one's ear": ("ANA. [Whispers in BO's ear] Mark.", {"Mark.": "ANA BO"}),
    "muttering": ("ANA. [Muttering to herself] Mark.", {"Mark.": "ANA"}),
    "off": ("DAN. [Off] Ho!\nANA. Who?", {"Ho!": f"{ALL} DAN", "Who?": ALL}),
    "speaking low": ("ANA. [Speaking low to BO] Mark.", {"Mark.": "ANA BO"}),
    "conferring apart": ("ANA. [Conferring apart with BO] Mark.", {"Mark.": "ANA BO"}),
    "to the audience": ("ANA. [To the audience] Mark.", {"Mark.": "ANA"}),
    "talks apart with": ("ANA. [Talks apart with CY] Mark.", {"Mark.": "ANA CY"}),
    "in a low voice": ("ANA. [In a low voice, to CY] Mark.", {"Mark.": "ANA CY"}),
    "under her breath": ("ANA. [Under her breath] Mark.", {"Mark.": "ANA"}),
    "sotto voce": ("ANA. [Sotto voce, to CY] Mark.", {"Mark.": "ANA CY"}),
    "in an undertone": ("ANA. [In an undertone] Mark.", {"Mark.": "ANA"}),
    "to those without": ("ANA. [To DAN, without] Wait there.", {"Wait there.": ALL}),
}  # fmt: skip


def test_all_are_those_of_a_chorus_that_has_just_spoken(tmp_path: Path) -> None:
    script = (
        "[Enter three Witches]\nFirst Witch. Round about.\nAll. Double, double.\nANA. Who are you?\n"
        "Second Witch. Nobody.\nThird Witch. None.\nAll. Seek no more."
    )
    chorus = {"First Witch", "Second Witch", "Third Witch"}
    acted = [one for one in imported(tmp_path, script).drafts if isinstance(one.body, Acted)]
    spoke = {
        one.body.text: {one.actor, *one.body.also} for one in acted if isinstance(one.body, Acted)
    }
    assert spoke["Double, double."] == spoke["Seek no more."] == chorus


def test_one_who_is_killed_and_speaks_on_lives_yet(tmp_path: Path) -> None:
    heard = hearers(tmp_path, "[BO kills CY]\nCY. O, I am slain! [Dies]\nANA. Gone.")
    assert (heard["O, I am slain!"], heard["Gone."]) == ({"ANA", "BO", "CY"}, {"ANA", "BO"})


def test_one_who_kills_what_is_nobody_is_not_dead(tmp_path: Path) -> None:
    assert hearers(tmp_path, "[CY kills the lion]\nANA. Bravely done.")["Bravely done."] == {
        *ALL.split()
    }


@pytest.mark.parametrize("case", DIRECTIONS)
def test_who_hears_after_a_rare_direction(tmp_path: Path, case: str) -> None:
    check_hearers(tmp_path, *DIRECTIONS[case])
