"""Every form of "when", and the place in a world's log that it comes to."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_worlds import NIGHT, elsinore, opened, said, ticking
from store_places import Place, log_at

from whoknew.eventlog import Cursor, Draft, Log, parse
from whoknew.eventlog.cursor import AtEnd, AtEpisode, AtMark, AtRecorded, AtSeq, AtStoryTime
from whoknew.eventlog.errors import BadCursor, NoSuchMoment, NoSuchWorld
from whoknew.eventlog.kinds import EpisodeClosed, EpisodeOpened, MarkPlaced, Narrated
from whoknew.eventlog.stores.volatile import VolatileStore

FORMS = '#1200, E3, E3.T5, @1599-06-01T21:00, recorded:2026-11-20T20:00, "a mark", end'

OTHERS = f"other forms of a cursor are {FORMS}"

# the parser


@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("#1200", AtSeq(1200)),
        ("1200", AtSeq(1200)),
        ("#0", AtSeq(0)),
        ("  #7\n", AtSeq(7)),
        ("E3", AtEpisode(3)),
        ("e3", AtEpisode(3)),
        ("E3.T5", AtEpisode(3, 5)),
        ("e3.t0", AtEpisode(3, 0)),
        ("@1599-06-01T21:00", AtStoryTime(NIGHT)),
        ("@1599-06-01", AtStoryTime(datetime(1599, 6, 1))),
        ("@1599-06-01 21:00:00.5", AtStoryTime(NIGHT.replace(microsecond=500_000))),
        ("recorded:2026-11-20T20:00", AtRecorded(datetime(2026, 11, 20, 20, tzinfo=UTC))),
        ("Recorded:2026-11-20T22:00+02:00", AtRecorded(datetime(2026, 11, 20, 20, tzinfo=UTC))),
        ('"Christmas, year 1"', AtMark("Christmas, year 1")),
        ("Christmas, year 1", AtMark("Christmas, year 1")),
        ('"end"', AtMark("end")),
        ('"#12"', AtMark("#12")),
        ('"E3"', AtMark("E3")),
        ('" padded "', AtMark(" padded ")),
        ("夜明け", AtMark("夜明け")),
        ("E3.T", AtMark("E3.T")),
        ("-5", AtMark("-5")),
        ("end", AtEnd()),
        ("END", AtEnd()),
    ],
)
def test_each_form_is_read(text: str, when: object) -> None:
    assert parse(text) == when


@pytest.mark.parametrize("text", ["", "   ", '""', "#", "#-1", "#12x", "#1.5", "#" + "9" * 19])
def test_what_is_no_cursor_is_told_the_forms(text: str) -> None:
    with pytest.raises(BadCursor) as caught:
        parse(text)
    assert str(caught.value) == f"{text.strip()!r} is no cursor: use one of {FORMS}"


@pytest.mark.parametrize("text", ["@", "@noon", "@1599-13-01", "@21:00"])
def test_a_bad_story_time_is_shown_a_good_one(text: str) -> None:
    with pytest.raises(BadCursor) as caught:
        parse(text)
    assert str(caught.value) == f"{text!r}: a story time is written like @1599-06-01T21:00"


def test_a_story_time_with_a_zone_is_told_to_leave_it_out() -> None:
    with pytest.raises(BadCursor) as caught:
        parse("@1599-06-01T21:00Z")
    wanted = "'@1599-06-01T21:00Z': story time has no time zone; leave it out"
    assert str(caught.value) == wanted


@pytest.mark.parametrize("text", ["recorded:", "recorded:yesterday", "RECORDED:2026-02-30"])
def test_a_bad_wall_clock_is_shown_a_good_one(text: str) -> None:
    with pytest.raises(BadCursor) as caught:
        parse(text)
    assert str(caught.value) == f"{text!r}: write it like recorded:2026-11-20T20:00"


@given(
    st.text(max_size=30)
    | st.from_regex(r"\A[#E@\"]?[0-9.T:+\-eZ\"]{0,30}\Z")
    | st.text(max_size=20).map("recorded:".__add__)
    | st.text(max_size=20).map("@".__add__)
)
@example("\ud800")
@example("@\ud800")
@example("@1599-06-01T21:00\0")
@example("recorded:0001-01-01T00:00+23:59")
@example("#٣")
@example("E²")
def test_any_text_is_a_cursor_or_a_bad_one(text: str) -> None:
    try:
        parse(text)
    except BadCursor as error:
        assert str(error)


@given(st.text(min_size=1))
def test_every_quoted_text_is_a_mark(name: str) -> None:
    assert parse(f'"{name}"') == AtMark(name)


@given(st.integers(0, 10**18 - 1))
def test_every_seq_is_read_with_and_without_its_sign(seq: int) -> None:
    assert parse(f"#{seq}") == parse(f"{seq}") == AtSeq(seq)


@given(st.datetimes())
def test_every_story_time_is_read_as_it_is_written(at: datetime) -> None:
    assert parse(f"@{at.isoformat()}") == AtStoryTime(at)


# what it comes to


PLACES = [
    ("end", 14),
    ("#0", 0),
    ("#9", 9),
    ("14", 14),
    ("E1", 9),
    ("E2", 14),
    ("E1.T1", 6),
    ("E1.T3", 8),
    ("E2.T1", 12),
    ("E2.T2", 12),
    ("E2.T3", 13),
    ('"cockcrow"', 10),
    ("cockcrow", 10),
    ("@1599-06-01T20:59", 0),
    ("@1599-06-01T21:00", 9),
    ("@1599-06-01T21:59", 9),
    ("@1599-06-01T22:00", 14),
    ("@9999-01-01", 14),
]


async def test_each_form_comes_to_its_place(log: Log) -> None:
    await elsinore(log)
    for one in (log, Log(log.store)):
        for at, seq in PLACES:
            assert await one.cursor("elsinore", at) == Cursor("elsinore", seq), at
            assert await one.cursor("elsinore", parse(at)) == Cursor("elsinore", seq), at


async def test_turn_0_is_where_the_episode_opens(log: Log) -> None:
    await elsinore(log)
    assert (await log.cursor("elsinore", "E1.T0")).seq == 5
    assert (await log.cursor("elsinore", "E2.T0")).seq == 11


async def test_a_turn_before_any_event_of_its_own_ends_at_the_opening(log: Log) -> None:
    await log.append("w", [*opened("A"), Draft(EpisodeOpened("x"), episode=1)])
    closed = Draft(EpisodeClosed("x"), episode=1)
    await log.append("w", [said("A", "hm", episode=1, turn=3), closed])
    assert (await log.cursor("w", "E1.T2")).seq == 3
    assert (await log.cursor("w", "E1.T3")).seq == 4


async def test_a_cursor_is_its_own_place(log: Log) -> None:
    await elsinore(log)
    cursor = await log.cursor("elsinore", "E1")
    assert await log.cursor("elsinore", cursor) == cursor


async def test_a_wall_clock_counts_an_equal_point_as_past(place: Place) -> None:
    async with log_at(place, clock=ticking()) as log:
        await elsinore(log)  # in three batches, a minute apart
        for at, seq in [("19:59:59", 0), ("20:00", 4), ("20:00:59", 4), ("20:01", 10), ("23", 14)]:
            assert (await log.cursor("elsinore", f"recorded:2026-11-20T{at}")).seq == seq
        elsewhere = await log.cursor("elsinore", "recorded:2026-11-20T22:01+02:00")
        assert elsewhere.seq == 10


async def test_an_episode_still_open_ends_at_the_newest_event(log: Log) -> None:
    await log.append("w", [*opened("A"), Draft(EpisodeOpened("x"), episode=1)])
    assert (await log.cursor("w", "E1")).seq == 3
    await log.append("w", [said("A", "hm", episode=1, turn=1)])
    assert (await log.cursor("w", "E1")).seq == 4


async def test_an_episode_never_closed_ends_where_the_next_opens(log: Log) -> None:
    first, second = (Draft(EpisodeOpened("x"), episode=n) for n in (1, 2))
    await log.append("w", [*opened("A"), first, said("A", "hm", episode=1, turn=1), second])
    assert (await log.cursor("w", "E1")).seq == 4


async def test_a_turn_of_many_events_ends_with_its_last(log: Log) -> None:
    drafts = [said("A", "hm", episode=1, turn=1) for _ in range(3)]
    await log.append("w", [*opened("A"), Draft(EpisodeOpened("x"), episode=1), *drafts])
    assert (await log.cursor("w", "E1.T1")).seq == 6


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ("#15", "#15: 'elsinore' ends at #14"),
        ("E9", "E9: 'elsinore' has 2 episodes"),
        ("E9.T1", "E9: 'elsinore' has 2 episodes"),
        ("E1.T4", "E1.T4: episode 1 has 3 turns"),
        (
            '"dawn"',
            "\"dawn\": 'elsinore' has no such mark (there are: 'cockcrow'); " + OTHERS,
        ),
    ],
)
async def test_a_moment_that_is_not_there_is_told_what_is(log: Log, at: str, message: str) -> None:
    await elsinore(log)
    with pytest.raises(NoSuchMoment) as caught:
        await log.cursor("elsinore", at)
    assert str(caught.value) == message


async def test_a_world_without_episodes_or_marks_says_so(log: Log) -> None:
    await log.append("w", opened("A"))
    with pytest.raises(NoSuchMoment, match="E1: 'w' has no episodes"):
        await log.cursor("w", "E1")
    with pytest.raises(NoSuchMoment, match=r"\(there are none\)"):
        await log.cursor("w", "dawn")


async def test_one_episode_is_told_of_in_the_singular(log: Log) -> None:
    await log.append("w", [*opened("A"), Draft(EpisodeOpened("x"), episode=1)])
    with pytest.raises(NoSuchMoment, match=r"E2: 'w' has 1 episode$"):
        await log.cursor("w", "E2")


async def test_of_very_many_marks_the_nearest_is_told_or_the_first(log: Log) -> None:
    await log.append("w", [*opened(), *(Draft(MarkPlaced(f"chapter {n}")) for n in range(500))])
    with pytest.raises(NoSuchMoment, match=r"no such mark \(did you mean 'chapter 7'\?\)"):
        await log.cursor("w", "Chapter7")
    with pytest.raises(NoSuchMoment, match=r"'chapter 11' and 488 more\)"):
        await log.cursor("w", "elsewhere")
    await log.append("w", [Draft(MarkPlaced("here"))] * 50)
    with pytest.raises(NoSuchMoment, match=r"say #502, .*, #513 and 38 more$"):
        await log.cursor("w", "here")


async def test_a_mark_placed_twice_asks_which(log: Log) -> None:
    await log.append("w", [*opened(), Draft(MarkPlaced("noon")), Draft(MarkPlaced("noon"))])
    with pytest.raises(NoSuchMoment) as caught:
        await log.cursor("w", "noon")
    assert str(caught.value) == "\"noon\" is marked 2 times in 'w': say #2, #3"


async def test_a_cursor_in_no_world_names_those_there_are(log: Log) -> None:
    await elsinore(log)
    with pytest.raises(NoSuchWorld, match=r"no world 'elsinor'.* 'elsinore'"):
        await log.cursor("elsinor", "end")


async def test_a_story_time_between_many_events_is_found(log: Log) -> None:
    minutes = [0, 0, 1, 4, 4, 4, 9, 30]
    drafts = [Draft(Narrated(f"{n}"), NIGHT + timedelta(minutes=n)) for n in minutes]
    await log.append("w", drafts)
    for minute in range(-1, 32):
        at = NIGHT + timedelta(minutes=minute)
        past = sum(one <= minute for one in minutes)
        assert (await log.cursor("w", f"@{at.isoformat()}")).seq == past


def each_minute(first: int, count: int) -> list[Draft]:
    minutes = range(first, first + count)
    return [Draft(Narrated(f"{n}"), NIGHT + timedelta(minutes=n)) for n in minutes]


class Picking(VolatileStore):
    """A volatile store that counts how often single events were read from it."""

    picks = 0

    async def pick(self, world: str, seqs: Sequence[int]) -> list[bytes]:
        self.picks += 1
        return await super().pick(world, seqs)


async def test_a_story_time_is_looked_for_in_memory_where_all_events_are_there() -> None:
    store = Picking()
    async with Log(store) as log:
        await log.append("w", each_minute(0, 100))
        assert (await log.cursor("w", f"@{NIGHT + timedelta(minutes=70):%Y-%m-%dT%H:%M}")).seq == 71
        assert store.picks == 0
        await log.fork("w", "f", "#60")
        assert (await log.cursor("f", f"@{NIGHT + timedelta(minutes=40):%Y-%m-%dT%H:%M}")).seq == 41
        assert store.picks > 0


async def test_a_story_time_is_found_where_others_went_on_and_where_memory_ends(
    shared: Place,
) -> None:
    async with (
        log_at(shared) as mine,
        log_at(shared) as theirs,
        log_at(shared, keep_events=10) as small,
    ):
        await mine.append("w", each_minute(0, 20))
        await small.append("w", each_minute(20, 20))
        await theirs.append("w", each_minute(40, 20))
        for minute in range(-1, 62):
            at = f"@{NIGHT + timedelta(minutes=minute):%Y-%m-%dT%H:%M}"
            for asking in (mine, theirs, small):
                assert (await asking.cursor("w", at)).seq == max(0, min(60, minute + 1))


@pytest.mark.parametrize("seed", range(3))
async def test_a_story_time_is_found_among_landmarks_and_across_forks(log: Log, seed: int) -> None:
    """Wherever episodes open and close, also at the same minute, and whoever appends later."""
    random = Random(seed)
    await log.append("w", opened("A"))
    times = [NIGHT] * 2

    async def grow(world: str) -> None:
        for _ in range(random.randint(40, 80)):
            at = times[-1] + timedelta(minutes=random.choice((0, 0, 1, 5)))
            kinds = (Narrated("x"), EpisodeOpened("s"), EpisodeClosed("over"), MarkPlaced("m"))
            (body,) = random.choices(kinds, (20, 1, 1, 1))
            await log.append(world, [Draft(body, at, episode=1)])
            times.append(at)

    async def check(world: str) -> None:
        for asking in (log, Log(log.store)):
            for at in [
                one + timedelta(seconds=30 * beside) for one in times[::7] for beside in (-1, 0, 1)
            ]:
                past = sum(one <= at for one in times)
                assert (await asking.cursor(world, f"@{at.isoformat()}")).seq == past

    await grow("w")
    await check("w")
    await grow("w")
    await check("w")
    seam = random.randint(20, 60)
    await log.fork("w", "child", f"#{seam}")
    del times[seam:]
    times.append(times[-1])
    await grow("child")
    await check("child")
