"""Directions in the manner of the period, of our own making, and who hears what is said after them.

A script is a scene: a direction stands in brackets, a speech begins with its speaker. ANA, BO and
CY are there, and have spoken, as each begins. Under it stands who hears the words that are named.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from play_scripts import check_hearers, hearers

SCRIPTS: dict[str, tuple[str, dict[str, str]]] = {
    # who goes
    "exit of the speaker": ("CY. Farewell. [Exit]\nANA. So.", {"So.": "ANA BO"}),
    "exeunt two": ("[Exeunt ANA and BO]\nCY. Alone.", {"Alone.": "CY"}),
    "exeunt all but": ("[Exeunt all but BO]\nBO. Alone.", {"Alone.": "BO"}),
    "exeunt, manet": ("[Exeunt. Manet CY]\nCY. Alone.", {"Alone.": "CY"}),
    "exeunt; one remains": ("[Exeunt; ANA remains]\nANA. Alone.", {"Alone.": "ANA"}),
    "manent two": ("[Exeunt. Manent ANA and CY]\nCY. Now.", {"Now.": "ANA CY"}),
    "exeunt the rest": ("[Exeunt the rest]\nANA. Now.\nBO. Yes.", {"Now.": "ANA BO"}),
    "exit following": ("[Exit CY, following BO]\nANA. Still here?\nBO. I.", {"Still here?": "ANA BO"}),
    "exit leaving": ("[Exit BO, leaving CY]\nCY. Well.", {"Well.": "ANA CY"}),
    "exeunt severally": ("[Exeunt ANA and BO, severally]\nCY. Gone.", {"Gone.": "CY"}),
    "exit with another": ("BO. Come. [Exit with CY]\nANA. Gone.", {"Gone.": "ANA"}),
    "steals away": ("[CY steals away]\nANA. Where is Cy?", {"Where is Cy?": "ANA BO"}),
    "led out": ("[BO is led out]\nANA. Gone.", {"Gone.": "ANA CY"}),
    "retires within": ("[CY retires within]\nANA. Gone.", {"Gone.": "ANA BO"}),
    "exit in mid-speech": (
        "ANA. First this. [Exit CY] Then that.",
        {"First this.": "ANA BO CY", "Then that.": "ANA BO"},
    ),
    "two exits in one speech": (
        "ANA. Go, Cy. [Exit CY] Go, Bo. [Exit BO] Alone.",
        {"Go, Bo.": "ANA BO", "Alone.": "ANA"},
    ),
    "flies": ("[They fight; CY flies]\nANA. Gone.", {"Gone.": "ANA BO"}),
    # who comes
    "enter in mid-speech": (
        "ANA. Before. [Enter DAN] After.",
        {"Before.": "ANA BO CY", "After.": "ANA BO CY DAN"},
    ),
    "a messenger, running": ("[Enter DAN, running]\nDAN. News!", {"News!": "ANA BO CY DAN"}),
    "a list with colons": (
        "[Exeunt]\n[Enter DAN: EVE: and BO, with torches]\nDAN. On.",
        {"On.": "DAN EVE BO"},
    ),
    "from two sides": (
        "[Exeunt]\n[Enter, at one door, DAN; at another, EVE]\nDAN. Ha.",
        {"Ha.": "DAN EVE"},
    ),
    "procession": (
        "[Enter, in procession, DAN; then EVE, bearing the crown; a Page following]\nDAN. Kneel.\nPage. Aye.",
        {"Kneel.": "ANA BO CY DAN EVE Page"},
    ),
    "enter to them": ("[Enter to them EVE]\nEVE. Good day.", {"Good day.": "ANA BO CY EVE"}),
    "groups that part and come back": (
        "[Exeunt ANA and BO]\nCY. Alone.\n[Re-enter ANA with BO]\nANA. Back.",
        {"Alone.": "CY", "Back.": "ANA BO CY"},
    ),
    "the page of somebody": ("[Enter the Page of EVE]\nPage. My lord.", {"My lord.": "ANA BO CY Page"}),
    "the watch, unnamed": (
        "[Enter DAN]\nANA. Hush.\n[Enter the Watch]\nFirst Watchman. Stand!",
        {"Hush.": "ANA BO CY DAN", "Stand!": "ANA BO CY DAN First_Watchman"},
    ),
    "discovered": ("[Draws the curtain, and discovers EVE]\nANA. Look.", {"Look.": "ANA BO CY EVE"}),
    "brought in dead": ("[Enter DAN with EVE dead in his arms]\nDAN. See.", {"See.": "ANA BO CY DAN"}),
    "a body is carried": ("[Enter DAN, bearing the body of EVE]\nDAN. See.", {"See.": "ANA BO CY DAN"}),
    # out of sight
    "hides behind": (
        "[CY hides behind the hangings]\nANA. Talk.\nCY. I hear it all.",
        {"Talk.": "ANA BO CY", "I hear it all.": "CY"},
    ),
    "retires": ("[BO retires]\nANA. Talk.\nBO. What a fool.", {"Talk.": "ANA BO CY", "What a fool.": "BO"}),
    "retiring with": (
        "ANA. Come. [Retiring with BO]\nCY. Alone at last.\nANA. He is mad.",
        {"Alone at last.": "ANA BO CY", "He is mad.": "ANA BO"},
    ),
    "stands aside": ("[CY stands aside]\nCY. He lies.", {"He lies.": "CY"}),
    "withdraws, comes forward": (
        "[CY withdraws]\nCY. Soft.\n[CY comes forward]\nCY. Here I am.",
        {"Soft.": "CY", "Here I am.": "ANA BO CY"},
    ),
    "enter behind": ("[Enter DAN behind]\nDAN. What is this?\nANA. Talk.", {"What is this?": "DAN", "Talk.": "ANA BO CY DAN"}),
    "enter two, at a distance": (
        "[Enter DAN and EVE, at a distance]\nDAN. See him.\nANA. Talk.",
        {"See him.": "DAN EVE", "Talk.": "ANA BO CY DAN EVE"},
    ),
    "one group seen, one not": (
        "[Enter DAN; after him EVE, unseen]\nEVE. I follow.\nDAN. Hail.",
        {"I follow.": "EVE", "Hail.": "ANA BO CY DAN EVE"},
    ),
    "enter invisible": ("[Enter EVE, invisible]\nEVE. Mortals.", {"Mortals.": "EVE"}),
    "advancing in mid-speech": (
        "[CY retires]\nCY. A plot. [Advancing] Hold, villains!",
        {"A plot.": "CY", "Hold, villains!": "ANA BO CY"},
    ),
    "a voice from behind": ("[CY hides]\nCY. [Behind] Help!", {"Help!": "ANA BO CY"}),
    "met without a direction": (
        "[Enter DAN and EVE, aloof]\nDAN. Whose house is this, sirrah?\nANA. Mine.\nDAN. Good.",
        {"Whose house is this, sirrah?": "ANA BO CY DAN EVE", "Good.": "ANA BO CY DAN EVE"},
    ),
    "called out of hiding by name": (
        "[CY withdraws]\nANA. Come you forth, Cy.\nCY. Here.",
        {"Here.": "ANA BO CY"},
    ),
    "one remains, after a comma": ("[Exeunt ANA and BO, CY remains]\nCY. Alone.", {"Alone.": "CY"}),
    "stand close": (
        "[Exeunt CY and BO]\n[Enter DAN]\nDAN. Well, Ana.\n[Enter EVE]\nANA. Stand close: here she is.\nEVE. Alone.\nDAN. She weeps.",
        {"Alone.": "ANA DAN EVE", "She weeps.": "ANA DAN"},
    ),
    "I will hide": (
        "[Exeunt BO and CY]\nANA. I will hide me.\n[Enter DAN]\nDAN. Nobody.\nANA. A thief.",
        {"Nobody.": "ANA DAN", "A thief.": "ANA"},
    ),
    "goes in order to overhear": (
        "ANA. Place me where I may overhear them. [Exeunt ANA and BO]\n[Enter DAN]\nDAN. Cy!\nCY. Dan!\n[Re-enter ANA and BO]\nANA. Well.",
        {"Dan!": "ANA BO CY DAN", "Well.": "ANA BO CY DAN"},
    ),
    "unseen comes back unseen": (
        "[Enter EVE, unseen]\n[Exit EVE]\n[Re-enter EVE]\nEVE. Once more.",
        {"Once more.": "EVE"},
    ),
    "at the window": (
        "[Exeunt BO and CY]\nANA. Night. [EVE appears above, at a window] But soft! who is she?\nEVE. Ah.",
        {"But soft! who is she?": "ANA", "Ah.": "ANA EVE"},
    ),
    # there, and not hearing
    "retires and kneels": ("[CY retires and kneels]\nANA. Now, Bo.", {"Now, Bo.": "ANA BO"}),
    "kneels only": ("[CY kneels]\nANA. Rise.", {"Rise.": "ANA BO CY"}),
    "prays, and rises": (
        "[CY prays]\nANA. Now.\n[CY rises]\nANA. Amen.",
        {"Now.": "ANA BO", "Amen.": "ANA BO CY"},
    ),
    "two lie down and sleep": (
        "BO. Good night.\nCY. Good night.\n[They lie down and sleep]\nANA. At last.",
        {"At last.": "ANA"},
    ),
    "swoons, and comes to": (
        "[CY swoons]\nANA. Help!\n[CY wakes]\nANA. Softly.",
        {"Help!": "ANA BO", "Softly.": "ANA BO CY"},
    ),
    "enter one asleep": ("[EVE discovered asleep]\nANA. See.", {"See.": "ANA BO CY"}),
    "walks in sleep": (
        "[Enter EVE, with a candle]\nANA. She is fast asleep.\nEVE. My hands.\nBO. Hush.",
        {"My hands.": "ANA BO CY EVE", "Hush.": "ANA BO CY"},
    ),
    "falls, and is dead": ("[CY falls]\nANA. Cy is dead.", {"Cy is dead.": "ANA BO"}),
    "falls, and speaks": ("[CY falls]\nANA. Up.\nCY. My leg.", {"Up.": "ANA BO CY"}),
    "a wounded man lives": ("[ANA wounds CY]\nANA. There.", {"There.": "ANA BO CY"}),
    "a ghost that one does not hear": (
        "[Enter GHOST OF FINN]\nGHOST OF FINN. Revenge.\nANA. Do you hear nothing?\nBO. Nothing at all.",
        {"Revenge.": "ANA CY GHOST_OF_FINN"},
    ),
    "left behind": (
        "[Exit CY]\nBO. I dare not.\nANA. Stay, then; I'll go alone. [Goes into the cave] Dark.",
        {"Dark.": "ANA"},
    ),
    # to whom
    "aside to two": ("ANA. [Aside to BO and CY] Mark.\n[Enter DAN]", {"Mark.": "ANA BO CY"}),
    "aside, with a comma": ("ANA. [Aside, to BO] Mark.", {"Mark.": "ANA BO"}),
    "to one, apart": ("ANA. [To BO, apart] Mark.", {"Mark.": "ANA BO"}),
    "whispers to": ("ANA. [Whispering to CY] Mark.", {"Mark.": "ANA CY"}),
    "to one, aloud": ("ANA. [To BO] Mark.", {"Mark.": "ANA BO CY"}),
    "apart": ("ANA. [Apart] Mark.", {"Mark.": "ANA"}),
    "at the door": (
        "[EVE appears at the door]\nANA. Sit, friends. [Going to the door] Is it done?\nEVE. It is.\n[Exit EVE]\nANA. To table.",
        {"Is it done?": "ANA EVE", "It is.": "ANA EVE", "To table.": "ANA BO CY"},
    ),
    "comes at a call": (
        "[Exeunt ANA and BO]\nCY. What, ho!\n[Enter DAN]\nDAN. Whose voice is that?",
        {"What, ho!": "CY DAN"},
    ),
    "within": ("EVE. [Within] Ho!\nANA. Who calls?", {"Ho!": "ANA BO CY EVE", "Who calls?": "ANA BO CY EVE"}),
    "all that a title says": ("ANA. So.", {"So.": "ANA BO CY"}),
    "player and part": (
        "[Enter DAN as Winter]\nWinter. I freeze. [Dies]\nANA. Well played.",
        {"I freeze.": "ANA BO CY DAN Winter", "Well played.": "ANA BO CY DAN"},
    ),
}  # fmt: skip


HIDES = """
    hide hides hiding | hide themselves, hides herself, hiding himself | conceals himself, concealing
    herself | retire, retires, retiring | withdraw, withdraws, withdrawing | stand aside, stands
    aside, standing aside | stepping apart | goes aside, going aside | walking apart | draw aside,
    draws aside, drawing aside | moves aside, moving aside | draws back, drawing back | steps back,
    stepping back | stands back, standing back | getting behind | slips behind, slipping behind the
    curtain | creeping behind | lies hid, lying hid | lying in wait | lurks, lurking | climbs the
    wall, climbing the wall, climbing over the wall and leaping down
