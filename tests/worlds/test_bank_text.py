"""Banks as TOML: what is told of mistakes, and that what is written is read as it was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whoknew.worlds import shelf
from whoknew.worlds.bank import SIDES, Bank, Earlier, Origin, Sketch, faults
from whoknew.worlds.document import read
from whoknew.worlds.errors import BadDocument
from whoknew.worlds.relationship import RELATIONSHIPS
from whoknew.worlds.toml_text import toml_of

BANK = """name = "landing"
relationship = "friend"

[[sketches]]
name = "cat"
text = "A ginger cat sits on the wall between {first} and {second}."
over = "who feeds it"
goals = ["Have {second} feed the cat on Sunday.", "Leave the saucer with {first}."]

[[sketches]]
name = "pans"
text = "Seven copper pans hang above a cold stove."
over = "who gets the pans"
goals = ["Get most of the pans.", "Keep at least the ladles."]
pool = { pans = 7, ladles = 2 }
worth = [{ pans = 3, ladles = 0 }, { pans = 1, ladles = 5 }]
turns = 4

[[sketches]]
name = "snow"
text = "Snow has closed the pass, and the lamp needs oil."
over = "whether to walk"
goals = ["Walk down before night.", "Wait for the plough."]
needs = [{ sketch = "cat", by = "second", words = "saucer" }]
"""


def wrong(text: str) -> list[str]:
    with pytest.raises(BadDocument) as caught:
        shelf.parse_bank(text, "bank.toml")
    return [str(one) for one in caught.value.mistakes]


def changed(*changes: tuple[str, str]) -> str:
    text = BANK
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


# mistakes


def test_every_value_of_the_wrong_kind_comes_in_one_report() -> None:
    told = wrong(
        changed(
            ('relationship = "friend"', 'relationship = "freind"'),
            ('over = "who feeds it"\n', ""),
            ("turns = 4", 'turns = "four"'),
            ("pans = 7", "pans = 7.5"),
            ('by = "second"', 'by = "third"'),
            ('name = "snow"', 'name = "snow"\nliens = []'),
        )
    )
    assert sorted(told) == [
        "bank.toml:14: sketches[1].pool.pans: is 7.5, but should be a whole number",
        "bank.toml:16: sketches[1].turns: is 'four', but should be a whole number",
        (
            "bank.toml:20: sketches[2].liens: no such key: did you mean 'lines'? There are: 'name', "
            "'text', 'over', 'goals', 'lines', 'pool', 'worth', 'turns', 'ages', 'occupations', "
            "'needs', 'origin', 'key'"
        ),
        "bank.toml:24: sketches[2].needs[0].by: is 'third': there are: 'first', 'second'",
        "bank.toml:2: relationship: is 'freind': did you mean 'friend'?",
        'bank.toml:4: sketches[0].over: is missing: give a text in quotes, as "..."',
    ]


def test_everything_that_is_unsound_comes_in_one_report() -> None:
    told = wrong(
        changed(
            ('over = "who feeds it"', 'over = " "\nages = [[50, 20], [18, 70]]'),
            ('"Leave the saucer with {first}."', '"Have {second} feed the cat on Sunday."'),
            ('name = "pans"', 'name = "cat"\noccupations = [["cook"]]'),
            ("pans = 7", "pans = 0"),
            ("{ pans = 3, ladles = 0 }", "{ pan = 3, ladles = -1 }"),
            ("turns = 4", "turns = 0"),
            ('"Walk down before night.", "Wait', '"", "Wait'),
            ('needs = [{ sketch = "cat"', 'lines = [["Now."]]\nneeds = [{ sketch = "cart"'),
        )
    )
    assert sorted(told) == [
        "bank.toml:12: sketches[1].name: is 'cat', as an earlier one is",
        "bank.toml:13: sketches[1].occupations: has 1 parts: give one for each side",
        "bank.toml:17: sketches[1].pool.pans: is 0, but should be 1 at least",
        "bank.toml:18: sketches[1].worth[0].ladles: is -1, but should be 0 at least",
        "bank.toml:18: sketches[1].worth[0].pan: is not in the pool: did you mean 'pans'?",
        "bank.toml:18: sketches[1].worth[0]: says nothing of 'pans': give its points",
        "bank.toml:19: sketches[1].turns: is 0, but should be 1 at least",
        "bank.toml:25: sketches[2].goals[0]: is empty: each side wants something",
        "bank.toml:26: sketches[2].lines: has 1 parts: give one for each side",
        "bank.toml:27: sketches[2].needs[0].sketch: 'cart' is no earlier sketch: did you mean 'cat'?",
        "bank.toml:7: sketches[0].over: is empty",
        "bank.toml:8: sketches[0].ages[0]: is no range: give the lowest and the highest age",
        "bank.toml:9: sketches[0].goals: both sides want the same: then there is nothing to disagree on",
    ]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('"Get most of the pans.", ', "", "goals: has 1 goals: give one for each side"),
        ("pool = { pans = 7, ladles = 2 }", "", "but there is no `pool` of things"),
        (", { pans = 1, ladles = 5 }]", "]", "worth: has 1 parts: give what things are worth"),
        ('sketch = "cat"', 'sketch = "snow"', "'snow' is no earlier sketch"),
        ('name = "cat"', 'name = ""', "name: is '': use printable characters"),
        ('name = "cat"', 'name = "cat\\n"', "name: is 'cat\\n': use printable characters"),
        ("turns = 4", "ages = [[1], [2, 3]]", "ages[0]: is no range"),
    ],
)
def test_what_cannot_be_meant_is_told(old: str, new: str, what: str) -> None:
    told = wrong(changed((old, new)))
    assert any(what in one and "bank.toml:" in one for one in told), told


def test_a_bank_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(
        BadDocument, match="no bank that comes with Whoknew has this name: did you mean 'friend'"
    ):
        shelf.find_bank("freind")
    with pytest.raises(BadDocument, match="there is no such file"):
        shelf.find_bank("mine.toml", tmp_path)


def test_a_bank_of_a_file_is_found_beside_whoever_names_it(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(BANK)
    found = shelf.find_bank("mine.toml", tmp_path)
    assert [one.name for one in found.sketches] == ["cat", "pans", "snow"]
    assert [one.hard for one in found.sketches] == [False, False, True]


# near copies


def test_a_sketch_told_in_nearly_the_same_words_is_refused_as_a_copy() -> None:
    again = changed(
        ('name = "snow"', 'name = "cat-again"'),
        (
            "Snow has closed the pass, and the lamp needs oil.",
            "A ginger cat now sits on a wall by {second}.",
        ),
        ("Walk down before night.", "Have {second} feed that cat each Sunday."),
    )
    (told,) = wrong(again)
    assert told == (
        "bank.toml:19: sketches[2]: 'cat-again' is nearly a copy of 'cat': tell another story"
    )


def test_two_sketches_of_one_name_that_tell_two_stories_are_no_copies() -> None:
    (told,) = wrong(changed(('name = "snow"', 'name = "pans"')))
    assert told == "bank.toml:20: sketches[2].name: is 'pans', as an earlier one is"


# what is written and read


ODD = (
    '"', '"""', "'''", "\\", "\n", "\r\n", "\t", "\0", "\b", "\x1f", "\x7f", "\x85", "\u2028",
    "幽霊", "😀", "#", "=", "[", "]]", "{first}", "}", "[[sketches]]", ".", " ",
)  # fmt: skip

