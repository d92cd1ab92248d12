"""Who knows what: present, told, absent, future; and the chain of tellings."""

from itertools import pairwise
from random import Random

import pytest
from chain_of_tellings import counting
from small_worlds import NIGHT, elsinore, opened, said
from store_places import Place, log_at

from whoknew.eventlog import Draft, Known, Log, open_log
from whoknew.eventlog.errors import NoSuchCharacter
from whoknew.eventlog.kinds import Acted, CharacterAdded, Doubted, Narrated, Traced


async def answers(log: Log, world: str, event: int, at: str = "end") -> dict[str, str]:
    knowledge = await log.knowledge(world, at)
    return {name: knowledge.of(event, name).answer for name in knowledge.characters}


def hearsay(event: int, who: str, by: str | None, at: int) -> Known:
    return Known(event, who, "told", by, at, origin="declared", score=1.0)


async def test_each_of_the_four_answers_is_given(log: Log) -> None:
    await elsinore(log)
    # 7: Marcellus to Bernardo; 8: Marcellus tells Horatio of 7; 12: Horatio tells Bernardo of 8.
    assert await answers(log, "elsinore", 7, "#6") == dict.fromkeys(WATCH, "future")
    assert await answers(log, "elsinore", 7, "#7") == {
        "Bernardo": "present",
        "Horatio": "absent",
        "Marcellus": "present",
    }
    assert (await answers(log, "elsinore", 7, "#8"))["Horatio"] == "told"


WATCH = ("Bernardo", "Horatio", "Marcellus")


async def test_a_telling_says_by_whom_and_where(log: Log) -> None:
    await elsinore(log)
    knowledge = await log.knowledge("elsinore")
    assert knowledge.of(7, "Horatio") == hearsay(7, "Horatio", "Marcellus", 8)
    assert knowledge.of(7, "Bernardo") == Known(7, "Bernardo", "present", at=7)


async def test_what_one_has_witnessed_one_is_not_told(log: Log) -> None:
    await log.append("w", opened("A", "B"))
    await log.append("w", [said("A", "x", "B"), said("A", "of x", "B", about=[4])])
    assert (await log.knowledge("w")).of(4, "B").answer == "present"


async def test_nobody_is_told_of_anything_by_themselves(log: Log) -> None:
    await log.append("w", opened("A", "B"))
    await log.append("w", [said("B", "x"), said("A", "I guess x", about=[4])])
    assert await answers(log, "w", 4) == {"A": "absent", "B": "present"}


async def test_tellings_carry_on_from_one_to_the_next(log: Log) -> None:
    """1 opened, 2-5 the cast; A alone at 6; A tells B; B tells C; C tells D."""
    await log.append("w", opened("A", "B", "C", "D"))
    await log.append(
        "w",
        [
            said("A", "sees it"),
            said("A", "tells", "B", about=[6]),
            said("B", "tells", "C", about=[7]),
            said("C", "tells", "D", about=[8]),
        ],
    )
    knowledge = await log.knowledge("w")
    assert knowledge.of(6, "D") == hearsay(6, "D", "C", 9)
    assert knowledge.trace(6, "D") == [
        hearsay(6, "D", "C", 9),
        hearsay(6, "C", "B", 8),
        hearsay(6, "B", "A", 7),
        Known(6, "A", "present", at=6),
    ]


async def test_a_chain_is_cut_at_the_cursor(log: Log) -> None:
    await log.append("w", opened("A", "B", "C"))
    await log.append(
        "w", [said("A", "x"), said("A", "y", "B", about=[5]), said("B", "z", "C", about=[6])]
    )
    knowledge = await log.knowledge("w", "#6")
    assert knowledge.of(5, "B").answer == "told"
    assert knowledge.of(5, "C").answer == "absent"


async def test_the_first_telling_counts(log: Log) -> None:
    await log.append("w", opened("A", "B", "C"))
    await log.append(
        "w",
        [
            said("A", "x"),
            said("A", "to C", "C", about=[5]),
            said("A", "to B", "B", about=[5]),
            said("C", "to B", "B", about=[6]),
        ],
    )
    assert (await log.knowledge("w")).of(5, "B") == hearsay(5, "B", "A", 7)


