"""What a writer is known by: all that decides what it writes."""

from __future__ import annotations

from whoknew.engine.exams.writing.writer import WritingSettings, writer_of

KINDS = {"self": "who one is", "fact": "what happened"}


def digest(settings: WritingSettings, kinds: dict[str, str] = KINDS) -> str:
    return writer_of(settings, kinds).digest


def test_a_model_is_known_by_its_name_wherever_it_is_reached() -> None:
    here, there = (f"http://{host}:8000/v1#m" for host in ("localhost", "farm"))
    assert digest(WritingSettings(here)) == digest(WritingSettings(there))
    assert digest(WritingSettings(here)) != digest(WritingSettings(f"{here}2"))
    assert digest(WritingSettings("offline:", checked_by=here)) == (
        digest(WritingSettings("offline:", checked_by=there))
    )


def test_what_is_said_of_the_kinds_that_are_asked_for_is_part_of_it() -> None:
    asked = WritingSettings("offline:", kinds=("self",))
    assert digest(asked) != digest(asked, {**KINDS, "self": "what one is called"})
    assert digest(asked) == digest(asked, {**KINDS, "fact": "what happened when"})
