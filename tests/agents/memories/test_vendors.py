"""Memories of others: what they are told, what they find, and what they leave alone."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any, ClassVar

import pytest
from child_process import started
from command_runner import refused, run
from lamp_exams import lamp_exam
from memories_here import NEEDED
from planted_lives import CAST, WHO, WORLD, idle, lived, made
from small_worlds import NIGHT, said
from waiting import PATIENCE, until

from whoknew.agents.errors import BadPart
from whoknew.agents.memories import vendors
from whoknew.agents.memories.vendors import VendorEntry
from whoknew.agents.models.minilm import MiniLM
from whoknew.agents.models.model import EMBED
from whoknew.agents.parts import Owner
from whoknew.engine import load_exam
from whoknew.engine.exams.arms import memories_of, sharing
from whoknew.engine.registry import MEMORIES
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import EpisodeOpened, Remembered
from whoknew.eventlog.words import terms
from whoknew.testing.occasion import occasion

EXAM = """
exam = "questions"
name = "lamps"
material = "plays.db"
questions = "questions.jsonl"
[grid]
memories = ["NAME"]
"""

NAMES = ("mem0", "langmem")

PAINTING = ("Kit", "I spend every weekend on watercolours of the harbour.")


@pytest.fixture(params=[pytest.param(name, marks=NEEDED[name]) for name in NAMES])
def entry(request: pytest.FixtureRequest) -> VendorEntry:
    found: VendorEntry = MEMORIES.made(request.param, {"k": 2, "embedder": "offline:"})
    return found


async def test_what_shares_no_word_with_the_question_is_found_by_what_it_means(
    entry: VendorEntry,
) -> None:
    question = "What hobby does she have?"
    assert not set(terms(question)) & set(terms(PAINTING[1]))
    async with lived(entry, *idle(4), [PAINTING], *idle(4), model=MiniLM()) as life:
        now = await occasion(await life.view(), question, model=MiniLM())
        assert "watercolours" in (await made(entry).recollect(now)).text


async def test_each_text_has_one_vector_which_is_asked_for_once(entry: VendorEntry) -> None:
    async with lived(entry, *idle(3), [PAINTING]) as life:
        texts = [message.text for request in life.calls for message in request.messages]
        assert {request.purpose for request in life.calls} == {EMBED}
        assert len(life.calls) == 4 and len(texts) == len(set(texts)) == 7


async def test_nothing_is_near_to_what_says_nothing(entry: VendorEntry) -> None:
    """Its vector has no length."""
    async with lived(entry, *idle(2)) as life:
        assert (await life.recollect("of the")).text == ""


async def test_its_store_grows_with_the_cursor_and_holds_what_is_over(
    entry: VendorEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each event once, in its order: never one of the episode that goes on, or one that is unseen."""
    added: list[tuple[int, str]] = []
    opened = type(entry).open

    class Watched:
        def __init__(self, store: Any) -> None:
            self._store, self.search = store, store.search

        def add(self, place: int, text: str, vector: Any) -> None:
            added.append((place, text))
            self._store.add(place, text, vector)

    monkeypatch.setattr(type(entry), "open", lambda self, size: Watched(opened(self, size)))
    async with lived(entry, *idle(3), [PAINTING]) as life:
        memory = made(entry)
        for seq in range(1, (await life.view()).cursor.seq + 1):
            view = await life.log.view(WORLD, WHO, seq)
            now = await occasion(view, "bread and rope")
            before = len(added)
            await memory.recollect(now)
            first = now.life.now.first if now.life.now else 1
            assert all(place < first for place, _ in added[before:])
        places = [place for place, _ in added]
        assert places == sorted(set(places)) and len(places) == 7
        events = await (await life.view()).pick(places)
        assert [event.text for event in events] == [text for _, text in added]


async def test_each_character_has_a_store_of_its_own(entry: VendorEntry) -> None:
    async with lived(entry, *idle(2), [PAINTING]) as life:
        secret = said("Bram", "My watercolours are forged.", "Kit", episode=4)
        later = NIGHT + timedelta(days=5)
        opens = Draft(EpisodeOpened("Later.", CAST), later, episode=5, witnesses=CAST)
        bram = entry.make(Owner(who="Bram"))
        await life.log.append(WORLD, [secret])
        view = await life.log.view(WORLD, "Bram")
        (note,) = await bram.remember(await occasion(view))
        seqs = tuple(view.seq(place) for place in note.sources)
        kept = Remembered("Bram", note.strategy, "", seqs, view.cursor.seq, note.packed)
        noted = Draft(kept, episode=4, actor="Bram", witnesses=("Bram",))
        await life.log.append(WORLD, [noted, opens])
        now = await occasion(await life.log.view(WORLD, "Bram"), "Forged watercolours?")
        assert "forged" in (await bram.recollect(now)).text
        found = await life.recollect("Forged watercolours?")
        assert "weekend" in found.text and "forged" not in found.text


