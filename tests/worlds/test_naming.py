"""Who is named in a text: by the full name, or by a first name that is one person's alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.worlds.naming import Names

PEOPLE = (
    "Oda Berg",
    "Kit",
    "Kit Moss",
    "Anna-Maria Lund",
    "Sean O'Brien",
    "Mr. Jones",
    "The Cook",
    "old man",
    "Will Hale",
    "世界",
)
NAMES = Names(PEOPLE)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Where is Oda Berg?", ["Oda Berg"]),
        ("Where is Oda\nBerg?", ["Oda Berg"]),
        ("Oda's late. ODA! oda.", ["Oda Berg"]),
        ("Oda I have not seen.", ["Oda Berg"]),
        ("Oda--wait! *Oda* _Oda_", ["Oda Berg"]),
        ("Oda Lind is nobody here.", []),
        ("Odalisque, Koda, Anna-Oda.", []),
        ("Berg is late.", []),
        ("Kit Moss, not Kit; Kit Moss.", ["Kit Moss", "Kit"]),
        ("Kitten.", []),
        ("Anna was here, and Maria Lund.", []),
        ("Anna-Maria was here.", ["Anna-Maria Lund"]),
        ("O'Brien? Sean O’Brien.", ["Sean O'Brien"]),  # noqa: RUF001
        ("Mr. Brown saw Mr. Jones.", ["Mr. Jones"]),
        ("The man and the cook saw The Cook.", ["The Cook"]),
        ("An old hand, an old man.", ["old man"]),
        ("Will you? Will Hale will.", ["Will Hale"]),
        ("新世界。", ["世界"]),
        ("", []),
    ],
)
def test_who_is_named(text: str, named: list[str]) -> None:
    assert NAMES.named_in(text, PEOPLE) == named


def test_whoever_shares_a_first_name_is_named_in_full_only() -> None:
    names = Names(("Oda Berg", "Oda Lind"))
    assert names.named_in("Oda came. Then Oda Lind.", ["Oda Berg", "Oda Lind"]) == ["Oda Lind"]


@given(st.lists(st.text(max_size=9), max_size=6), st.text(max_size=60))
def test_any_text_and_any_names_will_do(people: list[str], text: str) -> None:
    assert set(Names(people).named_in(text, people)) <= set(people)


@given(
    st.sampled_from(PEOPLE),
    st.text(alphabet="xyz ,.\n", max_size=9),
    st.text(alphabet=" ,.\n!", min_size=1, max_size=3),
)
def test_a_name_is_found_wherever_it_stands_alone(name: str, before: str, after: str) -> None:
    assert NAMES.named_in(f"{before} {name}{after}", PEOPLE) == [name]


SAID = (*PEOPLE, "Oda", "Sean", "Sean O’Brien", "'", "was", "世")  # noqa: RUF001


@given(st.lists(st.sampled_from(PEOPLE), max_size=3), st.lists(st.sampled_from(SAID), max_size=9))
def test_of_few_are_named_those_who_are_of_all(few: list[str], said: list[str]) -> None:
    """Whether few are named at all is told without cutting the text into words."""
    text = " ".join(said)
    assert NAMES.named_in(text, few) == [
        name for name in NAMES.named_in(text, PEOPLE) if name in few
    ]
