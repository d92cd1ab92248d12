"""The site that `make docs` builds: whole, sound in its links, and with nothing from elsewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from waiting import PATIENCE

from whoknew.engine.terminal.commands import COMMANDS, Group

pytest.importorskip("properdocs", reason="the extra `docs` is not installed")

ROOT = Path(__file__).parents[1]

ROOMS = ("eventlog", "worlds", "agents", "engine")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "properdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_document_has_a_page(site: Path) -> None:
    for page in (ROOT / "docs").glob("*.md"):
        assert (site / "docs" / f"{page.stem}.html").is_file()
    assert "<strong>who knew what, when</strong>" in (site / "index.html").read_text("utf-8")


def test_every_command_has_a_page_of_its_help(site: Path) -> None:
    for name, line in COMMANDS.items():
        inner = line.lines if isinstance(line, Group) else {}
        for path in (name, *(f"{name} {one}" for one in inner)):
            page = site / "commands" / f"whoknew-{path.replace(' ', '-')}.html"
            assert f"Usage: whoknew {path}" in re.sub("<[^>]+>", "", page.read_text("utf-8"))


@pytest.mark.parametrize("room", ROOMS)
def test_every_public_name_is_in_the_reference_and_says_what_it_is(site: Path, room: str) -> None:
    page = (site / "reference" / f"{room}.html").read_text("utf-8")
    entries = dict(re.findall(r'<h2 id="(whoknew\.[\w.]+)"(.*?)(?=<h2 |\Z)', page, re.DOTALL))
    for name in import_module(f"whoknew.{room}").__all__:
        told = entries[f"whoknew.{room}.{name}"].partition("<h3")[0]
        assert re.search(r"<p>(?!\s*Bases)", told), name


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in site.rglob("*.html"):
        parts = re.findall(r"<(?:script|link|img)[^>]*>", page.read_text("utf-8"))
        assert [part for part in parts if re.search(r'(?:src|href)="(?:https?:)?//', part)] == []
