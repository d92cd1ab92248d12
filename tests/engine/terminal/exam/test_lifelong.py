"""Exams of lives, as a person would drive them in a terminal."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
from command_runner import COMMAND, ENVIRONMENT, run

from whoknew.engine.exams.comparing import ArmComparison
from whoknew.engine.exams.lifelong.lifelong_exam import LifelongExam

PLAN = """
exam = "lifelong"
name = "small"
log = "small.db"
seed = 2
chains = 2
episodes = 4
hard = 2
grid.memories = ["none", "recall"]
[agents.everyone]
agent = "bargainer"
"""


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path / "plan.toml"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of that exam, once it was sat."""
    folder = tmp_path_factory.mktemp("sat")
    (folder / "plan.toml").write_text(PLAN)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run("exam", "run", "plan.toml")
    return folder / "small.db"


@pytest.fixture
def sat(plan: Path, log: Path) -> Path:
    """The plan, beside a log of one's own."""
    shutil.copy(log, plan.with_name("small.db"))
    return plan


def test_it_plays_judges_and_tells_and_goes_on_where_it_stopped(plan: Path) -> None:
    dry = run("exam", "run", plan, "--dry-run").stdout
    assert "4 chains into small.db: 0 done already, 0 to go on with, 4 to begin" in dry
    assert not Path("small.db").exists()
    first = run("exam", "run", plan).stdout
    assert "small: 2 scenes" in first
    for what in ("ordinary.BEL", "ordinary.GOAL", "hard.recall", "secrets kept", "what it took"):
        assert what in first
    assert "dimensions." not in first and "24 more scores, as its judges gave them" in first
    assert all(len(line) <= 80 for line in first.splitlines()), "it fits eighty columns"
    again = run("exam", "run", plan)
    assert again.stdout == first and "4 cells: 4 played already" in again.stderr
    assert run("exam", "report", plan).stdout == first
    more = run("exam", "run", plan, "--chains", "3").stdout
    assert "small: 3 scenes" in more


def test_its_files_are_for_people_and_programs(sat: Path) -> None:
    told = run("exam", "report", sat, "--out", "out", "--paper", "--viewer", "http://x:1/")
    assert "wrote out/report.html" in told.stdout and "the paper's: GPT-4o" in told.stdout
    out = Path("out")
    names = {file.name for file in out.iterdir()}
    for drawing in ("curves", "figures"):
        assert {f"{drawing}.svg", f"{drawing}.png"} <= names
        assert ET.parse(out / f"{drawing}.svg").getroot().tag.endswith("svg")
        assert (out / f"{drawing}.png").read_bytes().startswith(b"\x89PNG")
    found = json.loads((out / "report.json").read_text())
    table = list(csv.DictReader((out / "figures.csv").read_text().splitlines()))
    for line in table:
        if line["over"] == "micro" and line["score"] in found["figures"]:
            (arm,) = [a for a in found["figures"][line["score"]] if a["arm"] == line["arm"]]
            assert float(line["mean"]) == pytest.approx(arm["micro"]["mean"])
    assert {line["score"] for line in table} >= {"ordinary.BEL", "hard.GOAL", "episodes"}
    curves = list(csv.DictReader((out / "curves.csv").read_text().splitlines()))
    parts = {(line["part"], int(line["episode"])) for line in curves if line["score"] == "GOAL"}
    assert parts == {("ordinary", n) for n in range(1, 5)} | {("hard", 5), ("hard", 6)}
    secrets = (out / "secrets.csv").read_text().splitlines()[0]
    assert secrets.endswith("arm,world,seq,what,whose,to,episode,how,fact")
    page = (out / "report.html").read_text()
    assert "the paper&#x27;s: GPT-4o, none" in page and "Private facts that got out" in page
    links = Links()
    links.feed(page)
    assert links.seen and not links.fetched, "the page needs nothing beside itself"
    leading = [one for one in links.seen if not one.startswith("#")]
    worlds = {parse_qs(urlparse(one).query)["world"][0] for one in leading}
    assert worlds == {f"small-{arm}-{life}" for arm in ("none", "recall") for life in (1, 2)}
    assert all(re.match(r"http://x:1/\?world=small-.*&at=%23\d+", one) for one in leading)


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
        elif tag in ("link", "script", "iframe") or not (given.get("src") or "data:").startswith(
            "data:"
        ):
            self.fetched.append(tag)


