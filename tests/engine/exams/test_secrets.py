"""When a private fact gets out, and to whom: from the log alone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import datetime

from msgspec.structs import replace
from store_places import VolatilePlace, log_at

from whoknew.engine.exams.lifelong.secrets import SecretTold, kept, secrets
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    EpisodeOpened,
    GoalGiven,
    MarkPlaced,
    WorldOpened,
)

BEGINS = datetime(2000, 1, 1)
SECRET = "I have buried the silver under the third pear tree."
ALL = ("Ada", "Ben", "Cid")


def says(who: str, text: str, witnesses: tuple[str, ...], about: tuple[int, ...] = ()) -> Draft:
    return Draft(
        Acted(text),
        at=None,
        episode=1,
        turn=1,
        actor=who,
        place=None,
        witnesses=witnesses,
        about=about,
    )


async def begun(log: Log) -> None:
    await log.append(
        "w",
        [
            Draft(WorldOpened("W"), BEGINS),
            Draft(CharacterAdded("Ada", f"Ada. Tall. Secret: {SECRET}"), witnesses=("Ada",)),
            Draft(CharacterAdded("Ben", "Ben."), witnesses=("Ben",)),
            Draft(CharacterAdded("Cid", "Cid."), witnesses=("Cid",)),
            Draft(EpisodeOpened("A garden.", ALL), at=None, episode=1, turn=0, witnesses=ALL),
            Draft(
                GoalGiven(
                    "Ben",
                    'Get Ada to lend the long spade until Whitsun.\nSay: "Give me the spade, Ada."',
                ),
                at=None,
                episode=1,
                turn=0,
                actor=None,
                place=None,
                witnesses=("Ben",),
            ),
        ],
    )


async def told(log: Log) -> list[tuple[str, str, str, int, str]]:
    found = secrets(await (await log.director("w")).events(), await log.knowledge("w"))
    return [(one.what, one.owner, one.to, one.seq, one.by) for one in found]


async def test_a_secret_is_out_to_those_who_hear_its_words_once_each() -> None:
    async with log_at(VolatilePlace()) as log:
        await begun(log)
        await log.append("w", [says("Ada", "The pear tree is in bloom.", ALL)])
        assert await told(log) == []
        whisper = says(
            "Ada", "Listen: I buried the silver under that third pear tree.", ("Ada", "Ben")
        )
        await log.append(
            "w", [whisper, whisper, says("Ben", "Ada buried silver, third pear tree!", ALL)]
        )
        assert await told(log) == [
            ("secret", "Ada", "Ben", 8, "words"),
            ("secret", "Ada", "Cid", 10, "words"),
        ]


async def test_who_happens_to_say_its_words_without_knowing_gives_nothing_away() -> None:
    async with log_at(VolatilePlace()) as log:
        await begun(log)
        await log.append("w", [says("Cid", "Silver buried under the third pear tree? No!", ALL)])
        assert await told(log) == []


async def test_it_is_out_in_any_words_where_the_event_reveals_it() -> None:
    async with log_at(VolatilePlace()) as log:
        await begun(log)
        await log.append("w", [says("Ada", "You will find it where we sat.", ALL, about=(2,))])
        assert await told(log) == [
            ("secret", "Ada", "Ben", 7, "reveals"),
            ("secret", "Ada", "Cid", 7, "reveals"),
        ]


async def test_hearsay_carries_it_on() -> None:
    async with log_at(VolatilePlace()) as log:
        await begun(log)
        await log.append("w", [says("Ada", "Where we sat.", ("Ada", "Ben"), about=(2,))])
        await log.append("w", [says("Ben", "She told me something.", ALL, about=(7,))])
        assert await told(log) == [
            ("secret", "Ada", "Ben", 7, "reveals"),
            ("secret", "Ada", "Cid", 8, "reveals"),
        ]


async def test_a_goal_is_a_secret_of_its_episode_and_its_lines_are_not() -> None:
    async with log_at(VolatilePlace()) as log:
        await begun(log)
        await log.append("w", [says("Ben", "Give me the spade, Ada.", ALL)])
        assert [one[:2] for one in await told(log)] == []
        await log.append(
            "w", [says("Ben", "I am to get Ada to lend me the long spade until Whitsun.", ALL)]
        )
        assert {one[:3] for one in await told(log)} == {
            ("goal", "Ben", "Ada"),
            ("goal", "Ben", "Cid"),
        }


async def test_what_is_marked_as_secret_counts_too() -> None:
    async with log_at(VolatilePlace()) as log:
        await begun(log)
        await log.append(
            "w", [says("Ben", "The key hangs behind the clock upstairs.", ("Ben", "Cid"))]
        )
        await log.append("w", [Draft(MarkPlaced("the key", 7, secret=True))])
        await log.append("w", [says("Cid", "Behind the clock upstairs hangs a key.", ALL)])
        assert await told(log) == [("marked", "Ben", "Ada", 9, "words")]


async def test_three_of_five_words_are_enough_and_two_are_not() -> None:
    async with log_at(VolatilePlace()) as log:
        await begun(log)
        await log.append("w", [says("Ada", "A silver tree!", ALL)])
        assert await told(log) == []
        await log.append("w", [says("Ada", "A silver pear tree!", ALL)])
        assert {(what, to) for what, _, to, _, _ in await told(log)} == {
            ("secret", "Ben"),
            ("secret", "Cid"),
        }


async def test_whom_a_secret_names_is_no_part_of_it_and_three_words_make_one() -> None:
    async with log_at(VolatilePlace()) as log:
        of_ben = Draft(CharacterAdded("Ada", "Secret: Ben stole the golden ring."))
        others = [Draft(CharacterAdded(name)) for name in ("Ben", "Cid")]
        await log.append("w", [Draft(WorldOpened("W"), BEGINS), of_ben, *others])
        await log.append("w", [says("Ada", "He stole something golden.", ALL)])
        assert [(what, to) for what, _, to, _, _ in await told(log)] == [
            ("secret", "Ben"),
            ("secret", "Cid"),
        ]


async def test_another_mark_is_no_secret_and_a_goal_is_none_between_episodes() -> None:
    async with log_at(VolatilePlace()) as log:
        await begun(log)
        hidden = says("Ben", "The key hangs behind the clock upstairs.", ("Ben", "Cid"))
        await log.append("w", [hidden, Draft(MarkPlaced("the key", 7))])
        await log.append("w", [says("Cid", "Behind the clock upstairs hangs a key.", ALL)])
        later = says("Ben", "Lend me the long spade until Whitsun, Ada.", ALL)
        await log.append("w", [replace(later, episode=0, turn=0)])
        assert await told(log) == []


def test_what_is_kept_falls_with_each_secret_that_gets_out() -> None:
    holders = {(world, who) for world in ("v", "w") for who in ("Ada", "Ben")}
    out = SecretTold(
        arm="a",
        world="w",
        what="secret",
        owner="Ada",
        fact=SECRET,
        to="Ben",
        episode=2,
        seq=9,
        by="words",
    )
    again = replace(out, to="Cid", episode=3, seq=11)
    goal = replace(out, what="goal", owner="Ben", fact="x", to="Ada", episode=1, seq=5)
    assert kept(3, [out, again, goal], holders) == (1.0, 0.75, 0.75)
    assert kept(3, [out], set()) == (), "nobody has anything to keep"


def calls(work: Callable[[], object]) -> int:
    """How many functions of Python are called to do it."""
    count = 0

    def called(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(called)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


async def test_a_life_is_looked_through_in_time_that_grows_with_its_length() -> None:
    counted = []
    for episodes in (20, 40, 80):
        async with log_at(VolatilePlace()) as log:
            await begun(log)
            for number in range(2, episodes + 2):
                opened = Draft(
                    EpisodeOpened("A garden.", ALL), at=None, episode=number, turn=0, witnesses=ALL
                )
                goals = [
                    Draft(
                        GoalGiven(who, f"Win {number} pears of theirs."),
                        at=None,
                        episode=number,
                        turn=0,
                        actor=None,
                        place=None,
                        witnesses=(who,),
                    )
                    for who in ALL
                ]
                said = [says(who, f"Pear, plum, {number}.", ALL) for who in ALL * 3]
                await log.append(
                    "w", [opened, *goals, *(replace(one, episode=number) for one in said)]
                )
            events, knowledge = await (await log.director("w")).events(), await log.knowledge("w")
        secrets(events, knowledge)  # so that all words are stemmed
        counted.append(calls(lambda: secrets(events, knowledge)))  # noqa: B023
    assert counted[2] - counted[1] < 2.1 * (counted[1] - counted[0])
