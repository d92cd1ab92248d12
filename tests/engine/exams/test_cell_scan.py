"""In exams every prompt is scanned: those of memories tell nothing unseen, those of controls that leak are
counted, and a memory that cheats stops all."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from command_runner import ended, run
from memories_here import HERE

from whoknew.engine.registry import CONTROLS, METHODS

PLAN = """
exam = "questions"
name = "known"
log = "{folder}/known.db"
material = "{folder}/diner.db"
questions = "questions.jsonl"
[grid]
memories = {memories}
methods = {methods}
"""

CHEAT = '''
import json
import sqlite3
from contextlib import closing
from pathlib import Path

from whoknew.agents.memories.memory import Memory, MemoryEntry, Piece, recollection

class Peeking(Memory):
    async def recollect(self, now):
        """Reads the log itself, behind its view."""
        with closing(sqlite3.connect(Path(__file__).with_name("diner.db"))) as log:
            rows = log.execute("select body from events order by seq desc limit 200").fetchall()
        bodies = [json.loads(body) for (body,) in rows]
        texts = [found for one in bodies for found in [text_of(one)] if found]
        return recollection([Piece(text, (), at) for at, text in enumerate(texts[:20])], now.budget)

def text_of(event):
    body = event.get("body", event)
    return body.get("text", "") if isinstance(body, dict) else ""

class PeekingEntry(MemoryEntry, frozen=True):
    """cheats"""

    def make(self, owner):
        return Peeking()
'''


AHEAD = '''
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import ClassVar

from whoknew.agents.agent import Note
from whoknew.agents.memories.memory import Memory, MemoryEntry, Piece, recollection

class Ahead(Memory):
    async def recollect(self, now):
        """Reads what its character is to witness later."""
        with closing(sqlite3.connect(Path(__file__).with_name("diner.db"))) as log:
            rows = log.execute("select body from events order by seq").fetchall()
        read = [json.loads(body) for (body,) in rows]
        known = {event.body.words for event in await now.view.events()}
        later = [
            one["body"]["text"]
            for one in read
            if now.view.character in one.get("witnesses", ())
            and one["body"].get("kind") == "episode.acted"
            and len(one["body"].get("text", "").split()) > 14
        ]
        later = [one for one in later if one not in known]
        return recollection([Piece(text, (), at) for at, text in enumerate(later[:3])], now.budget)

    async def remember(self, now):
        """Notes of what was witnessed, word for word."""
        over = now.life.now
        said = " / ".join(one.text for one in over.events if one.text)
        return (Note("ahead", said, tuple(over.places)),)

class AheadEntry(MemoryEntry, frozen=True):
    """cheats, and keeps notes"""

    calls_an_episode: ClassVar[int] = 0
    keeps: ClassVar[str] = "ahead"

    def make(self, owner):
        return Ahead()
'''


def asked(folder: Path, *, memories: list[str], methods: list[str] = ["plain"]) -> Path:  # noqa: B006
    """An exam about the diner, and its plan."""
    run("demo", "--log", folder / "diner.db")
    questions = [
        {"world": "midnight-diner", "character": who, "at": at, "question": text, "kind": "fact"}
        for who in ("Emil", "Vera", "Magda")
        for at in ("E2", "E5", "end")
        for text in ("Who cannot taste?", "What is wrong with the soup?")
    ]
    lines = "\n".join(map(json.dumps, questions))
    (folder / "questions.jsonl").write_text(lines + "\n")
    plan = PLAN.format(folder=folder, memories=json.dumps(memories), methods=json.dumps(methods))
    (folder / "exam.toml").write_text(plan)
    return folder / "exam.toml"


def test_memories_tell_nothing_unseen_and_what_leaks_is_counted(tmp_path: Path) -> None:
    plan = asked(tmp_path, memories=[*HERE, *CONTROLS.ours])
    run("exam", "run", plan)
    table = json.loads(run("exam", "report", plan, "--json").stdout)["table"]
    leaking = {row["arm"]: row["leaking"] / row["calls"] for row in table["rows"]}
    assert {arm for arm, share in leaking.items() if share} == {
        name for name in CONTROLS.ours if name.startswith("unsafe:")
    }
    assert all(share >= 0.1 for arm, share in leaking.items() if arm.startswith("unsafe:")), leaking
    shown = run("exam", "report", plan).stdout
    assert "leaks" in shown


def test_no_method_makes_a_memory_leak(tmp_path: Path) -> None:
    plan = asked(tmp_path, memories=["summary", "flat"], methods=sorted(METHODS.ours))
    done = run("exam", "run", plan)
    table = json.loads(run("exam", "report", plan, "--json").stdout)["table"]
    assert sum(row["leaking"] for row in table["rows"]) == 0, done.stdout
    assert sum(row["failed"] for row in table["rows"]) == 0


def test_a_memory_that_cheats_stops_an_exam_before_anything_is_sent(tmp_path: Path) -> None:
    plan = asked(tmp_path, memories=["none", "peeking:PeekingEntry"])
    (tmp_path / "peeking.py").write_text(CHEAT)
    code, done = ended("exam", "run", plan)
    told = " ".join((done.stdout + done.stderr).split())
    assert code == 3, told
    assert "which comes later" in told or "has not witnessed" in told
    assert "peeking:PeekingEntry" in told and "nothing was sent" in told
    with closing(sqlite3.connect(tmp_path / "known.db")) as log:
        (count,) = log.execute("select count(*) from events where body like '%leaks%'").fetchone()
    assert count == 0


def test_what_it_notes_of_later_excuses_no_memory_that_cheats(tmp_path: Path) -> None:
    plan = asked(tmp_path, memories=["ahead:AheadEntry"])
    plan.write_text(plan.read_text().replace("[grid]", "at_once = 1\n[grid]"))
    (tmp_path / "ahead.py").write_text(AHEAD)
    code, done = ended("exam", "run", plan)
    told = " ".join((done.stdout + done.stderr).split())
    assert code == 3, told
    assert "which comes later" in told and "ahead:AheadEntry" in told