def test_two_reports_stand_side_by_side(sat: Path) -> None:
    run("exam", "report", sat, "--out", "one")
    Path("other.toml").write_text(PLAN.replace("seed = 2", "seed = 9").replace("small", "other"))
    run("exam", "run", "other.toml")
    told = run("exam", "report", "other.toml", "--out", "two", "--compare", "one").stdout
    assert "beside small of small.db" in told and "hard.GOAL" in told.split("beside small")[1]
    unlike = [line.strip() for line in told.splitlines() if "not the same" in line]
    assert unlike == ["not the same: seed: was 2 and is 9"], "all else, written and read, is"
    page = Path("two/report.html").read_text()
    assert "Beside an earlier one: small" in page
    wrong = run("exam", "report", "other.toml", "--compare", "nowhere", rc=1).stderr
    assert "nowhere is not there: name a folder that an earlier --out wrote" in wrong
    Path("not.json").write_text("{}")
    wrong = run("exam", "report", "other.toml", "--compare", "not.json", rc=1).stderr
    assert "not.json is no report of" in wrong


def test_a_part_of_it_is_reported_and_two_arms_beside_one_another(sat: Path) -> None:
    told = run("exam", "report", sat, "--limit", "1", "--differ", "none", "recall").stdout
    assert "small: 1 scene" in told
    assert "2 more scenes on the log are of scenes after the first 1" in " ".join(told.split())
    assert "not played any more" not in told
    apart = told.split("none and recall differ on 1 cell")[1]
    assert "small-none-1 at #" in apart and "hard.GOAL" in apart and ".first" not in apart
    one = run("exam", "report", sat, "--only", "none").stdout
    assert "of arms that --only leaves out" in " ".join(one.split())


def test_judges_are_checked_against_labels(sat: Path) -> None:
    found = json.loads(run("exam", "report", sat, "--json").stdout)
    world, _ = found["table"]["curves"][0]["points"][0]["behind"][0]
    events = run("show", world, "--log", "small.db", "--json").stdout
    who = re.findall(r'"actor": ?"([^"]+)"', events)[0]
    label = {"world": world, "episode": 1, "character": who, "check": "repeats", "passed": True}
    Path("labels.jsonl").write_text(json.dumps(label))
    told = run("exam", "report", sat, "--labels", "labels.jsonl").stdout
    assert "judges beside people" in told and re.search(r"rules +repeats +1 +0 +0 +- +- +-", told)
    wrong = run("exam", "report", sat, "--labels", "no.jsonl", rc=1).stderr
    assert "no.jsonl cannot be read" in wrong


def test_wrong_input_is_told(plan: Path) -> None:
    assert "small.db" in run("exam", "report", plan, rc=1).stderr
    assert "there is no such file" in run("exam", "run", "nowhere.toml", rc=1).stderr
    plan.write_text(PLAN.replace('"recall"', '"recal"'))
    assert "did you mean 'recall'?" in run("exam", "run", plan, rc=1).stderr
    plan.write_text(PLAN.replace("episodes = 4", "episodes = 99"))
    assert "99 scenarios are wanted" in run("exam", "run", plan, rc=1).stderr


