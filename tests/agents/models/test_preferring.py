"""How `offline:` chooses."""

from __future__ import annotations

import pytest

from whoknew.agents.models.dated_line import begun_on, month_end
from whoknew.agents.models.preferring import preferred
from whoknew.agents.models.statement import Statement

TOLD = [
    Statement(3, "Ana", "In March I lost my umbrella on line 4."),
    Statement(5, "Ana", "In May I lost my hat on line 4."),
    Statement(8, "Ana", "A hat is a fine thing."),
]


def test_it_takes_the_choice_that_stands_in_the_line_that_fits_the_question() -> None:
    choices = ("Hat", "Umbrella", "Glove", "I do not know")
    march = preferred("What did you lose on line 4 in March?", choices, TOLD)
    assert march == {"answer": "Umbrella", "rests_on": [3]}
    may = preferred("What did you lose on line 4 in May?", choices, TOLD)
    assert may == {"answer": "Hat", "rests_on": [5]}


def test_where_nothing_fits_it_does_not_know() -> None:
    assert preferred("Who sold the boat?", ("Bo", "Cy", "I do not know"), TOLD) == {
        "answer": "I do not know"
    }
    assert preferred("Who sold the boat?", ("Bo", "Cy"), TOLD) == {"answer": "I do not know."}


def test_the_list_of_choices_in_the_question_counts_for_nothing() -> None:
    asked = "Who sold it? Answer with one of these, word for word: hat; line"
    assert preferred(asked, ("hat", "line"), TOLD) == {"answer": "I do not know."}


LIFE = [
    Statement(1, "", "10 May 2019: From then on Anton was closer to Tilda than to anybody else."),
    Statement(2, "", "8 July 2019: Tilda cancelled the dales by a short message."),
    Statement(
        3, "", "8 July 2019: From then on Anton was hurt by silence and too proud to say so."
    ),
    Statement(4, "", "1 October 2019: From then on Anton was openly at odds with Tilda."),
    Statement(5, "Anton", "Friday, 4 October 2019, 23:23. I sorted every memory into boxes. Rain."),
    Statement(6, "Anton", "Sunday, 6 October 2019, 23:23. I sorted every memory into boxes. Snow."),
    Statement(
        7, "Anton", "Monday, 7 October 2019, 23:23. I gave a lecture on memory, into the rain."
    ),
]
CLOSE, HURT, ODDS = "Closer to Tilda", "Hurt by silence", "Openly at odds"


def test_what_is_told_in_parts_holds_where_they_stand_in_that_order() -> None:
    rightly = f"First {CLOSE}, then {HURT}, in the end {ODDS}"
    others = (
        f"First {HURT}, then {CLOSE}, in the end {ODDS}",
        f"First {ODDS}, then {HURT}, in the end {CLOSE}",
    )
    assert preferred("How did it go with Tilda?", (*others, rightly, "I do not know"), LIFE) == {
        "answer": rightly,
        "rests_on": [4],
    }


def test_what_is_told_by_months_holds_where_it_was_the_newest_by_then() -> None:
    rightly = f"In June 2019 {CLOSE}; in November 2019 {ODDS}"
    others = (
        f"In June 2019 {CLOSE}; in November 2019 {HURT}",
        f"In June 2019 {ODDS}; in November 2019 {CLOSE}",
    )
    assert preferred("And in November?", (*others, rightly), LIFE)["answer"] == rightly


def test_what_was_done_again_is_what_most_lines_tell() -> None:
    choices = ("Gave a lecture on memory", "Sorted every memory into boxes")
    asked = "What did you do more than once?"
    assert preferred(asked, choices, LIFE) == {"answer": choices[1], "rests_on": [6]}


def test_a_line_of_the_day_that_is_asked_about_tells_what_stands_beside_it() -> None:
    asked = "What was so when Tilda cancelled the dales by a short message?"
    assert preferred(asked, (CLOSE, HURT, ODDS), LIFE) == {"answer": HURT, "rests_on": [3]}


def test_without_what_happened_all_goes_on_as_it_was_before() -> None:
    asked = "Suppose it had not happened that Tilda cancelled the dales. What would you be?"
    assert preferred(asked, (CLOSE, HURT, ODDS), LIFE) == {"answer": CLOSE, "rests_on": [1]}


def test_of_parts_that_stand_nowhere_nothing_is_known() -> None:
    two = [f"First {a}, then it rained, in the end {b}" for a, b in ((CLOSE, HURT), (HURT, ODDS))]
    assert preferred("How did it go?", (*two, "I do not know"), LIFE) == {"answer": "I do not know"}


@pytest.mark.parametrize(
    "text",
    [
        "31 February 2019: no day.",
        "0 May 0000",
        "May 2019",
        "In the 10 May 2019",
        "٣ May 2019:",
        "",
    ],
)
def test_a_text_that_begins_with_no_day_has_none(text: str) -> None:
    assert begun_on(text) is None


def test_a_month_ends_with_its_last_day() -> None:
    assert month_end("February 2020") == begun_on("Saturday, 29 February 2020, 10:00.")
    assert month_end("Smarch 2020") is month_end("May 0000") is None
