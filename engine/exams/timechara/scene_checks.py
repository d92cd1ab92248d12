"""What has to hold of what a model wrote of a scene, each by a rule: else it is refused, and told why."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from msgspec import Struct

from whoknew.agents.lines import Line
from whoknew.engine.exams.naming import holds_name
from whoknew.engine.exams.timechara import fakes
from whoknew.engine.exams.timechara.event_sentences import MOST_EVIDENCE
from whoknew.engine.exams.timechara.free import ASKING
from whoknew.engine.exams.timechara.labels import ONLY
from whoknew.engine.exams.timechara.scene_draft import (
    DraftedFact,
    DraftedFake,
    DraftedGold,
    DraftedSentence,
)
from whoknew.engine.exams.timechara.sentence_checks import SceneWords, one_sentence
from whoknew.engine.exams.timechara.story_scenes import StoryScene
from whoknew.engine.exams.writing.checks import (
    CheckFailed,
    in_first_person,
    line_terms,
    one_question,
)
from whoknew.engine.judges.moment import KNOWING
from whoknew.engine.judges.moment_words import judged
from whoknew.eventlog.words import terms, words
from whoknew.worlds.question import Question

ENOUGH = 0.5
"""The share of what somebody tells that what it rests on has to hold."""

LONGEST = 80
"""Words of a question, or of an answer; half as many for what a right answer names."""

JOINING = 6
"""So many words join what was added to a sentence, as "who knew by then that" does."""

_PRONOUN = re.compile(
    r"\b(?:he|she|him|her|his|hers|himself|herself|they|them|their|theirs|themselves)\b",
    re.IGNORECASE,
)
_NOT_KNOWN = re.compile(r"\b(?:did not|didn't) know\b", re.IGNORECASE)
"""Said of somebody else, it denies what that one is said to have known."""

_QUOTED = re.compile('["\u201c][^"\u201c\u201d]*["\u201d]')


class CheckedScene(Struct, frozen=True, kw_only=True):
    """What all is held against: the `scene`, by its `number` among those of its world; the words of
    these; the people of the world; and all words that are spoken in it."""

    scene: StoryScene
    number: int
    words: SceneWords
    people: Sequence[str]
    spoken: frozenset[str]

    def lines(self, evidence: Collection[int]) -> list[Line]:
        return [told for told in self.scene.lines if told.place in evidence]

    def told(self, evidence: Collection[int]) -> frozenset[str]:
        """The words of some of its lines."""
        return frozenset(term for told in self.lines(evidence) for term in line_terms(told))


def sentence_fault(
    one: DraftedSentence, checked: CheckedScene, unsure: Collection[str]
) -> CheckFailed | None:
    """The first thing that is wrong with it. `unsure` are those who may have been there."""
    return next(_of_sentence(one, checked, unsure), None)


def _of_sentence(
    one: DraftedSentence, checked: CheckedScene, unsure: Collection[str]
) -> Iterator[CheckFailed]:
    if wrong := one_sentence(one.sentence):
        yield wrong
    if wrong := evidence_fault(one.evidence, checked):
        yield wrong
        return
    held = checked.told(one.evidence)
    telling = checked.words.telling(one.sentence)
    if len(telling & held) < ENOUGH * len(telling):
        missing = ", ".join(sorted(telling - held)[:5])
        yield CheckFailed("support", f"the events that it names lack {missing}.")
    yield from _names(one, checked)
    if checked.words.another(one.sentence, checked.number) is not None:
        yield CheckFailed("unique", "it fits another scene of the story as well as this one.")
    there = [set(checked.scene.events[at - 1].witnesses) for at in one.evidence]
    sure = set.intersection(*there).difference(unsure)
    said = set(one.people)
    if missing := ", ".join(sorted(sure - said)):
        yield CheckFailed("people", f"{missing} was there, and is not among the people.")
    if strange := ", ".join(sorted(said - set.union(*there).union(unsure))):
        yield CheckFailed("people", f"{strange[:200]} was not there.")


def evidence_fault(evidence: Collection[int], checked: CheckedScene) -> CheckFailed | None:
    if not 1 <= len(set(evidence)) <= MOST_EVIDENCE:
        return CheckFailed(
            "evidence", f"it names {len(evidence)} events: name 1 to {MOST_EVIDENCE}."
        )
    strange = [at for at in evidence if not 1 <= at <= len(checked.scene.events)]
    return CheckFailed("evidence", f"there is no event [{strange[0]}].") if strange else None


def _names(one: DraftedSentence, checked: CheckedScene) -> Iterator[CheckFailed]:
    """Whether it names one who does it, and nobody of whom these events do not tell."""
    events = [checked.scene.events[at - 1] for at in one.evidence]
    doing = {event.actor for event in events if event.actor}
    if doing and not any(holds_name(name, one.sentence) for name in doing):
        yield CheckFailed("names", f"it does not name {' or '.join(sorted(doing))}.")
    told = " ".join(checked.lines(one.evidence))
    around = {who for event in events for who in event.witnesses}
    capitals = " ".join(re.findall(r"\b[^\W\d_a-z]\w+", one.sentence))
    for name in checked.people:
        if name not in around and holds_name(name, capitals) and not holds_name(name, told):
            yield CheckFailed("names", f"it names {name}, of whom these events do not tell.")


def fact_fault(
    one: DraftedFact, sentence: str, lines: Sequence[Line], checked: CheckedScene
) -> CheckFailed | None:
    """The same of a question on what a sentence and some lines tell."""
    return next(_of_fact(one, sentence, lines, checked), None)


def _of_fact(
    one: DraftedFact, sentence: str, lines: Sequence[Line], checked: CheckedScene
) -> Iterator[CheckFailed]:
    asking = (one.word, *({"who": ("whom", "whose")}.get(one.word, ())))
    if one.word not in ASKING or not set(asking) & set(words(one.question)):
        yield CheckFailed("kind", f"it does not ask with one of {', '.join(ASKING)}, as it says.")
    yield from _question(one.question, one.answer, sentence, checked)
    key, asked = set(terms(one.key)), set(terms(one.question))
    if not key or len(words(one.key)) > LONGEST / 2 or not key <= set(terms(one.answer)):
        yield CheckFailed("key", "its key does not hold some words of its answer.")
    if 2 * len(key & asked) >= len(key) and key:
        yield CheckFailed("given away", f"the question tells its answer: {one.key[:100]}.")
    held = {term for told in lines for term in line_terms(told)} | set(terms(sentence))
    new = set(terms(one.answer)) - asked
    if len(new & held) < ENOUGH * len(new):
        missing = ", ".join(sorted(new - held)[:5])
        yield CheckFailed("support", f"the answer is not in the events, which lack {missing}.")


def _question(
    question: str, answer: str, sentence: str, checked: CheckedScene
) -> Iterator[CheckFailed]:
    """Whether it is one, on what the sentence tells, that can be understood by itself."""
    if not (question.isprintable() and answer.isprintable()):
        yield CheckFailed("wording", "it holds signs that are no text: write it in one line.")
    for name, text in (("question", question), ("answer", answer)):
        if not 1 <= len(words(text)) <= LONGEST:
            yield CheckFailed("length", f"the {name} has {len(words(text))} words.")
    if wrong := one_question(question):
        yield wrong
    if found := _PRONOUN.search(_QUOTED.sub(" ", question)):
        yield CheckFailed("pronoun", f"{found[0]!r} in the question may be anybody: use names.")
    telling = checked.words.telling(sentence)
    if len(telling & set(terms(question))) < min(2, len(telling)):
        yield CheckFailed("another event", "the question does not say which event it is about.")


def fake_fault(
    one: DraftedFake, sentence: str, strategy: str, checked: CheckedScene, evidence: Collection[int]
) -> CheckFailed | None:
    """The same of a false sentence, and of a question that takes it for true."""
    return next(_of_fake(one, sentence, strategy, checked, evidence), None)


def _of_fake(
    one: DraftedFake, sentence: str, strategy: str, checked: CheckedScene, evidence: Collection[int]
) -> Iterator[CheckFailed]:
    if wrong := one_sentence(one.sentence):
        yield wrong
    was, now = words(sentence), words(one.sentence)
    true, false = words(one.true), words(one.false)
    added = strategy in (fakes.ADDED, KNOWING)
    if was == now or not false or bool(true) == added:
        what = "nothing was to be replaced" if added else "something was to be replaced"
        yield CheckFailed("one change", f"{what}, and the sentence to be another.")
    elif not _is_changed(was, now, true, false):
        yield CheckFailed("one change", "more than these words differs, or others.")
    if strategy == fakes.CHARACTER and one.false not in checked.people:
        yield CheckFailed("strategy", f"{one.false[:100]!r} is no other character of the story.")
    telling = set(terms(one.false))
    if strategy == fakes.ADDED and not any(
        word not in checked.spoken for word in false if len(word) > 2
    ):
        yield CheckFailed("strategy", f"{one.false[:100]!r} is somewhere in the story.")
    if strategy != KNOWING and telling and telling <= checked.told(evidence):
        yield CheckFailed("so after all", f"these events tell of {one.false[:100]!r}.")
    yield from _question(one.question, one.answer, one.sentence, checked)
    asked = words(one.question)
    if telling and len(telling & set(terms(one.question))) < ENOUGH * len(telling):
        yield CheckFailed("taken for true", f"the question does not hold {one.false[:100]!r}.")
    if true and _within(true, asked):
        yield CheckFailed("given away", f"the question holds what is true: {one.true[:100]!r}.")
    labels = {"type": ONLY, "key": one.true, "false": one.false}
    answer = _NOT_KNOWN.sub("was not so", one.answer)
    if 0.0 in judged(answer, labels)[0].values():
        yield CheckFailed("answer", "the answer does not deny what is false and name what is true.")


def _is_changed(
    was: Sequence[str], now: Sequence[str], true: Sequence[str], false: Sequence[str]
) -> bool:
    """Whether some words stand in the place of others, and all else is the same; where nothing was
    there before, a few that join them may stand beside them."""
    if not true:
        more = len(now) - len(was)
        return more <= len(false) + JOINING and any(
            [*now[:at], *now[at + more :]] == list(was) and _within(false, now[at : at + more])
            for at in range(len(was) + 1)
        )
    return any(
        [*now[:at], *true, *now[at + len(false) :]] == list(was)
        for at in range(len(now) - len(false) + 1)
        if list(now[at : at + len(false)]) == list(false)
    )


def _within(some: Sequence[str], text: Sequence[str]) -> bool:
    return f" {' '.join(some)} " in f" {' '.join(text)} "


def gold_fault(one: DraftedGold, question: Question) -> CheckFailed | None:
    """Whether an answer is right by the labels of its question, as far as a rule can tell."""
    if not one.answer.isprintable() or not 1 <= len(words(one.answer)) <= 2 * LONGEST:
        return CheckFailed("length", f"the answer has {len(words(one.answer))} words.")
    if question.kind != ONLY and not in_first_person(one.answer):
        return CheckFailed("first person", "the answer is not in the first person.")
    scores, why = judged(one.answer, question.labels)
    if 0.0 in scores.values():
        return CheckFailed("label", f"it does not fit what holds at this moment: {why}.")
    return None


CHECKS = (
    "wording",
    "length",
    "one sentence",
    "past tense",
    "evidence",
    "support",
    "names",
    "unique",
    "people",
    "kind",
    "one question",
    "pronoun",
    "another event",
    "key",
    "given away",
    "another answer",
    "one change",
    "strategy",
    "so after all",
    "taken for true",
    "answer",
    "first person",
    "label",
    "copy",
)
"""All that something can be refused for."""
