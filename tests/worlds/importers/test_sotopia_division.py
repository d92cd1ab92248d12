"""Scenarios of Sotopia's that divide things: exactly what their texts say, or nothing."""

from __future__ import annotations

from time import process_time

import pytest
from shared_data import data

from whoknew.worlds import shelf
from whoknew.worlds.importers import sotopia
from whoknew.worlds.importers.sotopia.bank import bank_of
from whoknew.worlds.importers.sotopia.division import NOTHING, Division, division
from whoknew.worlds.importers.sotopia.profiles import setting_of
from whoknew.worlds.relationship import RELATIONSHIPS
from whoknew.worlds.toml_text import toml_of

FRUIT = ("apples", "bananas", "orange")
BOOKS = ("books", "hats", "ball")
HATS = ("hats", "balls", "book")
EXACT: dict[str, tuple[tuple[str, ...], tuple[int, ...], tuple[int, ...]]] = {
    "01H7VFHP3DPGRXH1Y500VQKFZA": (BOOKS, (5, 3, 2), (2, 5, 3)),
    "01H7VFHP4TX1J43FS1QQJ1QFND": (BOOKS, (2, 3, 5), (3, 2, 4)),
    "01H7VFHP8AN5643B0NR0NP00VE": (HATS, (1, 2, 3), (2, 1, 3)),
    "01H7VFHP6XZVT1P4R7YKAH65HJ": (FRUIT, (1, 2, 3), (2, 1, 3)),
    "01H7VFHP7K0EN9QX5JTD8B9NSQ": (FRUIT, (1, 2, 3), (3, 1, 2)),
    "01H7VFHP66D5XEX2Z32SKRT2XY": (FRUIT, (2, 1, 3), (1, 2, 3)),
    "01H7VFHP90434Q69V7ADY0VWZJ": (HATS, (2, 3, 5), (3, 2, 4)),
    "01H7VFHP43QEZA1WZB3B3J2D9X": (BOOKS, (3, 2, 1), (2, 3, 1)),
    "01HER99V4MMENSJBRJFQSD1QN4": (HATS, (3, 2, 1), (1, 2, 3)),
    "01HER99TYKEETMX5P04PRYKEXX": (BOOKS, (3, 1, 2), (2, 3, 1)),
    "01HER99V3CF5PJAJ7HFRC400CR": (BOOKS, (5, 2, 1), (2, 5, 1)),
    "01HER99V8R46BGCFQ726MP1Q7E": (HATS, (3, 1, 2), (1, 2, 4)),
}
"""As a reader finds them: of each three things there are three, two and one."""


def test_of_the_real_scenarios_those_are_divided_whose_texts_say_all_of_it() -> None:
    found = sotopia.read(data("sotopia"))
    scenarios = {one.id: one.fields for one in found.of("scenario")}
    divided = {
        id_: said
        for id_, fields in scenarios.items()
        if (said := division(fields["scenario"], fields["agent_goals"])) != NOTHING
    }
    assert divided == {
        id_: Division(
            dict(zip(things, (3, 2, 1), strict=True)),
            (dict(zip(things, first, strict=True)), dict(zip(things, second, strict=True))),
        )
        for id_, (things, first, second) in EXACT.items()
    }
    assert len(scenarios) == 393
    sketches = [one for name in RELATIONSHIPS for one in bank_of(found, name).sketches]
    assert {one.name.split()[-1] for one in sketches if one.pool} == EXACT.keys()
    setting, _ = setting_of(found, "sotopia")
    pools = [one for one in setting.scenarios if one.pool]
    assert {one.name.split()[-2] for one in pools} == EXACT.keys()
    assert all(one.worth.keys() == set(one.cast) for one in pools)


def test_a_setting_that_divides_things_is_written_and_read() -> None:
    setting, _ = setting_of(sotopia.read(data("sotopia")), "sotopia")
    again = shelf.parse(toml_of(setting), "sotopia.toml")
    assert again.scenarios == setting.scenarios


SCENARIO = "They divide 3 books and 1 ball."
GOAL = "Books are worth 2 points each, and the ball is worth 1 point."


@pytest.mark.parametrize(
    ("scenario", "goal"),
    [
        ("They divide some books and 1 ball.", GOAL),
        ("They divide 3 books and a ball.", GOAL),
        ("They divide 3 books, 1 ball and 2 hats.", GOAL),
        ("They divide 3 old books and 1 ball.", GOAL),
        ("They divide 3 books and 1 ball, which cost $12.", GOAL),
        ("The 2 divide 3 books and 1 ball.", GOAL),
        (SCENARIO, "Books are worth 2 points, and the ball is worth 1 point."),
        (SCENARIO, "Books are worth 2 points each, and the ball is worth most."),
        (SCENARIO, "Books are worth 2 points each, and the ball is worth 1.5 points."),
        (SCENARIO, "Books are worth 2 points each, and the ball is worth -1 points."),
        (SCENARIO, f"{GOAL} The ball is worth 3 points with its string."),
        (SCENARIO, f"{GOAL} A hat is worth 3 points."),
        (SCENARIO, f"{GOAL} If you get all, 5 points are added."),
        (SCENARIO, "Each book is worth 2 points more than nothing, the ball is worth 1 point."),
        (SCENARIO, "Each book is worth 2 points if it is clean, the ball is worth 1 point."),
    ],
)
def test_what_is_left_open_is_not_divided(scenario: str, goal: str) -> None:
    assert division(SCENARIO, (GOAL, GOAL)).pool == {"books": 3, "ball": 1}
    assert division(scenario, (goal, GOAL)) == division(scenario, (GOAL, goal)) == NOTHING


def test_no_number_is_too_long_to_be_read_over() -> None:
    """Python refuses to read one of more than 4,300 figures, and each of a row of figures was begun from."""
    endless = "1" * 100_000
    begun = process_time()
    assert division(f"{endless} apples", ["Each apple is worth 2 points."] * 2) == NOTHING
    goal = f"Each apple is worth {endless} points."
    assert division("There are 3 apples.", [goal, goal]) == NOTHING
    assert process_time() - begun < 5  # it takes no time; it took minutes
