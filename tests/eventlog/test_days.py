"""The days of a view are found by the words of their dates, and none of them is later than the view."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from whoknew.eventlog.days import Days
from whoknew.eventlog.words import date_terms, terms

BEGINNING = date(5, 4, 28)
"""Not far from 5 May of the year 5, whose date holds a word twice."""


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(0, 30))
def test_a_word_finds_the_documents_of_its_days_among_the_first(after: list[int], cut: int) -> None:
    days, dates = Days(), list[date]()
    for number, gap in enumerate(after):
        dates.append((dates[-1] if dates else BEGINNING) + timedelta(days=gap))
        days.extend(number, dates[-1:])
    documents = min(cut, len(dates))
    for term in (*terms("5 May 28 April 5 June"), "never"):
        found = [
            number
            for number, day in enumerate(dates[:documents])
            for _ in range(date_terms(day).count(term))
        ]
        assert sorted(days.of(term, documents)) == found
