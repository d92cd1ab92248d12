"""What a question that a model wrote has to be: each check catches what it is for, and nothing good."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from whoknew.agents.lines import Line
from whoknew.engine.exams.writing.checks import (
    CHECKS,
    LivedLines,
    answer_words,
    question_words,
    refusal,
)
from whoknew.engine.exams.writing.draft import DraftedQuestion

LINES = {
    2: Line('[2] AUGUSTA is, as is known: "keeper of the light"', 2),
    5: Line('[5] MARROW says: "Not all.\\nThe Patience sails on Friday night."', 5, "MARROW"),
    6: Line('[6] TOBIAS whispers to AUGUSTA: "He offered me ten crowns."', 6, "TOBIAS"),
    7: Line('[7] WREN says: "The glass is clean. The glass is clean."', 7, "WREN"),
    8: Line('[8] WREN says: "Is the glass clean?"', 8, "WREN"),
}
PLAIN = [
    " 2 augusta is as is known keeper of the light ",
    " 5 marrow says not all the patience sails on friday night ",
    " 6 tobias whispers to augusta he offered me ten crowns ",
    " 7 wren says the glass is clean the glass is clean ",
    " 8 wren says is the glass clean ",
]
LIVED = LivedLines(
    who="AUGUSTA",
    kinds=("self", "fact", "relation"),
    lines=LINES,
    rare=lambda term: True,
    plain=PLAIN,
    names=frozenset({"augusta", "marrow", "tobia", "wren"}),
    doubtful=frozenset({7}),
    asked=[question_words("What ship did MARROW tell you of in the lamp room?")],
)
GOOD = DraftedQuestion(
    "fact",
    "When the shipowner had spoken, which ship was to sail, as you heard?",
    "I heard that the Patience sails on Friday night.",
    (5,),
)
ALSO_GOOD = (
    GOOD,
    DraftedQuestion("self", "Who are you?", "I am the keeper of the light.", (2,)),
    DraftedQuestion(
        "relation",
        'What had TOBIAS been offered, when he said to you: "He offered me ..."',
        "Tobias told me of ten crowns.",
        (6,),
    ),
)


@pytest.mark.parametrize("good", ALSO_GOOD)
def test_what_is_good_passes(good: DraftedQuestion) -> None:
    assert refusal(good, LIVED) is None


BAD = {
    "kind": replace(GOOD, kind="gossip"),
    "wording": replace(GOOD, answer="I heard\x07 of the Patience."),
    "length": replace(GOOD, answer="I " + "sail " * 200),
    "one question": replace(GOOD, question="Which ship was to sail, and when was that to be?"),
    "first person": replace(GOOD, answer='The Patience sails on Friday night: "I know it."'),
    "evidence": replace(GOOD, evidence=(5, 912)),
    "doubtful": DraftedQuestion(
        "fact", "How was the pane?", "I heard that the glass is clean.", (7,)
    ),
    "support": replace(GOOD, answer="I heard that the Hesperus sinks at dawn."),
    "given away": replace(
        GOOD, question="Did you hear that the Patience sails on Friday night?", answer="Yes, I did."
    ),
    "ambiguous": DraftedQuestion(
        "self", 'What else is said where it is said: "glass"', "I keep the light.", (2,)
    ),
    "copy": replace(GOOD, question="What ship did MARROW tell you of in the lamp room then?"),
}


@pytest.mark.parametrize("check", BAD)
def test_each_check_catches_what_it_is_for(check: str) -> None:
    found = refusal(BAD[check], LIVED)
    assert found is not None and found.check == check
    assert check in CHECKS and found.why.endswith((".", "?"))


@pytest.mark.parametrize("kind", LIVED.kinds)
@pytest.mark.parametrize("check", [one for one in BAD if one != "kind"])
def test_it_does_so_in_every_kind(check: str, kind: str) -> None:
    found = refusal(replace(BAD[check], kind=kind), LIVED)
    assert found is not None and found.check == check


def test_a_name_that_the_evidence_does_not_tell_of_is_no_support() -> None:
    wrong = replace(GOOD, answer="I heard from Wren that the Patience sails on Friday night.")
    found = refusal(wrong, LIVED)
    assert found is not None and found.check == "support" and "wren" in found.why


def test_the_same_answer_to_another_question_is_a_copy_where_it_says_enough() -> None:
    said = answer_words("I was told that the Patience sails on Friday night.")
    found = refusal(GOOD, replace(LIVED, answered=[said]))
    assert found is not None and found.check == "copy"
    short = DraftedQuestion("self", "What do you keep?", "I keep the light.", (2,))
    assert refusal(short, replace(LIVED, answered=[answer_words(short.answer)])) is None


def test_an_end_of_a_line_within_a_speech_parts_its_words() -> None:
    assert refusal(replace(GOOD, answer="I heard: the Patience."), LIVED) is None


@pytest.mark.parametrize("evidence", [(), tuple(range(1, 40)), (0,), (-1,), (10**12,)])
def test_evidence_has_to_be_few_events_that_were_shown(evidence: tuple[int, ...]) -> None:
    found = refusal(replace(GOOD, evidence=evidence), LIVED)
    assert found is not None and found.check == "evidence"
