"""The exam LIFESTATE: from a text to a table."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from shared_data import data

from whoknew.worlds.anonymiser import Key, restore

MODELS = '''
"""Players whose answers are known beforehand: they look them up."""
import json
from contextlib import asynccontextmanager
from pathlib import Path

from whoknew.agents import ModelEntry, Reply

HERE = Path(__file__).parent
KEYS = [json.loads(one) for one in (HERE / "h.jsonl").read_text("utf-8").splitlines()]


def age(one):
    return int(next(tag for tag in one["tags"] if tag.startswith("age "))[4:])


class Player:
    def __init__(self, name, say):
        self.name, self._say = name, say

    async def complete(self, request):
        asked = request.sections
        some = [
            one
            for one in KEYS
            if (one["question"], one["character"]) == (asked.question, asked.who)
        ]
        return Reply(text=json.dumps({"answer": self._say(some, request)}))


SAY = {
    "perfect": lambda some, request: some[0]["reference"],
    "constant": lambda some, request: "Yes.",
    "contrary": lambda some, request: "Quite otherwise.",
    "forgets": lambda some, request: (
        some[0]["reference"] if len(some) == 1 and age(some[0]) < 2 else "I forget."
    ),
}


class PlayerEntry(ModelEntry, frozen=True):
    """a player whose answers are known beforehand"""

    @asynccontextmanager
    async def open(self, patience):
        yield Player(self.address, SAY[self.rest])
'''


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def means(plan: str, score: str = "words.overlap") -> dict[str, float]:
    found = answer("exam", "report", plan)["table"]
    return {one["arm"]: one["micro"]["mean"] for one in found["figures"][score]}


def test_what_comes_with_it_is_sat_with_no_key_from_two_commands() -> None:
    run("exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room")
    run("exam", "run", "lamp.toml")
    found = means("lamp.toml")
    assert found["nothing"] < min(found["whole-past"], found["summary"])


def test_the_whole_past_of_a_play_is_better_than_nothing_and_that_is_no_chance() -> None:
    run("exam", "new", "lifestate", "h.toml", "--from", data("shakespeare", "dream.xml"))
    run("exam", "run", "h.toml")
    found = answer("exam", "report", "h.toml")["table"]
    better = {
        (one["first"], one["second"])
        for one in found["comparisons"]["words.overlap"]
        if one["holm"] < 0.05 and one["difference"] > 0
    }
    assert {("whole-past", "nothing"), ("summary", "nothing")} <= better


def test_no_name_is_left_where_it_is_anonymised_and_all_can_be_put_back() -> None:
    source = data("shakespeare", "macbeth.xml")
    run("exam", "new", "lifestate", "h.toml", "--from", source, "--anonymised")
    run("exam", "new", "lifestate", "open.toml", "--from", source)
    key = Key(json.loads(Path("h.names.json").read_text("utf-8"))["aliases"])
    hidden, shown = Path("h.jsonl").read_text("utf-8"), Path("open.jsonl").read_text("utf-8")
    assert restore(hidden, key) == shown
    assert set(found_in(shown)) == set(NAMES) and not found_in(hidden)
    plan = Path("h.toml")
    plan.write_text("keep_prompts = true\n" + plan.read_text("utf-8"), "utf-8")
    run("exam", "run", "h.toml", "--limit", "40", "--only", "summary")
    run("exam", "run", "h.toml", "--limit", "40", "--only", "nothing")
    for number in ("1", "20", "40"):
        for arm in ("summary", "nothing"):
            assert not found_in(run("exam", "show", "h.toml", arm, number).stdout)


def test_with_the_names_put_back_a_model_is_asked_by_them_and_understood() -> None:
    source = data("shakespeare", "macbeth.xml")
    run("exam", "new", "lifestate", "h.toml", "--from", source, "--anonymised")
    run("exam", "run", "h.toml", "--limit", "5", "--only", "named")
    shown = run("exam", "show", "h.toml", "named", "1").stdout
    assert "MACBETH" in shown or "BANQUO" in shown or "ROSS" in shown or "Witch" in shown


def test_players_whose_answers_are_known_come_to_what_was_computed_by_hand() -> None:
    run("exam", "new", "lifestate", "h.toml", "--from", data("shakespeare", "hamlet.xml"))
    Path("players.py").write_text(MODELS, "utf-8")
    plan = Path("h.toml").read_text("utf-8")
    head = plan[: plan.index("[agents.everyone]")]
    arms = "".join(
        f'[arms.{name}]\nmodel = "players:PlayerEntry#{name}"\nmemory = "none"\n'
        for name in ("perfect", "constant", "contrary", "forgets")
    )
    judge = '[judges.same]\nby = "exact"\n'
    Path("h.toml").write_text(head + arms + judge, "utf-8")
    run("exam", "run", "h.toml")
    keys = [json.loads(one) for one in Path("h.jsonl").read_text("utf-8").splitlines()]
    times: dict[tuple[str, str], int] = defaultdict(int)
    for one in keys:
        times[one["question"], one["character"]] += 1
    known = [
        one for one in keys if times[one["question"], one["character"]] == 1 and age_of(one) < 2
    ]
    first: dict[tuple[str, str], str] = {}
    right = [
        first.setdefault((one["question"], one["character"]), one["reference"]) == one["reference"]
        for one in keys
    ]
    found = means("h.toml", "same.exact")
    # Asked twice alike, at the ends of two episodes, a player that sees no episode says the same twice.
    assert found["perfect"] == pytest.approx(sum(right) / len(keys)) and sum(right) > 0.98 * len(
        keys
    )
    assert found["constant"] == found["contrary"] == 0.0
    assert found["forgets"] == pytest.approx(len(known) / len(keys))
    table = answer("exam", "report", "h.toml")["table"]["figures"]["same.exact"]
    curve = next(one for one in table if one["arm"] == "forgets")["tags"]
    assert curve["age 0"]["mean"] > 0 and curve["age 1"]["mean"] > 0
    assert all(
        one["mean"] == 0.0
        for tag, one in curve.items()
        if tag.startswith("age ") and int(tag[4:]) > 1
    )


def test_marks_are_told_in_percent_as_the_paper_has_them_and_the_papers_beside_them() -> None:
    run("exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room")
    judge = '\n[judges.grade]\nby = "rubric"\nrubric = "lifestate"\nmodel = "offline:"\n'
    with Path("lamp.toml").open("a", encoding="utf-8") as plan:
        plan.write(judge)
    run("exam", "run", "lamp.toml", "--repeats", "3")
    found = answer("exam", "report", "lamp.toml", "--repeats", "3", "--paper")["table"]
    assert found["published"]["the paper's: Hamlet, GPT-4-turbo, direct"]["ACC %"][0] == 65.9
    for row in found["figures"]["grade.mark"]:
        arm, kinds = row["arm"], row["kinds"]
        assert found["own"]["ACC %"][arm] == pytest.approx(10 * row["micro"]["mean"])
        for kind in ("self", "fact", "relation"):
            assert found["own"][f"{kind} %"][arm] == pytest.approx(10 * kinds[kind]["mean"])
    assert "the paper's" in run("exam", "report", "lamp.toml", "--paper", "--out", "r").stdout
    page = Path("r/report.html").read_text("utf-8")
    rows = re.findall(r'<tr class="paper">(.*?)</tr>', page)
    assert len(rows) == 16 and all(one.count("<td></td>") == 0 for one in rows)
    Path("lamp.toml").write_text(Path("lamp.toml").read_text("utf-8").replace(judge, ""), "utf-8")
    run("exam", "report", "lamp.toml", "--paper", "--out", "r")
    assert "What the paper has, of other material" in Path("r/report.html").read_text("utf-8")


def test_curves_go_over_the_episodes_at_whose_ends_questions_are_put() -> None:
    run("exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room")
    run("exam", "run", "lamp.toml", "--only", "whole-past")
    found = answer("exam", "report", "lamp.toml")["table"]
    keys = [json.loads(one) for one in Path("lamp.jsonl").read_text("utf-8").splitlines()]
    every = next(one for one in found["curves"] if one["score"] == "words.overlap")
    facts = next(one for one in found["curves"] if one["score"] == "words.overlap, fact")
    for curve, some in ((every, keys), (facts, [one for one in keys if one["kind"] == "fact"])):
        counts = {f"E{point['episode']}": point["figure"]["number"] for point in curve["points"]}
        assert counts == {at: sum(one["at"] == at for one in some) for at in counts}
        assert sum(counts.values()) == len(some)


def test_questions_of_one_kind_have_one_curve_a_score() -> None:
    run("exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room")
    lines = Path("lamp.jsonl").read_text("utf-8").splitlines()
    facts = [one for one in lines if json.loads(one)["kind"] == "fact"]
    Path("lamp.jsonl").write_text("\n".join(facts), "utf-8")
    run("exam", "run", "lamp.toml", "--only", "whole-past")
    found = answer("exam", "report", "lamp.toml")["table"]
    assert [one["score"] for one in found["curves"] if one["arm"] == "whole-past"] == [
        "words.overlap"
    ]


def test_without_a_source_it_is_about_all_worlds_that_come_with_whoknew_played_before() -> None:
    run("exam", "new", "lifestate", "all.toml")
    run("exam", "new", "lifestate", "same.toml", "--from", "bundled")
    assert Path("all.jsonl").read_bytes() == Path("same.jsonl").read_bytes()
    asked = map(json.loads, Path("all.jsonl").read_text("utf-8").splitlines())
    assert {one["world"] for one in asked} == {"flatmates", "harbour", "midnight-diner"}
    run("exam", "new", "lifestate", "diner.toml", "--from", "midnight-diner")
    asked = map(json.loads, Path("diner.jsonl").read_text("utf-8").splitlines())
    assert {one["world"] for one in asked} == {"midnight-diner"}


def test_both_controls_are_near_the_floor_and_memories_are_told_apart_from_them() -> None:
    run("exam", "new", "lifestate", "hidden.toml", "--anonymised")
    text = Path("hidden.jsonl").read_text("utf-8").casefold()
    assert not [name for name in ("dorte", "emil", "vera", "tobias") if name in text]
    half = ("hidden.toml", "--limit", "380")
    run("exam", "run", *half)
    found = answer("exam", "report", *half, "--out", "report")["table"]
    figures = {one["arm"]: one["micro"]["mean"] for one in found["figures"]["words.overlap"]}
    assert max(figures["nothing"], figures["named"]) < 0.02
    pairs = {(one["first"], one["second"]): one for one in found["comparisons"]["words.overlap"]}
    for arm in ("whole-past", "summary"):
        for control in ("nothing", "named"):
            pair = pairs[arm, control]
            assert pair["holm"] < 0.05 and pair["difference"] > 0.05
    assert ("whole-past", "summary") in pairs
    for name in ("report.html", "curves.csv", "curves.svg"):
        assert Path("report", name).stat().st_size


def test_a_name_of_nothing_is_answered_by_the_nearest() -> None:
    assert "midnight-diner" in refused("exam", "new", "lifestate", "d.toml", "--from", "midnight")
    assert "the-lamp-room" in refused("exam", "new", "lifestate", "d.toml", "--from", "lamp-room")
    assert not list(Path().iterdir())


def test_a_world_that_is_not_there_is_named() -> None:
    run("import", "play", "the-lamp-room", "--log", "plays.db")
    run("exam", "new", "lifestate", "lamp.toml", "--from", "plays.db")
    plan = Path("lamp.toml").read_text("utf-8").replace("# worlds = []", 'worlds = ["lamp-room"]')
    plan = plan.replace("questions = ", "# questions = ")
    Path("lamp.toml").write_text(plan, "utf-8")
    assert "the-lamp-room" in refused("exam", "check", "lamp.toml")


def test_nothing_is_written_over_and_other_kinds_are_made_of_no_text() -> None:
    run("exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room")
    Path("lamp.toml").unlink()
    assert "lamp.jsonl" in refused(
        "exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room"
    )
    assert "--from" in refused("exam", "new", "questions", "q.toml", "--from", "the-lamp-room")
    assert "--from" in refused("exam", "new", "questions", "other.toml", "--anonymised")


def test_a_text_of_which_nothing_can_be_asked_leaves_nothing_behind() -> None:
    said = "<SPEECH><SPEAKER>ANN</SPEAKER><LINE>Hm.</LINE></SPEECH>"
    scene = f"<SCENE><TITLE>SCENE I. A hall.</TITLE>{said}</SCENE>"
    play = f"<PLAY><TITLE>Mute</TITLE><ACT><TITLE>ACT I</TITLE>{scene}</ACT></PLAY>"
    Path("mute.xml").write_text(play, "utf-8")
    refused("exam", "new", "lifestate", "m.toml", "--from", "mute.xml")
    assert [one.name for one in Path().iterdir()] == ["mute.xml"]


def test_an_exam_that_would_be_written_into_what_it_is_about_is_not_begun() -> None:
    run("import", "play", "the-lamp-room", "--log", "lamp.db")
    said = refused("exam", "new", "lifestate", "lamp.toml", "--from", "./lamp.db")
    assert "./lamp.db" in said and not Path("lamp.toml").exists()


NAMES = ("macbeth", "macduff", "banquo", "malcolm", "duncan", "lennox", "fleance", "donalbain")


def found_in(text: str) -> list[str]:
    """The names that a text holds, in any case, also inside words."""
    return [name for name in NAMES if name in text.casefold()]


def age_of(one: dict[str, list[str]]) -> int:
    return int(next(tag for tag in one["tags"] if tag.startswith("age "))[4:])


def test_marks_on_several_scales_are_each_told_in_percent_of_their_own() -> None:
    run("exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room")
    Path("truth.toml").write_text('text = "Is it true?"\nscale = [1, 5]\n', "utf-8")
    with Path("lamp.toml").open("a", encoding="utf-8") as plan:
        for rubric in ("lifestate", "truth.toml"):
            name = rubric.removesuffix(".toml")
            plan.write(f'\n[judges.{name}]\nby = "rubric"\nmodel = "offline:"\n')
            plan.write(f'rubric = "{rubric}"\n')
    found = answer("exam", "run", "lamp.toml", "--limit", "6")["table"]
    for row, other in zip(
        found["figures"]["lifestate.mark"], found["figures"]["truth.mark"], strict=True
    ):
        ours = {name: of[row["arm"]] for name, of in found["own"].items() if row["arm"] in of}
        assert ours["ACC % (lifestate)"] == pytest.approx(10 * row["micro"]["mean"])
        assert ours["ACC % (truth)"] == pytest.approx(25 * (other["micro"]["mean"] - 1))
