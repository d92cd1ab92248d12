"""A seeded world in which the right next action follows by rule: from how something stands, which changes,
and from how Oda takes it, which is a habit of hers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from msgspec import Struct
from small_worlds import opened

from whoknew.agents.lines import Line
from whoknew.agents.memories.bookmarks.bookmark import UNKNOWN, Bookmark, KeptAnswer, Proposal
from whoknew.agents.memories.bookmarks.operators import Effect, SceneNow
from whoknew.agents.memories.bookmarks.rules import RuleOperators
from whoknew.eventlog import Draft
from whoknew.eventlog.kinds import Acted, Narrated

WHO, OTHER = "Oda", "Kit"
TOPICS = ("mill", "bridge", "harbour", "tower")
STATES = ("flooded", "burnt", "locked", "guarded", "empty", "crowded")
HURRIED = 0.4
"""So often Oda is hurried: then she takes it otherwise, which is no habit of hers."""

HABITS = ("sigh", "laugh", "curse", "whistle", "kneel", "shrug")


class Right(Struct, frozen=True):
    """What Oda does at a seq: how the topic stands and, the second time she is asked, how she takes it."""

    seq: int
    topic: str
    state: str
    habit: str = ""
    hurried: bool = False
    """What she does then follows from nothing."""

    @property
    def words(self) -> str:
        return f"{self.state} {self.habit}".strip()


def planted(seed: int, topics: int) -> tuple[list[Draft], list[Right]]:
    """A world in which Oda is asked about so many topics, twice each time; and what she rightly does."""
    draw = Random(seed)
    habits = dict(zip(TOPICS, draw.sample(HABITS, len(TOPICS)), strict=True))
    states = {topic: draw.choice(STATES) for topic in TOPICS}
    drafts = opened(WHO, OTHER)
    drafts += [_told(topic, state) for topic, state in states.items()]
    rights: list[Right] = []
    for _ in range(topics):
        if draw.random() < 0.6:
            changed = draw.choice(TOPICS)
            states[changed] = draw.choice([one for one in STATES if one != states[changed]])
            drafts.append(_told(changed, states[changed]))
        topic = draw.choice(TOPICS)
        state, habit = states[topic], habits[topic]
        for asked, shown in (("And", ""), ("Truly", habit)):
            hurried = draw.random() < HURRIED
            drafts.append(_said(OTHER, f"{asked} the {topic}{', quickly' * hurried}?"))
            taken = draw.choice(HABITS) if hurried else habit
            drafts.append(_said(WHO, f"I {taken} at the {topic}: {state}."))
            rights.append(Right(len(drafts), topic, state, shown, hurried))
    return drafts, rights


def state_of(topic: str) -> str:
    return f"How are the gates of the {topic}?"


def habit_of(topic: str) -> str:
    return f"How does {WHO} greet the {topic}?"


class Alternating(RuleOperators):
    """Asked of something for the first time, it proposes to know how that stands; for the second time,
    how Oda takes it: what was found the first time is near."""

    async def propose(self, scene: SceneNow) -> Sequence[Proposal]:
        asked = scene.lines[-1].text if scene.lines else ""
        topic = next((one for one in TOPICS if one in asked), "")
        if not topic:
            return []
        if asked.startswith("And"):
            return [Proposal(state_of(topic), "state")]
        return [Proposal(habit_of(topic), "behavioral")]

    async def effect(self, question: str, answer: str, lines: Sequence[Line]) -> Effect:
        return "update" if _telling(question, lines) else "none"

    async def update(self, question: str, answer: str, lines: Sequence[Line]) -> KeptAnswer:
        return _told_last(question, lines, answer)

    async def behavior(
        self, question: str, actions: Sequence[Line], answer: str = UNKNOWN
    ) -> KeptAnswer:
        return _told_last(question, actions, answer)

    async def shows(self, question: str, action: Line, before: Sequence[Line]) -> bool:
        hurried = bool(before) and "quickly" in before[-1].text
        return bool(_telling(question, [action])) and not hurried


def predicted(right: Right, grounds: Sequence[Bookmark]) -> str:
    """What follows from what an action is grounded on."""
    answers = {one.question: one.answer.text for one in grounds}
    return predicted_by(right.topic, answers, twice=bool(right.habit))


def predicted_by(topic: str, answers: Mapping[str, str], *, twice: bool) -> str:
    """The same by answers to questions."""
    found = [_word(STATES, answers.get(state_of(topic), ""))]
    if twice:
        found.append(_word(HABITS, answers.get(habit_of(topic), "")))
    return " ".join(found).strip()


def _told_last(question: str, lines: Sequence[Line], answer: str) -> KeptAnswer:
    told = _telling(question, lines)
    return KeptAnswer(lines[told[-1]].text, (told[-1],)) if told else KeptAnswer(answer)


def _telling(question: str, lines: Sequence[Line]) -> list[int]:
    """The numbers of the lines that tell of it: of a state how the gates are, of a habit what she did."""
    for topic in TOPICS:
        start = f"The gates of the {topic}" if question == state_of(topic) else "I "
        if question in (state_of(topic), habit_of(topic)):
            return [
                number
                for number, one in enumerate(lines)
                if one.text.startswith(start) and f"the {topic}" in one.text
            ]
    return []


def _word(words: Sequence[str], text: str) -> str:
    return next(_found(words, text), "")


def _found(words: Sequence[str], text: str) -> Iterator[str]:
    return (one for one in words if one in text)


def _told(topic: str, state: str) -> Draft:
    return _draft(Narrated(f"The gates of the {topic} are {state}."))


def _said(who: str, text: str) -> Draft:
    return _draft(Acted(text), who)


def _draft(body: Acted | Narrated, actor: str | None = None) -> Draft:
    return Draft(body, episode=1, actor=actor, witnesses=(WHO, OTHER))