async def test_what_breaks_off_in_a_package_is_told(
    entry: VendorEntry, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: VendorEntry, size: int) -> Any:
        raise RuntimeError("out of order")

    monkeypatch.setattr(type(entry), "open", broken)
    async with lived(entry, *idle(2)) as life:
        with pytest.raises(BadPart, match=rf"{entry.package} broke off: .*out of order"):
            await life.recollect("bread")


class Slow:
    """A store in which a search goes on until a test has seen enough."""

    begun, go_on = Event(), Event()

    def __init__(self) -> None:
        self._places: list[int] = []

    def add(self, place: int, text: str, vector: Any) -> None:
        self._places.append(place)

    def search(self, text: str, vector: Any, k: int) -> list[tuple[int, float]]:
        self.begun.set()
        self.go_on.wait(PATIENCE)
        return [(self._places[0], 1.0)]


class SlowEntry(VendorEntry, frozen=True):
    """slow"""

    package: ClassVar[str] = "json"
    embedder: str = "offline:"

    def open(self, size: int) -> Slow:
        return Slow()


async def test_however_many_wait_for_a_package_other_threads_are_free() -> None:
    async with lived(SlowEntry(), *idle(2)) as life, asyncio.TaskGroup() as tasks:
        waiting = [tasks.create_task(life.recollect("bread")) for _ in range(64)]
        try:
            await until(Slow.begun.is_set)
            async with asyncio.timeout(PATIENCE):
                await asyncio.to_thread(Slow.begun.wait)
            assert not any(one.done() for one in waiting)
        finally:
            Slow.go_on.set()
    assert all("bread" in one.result().text for one in waiting)


ALONE = """
import asyncio, os, socket, sys
from pathlib import Path

def refuse(*given):
    raise AssertionError(f"{given} was to be reached")

socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse

from planted_lives import idle, lived
from whoknew.engine import load_exam
from whoknew.engine.exams.arms import memories_of
from whoknew.engine.registry import MEMORIES

MEMORIES.entry("mem0"), MEMORIES.entry("langmem")
assert not {"mem0", "langmem", "qdrant_client", "langgraph"} & set(sys.modules)

async def remembered():
    entry = MEMORIES.made(sys.argv[1], {"embedder": "offline:"})
    async with lived(entry, *idle(3)) as life:
        assert "bread" in (await life.recollect("bread")).text

async def by_many_at_once():
    await asyncio.gather(*(remembered() for _ in range(6)))

before = dict(os.environ)
asyncio.run(by_many_at_once())
assert sys.argv[1] in sys.modules and dict(os.environ) == before
print(*Path.home().iterdir())
"""


async def test_it_asks_nobody_and_leaves_nothing_behind(
    entry: VendorEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither on the network nor in the user's home; and it is loaded when it is used."""
    here = Path(__file__).parents[2]
    monkeypatch.setenv("PYTHONPATH", f"{here}:{here / 'support'}")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    running = started(sys.executable, "-c", ALONE, entry.package, stdout=PIPE, stderr=PIPE)
    async with running as process:
        out, error = await process.communicate()
    assert (process.returncode, out.decode().strip()) == (0, ""), error.decode()


@pytest.mark.parametrize("name", NAMES)
def test_where_its_package_is_missing_it_says_how_it_is_had(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(vendors, "find_spec", lambda package: None)
    with pytest.raises(BadPart, match=rf"{name} is not installed: pip install"):
        MEMORIES.made(name, {}).make(Owner(who=WHO))
    monkeypatch.chdir(tmp_path)
    plan, exam = Path("plan.toml"), lamp_exam(tmp_path, EXAM.replace("NAME", name))
    plan.write_text(f'world = "midnight-diner"\n[agents.everyone]\nmemory = "{name}"\n', "utf-8")
    for words in (["run", plan], ["run", plan, "--dry-run"], ["exam", "run", exam]):
        assert "pip install 'whoknew[vendors]'" in refused(*words)
    assert run("exam", "check", exam).stdout, "it can be read"


def test_in_an_exam_all_share_the_vectors_of_one_model(tmp_path: Path) -> None:
    """Also with `recall`: what is kept is the same."""
    plan = EXAM.replace('"NAME"', '"recall", "mem0", "langmem"')
    plan += '[agents.everyone]\nrecall = { embedder = "minilm:" }\n'
    exam = load_exam(lamp_exam(tmp_path, plan))
    assert len(exam.arms) == 3
    (memory,) = memories_of(exam.arms)
    assert memory.settings["memory"]["name"] == "vectors"
    assert sharing(memory, exam.arms) == ("recall", "mem0", "langmem")
