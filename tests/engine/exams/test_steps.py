"""Where the steps of a derived memory end."""

from __future__ import annotations

from collections.abc import Sequence

from remembered_lives import WORLD, logged
from small_worlds import opened

from whoknew.engine.exams.steps import STRETCH, Steps
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, MarkPlaced, Traced


def wrote(words: int, episode: int = 0) -> Draft:
    body = Acted("word " * words) if episode else Traced("diary", "word " * words)
    return Draft(body, episode=episode, actor="Ann", witnesses=("Ann",))


async def numbers_of(*drafts: Draft) -> list[int]:
    """The stretches of a life that begins with these; in brackets where an event ends one."""
    found, steps = list[int](), Steps()
    async with logged([*opened("Ann"), *drafts]) as log:
        for event in (await (await log.director(WORLD)).events())[2:]:
            number = steps.number(event)
            assert steps.ends_before(number) is ends(found, number)
            steps.take(event, number)
            found.append(number)
    return found


def ends(before: Sequence[int], number: int) -> bool:
    newest = next((one for one in reversed(before) if one), 0)
    return bool(newest and number and number != newest)


async def test_an_episode_is_over_when_the_next_begins() -> None:
    assert await numbers_of(wrote(1, 1), wrote(1, 1), wrote(1, 3), wrote(1, 4)) == [1, 1, 3, 4]


async def test_where_there_are_no_episodes_a_step_is_as_long_as_it_may_be() -> None:
    half = STRETCH // 2  # a word and its space are 5 bytes: a token and a quarter
    assert await numbers_of(*(wrote(half) for _ in range(5))) == [-1, -1, -2, -2, -3]


async def test_what_lies_between_episodes_is_a_stretch_of_its_own() -> None:
    drafts = (wrote(1, 1), wrote(1), wrote(1), wrote(1, 2), wrote(1))
    assert await numbers_of(*drafts) == [1, -1, -1, 2, -2]


async def test_what_tells_of_no_happening_belongs_to_no_stretch() -> None:
    marked = Draft(MarkPlaced("here"))
    assert await numbers_of(marked, wrote(1, 1), marked, wrote(1, 1)) == [0, 1, 0, 1]


async def test_of_what_is_written_the_first_of_an_episode_is_a_turn_of_what_is_said_each() -> None:
    page, word, taken, steps = Traced("diary", "Rain."), Acted("Rain."), list[int](), Steps()
    written = [(1, page), (1, page), (2, page), (2, word), (2, page), (2, word), (3, page)]
    drafts = [
        Draft(body, episode=episode, actor="Ann", witnesses=("Ann",)) for episode, body in written
    ]
    first = Draft(Acted("Rain."), episode=1, actor="Ann", witnesses=("Ann",))
    async with logged([*opened("Ann"), first, *drafts]) as log:
        for place, event in enumerate((await (await log.director(WORLD)).events())[2:]):
            if "Ann" in steps.turns(event):
                taken.append(place)
            steps.take(event, steps.number(event))
    assert taken == [1, 3, 4, 6, 7]
