"""`whoknew import NAME`, where a package brings the importer."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_runner import COMMAND, ENVIRONMENT, answer, ended, refused, run
from documented import documented
from installed_packages import installed, write_metadata

from whoknew.engine.registry import IMPORTERS

POINTS = {"whoknew.importers": {"chat": "chats:ChatEntry", "play": "chats:ChatEntry"}}
CHAT = "2026-05-01 18:03 Ann: Hello.\n(a picture)\n2026-05-01 18:04 Bo: Hello, Ann.\n"


@pytest.fixture
def loaded(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "may.txt").write_text(CHAT)
    with installed(tmp_path, "chats", documented("ChatEntry"), POINTS) as loaded:
        yield loaded


def test_the_importer_in_the_docs_works_as_ours_do(loaded: Path, tmp_path: Path) -> None:
    file, log = tmp_path / "may.txt", tmp_path / "l.db"
    told = run("import", "chat", file, "--log", log, "--set", "title=In May").stdout
    assert "imported 1 world into" in told and "may.txt line 2: is no message" in told
    assert "left as it was" in run("import", "chat", file, "--log", log).stdout
    assert "Bo: Hello, Ann." in run("replay", "may", "--as", "Ann", "--log", log).stdout
    (line,) = answer("ls", "--log", log)
    assert (line["name"], line["state"]) == ("may", "imported")
    assert "In May" in run("show", "may", "--log", log).stdout
    found = answer("import", "chat", file, "--log", tmp_path / "m.db")
    assert found["worlds"] == ["may"] and found["remarks"][0]["record"] == "line 2"
    assert "nothing.txt is not there" in refused("import", "chat", tmp_path / "nothing.txt")


def test_its_settings_are_checked_as_those_of_a_plan(loaded: Path, tmp_path: Path) -> None:
    for given, wrong in (
        ("titel=x", "--set: titel: no such key: did you mean 'title'?"),
        (f"titel={'9' * 5000}", "--set: titel: no such key: did you mean 'title'?"),
        ("title=3", "--set: title: is 3, but should be a text in quotes"),
        ("title", "--set: title: has no value: give it as key=value"),
    ):
        assert wrong in refused("import", "chat", tmp_path / "may.txt", "--set", given)


def test_help_lists_it_and_loads_nothing(loaded: Path) -> None:
    told = run("import", "--help").stdout
    assert "chat         Brought by chats 1.0." in told and told.count("play ") == 1
    assert not loaded.exists()
    told = run("import", "chat", "--help").stdout
    assert "Bring into a log: a chat" in told and 'title = "Chat"' in told and loaded.exists()


def test_ours_stay_ours_and_nobody_looks_for_others(loaded: Path, tmp_path: Path) -> None:
    run("import", "play", "the-lamp-room", "--log", tmp_path / "l.db")
    assert "installed" not in IMPORTERS.__dict__ and not loaded.exists()


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("raise SystemExit(7)", "the importer 'chat' of chats 1.0 cannot be loaded: SystemExit: 7"),
        ("ChatEntry = 3", "should be a subclass of ImporterEntry, but is a int"),
    ],
)
def test_one_that_does_not_load_breaks_no_help(code: str, why: str, tmp_path: Path) -> None:
    with installed(tmp_path, "chats", code, POINTS):
        assert "sotopia" in run("import", "--help").stdout
        assert why in " ".join(run("import", "chat", "--help").stdout.split())
        assert why in refused("import", "chat", tmp_path, "--log", tmp_path / "l.db")
        assert "whoknew import chatt" not in ended("import", "chatt", "x")[1].stdout


@pytest.mark.parametrize(
    ("reading", "why"),
    [
        ("return [{}]", "the importer 'chat' gives a dict, where each should be an ImportedWorld"),
        ("raise KeyError('who')", "chats, line "),
    ],
)
def test_one_that_breaks_is_told_with_the_reason(reading: str, why: str, tmp_path: Path) -> None:
    code = documented("ChatEntry").replace(
        "def read(self, path):",
        f"def read(self, path):\n        {reading}\n\n    def _(self, path):",
    )
    with installed(tmp_path, "chats", code, POINTS):
        assert why in refused("import", "chat", tmp_path, "--log", tmp_path / "l.db")
        assert not (tmp_path / "l.db").exists()


def test_a_package_that_wrote_nonsense_breaks_no_help(tmp_path: Path) -> None:
    """Of which Python alone would find no package at all."""
    write_metadata(tmp_path, "nonsense", "[whoknew.importers]\nno sign of equality\n")
    write_metadata(tmp_path, "odd", "[whoknew.importers]\n\x1b[31m = odd:Odd\nfine = no place\n")
    environment = {**ENVIRONMENT, "PYTHONPATH": str(tmp_path)}
    for words in (("--help",), ("import", "--help"), ("import", "fine", "--help"), ("parts",)):
        done = subprocess.run(
            [*COMMAND, *words], env=environment, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, ""), words
        assert "\x1b" not in done.stdout


def test_no_module_is_an_importer(tmp_path: Path) -> None:
    (tmp_path / "l.txt").write_text(CHAT)
    for name in ("os:system", "chats:ChatEntry", "whoknew.worlds.importers.bigtom:BigtomEntry"):
        code, done = ended("import", name, tmp_path / "l.txt")
        assert code == 2 and "no such command" in done.stderr.lower()
