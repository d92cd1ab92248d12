"""More scenarios for a bank, by a model over real HTTP: checked, and kept with where they come from."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from model_servers import Doing, serving

from whoknew.engine.errors import CannotGrow
from whoknew.engine.exams.bank.grow import grow
from whoknew.worlds import shelf

WORDS = [
    "amber",
    "birch",
    "cedar",
    "dahlia",
    "ember",
    "fiddle",
    "garnet",
    "hazel",
    "indigo",
    "juniper",
    "kestrel",
    "laurel",
]


def sketch(number: int, **otherwise: Any) -> dict[str, Any]:
    """A scenario that is like no other: every number has words of its own."""
    mine = [f"{word}{number}" for word in WORDS]
    return {
        "name": f"{mine[0]}-{mine[1]}",
        "text": f"In the {mine[2]} by the {mine[3]} {{first}} and {{second}} find a {mine[4]}.",
        "over": f"who keeps the {mine[4]}",
        "goals": [f"Have the {mine[5]} {mine[6]} {mine[7]}.", f"Keep a {mine[8]} {mine[9]}."],
        "lines": [[f"The {mine[10]}."], [f"A {mine[11]}."]],
        **otherwise,
    }


def answers(*sketches: dict[str, Any]) -> list[Doing]:
    return [Doing(msgspec.json.encode(one).decode()) for one in sketches]


async def test_what_is_grown_is_a_bank_and_says_where_it_comes_from(tmp_path: Path) -> None:
    out, number = tmp_path / "more.toml", count()
    (mine := tmp_path / "more.new").write_text("mine")
    async with serving("openai", after=lambda _: answers(sketch(next(number)))[0]) as server:
        model = f"{server.url}#writer"
        found = await grow("friend", out, model, 3)
        assert mine.read_text() == "mine"
        assert found.refused == () and found.calls == 3
        again = await grow("friend", out, model, 2, "A goat in the hall.")
        shown = server.asked[-1]["messages"][1]["content"]
    bank = shelf.find_bank(str(out))
    assert bank.relationship == "friend"
    assert bank.sketches == (*found.sketches, *again.sketches)
    last = bank.sketches[-1].origin
    assert last is not None and last.model == model and last.inspiration == "A goat in the hall."
    assert len(last.shown) == 5 and len(last.digest) == 64
    known = {one.name: one for one in shelf.find_bank("friend").sketches}
    for name in last.shown:
        assert known[name].over in shown
    assert '"A goat in the hall."' in shown


async def test_what_is_unsound_or_a_copy_is_asked_again_and_never_kept(tmp_path: Path) -> None:
    theirs = msgspec.to_builtins(shelf.find_bank("friend").sketches[0])
    fields = ("name", "text", "over", "goals", "lines")
    copied = {field: theirs[field] for field in fields}
    wrong = [
        {**copied, "name": "another-name"},
        sketch(1, over=" "),
        sketch(2, goals=["The same.", "The same."]),
        sketch(3, name=theirs["name"]),
        sketch(4, goals=["Only one."]),
    ]
    out = tmp_path / "more.toml"
    async with serving("openai", answers(*wrong), after=answers(sketch(9))[0]) as server:
        found = await grow("friend", out, f"{server.url}#writer", 1, reasks=5)
        said = [asked["messages"][-1]["content"] for asked in server.asked]
    assert [one.name for one in found.sketches] == [sketch(9)["name"]]
    for place, what in enumerate(
        ("nearly a copy of", "over: is empty", "want the same", "as another one is", "has 1 goals"),
        1,
    ):
        assert what in said[place]


async def test_what_was_written_is_kept_when_the_model_goes_away(tmp_path: Path) -> None:
    out = tmp_path / "more.toml"
    gone = Doing("no such key", status=401)
    async with serving("openai", answers(sketch(1), sketch(2)), after=gone) as server:
        found = await grow("friend", out, f"{server.url}#writer", 5)
        assert len(found.sketches) == 2 and found.error and "401" in found.error
        assert shelf.find_bank(str(out)).sketches == found.sketches
        with pytest.raises(CannotGrow, match="holds scenarios for 'friend'"):
            await grow("family", out, f"{server.url}#writer", 1)
        calls = server.calls
        with pytest.raises(CannotGrow, match="there is no folder"):
            await grow("friend", tmp_path / "no" / "x.toml", f"{server.url}#writer", 1)
        assert server.calls == calls, "nothing was asked in vain"


async def test_a_model_that_cannot_write_leaves_nothing_behind(tmp_path: Path) -> None:
    out = tmp_path / "more.toml"
    async with serving("openai", after=Doing("Once upon a time.")) as server:
        found = await grow("friend", out, f"{server.url}#writer", 2, reasks=0)
    assert found.sketches == () and len(found.refused) == 6 and not out.exists()
    assert "no JSON object" in found.refused[0]
    with pytest.raises(CannotGrow, match="name a model that can write"):
        await grow("friend", out, "offline:", 1)
