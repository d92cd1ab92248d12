"""`whoknew exam new timechara PLAN --model MODEL`: what a model writes of scenes, from the call to the
table."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from command_runner import answer, refused, run
from kitchen_runs import killed
from model_servers import Doing, serving_apart
from scene_writers import good, is_again, purpose_of, writing
from timechara_files import SERIES, written

from whoknew.engine.exams.timechara.scene_checks import CHECKS
from whoknew.eventlog import Event, open_log
from whoknew.eventlog.kinds import Called, QuestionsWritten

NEW = ("exam", "new", "timechara", "lamp.toml", "--from", "the-lamp-room")


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def rows() -> list[Any]:
    some = ("--origin", "model", "--limit", "999")
    return list(answer("exam", "questions", "lamp.toml", *some)["rows"])


async def on_log(log: str = "lamp.db", world: str = "lamp") -> list[Event]:
    async with open_log(log, read_only=True) as opened:
        return [event async for event in opened.read(world)]


def test_it_runs_with_no_key_from_a_text_to_a_table() -> None:
    found = answer(*NEW, "--model", "offline:")["questions"]
    assert found["done"] == found["places"] >= 4 and found["failed"] == 0
    assert set(found["kept"]) >= {"future", "past-only", "past-presence"}
    assert set(found["refused"]) <= set(CHECKS)
    assert found["texts"]["sentence"]["kept"] == found["places"]
    assert found["texts"]["gold"]["kept"] == found["on_log"] == sum(found["kept"].values())
    shown = answer("exam", "questions", "lamp.toml", "--origin", "model")
    assert {row["origin"] for row in shown["rows"]} == {"model offline:"}
    assert shown["texts"] == found["texts"]
    table = answer("exam", "run", "lamp.toml", "--only", "zero-shot", "--only", "rag-cutoff")[
        "table"
    ]
    assert all(one["failed"] == 0 and one["unreviewed"] == 0 for one in table["rows"])
    assert table["writing"][0]["texts"] == found["texts"]
    assert "sentence" in run("exam", "questions", "lamp.toml", "--limit", "1").stdout


def test_what_is_written_is_right_by_the_log() -> None:
    run(*NEW, "--model", "offline:", "--each", "3")
    worlds = asyncio.run(on_log("lamp.worlds.db", "the-lamp-room"))
    some = answer("exam", "questions", "lamp.toml", "--origin", "model", "--limit", "999")["rows"]
    kinds = {(one["question"]["kind"], one["question"]["tags"][0]) for one in some}
    assert kinds >= {("future", "structured"), ("past-only", "fact"), ("past-only", "fake")}
    for row in some:
        asked = row["question"]
        _, _, happened = asked["labels"]["temporal"].partition(" that ")
        said = happened.partition('"')[2].partition('"')[0]
        [event] = [
            one
            for one in worlds
            if one.episode and said in " ".join(one.text.replace('"', "'").split())
        ]
        witnessed = asked["character"] in event.witnesses
        if asked["kind"] in ("past-presence", "past-absence"):
            assert (asked["kind"] == "past-presence") == witnessed
        for seq in (seq for part in asked.get("evidence", ()) for seq in part):
            assert asked["character"] in worlds[seq - 1].witnesses


def test_a_forecast_comes_first_and_writes_nothing(tmp_path: Path) -> None:
    models = ("--model", "openai:gpt-5-mini", "--checked-by", "openai:gpt-5")
    found = answer(*NEW, *models, "--dry-run")
    assert list(tmp_path.iterdir()) == []
    writer, check = found["roles"]
    assert writer["cells"] == found["places"] and writer["calls"] == 9 * found["places"]
    assert writer["most"] > writer["calls"] and writer["money"] > 0
    assert check["calls"] == found["places"]
    fewer = answer(*NEW, *models, "--kinds", "structured,fact", "--dry-run")["roles"]
    assert fewer[0]["calls"] == 2 * found["places"], "answers by rule cost nothing"


def fine(asked: Any) -> Doing:
    return Doing(json.dumps(good(asked)))


@pytest.mark.parametrize("more", [(), ("--each", "2"), ("--kinds", "fake"), ("--kinds", "fact")])
def test_what_is_foreseen_is_about_what_it_takes(more: tuple[str, ...]) -> None:
    with serving_apart("openai", fine) as server:
        models = (*NEW, *more, "--model", f"{server.url}#m")
        [foreseen] = answer(*models, "--dry-run")["roles"]
        calls = answer(*models)["questions"]["calls"]
        assert 0.6 * foreseen["calls"] <= calls == server.calls <= foreseen["calls"]
        prompts = sum(len(one["content"]) for asked in server.asked for one in asked["messages"])
    assert 0.5 <= prompts / 4 / foreseen["tokens"] <= 1


def test_what_will_not_do_is_asked_for_once_more() -> None:
    with serving_apart("openai", writing) as server:
        found = answer(*NEW, "--model", f"{server.url}#m")["questions"]
    assert found["calls"] == server.calls
    for kind in ("sentence", "fact", "fake"):
        kept = found["texts"][kind]
        assert kept["kept"] > 0 and kept["refused"] >= kept["kept"], "half of them, or fewer"
    assert found["texts"]["people"]["kept"] == found["texts"]["sentence"]["kept"]
    again = [one for one in server.asked if is_again(one) and purpose_of(one) == "sentence"]
    assert len(again) == found["places"]
    assert "not one sentence" in again[0]["messages"][-1]["content"]


def test_what_never_does_is_left_out_and_its_answers_are_those_by_rule() -> None:
    def half(asked: Any) -> Doing:
        bad = {"word": "who", "question": "?", "answer": "", "key": ""}
        bad |= {"sentence": "x", "true": "", "false": ""}
        fine = purpose_of(asked) == "sentence"
        return Doing(json.dumps(good(asked) if fine else bad))

    with serving_apart("openai", half) as server:
        found = answer(*NEW, "--model", f"{server.url}#m")["questions"]
        some = rows()
    never = {"kept": 0, "refused": 2 * found["places"]}
    assert found["texts"]["fact"] == found["texts"]["fake"] == never
    assert {kind for kind, one in found["texts"].items() if one["kept"]} == {"sentence", "people"}
    assert {one["question"]["tags"][0] for one in some} == {"structured"}
    assert all(one["question"]["reference"] for one in some)


def test_who_was_there_is_held_against_the_log() -> None:
    def lonely(asked: Any) -> Doing:
        said = good(asked)
        return Doing(json.dumps({**said, "people": ["Wren", "a stranger"]}))

    with serving_apart("openai", lonely) as server:
        found = answer(*NEW, "--model", f"{server.url}#m")["questions"]
    assert found["kept"] == {} and found["refused"] == {"people": 2 * found["places"]}


def test_a_second_model_has_to_answer_alike_from_the_events_alone() -> None:
    with serving_apart(
        "openai",
        lambda asked: (
            Doing(json.dumps(good(asked))) if purpose_of(asked) != "check" else writing(asked)
        ),
    ) as server:
        models = ("--model", f"{server.url}#m", "--checked-by", f"{server.url}#other")
        found = answer(*NEW, *models)["questions"]
    assert found["texts"]["fact"]["kept"] == 0 and found["refused"]["another answer"] > 0
    assert all(purpose_of(one) == "check" for one in server.asked if one["model"] == "other")


def test_killed_anywhere_it_goes_on_and_pays_for_nothing_twice(tmp_path: Path) -> None:
    with serving_apart("openai", writing) as server:
        model = ("--model", f"{server.url}#m")
        whole = answer(*NEW, *model)["questions"]
        calls = server.calls
        before = sorted(row["id"] for row in rows())
        for file in tmp_path.iterdir():
            if file.name.startswith("lamp."):
                file.unlink()
        server.asked.clear()
        for count in (2, calls // 3, calls // 2, calls - 3):
            killed(*NEW, *model, folder=tmp_path, server=server, calls=count)
        found = answer(*NEW, *model)["questions"]
        assert found["done"] == whole["places"] and found["texts"] == whole["texts"]
        assert sorted(row["id"] for row in rows()) == before
    most_in_flight = 4 * whole["places"]
    assert server.calls <= calls + most_in_flight
    bodies = [one.body for one in asyncio.run(on_log())]
    digests = [body.digest for body in bodies if isinstance(body, Called) and body.reply]
    assert len(digests) == calls


def test_it_stops_at_its_limit_and_goes_on() -> None:
    with serving_apart("openai", writing) as server:
        model = f"{server.url}#m"
        answer(*NEW)
        table = f'\n[writer]\nmodel = "{model}"\n[limits.run]\ncalls = 12\n'
        text = Path("lamp.toml").read_text("utf-8")
        Path("lamp.toml").write_text(text + table, "utf-8")
        found = answer(*NEW, "--model", model, rc=3)["questions"]
        assert "limit" in found["reason"] and server.calls <= 12
        Path("lamp.toml").write_text(text + table.replace("calls = 12", "calls = 1000"), "utf-8")
        found = answer(*NEW, "--model", model)["questions"]
    assert found["done"] == found["places"]


def test_another_moment_is_written_for_anew() -> None:
    first = answer(*NEW, "--model", "offline:")["questions"]
    text = Path("lamp.toml").read_text("utf-8")
    Path("lamp.toml").write_text(
        text.replace("# [points]", '[points]\n"dawn" = ["end"]', 1), "utf-8"
    )
    again = answer(*NEW, "--model", "offline:")["questions"]
    assert first["calls"] > 0 and again["calls"] > 0


def test_a_struck_one_is_not_asked_and_not_written_again() -> None:
    run(*NEW, "--model", "offline:")
    (row, *_) = answer("exam", "questions", "lamp.toml", "--origin", "model")["rows"]
    run("exam", "questions", "lamp.toml", "--strike", row["id"], "--why", "dull")
    assert answer(*NEW, "--model", "offline:")["questions"]["calls"] == 0
    assert answer("exam", "check", "lamp.toml")["struck"] == 1
    run("exam", "questions", "lamp.toml", "--accept", row["id"])
    assert answer("exam", "check", "lamp.toml")["struck"] == 0


def test_a_look_at_them_shows_what_holds_and_what_is_right() -> None:
    run(*NEW, "--model", "offline:")
    shown = run(
        "exam", "questions", "lamp.toml", "--origin", "model", "--review", given="a\ns\ndull\nq\n"
    ).stdout
    assert "temporal: At this moment" in shown and "1 accepted" in shown and "1 struck" in shown
    found = answer("exam", "questions", "lamp.toml", "--origin", "model", "--limit", "999")
    assert found["standings"]["struck"] == 1 and found["standings"]["accepted"] == 1


def test_what_was_written_is_on_the_log_with_its_writer() -> None:
    run(*NEW, "--model", "offline:")
    written = [one.body for one in asyncio.run(on_log()) if isinstance(one.body, QuestionsWritten)]
    assert written and all(body.hash and not body.character for body in written)


def test_mistakes_in_the_table_are_told() -> None:
    run(*NEW)
    with Path("lamp.toml").open("a") as file:
        file.write('\n[writer]\nmodel = "offlin:"\nkinds = ["facts"]\n')
    why = run("exam", "check", "lamp.toml", rc=1).stderr
    assert "writer.model" in why and "writer.kinds[0]" in why and "fact" in why


@pytest.mark.parametrize(
    "wrong", [("--model", "nosuch:x"), ("--model", "offline:", "--kinds", "a")]
)
def test_a_writer_that_cannot_be_leaves_no_file(wrong: tuple[str, ...], tmp_path: Path) -> None:
    refused(*NEW, *wrong)
    assert not list(tmp_path.glob("lamp.*"))
    assert answer(*NEW, "--model", "offline:", "--kinds", "fact")["questions"]["done"]


def test_moments_in_a_file_are_written_for_anew_when_it_changes() -> None:
    of_novels = (
        "exam",
        "new",
        "timechara",
        "novels.toml",
        "--from",
        str(written(Path("a.json"), scenes=12)),
    )
    answer(*of_novels)
    text = Path("novels.toml").read_text("utf-8")
    more = 'exam = "timechara"\npoints = "moments.json"\n'
    text = text.replace('exam = "timechara"\n', more, 1) + '\n[writer]\nmodel = "offline:"\n'
    Path("novels.toml").write_text(text, "utf-8")
    calls = []
    for chapter in ("1-2", "1-2", "1-4"):
        moments = {SERIES: {"Mara Quill": [{"label": "dawn", "at": chapter}]}}
        Path("moments.json").write_text(json.dumps(moments), "utf-8")
        calls.append(answer(*of_novels, "--model", "offline:")["questions"]["calls"])
    assert calls[0] == calls[2] > 0 == calls[1]
