"""What the memory of examples brings back: scenes like the present, with what was done in them."""

from __future__ import annotations

from planted_lives import WHO, Spoken, idle, lived

from whoknew.agents.memories.examples import DONE, ExamplesEntry

DEBT: list[Spoken] = [
    ("Bram", "Will you lend me money for the ferry again?"),
    ("Kit", "He never pays it back."),
    (WHO, "Not this time."),
    ("Bram", "Then I shall walk."),
]


async def test_the_scene_that_is_most_alike_is_brought_with_what_was_done_in_it() -> None:
    others: list[list[Spoken]] = [[*evening, (WHO, "As you like.")] for evening in idle(12)]
    async with lived(ExamplesEntry(k=1), *others[:6], DEBT, *others[6:]) as life:
        found = await life.recollect("Lend me the money for the ferry, Oda.")
        lines = found.text.splitlines()
        assert [line.endswith(DONE) for line in lines[-3:]] == [False, False, True]
        assert 'Oda says: "Not this time."' in lines[-1] and "lend me money" in lines[-3]
        assert "walk" not in found.text, "what came after it is no part of the scene"


async def test_a_scene_does_not_reach_into_the_episode_before() -> None:
    before: list[Spoken] = [("Kit", "A ferry of long ago.")]
    async with lived(ExamplesEntry(k=1), before, DEBT) as life:
        assert "long ago" not in (await life.recollect("money for the ferry")).text


async def test_so_many_scenes_and_events_come_to_mind_at_most() -> None:
    evenings = [DEBT] * 12
    async with lived(ExamplesEntry(k=8, scene=1), *evenings) as life:
        found = await life.recollect("He never pays for the ferry")
        assert sum(line.endswith(DONE) for line in found.text.splitlines()) == 8
        assert len(found.pieces) == 16


async def test_where_nothing_was_done_there_is_no_example_and_nobody_is_asked() -> None:
    async with lived(ExamplesEntry(), *idle(4)) as life:
        assert (await life.recollect("the bread and the snow")).pieces == ()
        assert life.calls == [] and await life.notes() == []


async def test_of_what_has_no_room_the_least_alike_goes_first_then_what_lies_furthest_back() -> (
    None
):
    other: list[Spoken] = [("Kit", "The ferry is late."), (WHO, "It is always late.")]
    async with lived(ExamplesEntry(), DEBT, other) as life:
        asked = "Will you lend me money again? He never pays back."
        whole = await life.recollect(asked)
        some = await life.recollect(asked, budget=30)
        assert "always late" in whole.text or len(whole.pieces) >= 3
        assert "Not this time" in some.text and "lend me money" not in some.text
        assert some.left_out and set(some.places) < set(whole.places)


async def test_what_one_did_with_another_is_what_one_did() -> None:
    together: list[Spoken] = [*DEBT[:2], (f"Bram and {WHO}", "We shall both walk.")]
    async with lived(ExamplesEntry(k=1), together, *idle(3)) as life:
        lines = (await life.recollect("Lend me the money for the ferry.")).text.splitlines()
        assert lines[-1].endswith(f'Bram and {WHO} say: "We shall both walk." {DONE}')


async def test_of_scenes_that_are_as_like_the_earlier_comes_to_mind() -> None:
    async with lived(ExamplesEntry(k=1), DEBT, DEBT) as life:
        found = await life.recollect("Lend me the money for the ferry.")
        assert found.places and max(found.places) < len(await life.view()) / 2


async def test_what_lies_before_a_scene_does_not_speak_for_it() -> None:
    snow: list[Spoken] = [("Kit", f"So much snow on day {number}.") for number in range(4)]
    evening: list[Spoken] = [*DEBT[:1], *snow, (WHO, "As you like.")]
    asked = "Lend me the money for the ferry."
    async with lived(ExamplesEntry(scene=1), evening) as life:
        assert (await life.recollect(asked)).pieces == ()
    async with lived(ExamplesEntry(scene=5), evening) as life:
        assert len((await life.recollect(asked)).pieces) == 6
