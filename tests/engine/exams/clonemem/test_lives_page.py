"""Lives on the page of a report: a calendar, and what right answers rest on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import date, datetime, timedelta
from xml.etree import ElementTree

import pytest

from whoknew.engine.exams.cells import Unit
from whoknew.engine.exams.clonemem.calendar_drawing import svg
from whoknew.engine.exams.clonemem.life_calendar import LifeCalendar, LifeWeek, calendar_of
from whoknew.engine.exams.clonemem.lives_page import TRACES, lives_shown
from whoknew.engine.exams.page_parts import NOTHING_SHOWN, MaterialShown
from whoknew.engine.exams.questions import ResolvedQuestion
from whoknew.eventlog import Draft, Log, open_log
from whoknew.eventlog.kinds import CharacterAdded, EvidenceNoted, Felt, Traced, WorldOpened
from whoknew.worlds.question import Question

HOSTILE = "<script>alert(1)</script> \"x\" 'y' ]]> \x01 &"
WORLD, WHO = "Ruth, 1", "Ruth"
MONDAY = datetime(2021, 3, 1, 9)


def _written(day: int, medium: str, text: str) -> Draft:
    at = MONDAY + timedelta(days=day)
    return Draft(Traced(medium, text), at, actor=WHO, witnesses=(WHO,))


def _felt(day: int, energy: float, emotion: str, **arcs: str) -> Draft:
    at = MONDAY + timedelta(days=day, hours=1)
    return Draft(Felt(energy, 1 - energy, emotion, arcs=arcs), at, actor=WHO)


DRAFTS = (
    Draft(WorldOpened("a life"), MONDAY),
    Draft(CharacterAdded(WHO, "Ruth repairs boats."), MONDAY, witnesses=(WHO,)),
    _written(0, "diary", "Looked at a cello."),
    _felt(0, 0.2, "calm", cello="looking"),
    _written(1, "memo", HOSTILE),
    _felt(1, 0.4, "calm"),
    _written(15, "diary", "Rented it."),
    _felt(15, 0.8, "glad", cello=HOSTILE),
    Draft(EvidenceNoted("Ruth rented a cello."), MONDAY + timedelta(days=15, hours=2), about=(7,)),
)


@pytest.fixture
async def log() -> AsyncIterator[Log]:
    async with open_log(":memory:") as log:
        await log.append(WORLD, DRAFTS)
        yield log


def _unit(name: str, seq: int, *evidence: tuple[int, ...], world: str = WORLD) -> Unit:
    question = Question(
        world=world,
        character=WHO,
        at="@2021-03-20",
        question=f"{name}: what did you rent? {HOSTILE}",
        kind="causal",
        reference="A cello",
        labels={"points": ["Ruth rented a cello."]},
    )
    asked = ResolvedQuestion(question=question, seq=seq, hash=b"", cluster=world, evidence=evidence)
    return Unit(id=name, kind="causal", cluster=world, asked=asked, hash="")


@pytest.fixture
async def calendar(log: Log) -> LifeCalendar:
    director = await log.director(WORLD)
    return await calendar_of(WORLD, director.__aiter__())


@pytest.fixture
async def shown(log: Log) -> MaterialShown:
    units = [_unit("one", 9, (7,)), _unit("two", 9)]
    return await lives_shown(log, units, "http://viewer")


def test_every_week_is_there_also_one_in_which_nothing_was_written(calendar: LifeCalendar) -> None:
    begins = [week.begins for week in calendar.weeks]
    assert begins == [date(2021, 3, 1), date(2021, 3, 8), date(2021, 3, 15)]
    assert [dict(week.traces) for week in calendar.weeks] == [
        {"diary": 1, "memo": 1},
        {},
        {"diary": 1},
    ]
    assert calendar.media == ("diary", "memo")


def test_what_is_inside_is_the_mean_of_a_week_and_unknown_where_nothing_was_felt(
    calendar: LifeCalendar,
) -> None:
    energies = [week.energy for week in calendar.weeks]
    assert energies == [pytest.approx(0.3), None, 0.8]
    assert [week.emotion for week in calendar.weeks] == ["calm", "", "glad"]


def test_an_arc_stands_where_it_stood_until_it_moves_on(calendar: LifeCalendar) -> None:
    assert [week.arcs["cello"] for week in calendar.weeks] == ["looking", "looking", HOSTILE]
    assert calendar.states("cello") == ("looking", HOSTILE)


async def test_an_arc_that_comes_back_is_told_to_have_come_back(log: Log) -> None:
    moves = (_felt(22, 0.5, "calm", cello="looking"), _felt(29, 0.5, "calm", cello="looking"))
    await log.append(WORLD, moves)
    back = await calendar_of(WORLD, (await log.director(WORLD)).__aiter__())
    assert back.states("cello") == ("looking", HOSTILE, "looking")


def test_a_week_leads_to_its_last_event(calendar: LifeCalendar) -> None:
    assert [week.seq for week in calendar.weeks] == [6, 6, 8]
    drawn = svg(calendar, {}, "http://viewer").decode()
    assert "at=%238" in drawn


def test_the_picture_is_sound_whatever_stands_in_a_life(calendar: LifeCalendar) -> None:
    drawn = svg(calendar, {date(2021, 3, 15): ("evidence-one", 2)}, "http://viewer")
    root = ElementTree.fromstring(drawn)
    assert not [one for one in root.iter() if one.tag.endswith("script")]
    assert b"2 questions on 2021-03-15" in drawn
    assert b'href="#evidence-one"' in drawn


def test_a_picture_of_three_full_years_is_small() -> None:
    media = ("diary", "memo", "search", "calendar", "photo", "post", "e-mail", "private message")
    weeks = tuple(
        LifeWeek(
            begins=date(2020, 1, 6) + timedelta(weeks=number),
            seq=100 * number,
            traces=dict.fromkeys(media, number % 9),
            energy=0.5,
            stress=0.5,
            emotion=str(number % 7),
            arcs={f"arc {one}": f"state {number // 30}" for one in range(9)},
        )
        for number in range(156)
    )
    assert len(svg(LifeCalendar(WORLD, weeks), {}, "http://127.0.0.1:8420")) < 150_000


def test_evidence_stands_behind_its_question_and_leads_there(shown: MaterialShown) -> None:
    page = "".join(shown.parts)
    assert shown.units == {"one", "two"}
    assert 'id="evidence-one"' in page
    assert "Ruth rented a cello." in page
    assert "#7, diary" in page
    assert "It rests on nothing that was written." in page


def test_no_text_of_a_life_becomes_a_part_of_the_page(shown: MaterialShown) -> None:
    assert "<script" not in "".join(shown.parts)


async def test_of_much_evidence_the_rest_is_counted(log: Log) -> None:
    more = [_written(20 + number, "memo", f"Note {number}") for number in range(TRACES + 3)]
    await log.append(WORLD, more)
    seqs = tuple(range(len(DRAFTS) + 1, len(DRAFTS) + len(more) + 1))
    shown = await lives_shown(log, [_unit("one", seqs[-1], seqs)], "")
    assert "and 3 more" in "".join(shown.parts)


async def test_of_a_world_in_which_nothing_is_written_nothing_is_shown(log: Log) -> None:
    await log.append("talk", (Draft(WorldOpened("talk"), MONDAY),))
    assert await lives_shown(log, [_unit("one", 1, world="talk")], "") == NOTHING_SHOWN
