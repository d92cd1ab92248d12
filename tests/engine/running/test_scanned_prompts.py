"""In a run a share of prompts is scanned before it is sent: a part that reads past its view stops it."""

from __future__ import annotations

from pathlib import Path

from command_runner import ended, run
from part_beside import Beside

from whoknew.agents.models.model import Message, Request
from whoknew.engine.playing.scanning import is_sampled

CHEAT = '''
from whoknew.agents.memories.memory import Memory, MemoryEntry, Piece, recollection

class Peeking(Memory):
    async def recollect(self, now):
        """Reads what lies behind its view."""
        events = now.view._live.newest
        unseen = [one for one in events if one.witnesses and now.view.character not in one.witnesses]
        pieces = [Piece(one.text, (), at) for at, one in enumerate(unseen) if one.text]
        return recollection(pieces[-5:], now.budget)

class PeekingEntry(MemoryEntry, frozen=True):
    """cheats"""

    def make(self, owner):
        return Peeking()
'''


def test_a_memory_that_cheats_stops_the_run(tmp_path: Path) -> None:
    plan = Beside(tmp_path, "peeking_in_a_run", CHEAT, "PeekingEntry")
    text = plan.path.read_text().replace("[episodes]\nturns = 4", "scan_prompts = 1.0\n")
    plan.path.write_text(text)
    code, done = ended("run", plan.path)
    told = " ".join((done.stdout + done.stderr).split())
    assert code == 3, told
    assert "tells of #" in told and "has not witnessed" in told
    assert plan.name in told and "nothing was sent" in told


def test_not_scanned_it_runs_and_by_a_share_it_is_found_sooner_or_later(tmp_path: Path) -> None:
    plan = Beside(tmp_path, "peeking_unscanned", CHEAT, "PeekingEntry")
    whole = plan.path.read_text().replace("[episodes]\nturns = 4", "SCAN")
    plan.path.write_text(whole.replace("SCAN", "scan_prompts = 0.0"))
    run("run", plan.path, "--log", tmp_path / "whole.db")
    plan.path.write_text(whole.replace("SCAN", "scan_prompts = 0.2"))
    first = [ended("run", plan.path, "--log", tmp_path / f"{n}.db")[1] for n in range(2)]
    told = [one.stdout.partition("the prompt ")[2][:12] for one in first]
    assert told[0] and told[0] == told[1], "the same prompt each time"


def test_a_share_of_prompts_is_always_the_same() -> None:
    asked = [Request("act", (Message("user", str(number)),)) for number in range(2000)]
    assert 140 < sum(is_sampled("w", one, 0.1) for one in asked) < 260
    assert not any(is_sampled("w", one, 0.0) for one in asked)
    assert all(is_sampled("w", one, 1) for one in asked)
    first = [is_sampled("w", one, 0.1) for one in asked]
    assert first == [is_sampled("w", one, 0.1) for one in asked]


def test_of_worlds_that_begin_alike_others_are_scanned_in_each() -> None:
    request = Request("act", (Message("user", "All of them begin so."),))
    sampled = sum(is_sampled(f"duel-{number}", request, 0.02) for number in range(5000))
    assert 50 < sampled < 160
