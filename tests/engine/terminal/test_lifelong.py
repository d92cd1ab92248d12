"""`whoknew lifelong`, as a person would drive them in a terminal."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
from command_runner import COMMAND, ENVIRONMENT, run

PLAN = """
name = "small"
log = "small.db"
seed = 2
chains = 2
episodes = 4
hard = 2
memories = ["none", "recall"]
[agents.everyone]
agent = "bargainer"
"""


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path / "plan.toml"


def test_it_plays_judges_and_tells_and_goes_on_where_it_stopped(plan: Path) -> None:
    dry = run("lifelong", plan, "--dry-run").stdout
    assert "4 chains into small.db: 0 done already, 0 to go on with, 4 to begin" in dry
    assert not Path("small.db").exists()
    first = run("lifelong", plan).stdout
    assert "2 lives of 4 + 2 hard episodes in each of 2 arms; bank 'friend'" in first
    for what in ("ordinary episodes", "hard episodes", "BEL", "GOAL", "recall", "what it took"):
        assert what in first
    assert all(len(line) <= 80 for line in first.splitlines()), "it fits eighty columns"
    again = run("lifelong", plan)
    assert again.stdout == first and "4 done" in again.stderr
    assert run("lifelong", plan, "--report").stdout.startswith(first.split("To watch")[0])
    more = run("lifelong", plan, "--chains", "3").stdout
    assert "3 lives of" in more


def test_its_files_are_for_people_and_programs(plan: Path) -> None:
    run("lifelong", plan)
    told = run("lifelong", plan, "--report", "--out", "out", "--paper", "--viewer", "http://x:1/")
    assert "wrote out/report.html" in told.stdout and "paper: GPT-4o" in told.stdout
    out = Path("out")
    names = {file.name for file in out.iterdir()}
    for drawing in ("curves", "hard", "exact", "secrets"):
        assert {f"{drawing}.svg", f"{drawing}.png"} <= names
        assert ET.parse(out / f"{drawing}.svg").getroot().tag.endswith("svg")
        assert (out / f"{drawing}.png").read_bytes().startswith(b"\x89PNG")
    found = json.loads((out / "report.json").read_text())
    table = list(csv.DictReader((out / "table.csv").read_text().splitlines()))
    for line in table:
        (row,) = [one for one in found["rows"] if one["arm"] == line["arm"]]
        figure = row["figures"][line["part"]][line["metric"]]
        assert float(line["mean"]) == pytest.approx(figure["mean"])
    assert {line["metric"] for line in table} >= {"believability", "goal", "overall"}
    curves = list(csv.DictReader((out / "curves.csv").read_text().splitlines()))
    assert {line["hard"] for line in curves} == {"0", "1"}
    page = (out / "report.html").read_text()
    links = Links()
    links.feed(page)
    assert links.seen and not links.fetched, "the page needs nothing beside itself"
    worlds = {parse_qs(urlparse(one).query)["world"][0] for one in links.seen}
    assert worlds == {f"small-{arm}-{life}" for arm in ("none", "recall") for life in (1, 2)}
    assert all(re.match(r"http://x:1/\?world=small-.*&at=%23\d+$", one) for one in links.seen)


class Links(HTMLParser):
    """Where a page leads, and what it would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a":
            self.seen += [link for key in ("href", "xlink:href") if (link := given.get(key))]
        elif tag in ("link", "script", "img", "iframe"):
            self.fetched.append(tag)


def test_two_reports_stand_side_by_side(plan: Path) -> None:
    run("lifelong", plan, "--out", "one")
    Path("other.toml").write_text(PLAN.replace("seed = 2", "seed = 9").replace("small", "other"))
    told = run("lifelong", "other.toml", "--out", "two", "--compare", "one").stdout
    assert "Beside it: small, bank friend, small.db" in told
    page = Path("two/report.html").read_text()
    assert "Beside it: small, bank friend, small.db" in page and "this minus the other" in page
    wrong = run("lifelong", "other.toml", "--report", "--compare", "nowhere", rc=1).stderr
    assert "nowhere cannot be read" in wrong
    Path("not.json").write_text("{}")
    wrong = run("lifelong", "other.toml", "--report", "--compare", "not.json", rc=1).stderr
    assert "not.json is no report of `whoknew lifelong --out`" in wrong


