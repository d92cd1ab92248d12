"""What `offline:` reads of texts that say that something is otherwise now, and keeps of them."""

from __future__ import annotations

import pytest

from whoknew.agents.lines import Line
from whoknew.agents.models.keeping import facts, summary
from whoknew.agents.models.overtaken import gone, replaced, turning
from whoknew.agents.models.preferring import preferred
from whoknew.agents.models.statement import Statement, statements
from whoknew.agents.sections import Sections
from whoknew.eventlog.words import terms

OLD = "Monday, 3 May 2021, 20:00. Rain all day. The choir meets on Tuesdays. Ate soup with a spoon."
NEW = (
    "Friday, 9 July 2021, 21:00. Swept the kitchen. The choir does not meet on Tuesdays any more, it "
    "meets on Fridays. Found a glove on the stairs."
)


@pytest.mark.parametrize(
    ("text", "over", "instead"),
    [
        ("It no longer ends in seven but in nine.", "seven", True),
        ("From now on I go to the weir, not to the pond.", "pond", True),
        ("I never see the heron any more.", "heron", False),
        ("The heron stood in the pond.", "", False),
    ],
)
def test_what_is_over_is_told_from_what_comes_instead(text: str, over: str, instead: bool) -> None:
    assert bool(list(turning(text))) == bool(over)
    assert set(terms(over)) <= gone(text)
    assert replaced(text) is instead or not over


def test_what_is_said_to_be_over_is_no_answer() -> None:
    choices = ("On Tuesdays", "On Fridays", "On Sundays", "I do not know")
    said = preferred("When does the choir meet?", choices, [Statement(7, "Ana", NEW)])
    assert said == {"answer": "On Fridays", "rests_on": [7]}


def test_of_two_in_one_line_what_stands_closer_is_the_answer() -> None:
    page = "At the pond I met Bo. To become calm I go to the weir. Ate at the pond."
    asked = "Where do you go to become calm?"
    for choices in (("The pond", "The weir"), ("The weir", "The pond")):
        assert preferred(asked, choices, [Statement(1, "Ana", page)])["answer"] == "The weir"


def test_what_is_otherwise_now_is_a_fact_by_itself_with_its_day() -> None:
    found = facts(Sections(who="Ana", here=(_line(1, OLD), _line(2, NEW))))
    assert found[0].startswith('[2] Ana: "Friday, 9 July 2021, 21:00. The choir does not')
    assert "glove" not in found[0] and "Rain" in found[1] and len(found) == 2


def test_a_summary_begins_with_the_newest_of_what_is_otherwise_now() -> None:
    later = NEW.replace("Tuesdays", "Fridays").replace("it meets on Fridays", "it meets on Sundays")
    told = summary(Sections(who="Ana", here=(_line(1, OLD), _line(2, NEW), _line(3, later))))
    first, *rest = told.splitlines()
    assert first.startswith("[3] ") and "Sundays" in first
    assert len(rest) == 1 and rest[0].startswith("[1] ")


def test_a_summary_goes_on_with_the_newest_first_episode_after_episode() -> None:
    told, texts = (
        "",
        (
            "The choir no longer meets on Mondays but on Fridays.",
            "The spare key does not lie in the vase any more, it lies under the mat now.",
            "The choir no longer meets on Fridays but on Sundays.",
            "Nothing but rain on the roof of the barn.",
        ),
    )
    for place, text in enumerate(texts, start=1):
        memory = (Line("", 0, "Ana", told, written=True),) if told else ()
        told = summary(Sections(who="Ana", memory=memory, here=(_line(place, text),)))
    assert [line[:3] for line in told.splitlines()] == ["[3]", "[2]", "[4]"]


def test_what_is_said_in_few_words_is_kept_with_what_stands_before_it() -> None:
    text = "Rain. The stairs want paint. From now on I am for red, not for grey."
    first, *_ = facts(Sections(who="Ana", here=(_line(1, text),)))
    assert first == '[1] Ana: "The stairs want paint. From now on I am for red, not for grey."'


def test_what_was_cut_short_is_read_as_far_as_it_goes() -> None:
    noted = '[3] Ana: "The choir meets on Fridays."\n[5] Bo: "The heron said \\"no\\" to me'
    found = list(statements([Line("", 0, "Ana", noted, written=True)]))
    told = Statement(5, "Bo", 'The heron said "no" to me')
    assert found == [Statement(3, "Ana", "The choir meets on Fridays."), told]


def test_that_it_was_said_last_is_no_word_of_a_question() -> None:
    lines = [
        Statement(1, "Ana", "The choir meets on Fridays. So it is."),
        Statement(2, "Ana", "Last said: Sunday, Monday."),
    ]
    asked = "When does the choir meet, by what was last said of it?"
    assert preferred(asked, ("Fridays", "Sunday", "I do not know"), lines)["answer"] == "Fridays"


def _line(place: int, text: str) -> Line:
    return Line(f'[{place}] Ana: "{text}"', place, "Ana", text)