"""
SHOWS = """
    advance, advances, advancing | come forward, comes forward, coming forward | steps forth,
    stepping forth | rise, rises, rising | arising from her knees | discovers himself, discovering
    herself | shows himself, showing herself | reveals himself, revealing herself
"""
GOES = """
    exits, exiting | vanishes, vanishing | descends, descending | escapes, escaping | flies, flying |
    flees, fleeing | departs, departing | runs off, running off | goes out, goeth out, going out |
    steals away, stealing away | slips out, slipping out | retires within, retiring within |
    withdrawing in | is led out, being led out
"""
SLEEPS = """
    sleep, sleeps, sleepeth, sleeping, is sleeping | falls asleep, falling asleep | lies down and sleeps, lying
    down and sleeping | faints, fainting | swoons, swooning | falling into a trance
"""
PRAYS = """
    prays, praying | kneels apart, kneeling apart | kneels and prays, kneeling and praying | retires
    and kneels, retiring and kneeling | falls to prayers, falling to her prayers
"""


def forms(listed: str) -> list[str]:
    return [" ".join(one.split()) for one in re.split("[,|]", listed)]


@pytest.mark.parametrize("direction", forms(HIDES))
def test_one_who_hides_is_heard_by_nobody_until_it_shows_itself(
    tmp_path: Path, direction: str
) -> None:
    for who in ("CY ", ""):
        heard = hearers(tmp_path, f"CY. Soft. [{who}{direction}] Ha!\nANA. Talk.")
        assert (heard["Ha!"], heard["Talk."]) == ({"CY"}, {"ANA", "BO", "CY"})


@pytest.mark.parametrize("direction", forms(SHOWS))
def test_one_who_shows_itself_is_heard_again(tmp_path: Path, direction: str) -> None:
    heard = hearers(tmp_path, f"[CY hides]\nCY. Soft. [CY {direction}] Ha!")
    assert (heard["Soft."], heard["Ha!"]) == ({"CY"}, {"ANA", "BO", "CY"})


@pytest.mark.parametrize("direction", forms(GOES))
def test_one_who_goes_hears_nothing_more(tmp_path: Path, direction: str) -> None:
    assert hearers(tmp_path, f"[CY {direction}]\nANA. Gone.")["Gone."] == {"ANA", "BO"}


@pytest.mark.parametrize("direction", forms(f"{SLEEPS}|{PRAYS}"))
def test_one_who_sleeps_or_prays_hears_nothing(tmp_path: Path, direction: str) -> None:
    assert hearers(tmp_path, f"[CY {direction}]\nANA. Now.")["Now."] == {"ANA", "BO"}


@pytest.mark.parametrize(
    "direction", ["fleeing", "flying", "descending", "running in", "stealing away"]
)
def test_how_somebody_comes_in_is_no_going(tmp_path: Path, direction: str) -> None:
    assert "DAN" in hearers(tmp_path, f"[Enter DAN, {direction}]\nANA. Well.")["Well."]


@pytest.mark.parametrize("direction", ["hiding", "lurking"])
def test_one_who_comes_in_hiding_is_not_seen_to_come(tmp_path: Path, direction: str) -> None:
    assert hearers(tmp_path, f"[Enter DAN, {direction}]\nDAN. Ha!\nANA. Well.")["Ha!"] == {"DAN"}


def test_one_who_is_going_out_is_still_there(tmp_path: Path) -> None:
    heard = hearers(tmp_path, "[As CY is going out, enter DAN]\nDAN. Stay.")
    assert heard["Stay."] == {"ANA", "BO", "CY", "DAN"}


def test_one_who_lets_something_fall_does_not_fall(tmp_path: Path) -> None:
    assert "CY" in hearers(tmp_path, "[CY lets fall a glove]\nANA. Cy is dead.")["Cy is dead."]


@pytest.mark.parametrize("case", SCRIPTS)
def test_who_hears_after_a_direction(tmp_path: Path, case: str) -> None:
    check_hearers(tmp_path, *SCRIPTS[case])
