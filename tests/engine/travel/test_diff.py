"""Comparisons take as long as a world is long, whatever its people told each other."""

from __future__ import annotations

from chain_of_tellings import BEGUN, chain_of_tellings, counting

from whoknew.engine.travel.diff import compare
from whoknew.eventlog import Draft, open_log
from whoknew.eventlog.kinds import Acted


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
