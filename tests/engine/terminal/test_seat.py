"""People at a terminal: each is read line by line, and reads nothing that is another's."""

from __future__ import annotations

import asyncio
import io
import os
import re
import termios
from pathlib import Path

import pytest

from whoknew.engine.errors import SeatLeft, Suspended
from whoknew.engine.terminal.seat import TerminalSeat


async def test_a_person_is_read_line_by_line_from_whatever_there_is(tmp_path: Path) -> None:
    (tmp_path / "lines").write_bytes(b"one\r\n\nthree")
    reading, writing = os.pipe()
    os.write(writing, b"one\n\nthr")
    with (tmp_path / "lines").open("rb") as file:
        for source in (reading, file.fileno()):
            seat = TerminalSeat(source)
            assert [await seat.read("> "), await seat.read("> ")] == ["one", ""]
            if source == reading:
                os.write(writing, b"ee\n")
                os.close(writing)
            assert await seat.read("> ") == "three"
            with pytest.raises(SeatLeft):
                await seat.read("> ")
    os.close(reading)


async def test_one_who_waits_for_a_line_holds_up_nobody_and_can_be_stopped() -> None:
    reading, writing = os.pipe()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await TerminalSeat(reading).read("> ")
    os.close(reading)
    os.close(writing)


async def test_no_name_breaks_the_screen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "lines").write_bytes(b"one\n")
    with (tmp_path / "lines").open("rb") as file:
        await TerminalSeat(file.fileno()).read("Od\x1b[2Ja> ")
    assert capsys.readouterr().out == "Od\\x1b[2Ja> "


async def test_nobody_is_waited_for_where_it_is_to_stop() -> None:
    reading, writing = os.pipe()
    seat = TerminalSeat(reading)
    waiting = asyncio.create_task(seat.read("> "))
    await asyncio.sleep(0)
    seat.release("stopped by Ctrl-C")
    for read in (waiting, seat.read("> ")):
        with pytest.raises(Suspended, match="stopped by Ctrl-C"):
            await read
    os.close(reading)
    os.close(writing)


def test_what_a_person_is_shown_is_broken_between_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    TerminalSeat(0).write(
        '\n--- The soup is on, as it is each night.\n  [9] Oda says: "真夜中, 真夜中, 真夜中\x1b[2J"'
    )
    assert capsys.readouterr().out.splitlines() == [
        "",
        "--- The soup is on, as it is",
        "each night.",
        '  [9] Oda says: "真夜中,',
        '  真夜中, 真夜中\\x1b[2J"',
    ]


async def test_people_who_share_a_terminal_do_not_read_each_others_lines() -> None:
    keys, screen = os.openpty()
    termios.tcsetwinsize(screen, (60, 80))
    shown = Shown(keys, ["\n", "\n", "Bram\n", "\n", "Oda\n", "\n", "\n", "Bram\n"])
    seat = TerminalSeat(screen, shown)

    async def plays(who: str) -> None:
        async with seat.sitting(who):
            seat.write(f"for {who} alone")
            assert await seat.read(f"{who}> ") == who

    async def reads(who: str) -> None:
        async with seat.sitting(who):
            seat.write(f"over, {who}")

    try:
        seat.expect("Oda")
        async with seat.sitting("Oda"):
            seat.write("alone")
        assert shown.getvalue() == "alone\n", "nobody else is there"
        shown.truncate(shown.seek(0))
        seat.expect("Bram")
        await asyncio.gather(plays("Bram"), plays("Oda"))
        await asyncio.gather(reads("Oda"), reads("Bram"))
        await plays("Bram")
    finally:
        os.close(keys)
        os.close(screen)
    away = "\n" * 60
    steps = [re.sub("^\n+", "", step) for step in shown.getvalue().split(away)]
    read = "Press Enter when you have read this: "
    assert steps == [
        read,
        "Hand over to Bram, then press Enter: for Bram alone\nBram> ",
        "Hand over to Oda, then press Enter: for Oda alone\nOda> over, Oda\n" + read,
        "Hand over to Bram, then press Enter: over, Bram\nfor Bram alone\nBram> ",
    ]


async def test_people_in_a_pipe_are_not_asked_to_hand_it_over(
    capsys: pytest.CaptureFixture[str],
) -> None:
    reading, writing = os.pipe()
    seat = TerminalSeat(reading)
    for who in ("Oda", "Bram"):
        seat.expect(who)
    os.write(writing, b"one\ntwo\n")
    for who, said in (("Oda", "one"), ("Bram", "two")):
        async with seat.sitting(who):
            assert await seat.read(f"{who}> ") == said
    assert capsys.readouterr().out == "Oda> Bram> "
    os.close(reading)
    os.close(writing)


async def test_nobody_hands_a_terminal_over_by_what_was_typed_before() -> None:
    keys, screen = os.openpty()
    shown = Shown(keys, ["\n", "One.\nTwo.\n\n", "\n", "Mine.\n"])
    seat = TerminalSeat(screen, shown)
    seat.expect("Oda")
    seat.expect("Bram")
    said = []
    try:
        for who in ("Oda", "Bram"):
            async with seat.sitting(who):
                said.append(await seat.read(f"{who}> "))
    finally:
        os.close(keys)
        os.close(screen)
    assert said == ["One.", "Mine."]


async def test_a_line_that_the_terminal_has_cut_is_asked_for_again() -> None:
    keys, screen = os.openpty()
    shown = Shown(keys, ["x" * 5000 + "\n", "In parts.\n"])
    try:
        assert await TerminalSeat(screen, shown).read("Oda> ") == "In parts."
    finally:
        os.close(keys)
        os.close(screen)
    assert "write it in parts" in " ".join(shown.getvalue().split())


class Shown(io.StringIO):
    """A screen before which somebody sits who answers each time that something is asked."""

    def __init__(self, keys: int, typed: list[str]) -> None:
        super().__init__()
        self._keys, self._typed = keys, typed

    def write(self, text: str) -> int:
        if text.endswith((": ", "> ")):
            os.write(self._keys, self._typed.pop(0).encode())
        return super().write(text)