def test_a_person_takes_a_side_at_the_terminal(plan: Path) -> None:
    plan.write_text(
        PLAN.replace("chains = 2", "chains = 1")
        .replace("episodes = 4", "episodes = 1")
        .replace("hard = 2", "hard = 0")
        .replace(', "recall"', "")
        + '[agents.second]\nagent = "human"\n'
    )
    done = subprocess.run(
        [*COMMAND, "exam", "run", str(plan)],
        check=True,
        env=ENVIRONMENT,
        input="What a queue.\n/leave\n",
        capture_output=True,
        encoding="utf-8",
    )
    assert "small: 1 scene" in done.stdout
    assert "What you want:" in done.stdout and "Say:" not in done.stdout
    told = run("show", "small-none-1", "--log", "small.db").stdout
    assert "What a queue." in told and "dimensions of" in told


def test_a_plan_that_has_changed_is_refused_before_anything_is_played(sat: Path) -> None:
    for before, after, what in (
        ("seed = 2", "seed = 8", "but the plan says"),
        ("episodes = 4", "episodes = 4\nbank = 'family'", "but the plan says"),
        ("episodes = 4", "episodes = 4\nturns = 3", "turns was 20 and is 3"),
        ('agent = "bargainer"', 'agent = "mind"', "agent was 'bargainer' and is 'mind'"),
    ):
        sat.write_text(PLAN.replace(before, after))
        for words in (("run", sat, "--dry-run"), ("run", sat, "--json")):
            assert what in " ".join(run("exam", *words, rc=1).stderr.split())
        told = " ".join(run("exam", "report", sat).stdout.split())
        assert what in told and "does not count" in told and "hard.GOAL" not in told
    sat.write_text(PLAN + "[limits.run]\ncalls = 100000\n")
    assert "does not count" not in run("exam", "report", sat).stdout


JUDGES = """[judges.rules]
by = "rules"
"""


def test_a_judge_that_is_added_or_changed_hears_old_lives_too(plan: Path) -> None:
    plan.write_text(PLAN + JUDGES)
    run("exam", "run", plan)
    seven = JUDGES + '[judges.seven]\nby = "dimensions"\nmodel = "offline:"\n'
    plan.write_text(PLAN + seven)
    assert "4 reviews to be had" in run("exam", "run", plan, "--json").stderr
    found = json.loads(run("exam", "report", plan, "--json").stdout)["table"]
    goals = [one for one in found["curves"] if one["score"] == "GOAL"]
    assert [[one["episode"] for one in each["points"]] for each in goals] == [
        [1, 2, 3, 4, 5, 6]
    ] * 2
    assert run("exam", "run", plan).stderr == "4 cells: 4 played already\n", "and once"
    plan.write_text(PLAN + seven + "reasks = 9\n")
    assert "4 reviews to be had" in run("exam", "run", plan).stderr, "it is another one"
    plan.write_text(PLAN + "[judges]\n")
    assert "rules.stalling" not in run("exam", "run", plan).stdout, "nobody inherits its scores"


def test_a_plan_of_an_exam_is_no_plan_to_run(plan: Path) -> None:
    assert "whoknew exam run" in run("run", plan, rc=1).stderr


def test_what_judges_may_cost_is_forecast_and_a_limit_needs_a_price(plan: Path) -> None:
    judge = '[judges.d]\nby = "dimensions"\nmodel = "http://127.0.0.1:9/v1#j"\n'
    plan.write_text(PLAN + judge)
    told = run("exam", "run", plan, "--dry-run").stdout
    assert "http://127.0.0.1:9/v1#j  144 calls at most" in told
    plan.write_text(PLAN + judge + "[limits.run]\nmoney = 5\n")
    assert (
        "the price of http://127.0.0.1:9/v1#j is not known" in run("exam", "run", plan, rc=1).stderr
    )


