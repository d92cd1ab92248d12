"""The commands that travel in time, driven as a person would, on a play: and with bad input."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import pty
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_runner import COMMAND, ENVIRONMENT, answer, refused, run
from diner_world import WORLD, nights
from lamp_room import PLAY, lamp_room
from model_servers import Doing, serving
from test_run import plan

from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import WorldOpened

CURSORS = ("#60", "60", "E3", "E3.T5", "@1600-01-02T08:00", '"the fright"', "the fright", "end")


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lamp_room(tmp_path_factory.mktemp("play"))


@pytest.fixture(params=[PLAY, "told"])
def world(request: pytest.FixtureRequest) -> str:
    """The play as it was imported, and a fork of it."""
    return str(request.param)


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.fixture
def unchanged(log: Path) -> Iterator[Path]:
    """Looking never writes: every byte of the log is as it was."""
    before = digest(log)
    yield log
    assert digest(log) == before


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


def test_a_replay_reads_as_a_play(unchanged: Path, world: str) -> None:
    shown = run("replay", world, "--at", "E4", "--log", unchanged).stdout
    assert "E1  Act I, Scene I. 1 January 1600. The lamp room" in shown
    assert "CAPTAIN MARROW aside: She must not come back" in shown
    assert "TOBIAS PELL whispers to AUGUSTA PELL: He offered me" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    wide = run("replay", world, "--log", unchanged, environment={"COLUMNS": "200"}).stdout
    assert len(wide.splitlines()) < len(
        run("replay", world, "--log", unchanged).stdout.splitlines()
    )


def test_a_replay_as_somebody_shows_nothing_else(unchanged: Path) -> None:
    shown = run("replay", PLAY, "--as", "WREN", "--log", unchanged).stdout
    assert "WREN falls asleep" in shown
    assert "Forty stones" not in shown
    assert "WREN did not perceive" in shown
    seen = answer("replay", PLAY, "--as", "WREN", "--log", unchanged)
    assert all("WREN" in event["witnesses"] for event in seen["events"])


def test_an_imported_event_keeps_the_id_of_its_source(unchanged: Path) -> None:
    events = answer("replay", PLAY, "--at", "E1.T2", "--log", unchanged)["events"]
    assert events[-1]["source"] == "Act I, Scene I, speech 2"


def test_a_replay_can_be_watched(unchanged: Path) -> None:
    words = ("--from", "E4", "--at", "E5.T1", "--speed", "100000", "--log", unchanged)
    assert "AUGUSTA PELL: Sit by the glass" in run("replay", PLAY, *words).stdout


def test_the_matrix_has_a_sign_for_each_and_says_how_it_came(unchanged: Path) -> None:
    shown = run("knows", PLAY, "--log", unchanged).stdout
    assert "● present  ◐ told  ○ absent  · future" in shown
    assert "stones: FIRST BOATMAN: What does a shipowner want" in shown
    assert "○○○○○●●○" in shown
    early = run("knows", PLAY, "--at", "E1", "--log", unchanged).stdout
    assert "········" in early
    traced = run("knows", PLAY, "--about", "stones", "--trace", "--log", unchanged).stdout
    assert "Nobody was told of any of it." in traced


def test_how_many_events_are_meant_stands_above_those_that_are_shown(unchanged: str) -> None:
    def shown(*more: str) -> str:
        return run("knows", PLAY, "--about", "stones", "--log", unchanged, *more).stdout

    whole = json.loads(shown("--json", "--limit", "1000"))
    total = whole["total"]
    assert total == len(whole["rows"]) > 2
    assert f"\n{total} events\n" in shown("--limit", "1000")
    assert f"\n1-2 of {total} events: go on with --skip 2\n" in shown("--limit", "2")
    assert f"\n{total}-{total} of {total} events\n" in shown("--skip", str(total - 1))
    assert "none past the first 999" in shown("--skip", "999")


def test_one_who_was_told_in_a_fork_answers_from_it(unchanged: Path) -> None:
    ask = ("TOBIAS PELL", "Where are the stones?", "--no-save", "--log", unchanged)
    assert answer("ask", "told", *ask)["answer"] == "There are stones in her."
    assert "stones in her" not in answer("ask", PLAY, *ask)["answer"]


def test_a_question_is_kept_unless_it_shall_not_be(tmp_path: Path) -> None:
    file = tmp_path / "p.db"
    run("import", "play", PLAY, "--log", file)
    before = answer("log", "info", file)["worlds"][0]["head"]
    shown = run("ask", PLAY, "WREN", "How much oil is in nine jars?", "--log", file).stdout
    assert "WREN: Nine jars with ours." in shown
    assert "It rests on" in shown
    assert f"Kept as #{before + 1}, witnessed by nobody." in shown
    assert answer("log", "info", file)["worlds"][0]["head"] == before + 3
    assert "WREN is asked at #" in run("replay", PLAY, "--log", file).stdout


def test_recall_shows_seqs_scores_and_words(unchanged: Path) -> None:
    shown = run("recall", PLAY, "WREN", "chapel oil", "-k", "2", "--log", unchanged).stdout
    assert "WREN: Nine jars" in shown or "chapel lamps" in shown
    none = run("recall", PLAY, "WREN", "zyzzyva", "--log", unchanged).stdout
    assert "nothing that WREN knows" in none


def test_a_fork_beside_its_parent(unchanged: Path) -> None:
    shown = run("diff", "told", "--log", unchanged).stdout
    assert "are one up to #" in shown
    assert "There are stones in her." in shown
    assert "Only in the-lamp-room" in shown
    between = run("diff", PLAY, "--from", "E4", "--at", "E5", "--log", unchanged).stdout
    assert "CAPTAIN MARROW dies" in between


def test_what_was_told_is_marked_in_a_replay_of_a_played_world(tmp_path: Path) -> None:
    file = nights(tmp_path)
    shown = run("replay", WORLD, "--as", "Vera", "--at", "E2", "--log", file).stdout
    assert "◐ so knows of #88: Dorte: I cannot taste." in shown
    traced = run("knows", WORLD, "--about", "88", "--trace", "--log", file).stdout
    assert "#88  Vera ← told by Yusuf at #125 ← present at #88" in traced


def test_prompt_and_rerun_of_a_played_world(tmp_path: Path) -> None:
    file = nights(tmp_path)
    shown = run("prompt", WORLD, "E2.T3", "--log", file).stdout
    assert "to the byte what the model was given" in shown.replace("\n", " ")
    assert "# Who you are" in shown
    assert "What came of it" in shown
    (decision,) = answer("prompt", WORLD, "E2.T3", "--log", file)
    assert decision["calls"][0]["digest"] == decision["calls"][0]["called"]["digest"]
    assert "the same story, to the byte" in run("rerun", WORLD, "--recorded", "--log", file).stdout
    assert "run its plan" in run("rerun", WORLD, "--no-recorded", "--log", file, rc=2).stderr


def test_a_what_if_is_gone_on_with_by_the_plan_on_its_log(tmp_path: Path) -> None:
    file = nights(tmp_path)
    words = ("--tell", "Vera", "Psst.", "--tell", "Yusuf", "Hm.", "--goal", "Vera", "Sing.")
    made = run("fork", WORLD, "--at", "E2.T1", *words, "--log", file).stdout
    assert f"whoknew run --world {WORLD}-what-if --log {file}" in made
    run("run", "--world", f"{WORLD}-what-if", "--log", file)
    assert "the same story" in run("rerun", f"{WORLD}-what-if", "--log", file).stdout
    assert "Psst." in run("diff", f"{WORLD}-what-if", "--log", file).stdout
    run("fork", WORLD, "--replace", "88", "I taste it.", "--name", "tasty", "--log", file)
    assert "Dorte: I taste it." in run("replay", "tasty", "--log", file).stdout


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
    shown = run("replay", PLAY, "--from", "E4", "--at", "E3", "--log", unchanged).stdout
    assert "Nothing happened after --from and up to --at." in shown


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
        (("run",), "name a PLAN, or give --world"),
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


@pytest.mark.parametrize("kind", ["play", "storyline", "locomo", "bigtom"])
def test_what_cannot_be_imported_is_told(tmp_path: Path, kind: str) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(b"\xff\xfe\x00")
    for path in (bad, tmp_path / "none", tmp_path):
        message = refused("import", kind, path, "--log", tmp_path / "x.db")
        assert str(path) in message
    assert not (tmp_path / "x.db").exists()


@pytest.mark.parametrize("form", ["jsonl", "database"])
def test_a_world_from_elsewhere_goes_out_as_sotopia_would_have_written_it(
    log: Path, tmp_path: Path, form: str
) -> None:
    out = tmp_path / "out.json"
    run("export", "sotopia", PLAY, out, "--log", log, "--form", form)
    assert "Environment" in out.read_text("utf-8")


def test_an_import_again_leaves_what_is_there(log: Path) -> None:
    assert "left as it was" in run("import", "play", PLAY, "--log", log).stdout


async def process(*words: str | Path) -> tuple[int, str, str]:
    started = await asyncio.create_subprocess_exec(
        *COMMAND,
        *map(str, words),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=ENVIRONMENT,
    )
    out, error = await started.communicate()
    return started.returncode or 0, out.decode(), error.decode()


GOOD_SOUP = Doing('{"act": "speak", "text": "The soup is good."}', wait=0.1)


async def test_a_world_that_is_being_written_can_be_travelled_in(tmp_path: Path) -> None:
    """Another process plays it meanwhile: looking works, and what would write says why not."""
    async with serving("openai", after=GOOD_SOUP) as server:
        written = plan(tmp_path, f"{server.url}#m")
        file = tmp_path / "k.db"
        played = await asyncio.create_subprocess_exec(
            *COMMAND, "run", str(written), stdout=asyncio.subprocess.DEVNULL, env=ENVIRONMENT,
            stderr=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        async with asyncio.timeout(60):
            while len(server.asked) < 3:  # noqa: ASYNC110  (another process)
                await asyncio.sleep(0.01)
        server.going.clear()
        follow = await asyncio.create_subprocess_exec(
            *COMMAND, "replay", "kitchen", "--follow", "--log", str(file),
            stdout=asyncio.subprocess.PIPE, env=ENVIRONMENT,
        )  # fmt: skip
        for words in (("mark", "kitchen", "x"), ("fork", "kitchen")):
            code, _, error = await process(*words, "--log", str(file))
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
            code, out, error = await process(*words, "--log", str(file))
            assert code == 0, (words, error)
            assert "soup" in out.casefold() or words[0] == "diff"
            if words[0] == "ask":
                assert "Not kept:" in out
        server.going.set()
        assert await played.wait() == 0
        assert follow.stdout is not None
        told = ""
        async with asyncio.timeout(30):
            while told.count("The soup is good.") < 12 or "E2  " not in told:
                told += (await follow.stdout.readline()).decode()
        follow.send_signal(signal.SIGINT)
        rest, _ = await follow.communicate()
        assert "The soup is good." not in rest.decode()


async def test_a_terminal_shows_colours_and_fits(log: Path) -> None:
    """In a pseudo-terminal, 80 columns wide and 140."""
    for width in (80, 140):
        controller, terminal = pty.openpty()
        started = await asyncio.create_subprocess_exec(
            *COMMAND, "knows", PLAY, "--about", "stones", "--log", str(log),
            stdout=terminal, stderr=terminal, stdin=terminal,
            env={**os.environ, "COLUMNS": str(width), "TERM": "xterm-256color"},
        )  # fmt: skip
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
        assert await started.wait() == 0
        os.close(controller)
        plain = re.sub(rb"\x1b\[[0-9;]*m", b"", shown).decode()
        assert all(len(line.rstrip()) <= width for line in plain.splitlines())
        assert b"\x1b[32m" in shown
