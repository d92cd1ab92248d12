"""What an exam knows its answers by. Whoever raises a version or changes a prompt changes some of these
on purpose, and pins them anew: all that is on older logs is asked again, and paid for again."""

from __future__ import annotations

import pytest

from whoknew.engine.exams.arms import acting, arm_of, digest_of
from whoknew.engine.exams.plan import ExamSeat
from whoknew.engine.plan.plan import Guarding, Seat

PLAIN = {
    "none": "d0fa18b316b30179",
    "entire": "7182d0bb79792b70",
    "recall": "3200bcb02899470a",
    "summary": "cd192908a7efa92f",
    "running": "83958ee01bffa6e2",
}


@pytest.mark.parametrize("memory", PLAIN)
def test_an_arm_is_known_by_what_it_was_known_by_before(memory: str) -> None:
    assert arm_of("arm", ExamSeat(memory=memory)).digest == PLAIN[memory]


def test_so_are_a_method_a_memory_that_is_written_and_a_seat_in_a_scene() -> None:
    assert arm_of("arm", ExamSeat(memory="recall", method="stepwise")).digest == "d1dbccde70e43690"
    written = arm_of("arm", ExamSeat(memory="summary")).memory
    assert written is not None and written.digest == "f329389fac656006"
    assert digest_of(acting(Seat(memory="recall"))) == "8ea1a2aa740dc383"


def test_a_model_that_gives_vectors_is_part_of_what_an_arm_is_known_by() -> None:
    def key(**settings: object) -> str:
        return arm_of("arm", ExamSeat(memory="recall", settings={"recall": settings})).digest

    assert key() == key(k=10) == key(share=0.5)  # nothing is shared without one
    assert len({key(), key(k=3), key(embedder="minilm:"), key(embedder="minilm:", share=0.5)}) == 4


def test_a_guard_is_part_of_what_an_arm_is_known_by_only_where_there_is_one() -> None:
    def key(**seat: object) -> str:
        return arm_of("arm", ExamSeat(memory="none", **seat)).digest  # type: ignore[arg-type]

    assert key() == key(guard=False) == PLAIN["none"]
    assert key(guard=True) == key(guard=Guarding()) != key(guard=Guarding(tries=1)) != key()
