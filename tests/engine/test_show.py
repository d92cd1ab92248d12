"""What is shown in a terminal: nothing in a log can break it."""

from __future__ import annotations

from datetime import UTC, datetime
from io import StringIO

from rich.console import Console, RenderableType

from whoknew.engine.inventory import LogInfo, WorldInfo
from whoknew.engine.show.console import safe
from whoknew.engine.show.figures import counted, sized
from whoknew.engine.show.inventory import shown
from whoknew.engine.show.jsontext import as_json
from whoknew.engine.show.matrix import chain, over_time
from whoknew.engine.show.transcript import initials, line, transcript
from whoknew.eventlog import Event, Head, Kind, Known
from whoknew.eventlog.kinds import (
    Acted,
    Called,
    Entered,
    EpisodeOpened,
    Felt,
    Left,
    MarkPlaced,
    Narrated,
    Traced,
)

NOON = datetime(2000, 1, 1, 12)


def event(body: Kind, actor: str | None = None, witnesses: tuple[str, ...] = ()) -> Event:
    return Event("w", 1, NOON, NOON.replace(tzinfo=UTC), body, 1, 1, actor, None, witnesses)


def text(renderable: RenderableType, width: int = 80) -> str:
    file = StringIO()
    Console(file=file, width=width, highlight=False, markup=False, emoji=False).print(renderable)
    return file.getvalue()


def words(body: Kind, actor: str | None = None, witnesses: tuple[str, ...] = ()) -> str:
    return str(line(event(body, actor, witnesses)))


def test_control_characters_are_spelt_out() -> None:
    assert safe("a\x1b[2Jb\r\n\x9b\u202ec") == r"a\x1b[2Jb\r\n\x9b\u202ec"


def test_other_scripts_and_joined_emoji_stay_as_they_are() -> None:
    for name in ("Zoë", "真夜中", "ক\u200dষ", "👩\u200d👩\u200d👧"):
        assert safe(name) == name


def test_markup_in_a_text_is_only_text() -> None:
    assert "[bold]:smile:" in text(line(event(Acted("[bold]:smile:"), "Ann")) or "")


def test_each_kind_of_act_reads_as_what_it_is() -> None:
    assert words(Acted("Hi."), "Ann") == "Ann: Hi."
    assert words(Acted("Hi.", to=("Bob",)), "Ann", ("Ann", "Bob")) == "Ann whispers to Bob: Hi."
    assert words(Acted("Hi.", to=("Bob",)), "Ann", ("Ann", "Bob", "Cy")) == "Ann to Bob: Hi."
    assert words(Acted("nods", "non-verbal"), "Ann") == "Ann nods"
    assert words(Acted("Hm.", "none"), "Ann", ("Ann",)) == "Ann thinks: Hm."
    assert words(Acted(act="none"), "Ann") == "Ann does nothing"
    assert words(Entered(hidden=True), "Ann") == "Ann comes in, unseen"
    assert words(Left(), "Ann") == "Ann leaves"
    assert words(Narrated("Rain.")) == "Rain."
    assert words(Felt(emotion="glad"), "Ann") == "Ann: glad"
    letter = Traced("letter", "Come.", ("Bob",))
    assert words(letter, "Ann", ("Ann",)) == "Ann, letter to Bob: Come."
    assert words(letter, "Ann", ("Bob",)) == "Bob gets Ann's letter"


def test_machinery_and_marks_are_no_part_of_the_story() -> None:
    for body in (Called("act", "offline:", "d"), MarkPlaced("here")):
        assert line(event(body)) is None


def test_a_transcript_shows_who_witnessed_each_event() -> None:
    events = [
        event(EpisodeOpened("A room."), None, ("Ann", "Bob")),
        event(Acted("Hi."), "Ann", ("Ann",)),
    ]
    shown = text(transcript(events, ["Ann", "Bob"]))
    assert "E1  1 January 2000. A room." in shown
    assert "A·" in shown or "A." in shown


def test_initials_differ_as_long_as_names_have_letters_left() -> None:
    assert list(initials(["Ann", "Anna", "Bo", "真"]).values()) == ["A", "N", "B", "+"]


def test_a_wide_name_keeps_the_matrix_aligned() -> None:
    rows = [[Known(1, "真夜中", "present"), Known(1, "Bob", "absent")]]
    for row in text(over_time(["E1"], rows)).splitlines():
        assert len(row) <= 80


def test_a_chain_ends_with_who_was_present_or_could_not_know() -> None:
    told = Known(3, "Cy", "told", "Bob", 9)
    assert str(chain([told, Known(3, "Bob", "present")])).endswith(
        "told by Bob at #9 ← present at #3"
    )
    assert str(chain([told, Known(3, "Bob", "absent")])).endswith("absent: could not know of #3")


def test_json_has_hashes_in_hex_and_no_control_characters() -> None:
    assert '"hash": "00ff"' in as_json(Head("w", 1, b"\x00\xff"))
    assert as_json({"name": "a\x9b\u202e"}) == '{\n  "name": "a\\u009b\\u202e"\n}'


def test_an_inventory_of_odd_names_fits_its_width() -> None:
    world = WorldInfo("真" * 50, 1, 1, "p" * 70, 9, 1, 0, NOON, NOON, NOON)
    info = LogInfo("x" * 100 + ".db", "SQLite file", "SQLite 3", 1, 10, None, (world,))
    for row in text(shown(info), 40).splitlines():
        assert len(row) <= 40


def test_figures_read_well() -> None:
    assert counted(1, "event") == "1 event"
    assert counted(1200, "event") == "1,200 events"
    assert [sized(n) for n in (999, 1500, 2e6, 3e9, 4e12)] == [
        "999 B",
        "1.5 KB",
        "2.0 MB",
        "3.0 GB",
        "4.0 TB",
    ]
