"""What happens fits its month, and the days before."""

from __future__ import annotations

import re

import pytest

from whoknew.worlds.lives.bank import life_bank
from whoknew.worlds.lives.life import LifeGraph
from whoknew.worlds.lives.making import life_of

BANK = life_bank()


@pytest.fixture(scope="module")
def life() -> LifeGraph:
    return life_of(4)


def test_every_month_has_one_season() -> None:
    months = [month for season in BANK.seasons for month in season.months]
    assert sorted(months) == list(range(1, 13))
    assert len({frozenset(season.words) for season in BANK.seasons}) == 1


def test_the_weather_is_that_of_its_month_and_the_same_all_day(life: LifeGraph) -> None:
    for trace in life.traces:
        season = next(one for one in BANK.seasons if trace.at.month in one.months)
        for other in BANK.seasons:
            for words in set(other.words["weather"]) - set(season.words["weather"]):
                assert words not in trace.text, (trace.at, trace.text)


def test_nothing_active_happens_until_who_is_hurt_has_rested(life: LifeGraph) -> None:
    days = {one.id: one.at.date() for one in life.events}
    claims = [(days[one.event], one.claim) for one in life.evidence]
    hurt = [day for day, claim in claims if re.search(r"sprained the", claim)]
    swam = [day for day, claim in claims if re.search(r"swam .* lengths|carried .* up", claim)]
    assert hurt and swam
    for one in hurt:
        assert not [day for day in swam if 0 < (day - one).days <= 21]


def test_what_is_planted_is_planted_in_spring(life: LifeGraph) -> None:
    days = {one.id: one.at.month for one in life.events}
    some = [one for one in life.evidence if re.search(r"planted .* on the balcony", one.claim)]
    assert all(days[one.event] in (3, 4, 5, 6) for one in some)