async def test_who_speaks_of_what_they_cannot_know_ends_the_chain_absent(log: Log) -> None:
    await log.append("w", opened("A", "B", "C"))
    await log.append("w", [said("A", "x"), said("B", "a guess", "C", about=[5])])
    chain = (await log.knowledge("w")).trace(5, "C")
    assert [(cell.character, cell.answer) for cell in chain] == [("C", "told"), ("B", "absent")]


async def test_a_narration_tells_without_anyone_telling(log: Log) -> None:
    await log.append("w", opened("A", "B"))
    told = Draft(Narrated("The ghost was seen."), witnesses=("B",), about=(4,))
    await log.append("w", [said("A", "a ghost!"), told])
    knowledge = await log.knowledge("w")
    assert knowledge.of(4, "B") == hearsay(4, "B", None, 5)
    assert knowledge.trace(4, "B") == [hearsay(4, "B", None, 5)]


async def test_a_letter_found_tells_its_reader_whoever_wrote_it(log: Log) -> None:
    await log.append("w", opened("A", "B"))
    page = Draft(Traced("letter", "I saw it"), witnesses=("B",), about=(4,))
    await log.append("w", [said("A", "sees it"), page])
    assert (await log.knowledge("w")).of(4, "B").answer == "told"


async def test_a_letter_read_aloud_tells_its_reader_and_not_its_writer(place: Place) -> None:
    reading = Draft(
        Acted('I saw a ghost, "writer": C.', writer="A"),
        actor="B",
        witnesses=("A", "B", "C"),
        about=(5,),
    )
    thought = Draft(Acted("a ghost?"), actor="C", witnesses=())
    async with log_at(place) as log:
        await log.append("w", [*opened("A", "B", "C"), thought, reading])
        for who, answer in (("A", "absent"), ("B", "told"), ("C", "told")):
            assert (await log.knowledge("w")).of(5, who).answer == answer
    async with log_at(place) as log:
        knowledge = await log.knowledge("w")
        assert [knowledge.of(5, who).by for who in "ABC"] == [None, "A", "A"]


async def test_a_telling_that_one_did_not_hear_tells_one_nothing(log: Log) -> None:
    await log.append("w", opened("A", "B", "C"))
    await log.append("w", [said("A", "x"), said("A", "y", "B", about=[5])])
    assert (await log.knowledge("w")).of(5, "C").answer == "absent"


async def test_a_telling_of_many_tells_of_each(log: Log) -> None:
    await log.append("w", opened("A", "B"))
    await log.append("w", [said("A", "x"), said("A", "y"), said("A", "z", "B", about=[4, 5])])
    knowledge = await log.knowledge("w")
    assert [knowledge.of(event, "B").at for event in (4, 5)] == [6, 6]


async def test_hearsay_of_hearsay_needs_not_have_been_heard_by_the_hearer(log: Log) -> None:
    """C hears of the telling at 6 without its being said to C; C is told of 5 through it."""
    await log.append("w", opened("A", "B", "C"))
    await log.append(
        "w",
        [said("A", "x"), said("A", "of x", "B", about=[5]), said("B", "of that", "C", about=[6])],
    )
    assert (await log.knowledge("w")).of(5, "C") == hearsay(5, "C", "B", 7)


async def test_the_matrix_has_a_row_for_each_event_and_a_cell_for_each_character(log: Log) -> None:
    await elsinore(log)
    knowledge = await log.knowledge("elsinore", "E1")
    matrix = knowledge.matrix([6, 7, 12])
    assert [[cell.answer for cell in row] for row in matrix] == [
        ["present", "absent", "present"],
        ["present", "told", "present"],
        ["future", "future", "future"],
    ]
    assert knowledge.matrix([7], ["Horatio"]) == [[knowledge.of(7, "Horatio")]]


