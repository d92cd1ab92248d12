"""Who is together with whom, as a story goes on."""

from __future__ import annotations

from small_worlds import elsinore, opened, said

from whoknew.engine.travel.gatherings import Gathering, Gatherings
from whoknew.eventlog import Draft, Log
from whoknew.eventlog.kinds import Acted, Entered, EpisodeClosed, EpisodeOpened, Left, Narrated


async def folded(log: Log, world: str = "w") -> Gatherings:
    story = Gatherings()
    async for event in log.read(world):
        story.take(event)
    return story


def told(story: Gatherings, after: int = 0, upto: int = 10**6) -> list[tuple[int, int, int, str]]:
    """Each stretch: its ends, its episode, and who was where."""
    return [
        (one.first, one.last, one.episode, "; ".join(map(words, one.together)))
        for one in story.stretches(after, upto)
    ]


def words(one: Gathering) -> str:
    hidden = [f"{name} hidden" for name in one.hidden]
    return f"{one.place or 'there'}: {', '.join([*one.people, *hidden])}"


async def test_people_are_together_from_one_coming_or_going_to_the_next(log: Log) -> None:
    """1 opened, 2-5 the cast; 6 opened, 7 Cy hides, 8 Ana speaks, 9 Bo goes, 10 and comes to the
    yard, 11 a clock strikes, 12 closed; 13 a letter, 14 nothing."""
    cast = ("Ana", "Bo", "Cy", "Di")
    await log.append(
        "w",
        [
            *opened(*cast),
            Draft(EpisodeOpened("The hall", ("Ana", "Bo")), episode=1, place="hall"),
            Draft(Entered(hidden=True), episode=1, place="hall", actor="Cy", witnesses=("Cy",)),
            Draft(Acted("Alone?"), episode=1, place="hall", actor="Ana", witnesses=cast[:3]),
            Draft(Left(), episode=1, place="hall", actor="Bo", witnesses=cast[:3]),
            Draft(Entered(), episode=1, place="yard", actor="Bo", witnesses=("Bo",)),
            Draft(Narrated("A clock strikes."), episode=1, witnesses=cast[:3]),
            Draft(EpisodeClosed("over"), episode=1, witnesses=cast[:3]),
            said("Di", "Dear Bo", "Bo"),
            Draft(Narrated("Night.")),
        ],
    )
    story = await folded(log)
    assert told(story) == [
        (6, 6, 1, "hall: Ana, Bo"),
        (7, 9, 1, "hall: Ana, Bo, Cy, Cy hidden"),
        (10, 12, 1, "hall: Ana, Cy, Cy hidden; yard: Bo"),
        (13, 13, 0, "there: Di, Bo"),
        (14, 14, 0, ""),
    ]
    assert told(story, 7, 10) == [
        (8, 9, 1, "hall: Ana, Bo, Cy, Cy hidden"),
        (10, 10, 1, "hall: Ana, Cy, Cy hidden; yard: Bo"),
    ]
    assert story.begins == 5
    [episode] = story.episodes
    assert (episode.number, episode.first, episode.last, episode.place) == (1, 6, 12, "hall")


async def test_as_it_stood_at_an_event_it_is_what_a_shorter_log_makes_of_it(log: Log) -> None:
    await elsinore(log, "w")
    whole = await folded(log)
    for upto in range(whole.upto + 1):
        short = Gatherings()
        async for event in log.read("w", "#0", f"#{upto}"):
            short.take(event)
        cut = whole.upto_seq(upto)
        assert told(cut) == told(short)
        assert cut.episodes == short.episodes
        assert cut.begins == short.begins
