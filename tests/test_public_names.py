"""The names that each room gives to the others, and to whoever imports it."""

from __future__ import annotations

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from whole_package import with_its_names

import whoknew.agents
import whoknew.engine
import whoknew.eventlog
import whoknew.worlds

ROOT = Path(__file__).parents[1]

ROOMS = (whoknew.eventlog, whoknew.worlds, whoknew.agents, whoknew.engine)

NAMES = {
    "whoknew": """
        Event Log Plan ask fork knows load_plan open_log play replay
    """,
    "whoknew.eventlog": """
        ABSENT ANY Appended Cursor Director Draft Event Fault Head Kind Knowledge Known Log Placed
        Recalled View backup exactly export_log import_log open_log parse verify
    """,
    "whoknew.worlds": """
        BadDocument Character OffStage Place Relation Scenario Setting Stage WorldError bundled find
    """,
    "whoknew.agents": """
        Action Agent AgentEntry AgentError AgentSeat BadAction BadAnswer BadPart BadReply Busy Entry
        Memory MemoryEntry Message Method MethodEntry Model ModelEntry ModelError Moment Note
        Occasion Owner Piece Recollection Rejected Reply Request Sampling Sections ServerUnavailable
        insist line quoted recollection replied schema_of
    """,
    "whoknew.engine": """
        AnswerCase Asked Bench CellRow ChainResult Changes Comparison EngineError EpisodeCase
        Episodes ExamKind ExamOptions ExamTable Forked Judge JudgeEntry Judging KnowsRow Learnt
        LearntRow Limit Loaded LoadedExam Marked Matrix ModelSettings Plan Program Prompted
        QuestionKind RecallResult Replayed Rerun Run RunReport SceneKind Seat Spread Suspended TabledCells
        Told Verdict ask compare demo fork keep knows learnt load_exam load_plan mark marks
        open_run picture play prompts read_exam recall replay rerun sit_exam spread
    """,
}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.__name__)
def test_the_names_of_a_room(room: ModuleType) -> None:
    assert room.__all__ == NAMES[room.__name__].split()
    for name in room.__all__:
        assert getattr(room, name) is not None
    assert set(room.__all__) <= set(dir(room))


def test_the_names_of_the_package() -> None:
    package = with_its_names()
    assert package.__all__ == dir(package) == NAMES["whoknew"].split()
    for name in package.__all__:
        assert any(getattr(package, name) is getattr(room, name, None) for room in ROOMS)


@pytest.mark.parametrize("module", ["whoknew", "whoknew.agents", "whoknew.engine"])
def test_a_name_that_is_not_there_is_refused(module: str) -> None:
    if module == "whoknew":
        with_its_names()
    with pytest.raises(AttributeError, match="has no attribute 'nobody'"):
        _ = import_module(module).nobody


def declared(file: Path) -> dict[str, str]:
    """The names that a type checker is told of, each with the module that it is said to be from."""
    return {
        alias.name: node.module or ""
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("whoknew.")
        for alias in node.names
    }


@pytest.mark.parametrize("module", ["whoknew", "whoknew.agents", "whoknew.engine"])
def test_what_is_loaded_late_is_what_type_checkers_are_told_of(module: str) -> None:
    late = with_its_names() if module == "whoknew" else import_module(module)
    told = declared(ROOT / module.removeprefix("whoknew").removeprefix(".") / "__init__.py")
    assert sorted(told) == late.__all__
    for name, place in told.items():
        assert getattr(late, name) is getattr(import_module(place), name)


@pytest.mark.parametrize(
    ("code", "unloaded"),
    [
        ("import whoknew", {"whoknew.eventlog", "whoknew.engine", "msgspec", "asyncio"}),
        ("from whoknew import open_log", {"whoknew.engine", "whoknew.agents", "whoknew.worlds"}),
        ("import whoknew.engine", {"whoknew.eventlog", "whoknew.agents", "msgspec", "asyncio"}),
        ("from whoknew import knows", {"whoknew.engine.running", "whoknew.agents.models.offline"}),
        (
            "from whoknew import play",
            {"openai", "google.genai", "aiohttp", "tenacity", "structlog"},
        ),
    ],
)
def test_an_import_loads_only_what_it_asks_for(code: str, unloaded: set[str]) -> None:
    with_its_names()
    listing = f"{code}; import sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", listing], capture_output=True, text=True, check=True
    )
    assert unloaded.isdisjoint(done.stdout.split())