def test_mistakes_of_arms_are_told_once_and_where_they_stand(plan: Path) -> None:
    plan.write_text(
        PLAN + "[arms.short]\nmemory = 'summary'\nsummary = { words = 5 }\n[arms.none]\n"
    )
    said = run("exam", "run", plan, rc=1).stderr
    assert ":14: arms.short.summary.words: is 5" in said
    assert "there are two arms called 'none'" in said
    plan.write_text(PLAN.replace('grid.memories = ["none", "recall"]', 'grid.models = ["gpt"]'))
    assert run("exam", "run", plan, rc=1).stderr.count("'gpt' is no address of a model") == 1
    plan.write_text(PLAN.replace('agent = "bargainer"', 'agent = "bargainer"\nmemory = "entire"'))
    assert (
        "agents.everyone.memory: is given by grid.memories already"
        in run("exam", "run", plan, rc=1).stderr
    )


FIGURES = {
    "none": (10.0, 8.28125, 2.9375, 0.407461, 0.0, 0.0, 192, 139_407),
    "recall": (10.0, 8.65625, 3.004464, 0.510239, 2.5, 1.0, 200, 159_815),
    "summary": (10.0, 8.65625, 3.022321, 0.510239, 2.5, 1.0, 251, 322_440),
    "entire": (10.0, 8.65625, 3.022321, 0.510239, 2.5, 1.0, 211, 324_211),
}
"""What the bundled exam gave before lives were a kind of exam, with two lives of 8 + 2 episodes: of the
ordinary ones believability, goal, overall and points; of the hard ones goal and recall; calls, tokens."""


def test_the_bundled_exam_gives_the_figures_that_it_gave(plan: Path) -> None:
    text = LifelongExam.template.replace("NAME", "lifelong").replace("chains = 12", "chains = 2")
    plan.write_text(text.replace("episodes = 40", "episodes = 8").replace("hard = 5", "hard = 2"))
    found = json.loads(run("exam", "run", plan, "--json").stdout)
    means = {
        (score, one["arm"]): one["micro"]["mean"]
        for score, arms in found["table"]["figures"].items()
        for one in arms
    }
    scores = [f"ordinary.{name}" for name in ("BEL", "GOAL", "overall", "points")]
    scores += ["hard.GOAL", "hard.recall"]
    for row in found["table"]["rows"]:
        figures = [round(means[score, row["arm"]], 6) for score in scores]
        assert (*figures, row["calls"], row["tokens"]) == FIGURES[row["arm"]]
    goal = {arm: mean for (score, arm), mean in means.items() if score == "hard.GOAL"}
    assert goal["none"] < goal["entire"], "arms are compared as in any exam"
    assert len(found["table"]["comparisons"]["hard.GOAL"]) == 6


def test_as_many_lives_are_led_by_default_as_it_takes_to_tell_a_difference(plan: Path) -> None:
    assert f"chains = {LifelongExam().chains}\n" in LifelongExam.template
    text = re.sub("(?m)^chains = .*", "chains = 2", LifelongExam.template)
    text = text.replace("NAME", "lifelong").replace("episodes = 40", "episodes = 9")
    plan.write_text(text)
    found = json.loads(run("exam", "run", plan, "--json").stdout)["table"]["comparisons"]
    told = ArmComparison(
        first="", second="", cells=0, clusters=0, comparisons=sum(map(len, found.values()))
    )
    assert told.comparisons == 54
    assert told.least <= LifelongExam().chains


def test_it_runs_by_its_name_and_what_was_a_command_says_how(plan: Path) -> None:
    dry = run("exam", "run", "lifelong", "--dry-run", "--chains", "1").stdout
    assert "4 chains into lifelong.db" in dry
    said = run("lifelong", plan, rc=2).stderr
    assert "`whoknew exam run lifelong`" in said and "[grid]" in said
    assert "is no exam of lives" in run("exam", "run", "scenes", "--chains", "2", rc=1).stderr


def test_its_lives_are_checked_and_shown_as_scenes_are(plan: Path) -> None:
    run("exam", "run", plan, "--chains", "1")
    checked = run("exam", "check", plan).stdout
    assert "small: 2 scenes x 2 arms = 4 cells" in checked
    shown = run("exam", "show", plan, "recall", "1").stdout
    assert "life 1: " in shown and "whoknew show small-recall-1" in shown