def test_judges_are_checked_against_labels(plan: Path) -> None:
    run("lifelong", plan)
    found = json.loads(run("lifelong", plan, "--report", "--json").stdout)
    world, _ = found["report"]["curves"][0]["points"][0]["behind"][0]
    events = run("show", world, "--log", "small.db", "--json").stdout
    who = re.findall(r'"actor": ?"([^"]+)"', events)[0]
    label = {"world": world, "episode": 1, "character": who, "check": "repeats", "passed": True}
    Path("labels.jsonl").write_text(json.dumps(label))
    told = run("lifelong", plan, "--report", "--labels", "labels.jsonl").stdout
    assert "judges against labels" in told and re.search(r"rules +repeats +1 +0 +0 +- +- +-", told)
    wrong = run("lifelong", plan, "--report", "--labels", "no.jsonl", rc=1).stderr
    assert "no.jsonl cannot be read" in wrong


def test_wrong_input_is_told(plan: Path) -> None:
    assert "small.db" in run("lifelong", plan, "--report", rc=1).stderr
    assert "there is no such file" in run("lifelong", "nowhere.toml", rc=1).stderr
    plan.write_text(PLAN.replace('"recall"', '"recal"'))
    assert "did you mean 'recall'?" in run("lifelong", plan, rc=1).stderr
    plan.write_text(PLAN.replace("episodes = 4", "episodes = 99"))
    assert "99 scenarios are wanted" in run("lifelong", plan, rc=1).stderr


def test_a_person_takes_a_side_at_the_terminal(plan: Path) -> None:
    plan.write_text(
        PLAN.replace("chains = 2", "chains = 1")
        .replace("episodes = 4", "episodes = 1")
        .replace("hard = 2", "hard = 0")
        .replace(', "recall"', "")
        + '[agents.second]\nagent = "human"\n'
    )
    done = subprocess.run(
        [*COMMAND, "lifelong", str(plan)],
        check=True,
        env=ENVIRONMENT,
        input="What a queue.\n/leave\n",
        capture_output=True,
        encoding="utf-8",
    )
    assert "1 life of 1 + 0 hard episodes" in done.stdout
    assert "What you want:" in done.stdout and "Say:" not in done.stdout
    told = run("show", "small-none-1", "--log", "small.db").stdout
    assert "What a queue." in told and "dimensions of" in told


def test_a_plan_that_has_changed_is_refused_before_anything_is_played(plan: Path) -> None:
    run("lifelong", plan)
    for before, after, what in (
        ("seed = 2", "seed = 8", "but the plan says"),
        ("episodes = 4", "episodes = 4\nbank = 'family'", "but the plan says"),
        ("episodes = 4", "episodes = 4\nturns = 3", "turns was 20 and is 3"),
        ('agent = "bargainer"', 'agent = "mind"', "agent was 'bargainer' and is 'mind'"),
        ('agent = "bargainer"', 'agent = "bargainer"\n[judges]\n', "judges.rules is gone"),
    ):
        plan.write_text(PLAN.replace(before, after))
        for option in ("--report", "--dry-run", "--json"):
            assert what in " ".join(run("lifelong", plan, option, rc=1).stderr.split())
    plan.write_text(PLAN + "[limits.run]\ncalls = 100000\n")
    assert "finished" not in run("lifelong", plan, "--report").stdout


def test_a_plan_of_an_exam_is_no_plan_to_run(plan: Path) -> None:
    assert "whoknew lifelong" in run("run", plan, rc=1).stderr


def test_what_judges_may_cost_is_forecast_and_a_limit_needs_a_price(plan: Path) -> None:
    judge = '[judges.d]\nby = "dimensions"\nmodel = "http://127.0.0.1:9/v1#j"\n'
    plan.write_text(PLAN + judge)
    told = run("lifelong", plan, "--dry-run").stdout
    assert "http://127.0.0.1:9/v1#j  144 calls at most" in told
    plan.write_text(PLAN + judge + "[limits.run]\nmoney = 5\n")
    assert "the price of http://127.0.0.1:9/v1#j is not known" in run("lifelong", plan, rc=1).stderr


def test_mistakes_of_arms_are_told_once_and_where_they_stand(plan: Path) -> None:
    plan.write_text(
        PLAN + "[arms.short]\nmemory = 'summary'\nsummary = { words = 5 }\n[arms.none]\n"
    )
    said = run("lifelong", plan, rc=1).stderr
    assert ":13: arms.short.summary.words: is 5" in said
    assert "there are 2 arms called 'none'" in said
    plan.write_text(PLAN.replace('memories = ["none", "recall"]', 'models = ["gpt"]'))
    assert run("lifelong", plan, rc=1).stderr.count("'gpt' is no address of a model") == 1
    plan.write_text(PLAN.replace('agent = "bargainer"', 'agent = "bargainer"\nmemory = "entire"'))
    assert (
        "agents.everyone.memory: is given by 'memories' already"
        in run("lifelong", plan, rc=1).stderr
    )
