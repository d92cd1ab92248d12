"""`whoknew bundle`: a folder to send, with no more in it than its reader may see."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from command_runner import answer, refused, run
from diner_world import WORLD, nights

from whoknew.engine.server.bundle import BundleOptions
from whoknew.engine.server.bundle import bundle as write
from whoknew.engine.server.bundle_files import read_part
from whoknew.eventlog.errors import BadAddress

DIGEST = re.compile(r"\b[0-9a-f]{64}\b")


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    nights(tmp_path)


def bundle(*options: str) -> tuple[str, ...]:
    return "bundle", WORLD, "sent", "--log", "nights.db", *options


def test_a_world_goes_into_a_new_folder() -> None:
    told = run(*bundle()).stdout
    assert "all of midnight-diner, 579 events" in told and "the prompts of 139 turns" in told
    assert read_part(Path("sent/data/facts.js"))["world"]["title"] == "The Turnaround"
    run("draw", WORLD, "--log", "nights.db")
    assert Path("sent/story.svg").read_text() == Path(f"{WORLD}.svg").read_text()
    assert "exists already" in refused(*bundle())
    assert sorted(one.name for one in Path().glob("sent*")) == ["sent"]


def test_without_prompts_nothing_is_in_it_of_what_models_were_given_or_said() -> None:
    found = answer(*bundle("--without", "prompts"))
    assert (found["turns"], found["left"]) == (0, 0)
    text = "".join(file.read_text() for file in Path("sent/data").iterdir())
    assert "You are Dorte" not in text and '"reply":' not in text and '"prompt":"' not in text


def test_names_are_taken_out_and_the_key_to_them_is_not_sent() -> None:
    assert "keep the key elsewhere" in refused(*bundle("--nameless", "sent/key.json"))
    found = answer(*bundle("--nameless", "key.json"))
    people = read_part(Path("sent/data/facts.js"))["world"]
    assert found["people"] == len(people["characters"]) == 9
    text = "".join(file.read_text() for file in Path("sent/data").iterdir())
    text += Path("sent/story.svg").read_text()
    for name in ("Vera", "Dorte", "Yusuf"):
        assert name not in text and name in Path("key.json").read_text()
    assert not list(Path("sent").rglob("key*"))


def test_no_digest_is_left_by_which_a_guess_at_a_name_could_be_checked() -> None:
    """A prompt with the right names put back would have the digest of what the model was given."""
    with closing(sqlite3.connect("nights.db")) as file:
        true = {
            digest
            for (body,) in file.execute("SELECT body FROM readable")
            for digest in DIGEST.findall(body)
        }
    assert len(true) > 100
    answer(*bundle("--nameless", "key.json"))
    text = "".join(file.read_text() for file in Path("sent/data").iterdir())
    assert not [digest for digest in true if digest in text]
    (call,) = read_part(Path("sent/data/prompts-E1-T2.js"))[0]["calls"]
    assert call["digest"] == call["called"]["digest"], "which are still seen to agree"


def test_a_folder_of_somebody_elses_is_left_alone() -> None:
    """Not even where it is called as if it were half a bundle."""
    mine = Path("sent.partial")
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work")
    run(*bundle())
    assert (mine / "thesis.txt").read_text() == "years of work"
    assert sorted(one.name for one in Path().glob("sent*")) == ["sent", "sent.partial"]


async def test_two_at_once_do_not_mix(tmp_path: Path) -> None:
    log = str(tmp_path / "nights.db")
    works = [write(log, WORLD, Path("sent"), BundleOptions(who=who)) for who in ("Vera", "Rufus")]
    came = await asyncio.gather(*works, return_exceptions=True)
    assert sorted(isinstance(one, BadAddress) for one in came) == [False, True], came
    (made,) = [one for one in came if not isinstance(one, BaseException)]
    assert read_part(Path("sent/data/facts.js"))["character"] == made.character
    assert [one.name for one in Path().glob("sent*")] == ["sent"]


def test_a_character_has_to_be_there() -> None:
    assert "Nobody" in refused(*bundle("--as", "Nobody"))
    assert not Path("sent").exists() and not list(Path().glob("*.partial"))