odd = st.lists(st.sampled_from(ODD) | st.characters(exclude_categories=["Cs"]), max_size=6).map(
    "".join
)
ints = st.integers(-(2**63), 2**63 - 1)
lists = st.lists(odd, max_size=3).map(tuple)
things = st.dictionaries(odd, ints, max_size=3)

FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "name": odd,
    "text": odd,
    "over": odd,
    "goals": lists,
    "lines": st.lists(lists, max_size=3).map(tuple),
    "pool": things,
    "worth": st.lists(things, max_size=3).map(tuple),
    "turns": st.none() | ints,
    "ages": st.lists(st.lists(ints, max_size=3).map(tuple), max_size=3).map(tuple),
    "occupations": st.lists(lists, max_size=3).map(tuple),
    "needs": st.lists(st.builds(Earlier, odd, st.sampled_from(SIDES), odd), max_size=2).map(tuple),
    "origin": st.none() | st.builds(Origin, odd, lists, odd, odd),
}
FIRST = ("name", "text", "over", "goals")

sketches = st.fixed_dictionaries(
    {field: FIELDS[field] for field in FIRST},
    optional={field: one for field, one in FIELDS.items() if field not in FIRST},
).map(lambda given: Sketch(**given))


banks = st.builds(
    Bank, odd, st.sampled_from(RELATIONSHIPS), st.lists(sketches, max_size=3).map(tuple), odd
)


@given(banks)
def test_a_bank_is_read_as_it_was_written_whatever_is_in_it(bank: Bank) -> None:
    assert read(toml_of(bank), "odd.toml", Bank) == bank


@given(banks)
def test_whatever_is_in_a_bank_each_of_its_mistakes_is_told_with_a_line(bank: Bank) -> None:
    expected = list(faults(bank))
    if not expected:
        assert shelf.parse_bank(toml_of(bank), "odd.toml") == bank
        return
    with pytest.raises(BadDocument) as caught:
        shelf.parse_bank(toml_of(bank), "odd.toml")
    assert sorted((one.key, one.what) for one in caught.value.mistakes) == sorted(expected)
    assert all(one.line for one in caught.value.mistakes)


said = odd.map(lambda text: text.replace("{", "("))
"""What a sketch tells: in braces it names the two, and nothing else."""
spoken = st.lists(said, max_size=3).map(tuple)


@st.composite
def sound(draw: st.DrawFn) -> Bank:
    """Banks that are sound, of texts that are odd: each sketch has twenty words of its own."""
    found: list[Sketch] = []
    for number in range(draw(st.integers(1, 3))):
        own = " ".join(f"w{number}x{word}" for word in range(20))
        pool = draw(st.dictionaries(odd, st.integers(1, 9), max_size=3))
        worth = {item: st.integers(0, 9) for item in pool}
        pairs = [draw(st.fixed_dictionaries(worth)) for _ in SIDES] if pool else []
        earlier = [Earlier(one.name, "second", draw(odd)) for one in found if not one.hard]
        one = Sketch(
            f"s{number}",
            f"{draw(said)} {own}",
            f"over {draw(odd)}",
            (f"{draw(said)} mine", f"{draw(said)} yours"),
            draw(st.just(()) | st.tuples(spoken, spoken)),
            pool,
            tuple(pairs),
            draw(st.none() | st.integers(1, 9)),
            draw(st.just(()) | st.just(((18, 70), (21, 21)))),
            draw(st.just(()) | st.tuples(lists, lists)),
            tuple(earlier[: draw(st.integers(0, 1))]),
            draw(FIELDS["origin"]),
        )
        found.append(one)
    return Bank(draw(odd), draw(st.sampled_from(RELATIONSHIPS)), tuple(found), draw(odd))


@given(sound())
def test_a_sound_bank_comes_back_from_the_shelf_as_it_was(bank: Bank) -> None:
    assert list(faults(bank)) == []
    assert shelf.parse_bank(toml_of(bank), "odd.toml") == bank
