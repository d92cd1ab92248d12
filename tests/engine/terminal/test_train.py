"""`whoknew train`: the steps of an exam's memories in weights, made ahead of its questions."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from announced_runs import announced_elsewhere
from command_runner import refused, run
from store_places import PostgresPlace
from weight_exams import exam_in

from whoknew.agents.weights.artefacts import Artefacts
from whoknew.engine.exams.train_forecast import MemoryForecast, TrainForecast
from whoknew.eventlog import Event, open_log
from whoknew.eventlog.kinds import Called, MemoryDerived


def test_what_is_trained_ahead_is_what_an_exam_trains_and_finds(
    untrained: Path, tmp_path: Path
) -> None:
    ahead, alone = (exam_in(tmp_path / name, untrained, 3) for name in ("ahead", "alone"))
    foreseen = json.loads(said("train", ahead, "--dry-run", "--json"))
    assert not (ahead.parent / "exam.db").exists()
    counted = {one["memory"]: one for one in foreseen["memories"]}
    assert [(one["lives"], one["steps"], one["rows"]) for one in counted.values()] == [
        (1, 2, 6)
    ] * 2
    assert counted["lora"]["rounds"] == 2 * 3
    assert all(one["seconds"] > 0 for one in counted.values())

    anew = ahead.with_name("anew.toml")
    anew.write_text(
        ahead.read_text("utf-8").replace("{ epochs = 3,", '{ mode = "scratch",'), "utf-8"
    )
    (again,) = json.loads(said("train", anew, "--only", "lora", "--dry-run", "--json"))["memories"]
    assert (again["steps"], again["rows"]) == (2, 3 + 6), "each is trained on all up to there"

    assert "Then: whoknew exam run" in said("train", ahead)
    done = artefacts(ahead)
    promised = sum(one["bytes"] for one in counted.values())
    assert 0.5 < promised / sum(map(done.size, done.digests())) < 2
    trained = steps(ahead)
    assert len(trained) == 4
    assert "0 steps trained" in said("train", ahead)
    for plan in (ahead, alone):
        said("exam", "run", plan)
    assert [one.body for one in steps(ahead)] == [one.body for one in trained]
    assert kept(ahead) == kept(alone)
    purposes = [e.body.purpose for e in events(ahead) if isinstance(e.body, Called)]
    assert purposes.count("train") == 4

    other = done.keep({"weights": b"1234"})
    (done.folder / "partial-x").mkdir()
    assert f"{other}\nNamed by no event: 1 artefact, 1 unfinished, 4 B" in said(
        "train", ahead, "--prune"
    )
    assert other in done.digests()
    said("train", ahead, "--prune", "--yes")
    assert "There is nothing else in it." in said("train", ahead, "--prune")
    assert len(done.digests()) == 4


def test_nothing_is_removed_while_another_exam_of_the_same_log_is_at_work(
    untrained: Path, tmp_path: Path
) -> None:
    """What it has just trained may not be named yet."""
    plan = exam_in(tmp_path / "exam", untrained, 3)
    said("train", plan, "--only", "lora")
    other = plan.with_name("other.toml")
    other.write_text(plan.read_text("utf-8").replace('"weights"', '"other"'), "utf-8")
    with announced_elsewhere(str(plan.parent / "exam.db"), "weights"):
        told = refused("train", other, "--prune", "--yes", *log_of(other))
    assert "'weights' is being played already" in told
    assert "There is nothing else in it." in said("train", other, "--prune")


def test_nothing_is_removed_while_anybody_is_at_work_on_the_database(
    untrained: Path, tmp_path: Path, database: str, postgres: object
) -> None:
    plan = exam_in(tmp_path / "exam", untrained, 3)
    run("doctor", "--cluster", "--log", database)  # its tables are there now
    place = PostgresPlace(postgres, database)  # type: ignore[arg-type]
    place.execute(
        "INSERT INTO whoknew.workers VALUES ('x', 'process 7 on far', '0.1.0', 'weights', "
        "ARRAY['weights'], now(), now(), 0, array_fill(0::float8, ARRAY[8]), NULL)"
    )
    told = refused("train", plan, "--prune", "--yes", "--log", database)
    assert "process 7 on far at work" in told
    place.execute("DELETE FROM whoknew.workers")
    run("train", plan, "--prune", "--yes", "--log", database)


def test_what_is_left_is_as_was_foreseen_and_then_by_the_steps_that_were_done() -> None:
    memories = [
        MemoryForecast(
            memory=name,
            model="",
            arms=(),
            lives=1,
            done=0,
            steps=5,
            rows=5,
            rounds=5,
            seconds=seconds,
        )
        for name, seconds in (("lora", 10.0), ("grace", 90.0))
    ]
    ahead = TrainForecast(name="", log="", folder="", memories=tuple(memories))
    assert ahead.left(5, 10) == 90
    assert ahead.left(0, 100) == 0, "not known"
    assert ahead.left(8, 120) == 30


def test_where_training_fails_it_is_said_why(untrained: Path, tmp_path: Path) -> None:
    plan = exam_in(tmp_path / "exam", untrained, 3)
    text = plan.read_text("utf-8").replace("may_fail = 1.0", "").replace("epochs = 3", "rank = 65")
    plan.write_text(text, "utf-8")
    done = run("train", plan, "--only", "lora", *log_of(plan), rc=1)
    why = "a rank of 65 is more than the layers are wide: 64 at most"
    assert f"How long it takes is not known: {why}" in done.stderr
    assert (
        f"0 steps trained, 1 failed. 0 artefacts in {tmp_path / 'exam' / 'exam.weights'}"
        in done.stdout
    )
    assert f"Why the last one failed: {why}" in done.stdout


def test_an_exam_that_trains_nothing_is_refused(tmp_path: Path) -> None:
    plan = exam_in(tmp_path / "exam", tmp_path, 2)
    for options in ((), ("--dry-run",)):
        told = refused("train", plan, "--only", "nothing", *options, *log_of(plan))
        assert "there is nothing to train" in told


def test_a_model_that_cannot_be_trained_refuses_it_by_its_name(tmp_path: Path) -> None:
    """As where all is asked of the offline model: the exam goes on with what needs no weights."""
    plan = exam_in(tmp_path / "exam", tmp_path, 3)
    told = said("exam", "run", plan, "--offline")
    assert "offline: cannot be trained: give a model in this process" in told.replace("\n", " ")


def said(*words: str | Path) -> str:
    plan = next(word for word in words if isinstance(word, Path))
    return run(*words, *log_of(plan)).stdout


def log_of(plan: Path) -> tuple[str, Path]:
    return "--log", plan.parent / "exam.db"


def artefacts(plan: Path) -> Artefacts:
    return Artefacts(plan.parent / "exam.weights")


def events(plan: Path) -> list[Event]:
    async def read() -> list[Event]:
        async with open_log(plan.parent / "exam.db", read_only=True) as log:
            return [event async for event in log.read("weights")]

    return asyncio.run(read())


def steps(plan: Path) -> list[Event]:
    return [event for event in events(plan) if isinstance(event.body, MemoryDerived)]


def kept(plan: Path) -> dict[str, list[str]]:
    """What was trained, by memory: the digests of it, in their order."""
    found: dict[str, list[str]] = {}
    for event in steps(plan):
        assert isinstance(event.body, MemoryDerived)
        note = json.loads(event.body.text)
        found.setdefault(event.body.strategy, []).append(note["trained"]["digest"])
    return found
