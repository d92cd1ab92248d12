"""What `offline:` writes where bookmarks are kept."""

from __future__ import annotations

from whoknew.agents.lines import Line
from whoknew.agents.models.bookmarking import best_line, quoting, said
from whoknew.agents.sections import Sections

LONG = (
    "Friday, 9 July 2021, 21:00. " + "Rain on the day of the fair and on the tin roof. " * 6
    + "They have hung up a list. It is my turn with the machines on Mondays. Bo slept."
)  # fmt: skip
SHORT = "The day was long."
ASKED = "On which day is your turn with the machines, by what was last said of it?"


def test_of_a_long_line_what_is_about_the_question_is_quoted_with_its_day() -> None:
    text, numbers = quoting(ASKED, (_line(1, SHORT), _line(2, LONG)), [1])
    assert numbers == [1]
    assert text == (
        "Friday, 9 July 2021, 21:00. They have hung up a list. It is my turn with the machines on Mondays."
    )
    assert quoting(ASKED, (_line(1, SHORT),), [0]) == (SHORT, [0])


def test_a_long_line_is_known_by_what_of_it_would_be_quoted() -> None:
    other = LONG.replace("It is my turn with the machines on Mondays.", "My turn. " + "Rain. " * 9)
    apart = other + " Machines are loud."
    assert best_line(ASKED, (_line(1, LONG), _line(2, apart))) == 0


def test_a_question_is_kept_without_its_choices() -> None:
    asked = f"{ASKED} Answer with one of these, word for word: Monday; Friday"
    found = said(Sections(who="Ana", question=asked), "bookmarks")["bookmarks"]
    assert found[0] == {"question": ASKED, "kind": "state"}


def _line(place: int, text: str) -> Line:
    return Line(f'[{place}] Ana: "{text}"', place, "Ana", text)
