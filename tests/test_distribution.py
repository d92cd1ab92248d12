"""What others install is used as ours is: a small distribution of a memory, a method, an agent and a
judge, built and installed beside the product into an environment of its own."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Any

import pytest
from browser import chromium, page_of
from built_wheel import built_wheel
from child_process import started
from command_runner import ENVIRONMENT, Done
from made_once import made_once
from model_servers import by_digest, digest_of_asked, serving
from playwright.async_api import expect
from waiting import PATIENCE

PARTS = Path(__file__).parent / "distribution"

PLAN = """
world = "flatmates"
log = "played.db"
[episodes]
turns = 6
play = ["boxes", "greenhouse"]
[agents.everyone]
memory = "gist"
method = "aim"
gist = { words = 30 }
[agents.Petra]
agent = "echo"
[judges.brief]
by = "brevity"
"""

SUITE = """
import pytest
from my_{part} import {name}Entry
from whoknew.testing.{suite} import *

@pytest.fixture
def {part}():
    return {name}Entry()
"""


class Installed:
    """An environment in which Whoknew and the parts are installed, and a folder to work in. What
    stands in the folder comes before what is installed, and is read anew by each process: Python
    takes what it compiled before for the same where a file has the length and second of another."""

    def __init__(self, environment: Path, folder: Path) -> None:
        self.bin, self.folder = environment / "bin", folder
        self.variables = {**ENVIRONMENT, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
        (folder / "plan.toml").write_text(PLAN)

    def run(self, *words: str, rc: int = 0) -> Done:
        done = subprocess.run(
            [self.bin / words[0], *words[1:]],
            cwd=self.folder,
            env=self.variables,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == rc, done.stdout + done.stderr
        return Done(done.stdout, done.stderr)

    def json(self, *words: str) -> Any:
        return json.loads(self.run("whoknew", *words, "--json").stdout)


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the product needs is taken from here; the product itself, and the parts, are installed."""
    wheel = built_wheel(tmp_path_factory)
    return (
        made_once(tmp_path_factory, "installed", lambda folder: install(folder, wheel))
        / "environment"
    )


