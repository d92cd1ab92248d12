"""A long text is cut around what was looked for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.text import Text

from whoknew.engine.terminal.around import around
from whoknew.eventlog.words import terms

FILLING = "one thing and the other, " * 20


def cut(text: str, about: str, letters: int = 160) -> str:
    return around(Text(text), {*terms(about)}, letters).plain


def test_the_part_is_shown_that_was_looked_for_after_the_name_of_who_speaks() -> None:
    shown = cut(f"Ann: {FILLING}I slept within my orchard. {FILLING}", "sleeping in the orchard")
    assert shown.startswith("Ann: … ") and shown.endswith("…")
    assert "I slept within my orchard." in shown


def test_where_most_of_the_words_stand_together_is_what_counts() -> None:
    text = f"{FILLING}a ghost, {FILLING}the ghost of my father. {FILLING}"
    assert "ghost of my father" in cut(text, "my father's ghost")


def test_what_stands_at_the_beginning_is_shown_from_there() -> None:
    text = f"Ann: An orchard. {FILLING}"
    assert cut(text, "orchard").startswith("Ann: An orchard. one")
    assert cut(text, "") == cut(text, "nothing of it") == cut(text, "orchard")


def test_who_speaks_and_style_stay_as_they_were() -> None:
    text = Text.assemble(("Ann: ", "bold"), FILLING, "an orchard")
    shown = around(text, {*terms("orchard")}, 100)
    assert [shown.plain[one.start : one.end] for one in shown.spans] == ["Ann: "]
    assert text.plain.endswith("an orchard"), "the text itself is not changed"


@given(st.text("ab ghost:\n", max_size=400), st.integers(90, 200))
def test_it_is_never_longer_and_a_short_text_stays(text: str, letters: int) -> None:
    shown = cut(text, "ghost a b", letters)
    assert len(shown) <= letters
    if len(text) <= letters:
        assert shown == text
