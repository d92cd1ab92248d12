"""Scripts: what they become, and what is wrong with wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from whoknew.eventlog import ABSENT, open_log
from whoknew.eventlog.kinds import Entered, EpisodeOpened, GoalGiven, Traced
from whoknew.worlds import BadScript, bundled, load, play, play_what_if
from whoknew.worlds.script import read

HEAD = """
world = "w"
title = "W"
begins = 2000-01-01T10:00:00
characters = [{ name = "Ann" }, { name = "Bob" }, { name = "Cy" }]
[[episodes]]
scenario = "A room."
begins = 2000-01-01T10:00:00
cast = ["Ann", "Bob"]
beats = [
"""


def script(*beats: str) -> str:
    return HEAD + "".join(f"    {{ {beat} }},\n" for beat in beats) + "]\n"


def wrong(*beats: str) -> str:
    with pytest.raises(BadScript) as refused:
        play(read(script(*beats), "w.toml"))
    return str(refused.value)


def test_each_beat_is_an_event_with_its_witnesses() -> None:
    played = play(read(script('who = "Ann", says = "Hello."', 'who = "Bob", leaves = true'), "w"))
    said, left = played.drafts[-3:-1]
    assert (said.actor, said.body.words, said.witnesses) == ("Ann", "Hello.", ("Ann", "Bob"))
    assert (left.episode, left.turn) == (1, 2)
    assert played.drafts[-1].witnesses == ("Ann",)


def test_about_names_the_seqs_of_labels() -> None:
    first = 'who = "Ann", says = "Hello.", label = "hello"'
    played = play(read(script(first, 'who = "Bob", says = "She said it.", about = ["hello"]'), "w"))
    assert played.drafts[-2].about == (played.labels["hello"],)
    assert played.drafts[played.labels["hello"] - 1].body.words == "Hello."


def test_a_letter_is_told_by_its_writer_when_it_is_read() -> None:
    played = play(
        read(
            script(
                'who = "Ann", writes = "Come.", to = ["Cy"], label = "letter"',
                'who = "Cy", reads = "letter"',
            ),
            "w",
        )
    )
    written, got = played.drafts[-3:-1]
    assert isinstance(got.body, Traced)
    assert (written.witnesses, got.witnesses) == (("Ann",), ("Cy",))
    assert (got.actor, got.about) == ("Ann", (played.labels["letter"],))


def test_goals_are_their_owners_alone() -> None:
    goals = [
        draft for draft in play(bundled("lantern")).drafts if isinstance(draft.body, GoalGiven)
    ]
    assert [goal.witnesses for goal in goals] == [("Sten",)]


def test_nobody_learns_from_an_opening_who_will_hide_later() -> None:
    drafts = play(bundled("lantern")).drafts
    hidden = next(one for one in drafts if isinstance(one.body, Entered) and one.body.hidden)
    opened = next(one.body for one in drafts if isinstance(one.body, EpisodeOpened))
    assert hidden.actor not in opened.cast
    assert hidden.witnesses == (hidden.actor,)


async def test_the_log_takes_the_bundled_world_and_its_what_if() -> None:
    lantern = bundled("lantern")
    played, instead = play(lantern), play_what_if(lantern)
    async with open_log(":memory:") as log:
        await log.append("lantern", played.drafts, expect=ABSENT)
        await log.fork("lantern", "other", f"#{instead.after}")
        await log.append("other", instead.drafts)
        secret = played.labels["secret"]
        assert (await log.knowledge("lantern")).of(secret, "Ines").answer == "told"
        assert (await log.knowledge("other")).of(secret, "Ines").answer == "absent"


def test_a_script_that_is_no_toml_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "bad.toml"
    file.write_text("world = \ntitle", "utf-8")
    with pytest.raises(BadScript, match=r"bad\.toml is not TOML: .*line 1"):
        load(file)


def test_a_script_that_is_not_there_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(BadScript, match=r"no\.toml cannot be read"):
        load(tmp_path / "no.toml")


def test_an_unknown_key_names_its_file_line_and_place() -> None:
    message = wrong('who = "Ann", says = "a"', 'who = "Ann", sayz = "b"')
    assert message == (
        "w.toml, line 12, at episodes[0].beats[1]: Object contains unknown field `sayz`"
    )


@pytest.mark.parametrize(
    ("beat", "what"),
    [
        ('who = "Ann"', "nothing happens in it"),
        ('who = "Ann", says = "a", does = "b"', "says and does happens in it"),
        ('who = "Dan", says = "a"', "'Dan' is not among the characters (Ann, Bob, Cy)"),
        ('who = "Cy", says = "a"', "Cy is not here (here: Ann, Bob)"),
        ('says = "a"', "who says? Give `who`"),
        ('who = "Ann", whispers = "a"', "to whom? Give `to`"),
        ('who = "Ann", does = "a", to = ["Bob"]', "`to` goes with says, whispers and writes"),
        ('who = "Ann", says = "a", about = ["x"]', "no earlier beat has the label 'x'"),
        ('who = "Ann", reads = "x"', "no earlier beat has the label 'x'"),
        ('at = "9 am", who = "Ann", says = "a"', 'at = "9 am" is no time'),
        ('at = "09:00", who = "Ann", says = "a"', "is before 10:00, the story's time"),
    ],
)
def test_a_beat_that_cannot_be_played_is_named_with_what_is_wrong(beat: str, what: str) -> None:
    message = wrong('narrates = "Rain."', beat)
    assert message.startswith("w.toml, line 12, at episodes[0].beats[1]: ")
    assert what in message


def test_a_what_if_needs_a_beat_to_go_on_from() -> None:
    text = script('who = "Ann", says = "a"') + (
        '[what_if]\nworld = "v"\ninstead_of = "never"\nbeats = []\n'
    )
    with pytest.raises(BadScript, match="no beat has the label 'never'"):
        play_what_if(read(text, "w"))