def install(folder: Path, wheel: Path) -> None:
    parts, place = folder / "parts", folder / "environment"
    shutil.copytree(PARTS, parts, ignore=shutil.ignore_patterns("__pycache__"))
    venv.create(place)
    modules = sysconfig.get_path("purelib", vars={"base": str(place)})
    (Path(modules) / "needed.pth").write_text(sysconfig.get_path("purelib"))
    pip = [sys.executable, "-m", "pip", "--python", str(place / "bin" / "python")]
    words = ["install", "--quiet", "--no-deps", "--ignore-installed", wheel, parts]
    done = subprocess.run(
        [*pip, *words],
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE * 3,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def installed(environment: Path, tmp_path: Path) -> Installed:
    return Installed(environment, tmp_path)


def test_what_is_used_is_what_is_installed(installed: Installed) -> None:
    code = (
        "import my_memory, whoknew.cli, whoknew.testing as t; print(my_memory.__file__, t.__file__)"
    )
    for file in installed.run("python", "-c", code).stdout.split():
        assert file.startswith(str(installed.bin.parent))


def test_its_parts_are_listed_with_the_package_that_brings_them(installed: Installed) -> None:
    found = {one["name"]: one for one in installed.json("parts")}
    for name, kind in (("gist", "memory"), ("aim", "method"), ("echo", "agent")):
        assert (found[name]["kind"], found[name]["source"]) == (kind, "example-parts 1.0")
    assert found["brevity"]["settings"] == {"most": 12}
    assert "a few words on each episode" in installed.run("whoknew", "parts").stdout


def test_a_plan_names_them_and_their_calls_are_forecast_and_made(installed: Installed) -> None:
    forecast = installed.json("run", "plan.toml", "--dry-run")
    (model,) = forecast["models"]
    installed.run("whoknew", "run", "plan.toml")
    (world,) = installed.json("ls", "--log", "played.db")
    assert 0 < world["calls"] <= model["calls"]
    shown = installed.run("whoknew", "show", "flatmates", "--log", "played.db", "--memories")
    assert "Hester remembers (gist): " in shown.stdout
    assert "Petra: Good evening." in shown.stdout
    assert re.search(r"brief of Hester: brief \S+, words \d", shown.stdout)
    (prompt, *_) = installed.json("prompt", "flatmates", "E2.T2", "--log", "played.db")
    assert (prompt["memory"], prompt["method"]) == ("gist", "aim")
    assert [call["called"]["purpose"] for call in prompt["calls"]] == ["aim", "act"]
    assert all(call["digest"] == call["called"]["digest"] for call in prompt["calls"])
    installed.run("whoknew", "rerun", "flatmates", "--log", "played.db")


def test_a_question_is_answered_with_its_memory(installed: Installed) -> None:
    installed.run("whoknew", "run", "plan.toml")
    ask = ("ask", "flatmates", "Hester", "What did Amadou say?", "--log", "played.db", "--no-save")
    found = installed.json(*ask, "--memory", "gist", "--method", "aim")
    assert (found["memory"], found["method"]) == ("gist", "aim") and found["answer"]


async def test_killed_it_goes_on_and_tells_the_same_story(installed: Installed) -> None:
    async with serving("openai", after=by_digest) as server:
        plan = PLAN.replace("[agents.everyone]", f'[agents.everyone]\nmodel = "{server.url}#m"')
        path = installed.folder / "plan.toml"
        path.write_text(plan)
        await asyncio.to_thread(installed.run, "whoknew", "run", "plan.toml")
        calls = server.calls
        path.write_text(plan.replace("played.db", "killed.db"))
        command = (installed.bin / "whoknew", "run", "plan.toml")
        where = {"cwd": installed.folder, "env": installed.variables}
        async with started(*command, stdout=PIPE, stderr=PIPE, **where) as process:
            await server.until_asked(calls + calls // 2, by=process)
            server.going.clear()
            process.kill()
        server.going.set()
        await asyncio.to_thread(installed.run, "whoknew", "run", "plan.toml")
        again = [digest_of_asked(one) for one in server.asked[calls:]]
    assert len(again) - len(set(again)) <= 2, "but for those under way, no call is made twice"
    whole, killed = (
        installed.run("whoknew", "show", "flatmates", "--log", log).stdout.splitlines()[-1]
        for log in ("played.db", "killed.db")
    )
    assert whole == killed and whole.startswith("story ")


async def test_the_page_offers_it_where_a_question_is_asked(installed: Installed) -> None:
    await asyncio.to_thread(installed.run, "whoknew", "run", "plan.toml")
    command = (installed.bin / "whoknew", "serve", "--log", "played.db", "--port", 0)
    where = {"cwd": installed.folder, "env": installed.variables | {"PYTHONUNBUFFERED": "1"}}
    async with (
        chromium() as browser,
        page_of(browser) as page,
        started(*command, stdout=PIPE, stderr=PIPE, **where) as process,
    ):
        assert process.stdout is not None
        url = re.search(r"http://\S+", (await process.stdout.readline()).decode())
        assert url is not None
        await page.goto(f"{url.group().rstrip('/')}/?world=flatmates&panel=ask")
        await page.get_by_label("Whom").select_option("Hester")
        await page.get_by_label("What", exact=True).fill("What did Amadou say?")
        await page.get_by_label("Memory").select_option("gist")
        await page.get_by_label("Method").select_option("aim")
        await page.get_by_role("button", name="Ask here and now").click()
        await expect(page.locator(".panel")).to_contain_text("Hester at #")


@pytest.mark.parametrize(
    ("text", "becomes", "why", "rc"),
    [
        ("    insist,", "    no_such,", "'gist' of example-parts 1.0 cannot be loaded: Import", 1),
        ("class GistEntry", "class Other", "cannot be loaded: AttributeError", 1),
        ("(MemoryEntry", "(Struct", "should be a subclass of MemoryEntry", 1),
        ("  pieces =", "  1 / 0\n        pieces =", "my_memory, line 34: ZeroDivisionError", 1),
        ("recollection(pieces, now.budget)", "None", "Gist.recollect should give Recollection", 3),
        ('Note("gist", kept', 'Note("gist", None', "my_memory.Gist.remember should give Note", 3),
        ("pieces, now.budget", "pieces * 99, None", "it has to leave something out", 3),
    ],
    ids=["import", "name", "port", "raises", "recollection", "note", "budget"],
)
def test_what_breaks_is_told_and_mended_it_goes_on(
    installed: Installed, text: str, becomes: str, why: str, rc: int
) -> None:
    path = installed.folder / "plan.toml"
    path.write_text(PLAN.replace("[judges", "[agents.Hester]\nbudget = 60\n[judges"))
    code = (PARTS / "my_memory.py").read_text()
    assert text in code
    broken = installed.folder / "my_memory.py"
    broken.write_text(code.replace(text, becomes))
    done = installed.run("whoknew", "run", "plan.toml", rc=rc)
    assert why in done.stdout + done.stderr, done
    assert "Traceback" not in done.stdout
    broken.write_text(code)
    installed.run("whoknew", "run", "plan.toml")
    installed.run("whoknew", "log", "verify", "played.db")


def test_a_setting_that_is_wrong_is_refused_before_anything_is_played(installed: Installed) -> None:
    path = installed.folder / "plan.toml"
    path.write_text(PLAN.replace("words = 30", "words = 0"))
    told = installed.run("whoknew", "run", "plan.toml", rc=1).stderr
    assert "agents.everyone.gist.words: is 0, but should be 1 at least" in told
    assert not (installed.folder / "played.db").exists()


@pytest.mark.parametrize(
    ("part", "suite", "name"),
    [
        ("memory", "memories", "Gist"),
        ("method", "methods", "Aim"),
        ("agent", "agents", "Echo"),
        ("judge", "judges", "Brevity"),
    ],
)
def test_each_keeps_the_contract_of_its_kind(
    installed: Installed, part: str, suite: str, name: str
) -> None:
    """As its author would find out, with no settings for pytest of any kind."""
    file = installed.folder / f"test_my_{part}.py"
    file.write_text(SUITE.format(part=part, suite=suite, name=name))
    assert " passed" in installed.run("python", "-m", "pytest", "-q", file.name).stdout