async def test_only_the_characters_of_that_moment_are_asked(log: Log) -> None:
    await elsinore(log)
    assert (await log.knowledge("elsinore", "#3")).characters == ("Bernardo", "Horatio")
    with pytest.raises(NoSuchCharacter, match="no character 'Marcellus' in 'elsinore' at that"):
        (await log.knowledge("elsinore", "#3")).of(1, "Marcellus")


async def test_a_teller_who_came_in_by_telling_ends_the_chain(log: Log) -> None:
    """What brings a character into the world may itself tell of something."""
    await log.append("w", [*opened("A", "B"), said("A", "x")])
    arrives = Draft(CharacterAdded("C"), actor="C", witnesses=("B", "C"), about=(4,))
    await log.append("w", [arrives])
    chain = (await log.knowledge("w")).trace(4, "B")
    assert chain[0] == hearsay(4, "B", "C", 5)
    assert [cell.answer for cell in chain[1:]] in ([], ["absent"])


async def test_the_answer_does_not_change_with_what_comes_later(log: Log) -> None:
    await elsinore(log)
    events = range(1, 15)
    before = (await log.knowledge("elsinore", "E1")).matrix(events)
    later = [said("Bernardo", "All of it!", "Horatio", about=range(1, 15)), Draft(Acted("hm"))]
    await log.append("elsinore", later)
    assert (await log.knowledge("elsinore", "E1")).matrix(events) == before


async def test_a_world_of_one_event_is_known_to_nobody(log: Log) -> None:
    await log.append("w", opened(at=NIGHT))
    assert (await log.knowledge("w")).matrix([1]) == [[]]


async def test_all_that_one_was_told_is_what_each_event_says_of_it(log: Log) -> None:
    names = ("A", "B", "C", "D")
    random = Random(5)
    await log.append("w", opened(*names))
    begun = 1 + len(names)
    for seq in range(begun + 1, begun + 120):
        teller, *others = random.sample(names, random.randint(1, 4))
        about = random.sample(range(begun + 1, seq), min(seq - begun - 1, random.randint(0, 2)))
        await log.append("w", [said(teller, "x", *others, about=about)])
    for at in ("#30", "#70", "end"):
        knowledge = await log.knowledge("w", at)
        for name in names:
            cells = [knowledge.of(event, name) for event in range(1, knowledge.cursor.seq + 1)]
            heard = {cell.event: cell for cell in cells if cell.answer == "told"}
            assert knowledge.told(name) == heard
            for event in heard:
                chain = knowledge.trace(event, name)
                for later, earlier in pairwise(chain):
                    then = await log.knowledge("w", f"#{(later.at or 0) - 1}")
                    assert earlier == then.of(event, later.by or "")
                assert chain[-1].answer != "told"


async def test_a_chain_from_mouth_to_mouth_is_traced_in_one_walk() -> None:
    async def walked(people: int) -> int:
        async with open_log(":memory:") as log:
            names = [f"P{number}" for number in range(people)]
            await log.append("w", opened(*names))
            first = people + 2
            words = [said(names[0], "it")]
            words += [
                said(teller, "told", hearer, about=[first + place])
                for place, (teller, hearer) in enumerate(pairwise(names))
            ]
            await log.append("w", words)
            counted = await counting(log, "w")
            assert len((await log.knowledge("w")).trace(first, names[-1])) == people
            return counted.asked

    assert await walked(200) <= 2.5 * await walked(100)


async def test_a_doubt_that_comes_later_changes_nothing_of_what_was_open_before(log: Log) -> None:
    await log.append("w", [*opened("A", "B"), said("A", "hi", "B")])
    await log.append("w", [Draft(Doubted("B", "she may have slept"), cause=4)])
    await log.append("w", [Draft(Doubted("A", "the wind was loud", also=("B",)), cause=4)])
    loud = dict.fromkeys("AB", "the wind was loud")
    for one in (log, Log(log.store)):
        for at, why in ((4, {}), (5, {"B": "she may have slept"}), (6, loud)):
            knowledge = await one.knowledge("w", f"#{at}")
            assert knowledge.doubts(4) == why
            assert knowledge.doubtful() == ([4] if why else [])
            assert knowledge.of(4, "B").doubt == why.get("B", "")
