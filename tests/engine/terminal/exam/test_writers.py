"""Models that write questions: bad and hostile ones, those that fail or are killed, a second one, what they cost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_runner import answer, run
from kitchen_runs import killed
from model_servers import Doing, serving_apart
from question_writers import NEW, events, good, is_again, shown, writing

from whoknew.agents.parts import REASKS
from whoknew.eventlog.kinds import Called


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_what_will_not_do_is_asked_for_once_more_and_then_dropped() -> None:
    with serving_apart("openai", writing) as server:
        found = answer(*NEW, "--model", f"{server.url}#m")["questions"]
    assert found["calls"] == server.calls
    assert found["refused"]["evidence"] == found["refused"]["first person"] == 18
    again = [one for one in server.asked if is_again(one)]
    assert len(again) == 18
    reasons = again[0]["messages"][-1]["content"]
    assert "was given no event [100000]" in reasons and "not in the first person" in reasons
    assert "1 of the kind fact, 1 of the kind relation" in reasons


def test_bad_questions_of_every_kind_are_counted_by_check() -> None:
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

    with serving_apart("openai", bad) as server:
        found = answer(*NEW, "--model", f"{server.url}#m")["questions"]
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
def test_a_hostile_reply_is_a_failure_and_no_question(how: str) -> None:
    with serving_apart("openai", HOSTILE[how]) as server:
        model = ("--model", f"{server.url}#m")
        answer(*NEW)
        table = f'\n[writer]\nmodel = "{server.url}#m"\n[limits.run]\ncalls = {LIMIT}\n'
        Path("lamp.toml").write_text(Path("lamp.toml").read_text() + table)
        found = answer(*NEW, *model, rc=3)["questions"]
    assert found["kept"] == {} and found["failed"] >= 2 and found["on_log"] == 0
    assert "limit" in found["reason"] and server.calls <= LIMIT


def test_what_failed_is_told_as_it_stands_on_the_log() -> None:
    sound = False

    def sooner_or_later(asked: Any) -> Doing:
        return writing(asked) if sound else Doing("Not now.")

    with serving_apart("openai", sooner_or_later) as server:
        model = ("--model", f"{server.url}#m")
        assert answer(*NEW, *model, rc=3)["questions"]["failed"] >= 10
        for _ in range(2):
            found = answer(*NEW, *model, rc=1)["questions"]
            assert (found["done"], found["failed"]) == (0, 18) and found["failing"]
        assert "18 of 18 failed" in found["failing"]
        sound = True
        found = answer(*NEW, *model, "--again")["questions"]
    assert (found["done"], found["failed"]) == (18, 0)


def test_who_writes_nothing_is_told_of() -> None:
    with serving_apart("openai", lambda _: Doing('{"questions": []}')) as server:
        words = (*NEW, "--model", f"{server.url}#m")
        assert answer(*words)["questions"]["empty"] == 18


def test_tried_again_nothing_is_asked_twice_of_one_character() -> None:
    refused = 9

    def same(asked: Any) -> Doing:
        nonlocal refused
        refused -= 1
        some = [good(asked, "self", 0)]
        some[0]["question"] = "What was it that you said, or heard, at the very end?"
        return Doing("Not now." if refused >= 0 else json.dumps({"questions": some}))

    with serving_apart("openai", same) as server:
        model = ("--model", f"{server.url}#m", "--kinds", "self")
        answer(*NEW, *model)
        answer(*NEW, *model, "--again")
    for questions in _of_roles(rows()).values():
        assert len(set(questions)) == len(questions)


def test_a_second_model_is_asked_no_more_than_was_foreseen() -> None:
    def many(asked: Any) -> Doing:
        if "questions" not in json.dumps(asked.get("response_format", "")):
            return Doing(json.dumps({"answer": "I do not know."}))
        some = [dict(good(asked, "self", 0)) for _ in range(40)]
        return Doing(json.dumps({"questions": some}))

    with serving_apart("openai", many) as server:
        words = (*NEW, "--model", f"{server.url}#m", "--checked-by", f"{server.url}#other")
        foreseen = {one["name"]: one["most"] for one in answer(*words, "--dry-run")["roles"]}
        answer(*words)
        checks = [one for one in server.asked if one["model"] == "other"]
    assert 0 < len(checks) <= foreseen["check"]
    assert len(server.asked) - len(checks) <= foreseen["writer"]


def test_killed_in_the_middle_it_goes_on_and_pays_for_nothing_twice(tmp_path: Path) -> None:
    with serving_apart("openai", writing) as server:
        model = ("--model", f"{server.url}#m")
        whole = answer(*NEW, *model)["questions"]
        assert whole["calls"] == server.calls == 36
        there = [row["id"] for row in rows()]
        for file in tmp_path.iterdir():
            if file.name.startswith("lamp."):
                file.unlink()
        server.asked.clear()
        for calls in (3, 11, 20):
            killed(*NEW, *model, folder=tmp_path, server=server, calls=calls)
        found = answer(*NEW, *model)["questions"]
        assert found["done"] == 18 and found["on_log"] == whole["on_log"]
        assert sorted(row["id"] for row in rows()) == sorted(there)
    most_in_flight = 3 * 8
    assert server.calls <= 36 + most_in_flight
    logged = events()
    digests = [one.body.digest for one in logged if isinstance(one.body, Called) and one.body.reply]
    assert len(digests) == len(set(digests)) == 36


def rows() -> list[Any]:
    found = answer("exam", "questions", "lamp.toml", "--origin", "model", "--limit", "999")
    return list(found["rows"])


def _of_roles(rows: list[Any]) -> dict[str, list[str]]:
    """The questions of each character, in the order in which they stand."""
    found: dict[str, list[str]] = {}
    for row in rows:
        question = row["question"]
        found.setdefault(question["character"], []).append(question["question"])
    return found


def test_a_second_model_has_to_answer_alike_from_the_evidence_alone() -> None:
    with serving_apart("openai", writing) as server:
        url = f"{server.url}#m"
        found = answer(*NEW, "--model", url, "--checked-by", f"{server.url}#other")["questions"]
    assert found["kept"] == {} and found["refused"]["another answer"] > 18
    checks = [one for one in server.asked if one["model"] == "other"]
    assert checks and all(len(shown(one).split("\n[")) == 2 for one in checks)


def test_calls_are_those_of_a_recorded_log() -> None:
    answer(*NEW, "--model", "offline:")
    first = rows()
    Path("lamp.db").rename("before.db")
    text = (
        Path("lamp.toml")
        .read_text()
        .replace('[writer]\nmodel = "offline:"', '[writer]\nmodel = "recorded:before.db"')
    )
    Path("lamp.toml").write_text(text)
    answer(*NEW, "--model", "recorded:before.db")
    again = rows()
    assert _of_roles(again) == _of_roles(first), "each role's in order; roles are written at once"


def priced(model: str) -> None:
    """Have a model write, whose price is known, up to a limit."""
    with Path("lamp.toml").open("a") as file:
        file.write(
            f'\n[writer]\nmodel = "{model}"\n[limits.run]\ncalls = 1000\n'
            f'[models."{model}"]\nprice_in = 1000.0\nprice_out = 1000.0\n'
        )


def test_what_it_took_is_told_of_each_start_and_of_all_in_the_table() -> None:
    answer(*NEW)
    with serving_apart("openai", writing) as server:
        model = f"{server.url}#m"
        priced(model)
        first = answer(*NEW, "--model", model)["questions"]
        again = answer(*NEW, "--model", model)["questions"]
    assert first["calls"] == server.calls > 0 and first["money"] > 0
    assert (again["calls"], again["tokens"], again["money"]) == (0, 0, 0)
    table = answer("exam", "report", "lamp.toml")
    (wrote,) = table["table"]["writing"]
    assert wrote["model"] == model and (wrote["places"], wrote["failed"]) == (18, 0)
    assert wrote["kept"] == first["on_log"] > 0
    assert wrote["refused"] == sum(first["refused"].values()) > 0
    assert [wrote[one] for one in ("calls", "tokens")] == [
        first[one] for one in ("calls", "tokens")
    ]
    assert wrote["money"] == pytest.approx(first["money"])
    shown = run("exam", "report", "lamp.toml")
    assert f"writing {wrote['kept']} questions" in shown.stdout
