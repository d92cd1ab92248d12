"""The commands that travel in time, driven as a person would, on a play: and with bad input."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import signal
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from child_process import started
from command_runner import COMMAND, ENVIRONMENT, answer, refused, run
from kitchen_runs import command, plan
from lamp_room import PLAY
from model_servers import Doing, serving
from waiting import line_with

from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import WorldOpened

CURSORS = ("#60", "60", "E3", "E3.T5", "@1600-01-02T08:00", '"the fright"', "the fright", "end")


@pytest.mark.parametrize("at", CURSORS)
def test_every_form_of_a_cursor_is_taken_by_every_command(unchanged: Path, at: str) -> None:
    where = ("--at", at, "--log", unchanged)
    cursor = answer("replay", PLAY, *where)["cursor"]
    assert answer("knows", PLAY, "--about", "stones", *where)["cursor"] == cursor
    assert answer("recall", PLAY, "WREN", "oil", *where)["cursor"] == cursor
    asked = answer("ask", PLAY, "WREN", "How much oil?", "--no-save", *where)
    assert asked["cursor"] == cursor
    assert answer("diff", PLAY, "--who", "WREN,TOBIAS PELL", *where)["kind"] == "characters"
    run("prompt", PLAY, at, "--log", unchanged, rc=1)


EACH: tuple[tuple[str, ...], ...] = (
    ("replay", "{world}", "--at", "{at}", "--as", "{who}"),
    ("knows", "{world}", "--at", "{at}", "--about", "oil", "--who", "{who}"),
    ("ask", "{world}", "{who}", "Why?", "--at", "{at}"),
    ("recall", "{world}", "{who}", "oil", "--at", "{at}"),
    ("prompt", "{world}", "{at}", "--who", "{who}"),
    ("fork", "{world}", "--at", "{at}", "--tell", "{who}", "Hm."),
    ("diff", "{world}", "--at", "{at}", "--who", "{who},TOBIAS PELL"),
    ("rerun", "{world}"),
    ("mark", "{world}", "x", "--at", "{at}"),
)


def filled(words: tuple[str, ...], **names: str) -> list[str]:
    usual = {"world": PLAY, "who": "WREN", "at": "E2.T1", **names}
    return [word.format(**usual) for word in words]


@pytest.mark.parametrize("words", EACH, ids=lambda words: words[0])
def test_an_unknown_world_is_told_with_the_nearest(unchanged: Path, words: tuple[str, ...]) -> None:
    message = refused(*filled(words, world="the-lamp-rom"), "--log", unchanged)
    assert "no world 'the-lamp-rom' in this log: did you mean 'the-lamp-room'?" in message


@pytest.mark.parametrize(
    "words", [one for one in EACH if "{at}" in one], ids=lambda words: words[0]
)
def test_a_cursor_past_the_end_is_told_with_the_end(
    unchanged: Path, words: tuple[str, ...]
) -> None:
    assert "ends at #" in refused(*filled(words, at="#99999"), "--log", unchanged)
    assert "has 6 episodes" in refused(*filled(words, at="E9"), "--log", unchanged)


@pytest.mark.parametrize(
    "words", [one for one in EACH if any("{who}" in word for word in one)], ids=lambda one: one[0]
)
def test_an_unknown_character_is_told_with_who_is_in_it(
    unchanged: Path, words: tuple[str, ...]
) -> None:
    message = refused(*filled(words, who="WRENN"), "--log", unchanged)
    assert "no character 'WRENN'" in message
    assert "WREN" in message.replace("WRENN", "")


def test_spans_that_run_backwards_are_told_to(unchanged: Path) -> None:
    assert "runs backwards: write it as 90-97" in refused(
        "knows", PLAY, "--about", "97-90", "--log", unchanged
    )
    endless = refused("knows", PLAY, "--about", "9" * 5000, "--log", unchanged)
    assert "try other words, or a seq" in endless
    assert "runs backwards: exchange the two" in refused(
        "replay", PLAY, "--from", "E4", "--at", "E3", "--log", unchanged
    )


def test_an_empty_world_and_an_empty_moment_are_no_crash(tmp_path: Path) -> None:
    file = tmp_path / "e.db"

    async def write() -> None:
        from datetime import datetime

        async with open_log(file) as log:
            await log.append("empty", [Draft(WorldOpened(), datetime(2000, 1, 1))])

    asyncio.run(write())
    assert "empty at #1 of 1" in run("replay", "empty", "--log", file).stdout
    assert "Nothing had happened" in run("replay", "empty", "--at", "#0", "--log", file).stdout
    for words in EACH[1:8]:
        message = refused(*filled(words, world="empty", at="end"), "--log", file)
        assert "Traceback" not in message


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("fork", PLAY, "--at", "E2.T1", "--tell", "WREN"), "--tell takes a name and a text"),
        (("fork", PLAY, "--replace", "x", "y"), "'x' is not a valid int"),
        (("run",), "give a PLAN or --world: one of the two"),
        (("recall", PLAY, "WREN", "oil", "-k", "0"), "range"),
        (("replay", PLAY, "--speed", "0"), "range"),
        (("ask", PLAY, "WREN", ""), "is empty"),
    ],
)
def test_wrong_usage_is_told_in_one_line(
    unchanged: Path, words: tuple[str, ...], what: str
) -> None:
    done = run(*words, *(() if words == ("run",) else ("--log", unchanged)), rc=2)
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


async def ended(*words: str | Path) -> tuple[int, str, str]:
    async with started(*COMMAND, *words, stdout=PIPE, stderr=PIPE, env=ENVIRONMENT) as process:
        out, error = await process.communicate()
    return process.returncode or 0, out.decode(), error.decode()


GOOD_SOUP = Doing('{"act": "speak", "text": "The soup is good."}', wait=0.1)


async def test_a_world_that_is_being_written_can_be_travelled_in(tmp_path: Path) -> None:
    """Another process plays it meanwhile: looking works, and what would write says why not."""
    file = tmp_path / "k.db"
    async with (
        serving("openai", after=GOOD_SOUP) as server,
        command("run", plan(tmp_path, f"{server.url}#m"), folder=tmp_path) as played,
    ):
        await server.until_asked(3, by=played)
        server.going.clear()
        for words in (("mark", "kitchen", "x"), ("fork", "kitchen")):
            code, _, error = await ended(*words, "--log", str(file))
            assert code == 1
            assert "another process" in error
        looks: list[tuple[str, ...]] = [
            ("replay", "kitchen"),
            ("knows", "kitchen", "--about", "soup"),
            ("recall", "kitchen", "Oda", "soup"),
            ("ask", "kitchen", "Oda", "How is the soup?"),
            ("prompt", "kitchen", "E1.T1"),
            ("diff", "kitchen", "--who", "Oda,Bram"),
        ]
        for words in looks:
            code, out, error = await ended(*words, "--log", str(file))
            assert code == 0, (words, error)
            assert "soup" in out.casefold() or words[0] == "diff"
            if words[0] == "ask":
                assert "Not kept:" in out
        follows = ("replay", "kitchen", "--follow", "--log", file)
        async with command(*follows, folder=tmp_path) as follow:
            told = await line_with(follow.stdout, "The soup is good.")
            server.going.set()
            await played.communicate()
            assert played.returncode == 0
            while told.count("The soup is good.") < 12 or "E2  " not in told:
                told += await line_with(follow.stdout, "")
            follow.send_signal(signal.SIGINT)
            rest, _ = await follow.communicate()
        assert "The soup is good." not in rest.decode()


async def test_a_terminal_shows_colours_and_fits(play: Path) -> None:
    """In a pseudo-terminal, 80 columns wide and 140."""
    for width in (80, 140):
        controller, terminal = pty.openpty()
        async with started(
            *COMMAND, "knows", PLAY, "--about", "stones", "--log", play,
            stdout=terminal, stderr=terminal, stdin=terminal,
            env={**os.environ, "COLUMNS": str(width), "TERM": "xterm-256color"},
        ) as process:  # fmt: skip
            os.close(terminal)
            shown = b""
            while True:
                try:
                    part = await asyncio.to_thread(os.read, controller, 65536)
                except OSError:
                    break
                if not part:
                    break
                shown += part
            assert await process.wait() == 0
        os.close(controller)
        plain = re.sub(rb"\x1b\[[0-9;]*m", b"", shown).decode()
        assert all(len(line.rstrip()) <= width for line in plain.splitlines())
        assert b"\x1b[32m" in shown
