"""`make where`: from some words to the place in the source that they are about."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def where() -> ModuleType:
    spec = importlib.util.spec_from_file_location("where", ROOT / "docs" / "where.py")
    assert spec and spec.loader
    module = sys.modules["where"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("bytes a request body may have", "engine/server/app.py"),
        (
            "seconds another program may keep the file locked",
            "eventlog/stores/sqlite_connection.py",
        ),
        ("seed of the next chain", "engine/plan/program.py"),
        ("answer that makes no sense asked again", "agents/methods/method.py"),
        ("read on from there and decide again", "eventlog/errors.py"),  # of a message
        ("who witnesses what on a stage", "worlds/stage.py"),
        ("price of a million tokens", "agents/models/prices.toml"),
        ("how sure a telling must be", "eventlog/knowledge.py"),
        ("turns in a row with nobody doing anything", "engine/plan/program.py"),
    ],
)
def test_words_lead_to_their_place(where: ModuleType, words: str, path: str) -> None:
    assert path in [one.path for one in where.search(words)], words


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("did you mean", "eventlog/nearest.py"),
        ("how long a view token is good", "engine/server/tokens.py"),
        ("table on a narrow screen", "engine/terminal/ls.py"),
        ("colour of a character", "engine/server/viewer/people.js"),
        ("colours of the page", "engine/server/viewer/style.css"),
        ("keyboard shortcuts", "engine/server/viewer/world.js"),  # of a comment in /** … */
        ("requests that are under way as a server stops", "engine/server/app.py"),
        ("fields of ls --json", "engine/logs/ls.py"),
        ("how long before a call is made again", "agents/models/retries.py"),
        ("what a person can type", "agents/actiontext.py"),
        ("event too large", "eventlog/stamp.py"),
    ],
)
def test_words_lead_there_first_or_second(where: ModuleType, words: str, path: str) -> None:
    files = list(dict.fromkeys(one.path for one in where.search(words)))
    assert path in files[:2], words


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("How many draws a permutation test between two arms makes", "engine/exams/comparing.py"),
        ("When the offline model has a character tell a secret", "agents/models/offline.py"),
        ("Which columns the CSV of an exam's cells has", "engine/exams/report_files.py"),
    ],
)
def test_the_capital_that_a_sentence_begins_with_makes_no_name(
    where: ModuleType, words: str, path: str
) -> None:
    assert where.search(words)[0].path == path, words


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("Retrying", "agents/models/retries.py"),
        ("LiveWorld of the page", "eventlog/live.py"),
    ],
)
def test_a_name_with_capitals_leads_to_it_first(where: ModuleType, name: str, path: str) -> None:
    assert where.search(name)[0].path == path, name


def test_an_exact_name_leads_to_it_first(where: ModuleType) -> None:
    assert where.search("is_name")[0].path == "eventlog/stores/store.py"


def test_every_file_of_the_product_says_what_it_is_about(where: ModuleType) -> None:
    silent = [
        one.path
        for one in where.places()
        if not one.name and not one.said and one.path.endswith((".py", ".js"))
    ]
    assert [path for path in silent if not path.startswith("tests/distribution/")] == []


def test_words_of_nothing_are_said_to_be(
    where: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    where.main("xyzzy")
    assert "nothing goes with 'xyzzy'" in capsys.readouterr().out
