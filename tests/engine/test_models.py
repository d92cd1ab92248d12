"""Models that others bring: by a scheme of theirs, or in a file beside a plan."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_runner import ended, refused, run
from installed_packages import installed

from whoknew.agents.errors import BadModel
from whoknew.agents.models.limits import Limited
from whoknew.agents.models.prices import price_of
from whoknew.agents.models.retries import Retrying
from whoknew.engine import registry
from whoknew.engine.plan.document import parse_plan
from whoknew.engine.plan.plan import ModelSettings
from whoknew.engine.running.models import model_at, opened
from whoknew.worlds.errors import BadDocument

CODE = '''
import json
from contextlib import nullcontext
from whoknew.agents.models.model import ModelEntry, Reply

class Parrot:
    def __init__(self, name, word):
        self.name, self._word = name, word

    async def complete(self, request):
        said = {"act": "speak", "text": self._word, "answer": self._word}
        return Reply(text=json.dumps(said) if request.answer else self._word)

class ParrotEntry(ModelEntry, frozen=True):
    """a parrot that has learned one word"""

    def open(self, patience):
        return nullcontext(Parrot(self.address, self.rest))
'''
POINTS = {"whoknew.models": {"parrot": "parrots:ParrotEntry"}}
PLAN = """
world = "flatmates"
log = "LOG"
[episodes]
turns = 3
[agents.everyone]
memory = "none"
model = "ADDRESS"
"""


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry.MODELS, "outside", {})


@pytest.fixture
def parrot(tmp_path: Path) -> Iterator[Path]:
    with installed(tmp_path, "parrots", CODE, POINTS) as loaded:
        yield loaded


def plan(folder: Path, address: str, more: str = "") -> Path:
    file = folder / "plan.toml"
    text = PLAN.replace("LOG", str(folder / "l.db")).replace("ADDRESS", address)
    file.write_text(text + more)
    return file


def test_an_installed_scheme_is_an_address_everywhere(parrot: Path, tmp_path: Path) -> None:
    file, log = plan(tmp_path, "parrot:hello"), tmp_path / "l.db"
    run("run", file)
    assert "hello" in run("show", "flatmates", "--log", log).stdout
    assert "same story" in run("rerun", "flatmates", "--log", log).stdout
    asked = run(
        "ask", "flatmates", "Petra", "What?", "--log", log, "--model", "parrot:hi", "--json"
    )
    assert json.loads(asked.stdout)["model"] == "parrot:hi"
    found = {one["what"]: one for one in json.loads(run("doctor", file, "--json").stdout)}
    assert found["parrot:hello"]["state"] == "fine"
    shown = run("parts").stdout
    assert "parrot:NAME  a parrot that has learned one word  (parrots 1.0)" in shown


def test_another_beside_a_plan_is_announced_and_played(tmp_path: Path) -> None:
    (tmp_path / "parrot_beside.py").write_text(CODE)
    file = plan(tmp_path, "parrot_beside:ParrotEntry#hello")
    told = run("run", file)
    assert "loading parrot_beside:ParrotEntry, the model that the plan names" in told.stderr
    assert "hello" in run("show", "flatmates", "--log", tmp_path / "l.db").stdout
    assert "1 done already" in run("run", file).stderr


def test_only_a_plan_on_the_command_line_has_a_model_loaded(tmp_path: Path) -> None:
    """Not a plan that is sent, not a command, and not the log that it was played into."""
    code = f"import pathlib; pathlib.Path({str(tmp_path / 'loaded')!r}).touch()\n{CODE}"
    (tmp_path / "parrot_sent.py").write_text(code)
    address = "parrot_sent:ParrotEntry#hello"
    only = "only a plan file that is given on the command line"
    with pytest.raises(BadDocument, match=only):
        parse_plan(plan(tmp_path, address).read_text(), "the plan", tmp_path)
    run("run", "flatmates", "--log", tmp_path / "l.db")
    words = ("ask", "flatmates", "Petra", "What?", "--log", tmp_path / "l.db", "--model", address)
    assert only in refused(*words)
    assert not (tmp_path / "loaded").exists()


@pytest.mark.parametrize("address", ["os:system#x", "os:system", "http.server:test#x", "os#x"])
def test_what_is_no_model_is_not_even_looked_at(address: str) -> None:
    with pytest.raises(BadModel):
        registry.model(address)


def test_what_is_not_there_is_told_with_what_there_is(parrot: Path) -> None:
    with pytest.raises(BadModel) as caught:
        registry.model("parot:hello")
    said = str(caught.value)
    assert "'parot:hello' is no address of a model; did you mean 'parrot:hello'?" in said
    assert "openai:NAME, gemini:NAME, http://HOST:PORT/v1#NAME" in said and "parrot:NAME" in said
    assert not parrot.exists()
    with pytest.raises(BadModel, match="'parrot:' names no model: give parrot:NAME"):
        registry.model("parrot:")
    with pytest.raises(BadModel, match="the address of m holds a key: set it in the environment"):
        registry.model("parrot://me:secret@localhost#m")


def test_ours_stay_ours(tmp_path: Path) -> None:
    points = {"whoknew.models": {"openai": "thieves:ParrotEntry"}}
    with installed(tmp_path, "thieves", CODE, points) as loaded:
        assert type(registry.model("openai:m")).__name__ == "OpenAIEntry"
        assert not loaded.exists()


def test_nobody_looks_for_what_is_installed_where_ours_are_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(registry.MODELS.__dict__, "installed", None)
    for address in ("offline:", "openai:m", "gemini:m", "http://h/v1#m", "recorded:l.db"):
        assert registry.model(address).address == address


async def test_retries_and_limits_are_put_around_it(parrot: Path) -> None:
    from contextlib import AsyncExitStack

    async with AsyncExitStack() as opening:
        model = await model_at("parrot:hi", ModelSettings(at_once=2), opening)
        assert isinstance(model, Retrying) and isinstance(model._model, Limited)


def test_its_price_is_what_the_plan_says_or_unknown(parrot: Path, tmp_path: Path) -> None:
    assert price_of("parrot:hi") is None
    limit = "[limits.run]\nmoney = 1.0\n"
    code, done = ended("run", plan(tmp_path, "parrot:hi", limit))
    assert code == 1 and "price" in done.stderr
    priced = '[models."parrot:hi"]\nprice_in = 1.0\nprice_out = 1.0\n'
    run("run", plan(tmp_path, "parrot:hi", limit + priced))


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("raise OSError('no licence')", "cannot be loaded: OSError: no licence"),
        ("class ParrotEntry: pass", "should be a subclass of ModelEntry, but is the class Parrot"),
        (
            CODE.replace(
                "        return null", "        raise KeyError('cage')\n        return null"
            ),
            "parrot:hi cannot be opened: parrots, line 19: KeyError: 'cage'",
        ),
        (
            CODE.replace("nullcontext(", "("),
            "parrot:hi cannot be opened: TypeError: 'parrots.Parrot' object does not support",
        ),
    ],
)
def test_one_that_breaks_is_told_with_the_reason(code: str, why: str, tmp_path: Path) -> None:
    with installed(tmp_path, "parrots", code, POINTS):
        status, done = ended("run", plan(tmp_path, "parrot:hi"))
        assert status == 1 and why in done.stderr and "Traceback" not in done.stderr
        registry.model("offline:")
        run("parts")


@pytest.mark.parametrize("reply", ['Reply(text="hi", ended="eos")', "self._word", "Reply(text=3)"])
def test_a_reply_that_is_none_is_told_as_its_fault_and_the_log_stays_readable(
    reply: str, tmp_path: Path
) -> None:
    before, given, after = CODE.partition("return Reply(text=json.dumps(said)")
    code = f"{before}return {reply}\n        {given}{after}"
    with installed(tmp_path, "parrots", code, POINTS):
        status, done = ended("run", plan(tmp_path, "parrot:hi"))
    assert status == 3 and "parrots.Parrot.complete should give Reply" in done.stdout
    shown = run("show", "flatmates", "--json", "--log", tmp_path / "l.db").stdout
    assert "parrots.Parrot.complete should give Reply" in shown


async def test_what_breaks_while_it_is_in_use_is_left_as_it_is(parrot: Path) -> None:
    with pytest.raises(ValueError, match="mine"):
        async with opened("parrot:hi"):
            raise ValueError("mine")
