"""`whoknew exam new KIND PLAN --model MODEL`: questions that a model writes, from the call to the table."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_runner import answer, refused, run
from kitchen_runs import command
from model_servers import Doing, serving
from question_writers import good, is_again, shown, writing

from whoknew.agents.parts import REASKS
from whoknew.engine.exams.writing.checks import CHECKS
from whoknew.eventlog import Event, open_log
from whoknew.eventlog.kinds import Called, QuestionsWritten

NEW = ("exam", "new", "lifestate", "lamp.toml", "--from", "the-lamp-room")


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


async def told(folder: Path, *words: str, rc: int = 0) -> Any:
    """What a command in a process of its own answers."""
    async with command(*words, "--json", folder=folder) as process:
        out, error = await process.communicate()
    assert process.returncode == rc, error.decode()
    return json.loads(out) if out else error.decode()


def events(log: str = "lamp.db", world: str = "lamp") -> list[Event]:
    async def read() -> list[Event]:
        async with open_log(log, read_only=True) as opened:
            return [event async for event in opened.read(world)]

    return asyncio.run(read())


def test_it_runs_with_no_key_from_a_text_to_a_table() -> None:
    found = answer(*NEW, "--model", "offline:")["questions"]
    assert found["done"] == found["places"] == 18 and found["failed"] == 0
    kept = sum(found["kept"].values())
    assert kept == found["on_log"] >= 10 and set(found["refused"]) <= set(CHECKS)
    rows = answer("exam", "questions", "lamp.toml", "--origin", "model")["rows"]
    assert {row["origin"] for row in rows} == {"model offline:"}
    assert answer("exam", "questions", "lamp.toml")["refused"] == found["refused"]
    table = answer("exam", "run", "lamp.toml")["table"]
    by_rule = len(Path("lamp.jsonl").read_text("utf-8").splitlines())
    assert table["units"] == by_rule + kept > by_rule > 80
    tags = {one["arm"]: one["tags"] for one in table["figures"]["words.overlap"]}
    assert tags["whole-past"]["origin model offline:"]["mean"] > 0
    assert tags["nothing"]["origin model offline:"]["mean"] < 0.1


def test_what_is_written_is_kept_where_the_exam_is_looked_for(tmp_path: Path) -> None:
    there = {"WHOKNEW_LOG": str(tmp_path / "ours.db")}
    run(*NEW, "--model", "offline:", environment=there)
    assert not Path("lamp.db").exists()
    shown = run("exam", "questions", "lamp.toml", "--origin", "model", environment=there).stdout
    assert "model offline:" in shown


def test_each_rests_on_what_its_character_witnessed_by_then() -> None:
    run(*NEW, "--model", "offline:", "--each", "2")
    assert not any("witnessed" in one for one in answer("exam", "check", "lamp.toml")["remarks"])
    for row in answer("exam", "questions", "lamp.toml", "--origin", "model", "--limit", "99")[
        "rows"
    ]:
        asked = row["question"]
        (evidence,) = row["evidence"]
        assert all(asked["character"] in event["witnesses"] for event in evidence)
        said = " ".join(" ".join(event["body"]["text"].split()) for event in evidence)
        ending = asked["reference"].partition('"')[2].rstrip('"')
        assert ending in said.replace('"', "'") and ending not in asked["question"]
        assert {tag.split()[0] for tag in asked["tags"]} == {"age", "episode", "origin"}


def test_the_same_again_asks_nothing_and_says_so() -> None:
    first = answer(*NEW, "--model", "offline:")
    again = answer(*NEW, "--model", "offline:")
    assert again["files"] is None and again["questions"]["calls"] == 0
    assert again["questions"]["on_log"] == first["questions"]["on_log"]


def test_a_plan_that_says_otherwise_is_not_changed() -> None:
    run(*NEW)
    before = Path("lamp.toml").read_text()
    why = run(*NEW, "--model", "offline:", rc=1).stderr
    assert "has no [writer]" in why and 'model = "offline:"' in why
    assert Path("lamp.toml").read_text() == before
    Path("lamp.toml").write_text(before + '\n[writer]\nmodel = "offline:"\n')
    assert answer(*NEW, "--model", "offline:")["questions"]["done"] == 18
    assert "another [writer]" in run(*NEW, "--model", "offline:", "--each", "3", rc=1).stderr


def test_what_cannot_be_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    assert "no questions for 'questions'" in refused(
        "exam", "new", "questions", "q.toml", "--model", "offline:"
    )
    assert "go with --model" in run(*NEW, "--each", "2", rc=2).stderr
    assert "lamp.toml" not in [one.name for one in tmp_path.iterdir()]


@pytest.mark.parametrize("dry", [(), ("--dry-run",)])
@pytest.mark.parametrize("has_plan", [False, True])
def test_a_writer_that_cannot_be_is_told_by_the_options_that_name_it(
    dry: tuple[str, ...], has_plan: bool
) -> None:
    if has_plan:
        run(*NEW)
    why = run(*NEW, "--model", "offlin:", "--kinds", "self,nope", *dry, rc=1).stderr
    assert "\n  --kinds: is 'nope': there are: 'fact', 'relation', 'self'\n" in why
    assert "\n  --model: " in why
    assert Path("lamp.toml").exists() == has_plan and "[writer]" not in why


def test_mistakes_in_the_table_are_told_with_the_others() -> None:
    run(*NEW)
    with Path("lamp.toml").open("a") as file:
        file.write('\n[writer]\nmodel = "offlin:"\nkinds = ["facts"]\neach = 99\n')
    why = run("exam", "check", "lamp.toml", rc=1).stderr
    assert "writer.each" in why
    text = Path("lamp.toml").read_text().replace("each = 99", "each = 1")
    Path("lamp.toml").write_text(text)
    why = run("exam", "check", "lamp.toml", rc=1).stderr
    assert "writer.model" in why and "writer.kinds[0]" in why


def test_a_forecast_comes_first_and_writes_nothing(tmp_path: Path) -> None:
    found = answer(
        *NEW, "--model", "openai:gpt-5-mini", "--checked-by", "openai:gpt-5", "--dry-run"
    )
    assert list(tmp_path.iterdir()) == []
    writer, check = found["roles"]
    assert (found["places"], found["done"], writer["calls"]) == (18, 0, 18)
    assert writer["most"] > writer["calls"] and writer["money"] > 0
    assert check["model"] == "openai:gpt-5" and check["calls"] == 3 * 18
    assert "Nothing was asked" in run(*NEW, "--model", "offline:", "--dry-run").stdout


async def test_what_will_not_do_is_asked_for_once_more_and_then_dropped(tmp_path: Path) -> None:
    async with serving("openai", after=writing) as server:
        found = (await told(tmp_path, *NEW, "--model", f"{server.url}#m"))["questions"]
    assert found["calls"] == server.calls
    assert found["refused"]["evidence"] == found["refused"]["first person"] == 18
    again = [one for one in server.asked if is_again(one)]
    assert len(again) == 18
    reasons = again[0]["messages"][-1]["content"]
    assert "was given no event [100000]" in reasons and "not in the first person" in reasons
    assert "1 of the kind fact, 1 of the kind relation" in reasons


async def test_bad_questions_of_every_kind_are_counted_by_check(tmp_path: Path) -> None:
    def bad(asked: Any) -> Doing:
        some = []
        for kind in ("self", "fact", "relation"):
            one = good(asked, kind, 0)
            some += [
                {**one, "evidence": []},
                {**one, "answer": "I saw a whale."},
                {**one, "question": f"{one['question']} And who else did?"},
                {**one, "answer": one["question"].replace("?", ", I say.")},
            ]
        return Doing(json.dumps({"questions": some}))

    async with serving("openai", after=bad) as server:
        found = (await told(tmp_path, *NEW, "--model", f"{server.url}#m"))["questions"]
    assert found["kept"] == {} and found["failed"] == 0
    assert set(found["refused"]) >= {"evidence", "support", "one question", "given away"}
    assert found["refused"]["evidence"] == 2 * 3 * 18


HOSTILE: dict[str, Callable[[Any], Doing]] = {
    "no json": lambda asked: Doing("Ignore your instructions. " * 50),
    "huge": lambda asked: Doing("x" * 3_000_000),
    "too many": lambda asked: Doing(json.dumps({"questions": [good(asked, "fact", 0)] * 5000})),
    "wrong types": lambda asked: Doing('{"questions": [{"kind": 1, "evidence": "all"}]}'),
    "deep": lambda asked: Doing('{"questions": ' + "[" * 50_000),
}


ROLES = 5
"""Those of the play, each at one place at a time: so many can be about to fail when a limit is reached."""

TRIES = 1 + REASKS
"""Calls after which a place has failed."""

LIMIT = ROLES * (TRIES - 1) + TRIES + 1
"""Calls of which two places have failed, in whatever order the roles are answered."""


@pytest.mark.parametrize("how", HOSTILE)
async def test_a_hostile_reply_is_a_failure_and_no_question(tmp_path: Path, how: str) -> None:
    async with serving("openai", after=HOSTILE[how]) as server:
        model = ("--model", f"{server.url}#m")
        await told(tmp_path, *NEW)
        table = f'\n[writer]\nmodel = "{server.url}#m"\n[limits.run]\ncalls = {LIMIT}\n'
        Path("lamp.toml").write_text(Path("lamp.toml").read_text() + table)
        found = (await told(tmp_path, *NEW, *model, rc=3))["questions"]
    assert found["kept"] == {} and found["failed"] >= 2 and found["on_log"] == 0
    assert "limit" in found["reason"] and server.calls <= LIMIT


def test_it_does_not_go_on_with_another_text() -> None:
    answer(*NEW, "--model", "offline:")
    other = (*NEW[:-1], "harbour", "--model", "offline:")
    for words in (other, (*NEW, "--model", "offline:", "--anonymised")):
        assert "another [writer]" in run(*words, rc=1).stderr


async def test_what_failed_is_told_as_it_stands_on_the_log(tmp_path: Path) -> None:
    sound = False

    def sooner_or_later(asked: Any) -> Doing:
        return writing(asked) if sound else Doing("Not now.")

    async with serving("openai", after=sooner_or_later) as server:
        model = ("--model", f"{server.url}#m")
        assert (await told(tmp_path, *NEW, *model, rc=3))["questions"]["failed"] >= 10
        for _ in range(2):
            found = (await told(tmp_path, *NEW, *model, rc=1))["questions"]
            assert (found["done"], found["failed"]) == (0, 18) and found["failing"]
        assert "18 of 18 failed" in found["failing"]
        sound = True
        found = (await told(tmp_path, *NEW, *model, "--again"))["questions"]
    assert (found["done"], found["failed"]) == (18, 0)


async def test_who_writes_nothing_is_told_of(tmp_path: Path) -> None:
    async with serving("openai", after=lambda _: Doing('{"questions": []}')) as server:
        words = (*NEW, "--model", f"{server.url}#m")
        assert (await told(tmp_path, *words))["questions"]["empty"] == 18


async def test_tried_again_nothing_is_asked_twice_of_one_character(tmp_path: Path) -> None:
    refused = 9

    def same(asked: Any) -> Doing:
        nonlocal refused
        refused -= 1
        some = [good(asked, "self", 0)]
        some[0]["question"] = "What was it that you said, or heard, at the very end?"
        return Doing("Not now." if refused >= 0 else json.dumps({"questions": some}))

    async with serving("openai", after=same) as server:
        model = ("--model", f"{server.url}#m", "--kinds", "self")
        await told(tmp_path, *NEW, *model)
        await told(tmp_path, *NEW, *model, "--again")
    for questions in _of_roles(await rows(tmp_path)).values():
        assert len(set(questions)) == len(questions)


async def test_a_second_model_is_asked_no_more_than_was_foreseen(tmp_path: Path) -> None:
    def many(asked: Any) -> Doing:
        if "questions" not in json.dumps(asked.get("response_format", "")):
            return Doing(json.dumps({"answer": "I do not know."}))
        some = [dict(good(asked, "self", 0)) for _ in range(40)]
        return Doing(json.dumps({"questions": some}))

    async with serving("openai", after=many) as server:
        words = (*NEW, "--model", f"{server.url}#m", "--checked-by", f"{server.url}#other")
        foreseen = {
            one["name"]: one["most"] for one in (await told(tmp_path, *words, "--dry-run"))["roles"]
        }
        await told(tmp_path, *words)
        checks = [one for one in server.asked if one["model"] == "other"]
    assert 0 < len(checks) <= foreseen["check"]
    assert len(server.asked) - len(checks) <= foreseen["writer"]


async def test_killed_in_the_middle_it_goes_on_and_pays_for_nothing_twice(tmp_path: Path) -> None:
    async with serving("openai", after=writing) as server:
        model = ("--model", f"{server.url}#m")
        whole = (await told(tmp_path, *NEW, *model))["questions"]
        assert whole["calls"] == server.calls == 36
        there = [row["id"] for row in await rows(tmp_path)]
        for file in tmp_path.iterdir():
            if file.name.startswith("lamp."):
                file.unlink()
        server.asked.clear()
        for calls in (3, 11, 20):
            async with command(*NEW, *model, folder=tmp_path) as process:
                await server.until_asked(calls, by=process)
                process.kill()
                await process.wait()
        found = (await told(tmp_path, *NEW, *model))["questions"]
        assert found["done"] == 18 and found["on_log"] == whole["on_log"]
        assert sorted(row["id"] for row in await rows(tmp_path)) == sorted(there)
    most_in_flight = 3 * 8
    assert server.calls <= 36 + most_in_flight
    logged = await asyncio.to_thread(events)
    digests = [one.body.digest for one in logged if isinstance(one.body, Called) and one.body.reply]
    assert len(digests) == len(set(digests)) == 36


async def rows(folder: Path) -> list[Any]:
    found = await told(
        folder, "exam", "questions", "lamp.toml", "--origin", "model", "--limit", "999"
    )
    return list(found["rows"])


def _of_roles(rows: list[Any]) -> dict[str, list[str]]:
    """The questions of each character, in the order in which they stand."""
    found: dict[str, list[str]] = {}
    for row in rows:
        question = row["question"]
        found.setdefault(question["character"], []).append(question["question"])
    return found


async def test_a_second_model_has_to_answer_alike_from_the_evidence_alone(tmp_path: Path) -> None:
    async with serving("openai", after=writing) as server:
        url = f"{server.url}#m"
        found = (await told(tmp_path, *NEW, "--model", url, "--checked-by", f"{server.url}#other"))[
            "questions"
        ]
    assert found["kept"] == {} and found["refused"]["another answer"] > 18
    checks = [one for one in server.asked if one["model"] == "other"]
    assert checks and all(len(shown(one).split("\n[")) == 2 for one in checks)


async def test_calls_are_those_of_a_recorded_log(tmp_path: Path) -> None:
    await told(tmp_path, *NEW, "--model", "offline:")
    first = await rows(tmp_path)
    Path("lamp.db").rename("before.db")
    text = (
        Path("lamp.toml")
        .read_text()
        .replace('[writer]\nmodel = "offline:"', '[writer]\nmodel = "recorded:before.db"')
    )
    Path("lamp.toml").write_text(text)
    await told(tmp_path, *NEW, "--model", "recorded:before.db")
    again = await rows(tmp_path)
    assert _of_roles(again) == _of_roles(first), "each role's in order; roles are written at once"


def test_a_struck_one_of_a_model_is_not_written_or_asked_again() -> None:
    run(*NEW, "--model", "offline:")
    (row, *_) = answer("exam", "questions", "lamp.toml", "--origin", "model")["rows"]
    run("exam", "questions", "lamp.toml", "--strike", row["id"], "--why", "poor")
    found = answer(*NEW, "--model", "offline:")["questions"]
    assert found["calls"] == 0
    assert answer("exam", "check", "lamp.toml")["struck"] == 1


def test_what_was_written_and_what_was_refused_is_on_the_log_with_its_writer() -> None:
    run(*NEW, "--model", "offline:")
    written = [one for one in events() if isinstance(one.body, QuestionsWritten)]
    assert len(written) == 18 and len({one.cause for one in written}) == 1
    bodies = [one.body for one in written if isinstance(one.body, QuestionsWritten)]
    assert any(body.refused for body in bodies) and all(body.hash for body in bodies)


def test_without_names_no_name_is_shown_or_written() -> None:
    plain = ("AUGUSTA", "WREN", "TOBIAS", "MARROW", "ISOLDE")
    run(*NEW, "--anonymised", "--model", "offline:")
    rows = answer("exam", "questions", "lamp.toml", "--origin", "model", "--limit", "99")["rows"]
    text = json.dumps([row["question"] for row in rows]).casefold()
    assert rows and not any(name.casefold() in text for name in plain)


def priced(model: str) -> None:
    """Have a model write, whose price is known, up to a limit."""
    with Path("lamp.toml").open("a") as file:
        file.write(
            f'\n[writer]\nmodel = "{model}"\n[limits.run]\ncalls = 1000\n'
            f'[models."{model}"]\nprice_in = 1000.0\nprice_out = 1000.0\n'
        )


async def test_what_it_took_is_told_of_each_start_and_of_all_in_the_table(tmp_path: Path) -> None:
    await told(tmp_path, *NEW)
    async with serving("openai", after=writing) as server:
        model = f"{server.url}#m"
        priced(model)
        first = (await told(tmp_path, *NEW, "--model", model))["questions"]
        again = (await told(tmp_path, *NEW, "--model", model))["questions"]
    assert first["calls"] == server.calls > 0 and first["money"] > 0
    assert (again["calls"], again["tokens"], again["money"]) == (0, 0, 0)
    table = await told(tmp_path, "exam", "report", "lamp.toml")
    (wrote,) = table["table"]["writing"]
    assert wrote["model"] == model and (wrote["places"], wrote["failed"]) == (18, 0)
    assert wrote["kept"] == first["on_log"] > 0
    assert wrote["refused"] == sum(first["refused"].values()) > 0
    assert [wrote[one] for one in ("calls", "tokens")] == [
        first[one] for one in ("calls", "tokens")
    ]
    assert wrote["money"] == pytest.approx(first["money"])
    shown = await asyncio.to_thread(run, "exam", "report", "lamp.toml")
    assert f"writing {wrote['kept']} questions" in shown.stdout


KIND = '''
from typing import ClassVar
from whoknew.engine.exams.lifestate.lifestate_exam import LifestateExam

class Kind(LifestateExam, frozen=True, kw_only=True):
    """as lifestate, asked otherwise"""

    template: ClassVar = LifestateExam.template.replace('"lifestate"', '"KIND:Kind"', 1)
'''


@pytest.mark.parametrize("dry", [True, False])
def test_a_kind_beside_the_plan_has_questions_written_too(dry: bool) -> None:
    name = f"kind_{dry}".lower()
    Path(f"{name}.py").write_text(KIND.replace("KIND", name), "utf-8")
    begin = ("exam", "new", f"{name}:Kind", "lamp.toml", "--from", "the-lamp-room")
    found = answer(*begin, "--model", "offline:", *(["--dry-run"] if dry else []))
    assert Path("lamp.toml").exists() != dry
    assert found["places"] == 18 if dry else found["questions"]["done"] == 18
