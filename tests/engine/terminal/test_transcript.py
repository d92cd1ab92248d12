"""What is shown in a terminal: nothing in a log can break it."""

from __future__ import annotations

import errno
import os
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from string import ascii_uppercase

import pytest
from msgspec.structs import replace
from rich.console import Console, RenderableType
from rich.text import Text

from whoknew.engine.logs.info import LogInfo, WorldInfo
from whoknew.engine.terminal import matrix
from whoknew.engine.terminal.console import TextLines, laid_out, safe
from whoknew.engine.terminal.errors import explained
from whoknew.engine.terminal.figures import sized
from whoknew.engine.terminal.jsontext import as_json
from whoknew.engine.terminal.log.info import shown
from whoknew.engine.terminal.matrix import chain, over_time
from whoknew.engine.terminal.transcript import line, transcript
from whoknew.engine.terminal.witnesses import CROWD, MANY, Witnesses, among
from whoknew.eventlog import Event, Head, Kind, Known
from whoknew.eventlog.counted import counted
from whoknew.eventlog.kinds import (
    Acted,
    Answered,
    Called,
    Entered,
    EpisodeOpened,
    EvidenceNoted,
    Failed,
    Felt,
    Left,
    MarkPlaced,
    MemoryDerived,
    Narrated,
    NothingDerived,
    Probed,
    Remembered,
    Reviewed,
    TellingsSought,
    Traced,
)

NOON = datetime(2000, 1, 1, 12)


def event(body: Kind, actor: str | None = None, witnesses: tuple[str, ...] = ()) -> Event:
    return Event("w", 1, NOON, NOON.replace(tzinfo=UTC), body, 1, 1, actor, None, witnesses)


def text(renderable: RenderableType | TextLines, width: int = 80) -> str:
    if isinstance(renderable, TextLines):
        return "".join(f"{one.plain.rstrip()}\n" for one in renderable)
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
    assert words(Acted("Good night.", "leave"), "Ann") == "Ann makes to leave: Good night."
    assert words(Acted(act="leave"), "Ann") == "Ann makes to leave"
    assert words(Left(), "Ann") == "Ann leaves"
    assert words(Failed("turn", "no sense"), "Ann") == "Ann's turn failed: no sense"
    assert words(Called("act", "m", "d", error="gone"), "Ann") == "Ann's call to m failed: gone"
    assert words(Reviewed("points", {"Ann": 3.0, "Bob": 0.5})) == "points: Ann 3, Bob 0.5"
    assert words(Narrated("Rain.")) == "Rain."
    assert words(Felt(emotion="glad"), "Ann") == "Ann, inside: glad"
    assert words(EvidenceNoted("Ann rows.")) == "Evidence: Ann rows."
    letter = Traced("letter", "Come.", ("Bob",))
    assert words(letter, "Ann", ("Ann",)) == "Ann, letter to Bob: Come."
    assert words(letter, "Ann", ("Bob",)) == "Bob gets Ann's letter"


def test_how_it_is_inside_is_told_by_what_each_part_is_of_as_far_as_it_is_new() -> None:
    even = Felt(0.6, 0.35, "even", "everyday life")
    moved = Felt(0.6, 0.4, "even", "the cello", {"the cello": "only looking"})
    events = [event(even, "Ann"), event(even, "Ann"), event(even, "Bob"), event(moved, "Ann")]
    told = text(transcript([*events, event(moved, "Ann")], None, width=120))
    assert [one.split("  ")[-1] for one in told.splitlines()] == [
        "Ann, inside: even; on everyday life; energy 0.6; stress 0.35",
        "Bob, inside: even; on everyday life; energy 0.6; stress 0.35",
        "Ann, inside: on the cello; stress 0.4; the cello: only looking",
    ]


def test_machinery_is_no_part_of_the_story() -> None:
    assert line(event(Called("act", "offline:", "d"))) is None


def test_what_was_asked_and_marked_reads_as_such() -> None:
    assert words(MarkPlaced("here", 3)) == 'marked: "here" at #3'
    assert words(Probed("Ann", 3, "Who?")) == "Ann is asked at #3: Who?"
    assert words(Answered("Bob."), "Ann") == "Ann answers: Bob."
    kept = MemoryDerived("Ann", "summary", "It rained.", upto=4)
    assert words(kept) == "Ann remembers (summary) up to #4: It rained."
    assert words(NothingDerived("Ann", 4, "w", "")) == "Ann remembers nothing more up to #4"


def test_plays_read_as_they_are_spoken() -> None:
    assert words(Acted("Hm.", to=("Ann",)), "Ann", ("Ann",)) == "Ann aside: Hm."
    assert words(Acted("Hi.", also=("Bob",)), "Ann", ("Ann", "Bob")) == "Ann, Bob: Hi."
    assert words(Left("dies"), "Ann") == "Ann dies"


def test_a_transcript_shows_who_witnessed_each_event() -> None:
    events = [
        event(EpisodeOpened("A room."), None, ("Ann", "Bob")),
        event(Acted("Hi."), "Ann", ("Ann",)),
    ]
    shown = text(transcript(events, Witnesses(["Ann", "Bob"])))
    assert "E1  1 January 2000. A room." in shown
    assert "A·" in shown or "A." in shown


