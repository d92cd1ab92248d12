"""What two worlds, characters and cursors have apart; and comparisons take as long as a world is long, whatever
its people told each other."""

from __future__ import annotations

from chain_of_tellings import BEGUN, chain_of_tellings, counting

from whoknew.engine.travel.diff import compare
from whoknew.engine.travel.fork import Changes, fork
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import (
    Acted,
    CharacterAdded,
    EpisodeClosed,
    Felt,
    Remembered,
    Reviewed,
)


async def walked(words: int) -> dict[str, int]:
    """How many looks at tellings each comparison takes, in a chain of so many words."""
    found: dict[str, int] = {}
    async with open_log(":memory:") as log:
        await chain_of_tellings(log, "w", words)
        await log.fork("w", "fork", f"#{BEGUN + words // 2}")
        counted = await counting(log, "w")
        for kind, work in (
            ("characters", compare(log, "w", who=("Ann", "Cid"))),
            ("cursors", compare(log, "w", after=f"#{BEGUN}")),
            ("one character", compare(log, "w", after=f"#{BEGUN}", who=("Ann",))),
            ("worlds", compare(log, "w", "fork")),
        ):
            before = counted.asked
            await work
            found[kind] = counted.asked - before
    return found


async def test_twice_as_long_a_chain_of_tellings_takes_twice_the_walking_to_compare() -> None:
    some, twice = await walked(200), await walked(400)
    assert {kind: looks for kind, looks in twice.items() if looks > 2.5 * some[kind]} == {}
    assert all(0 < looks < 10 * 200 for looks in some.values()), some


async def test_who_was_told_of_a_telling_was_told_since_of_what_that_was_about() -> None:
    async with open_log(":memory:") as log:
        await chain_of_tellings(log, "w", 2)
        second = BEGUN + 2
        heard = Draft(Acted("y"), actor="Ann", witnesses=("Ann", "Cid"), about=(second,))
        await log.append("w", [heard])
        found = await compare(log, "w", after=f"#{second}")
        told = [(one.event.seq, one.known.character, one.known.at) for one in found.gains]
        assert told == [(second - 1, "Cid", second + 1), (second, "Cid", second + 1)]


async def test_two_worlds_are_compared_by_what_one_character_perceived_in_each() -> None:
    async with open_log(":memory:") as log:
        await chain_of_tellings(log, "w", 2)
        await log.fork("w", "fork", f"#{BEGUN + 2}")

        def says(text: str, *heard: str) -> Draft:
            return Draft(Acted(text), actor="Ann", witnesses=("Ann", *heard))

        await log.append("w", [says("alike", "Cid"), says("unheard"), says("here", "Cid")])
        await log.append("fork", [says("alike", "Cid", "Bob"), says("there", "Bob")])
        found = await compare(log, "w", "fork", who=("Cid",))
        assert [event.text for event in found.only_left] == ["Ann: here"]
        assert (found.only_right, found.both, found.characters) == ((), 1, ("Cid",))
        everybody = await compare(log, "w", "fork")
        assert everybody.both == 0 and len(everybody.only_right) == 2


async def test_what_is_done_otherwise_in_the_same_words_is_not_the_same() -> None:
    cast = ("Ann", "Bob", "Cid")
    async with open_log(":memory:") as log:
        await chain_of_tellings(log, "w", 2)
        await log.fork("w", "fork", "end")
        for world, books, agrees, energy, reason, score in (
            ("w", 3, True, 0.1, "turns are over", 1.0),
            ("fork", 1, False, 0.9, "all agreed", 9.0),
        ):
            bodies = [
                Acted("I propose this.", offer={"Ann": {"book": books}}),
                Acted("Well.", agrees=agrees),
                Felt(energy=energy, emotion="calm"),
                Remembered("Ann", "summary", "It rains.", (3,)),
                EpisodeClosed(reason),
                Reviewed("seven", {"goal": score}),
            ]
            await log.append(
                world, [Draft(one, episode=1, actor="Ann", witnesses=cast) for one in bodies]
            )
        found = await compare(log, "fork")
        same = [type(one.body) for one in found.only_left]
        assert same == [Acted, Acted, Felt, EpisodeClosed, Reviewed] and found.both == 1
        assert [type(one.body) for one in found.only_right] == same
        felt = await compare(log, "fork", who=("Ann",))
        assert EpisodeClosed not in [type(one.body) for one in felt.only_right]


async def test_a_memory_that_rests_on_the_same_events_is_the_same_whatever_their_seqs() -> None:
    async with open_log(":memory:") as log:
        await chain_of_tellings(log, "w", 2)
        note = Draft(
            Remembered("Ann", "summary", "It rains.", (BEGUN + 2,), BEGUN + 2), witnesses=("Ann",)
        )
        await log.append("w", [note])
        await fork(log, "w", "end", name="fork", changes=Changes(replace=(BEGUN + 1, "Hm.")))
        found = await compare(log, "fork")
        assert (len(found.only_left), len(found.only_right), found.both) == (1, 1, 2)


async def test_who_came_only_in_one_of_two_worlds_is_told_there() -> None:
    async with open_log(":memory:") as log:
        await chain_of_tellings(log, "w", 2)
        await log.fork("w", "fork", "end")
        tells = Acted("It was so.")
        drafts = [
            Draft(CharacterAdded("Dee")),
            Draft(tells, actor="Ann", witnesses=("Ann", "Dee"), about=(BEGUN + 1,)),
        ]
        await log.append("fork", drafts)
        gains = (await compare(log, "fork")).gains
        assert [(one.event.seq, one.known.character) for one in gains] == [(BEGUN + 1, "Dee")]
        losses = (await compare(log, "fork", "w")).losses
        assert [(one.event.seq, one.known.character) for one in losses] == [(BEGUN + 1, "Dee")]