def test_comings_and_goings_say_where_and_whether_they_are_seen() -> None:
    def moved(body: Kind) -> str:
        return str(line(replace(event(body, "Ann"), place="the pantry")))

    assert moved(Entered()) == "Ann comes to the pantry"
    assert moved(Entered(hidden=True)) == "Ann comes to the pantry, unseen"
    assert moved(Left()) == "Ann leaves the pantry"


def test_offers_and_agreements_are_told() -> None:
    offer = {"Ann": {"pan": 2, "jar": 0}, "Bob": {"pan": 1}}
    assert words(Acted("So?", offer=offer), "Ann") == "Ann: So?  [Ann: 2 pan; Bob: 1 pan]"
    assert words(Acted("Yes.", agrees=True), "Bob") == "Bob: Yes.  [agrees to the offer]"


def test_memories_are_told_only_where_they_are_asked_for() -> None:
    events = [event(Remembered("Ann", "summary", "It rained."), "Ann", ("Ann",))]
    people = Witnesses(["Ann"])
    assert "It rained." not in text(transcript(events, people))
    told = text(transcript(events, people, memories="whole"))
    assert "Ann remembers (summary): It rained." in told


def test_witnesses_have_the_initials_that_they_have_on_the_page() -> None:
    people = ["Person A", "Person B", "Lord", "Lords", "真", "Vera"]
    crowd = Witnesses(people[1:], people)
    assert crowd.legend() == (
        "Witnesses: PB\u00a0Person B  Lord\u00a0Lord  Lords\u00a0Lords  真\u00a0真  V\u00a0Vera"
    )
    shown = text(transcript([event(Acted("Hi."), "Lords", ("Lords", "真"))], crowd))
    assert "12:00  #1  ·  ·    Lords 真 ·  Lords: Hi." in shown
    assert "12:00  #1  P·  P: Hi." in text(
        transcript([event(Acted("Hi."), "P", ("P",))], Witnesses(["P", "Q"]))
    )


def test_of_many_it_is_told_who_witnessed_it_as_far_as_there_is_room() -> None:
    people = [f"C{n}" for n in range(MANY + 1)]
    crowd = Witnesses(people)
    assert "or how many of 21: C0\u00a0C0" in crowd.legend()
    assert crowd.of(event(Acted("x"), None, tuple(people[3:6]))).plain == "C3 C4 C5     "
    assert crowd.of(event(Acted("x"), None, tuple(people[3:12]))).plain == "9            "
    assert "how many of" not in Witnesses(ascii_uppercase[:MANY]).legend()
    assert "--json names them" in Witnesses([f"C{n}" for n in range(CROWD + 1)]).legend()


def test_of_very_many_it_is_told_how_many_witnessed_it() -> None:
    people = [f"C{n}" for n in range(300)]
    crowd = Witnesses(people)
    shown = text(transcript([event(Acted("Hi."), "C1", tuple(people[:7]))], crowd))
    assert "12:00  #1    7  C1: Hi." in shown
    assert "how many of 300" in crowd.legend()


def test_only_those_who_are_in_it_have_a_column() -> None:
    assert among(["Ann", "Bob"], [event(Acted("Hm."), "Bob", ("Bob",))]) == ["Bob"]


def test_a_text_of_several_lines_hangs_together_and_fits() -> None:
    events = [event(Acted("so " * 60), "Ann", ("Ann",))]
    for width in (40, 80, 140):
        rows = (
            text(transcript(events, Witnesses(["Ann"]), width=width), width)
            .rstrip("\n")
            .split("\n")
        )
        begins = rows[0].index("Ann:")
        assert len(rows) > 1
        assert all(len(row) <= width for row in rows)
        assert all(row[:begins].strip() == "" for row in rows[1:])


def test_lines_of_a_text_stay_in_their_column() -> None:
    events = [event(Acted("one\n12:00  #1  A  Bob: two\x1b[2J"), "Ann", ("Ann",))]
    first, second, *_ = text(transcript(events, Witnesses(["Ann"]))).splitlines()
    assert second[: first.index("Ann:")].strip() == ""
    assert "\x1b" not in second


def test_what_the_system_refuses_is_told_by_the_file_that_was_named(tmp_path: Path) -> None:
    def told(name: str, kind: int) -> str:
        return explained(OSError(kind, os.strerror(kind), str(tmp_path / name)))

    (tmp_path / "x.db").touch()
    assert (
        told("x.db", errno.EACCES)
        == f"{tmp_path}/x.db may not be opened by you: check its permissions"
    )
    assert told("x.db.lock", errno.EACCES).endswith(
        f"the folder {tmp_path} is not writable: name another folder"
    )
    assert told("y.jsonl.partial", errno.ENOENT).endswith("y.jsonl: there is no such file")
    assert "there is no folder" in told("no/y.jsonl", errno.ENOENT)
    assert "the disk is full" in told("x.db", errno.ENOSPC)
    assert "Errno" not in told("x.db", errno.EIO)


def test_of_an_event_without_words_its_kind_is_shown_among_what_is_known() -> None:
    assert matrix.words(event(TellingsSought(1, "rule"))).plain == "knowledge.sought"


def test_initials_and_their_name_stay_on_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "32")
    people = ["Helena Voss", "Martin Voss", "Doctor Breen", "Old Petra"]
    legend = Witnesses(people).legend()
    lines = [line.plain.replace("\u00a0", " ") for line in laid_out(Text(legend))]
    assert lines == ["Witnesses: HV Helena Voss", "MV Martin Voss  DB Doctor Breen", "OP Old Petra"]


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
