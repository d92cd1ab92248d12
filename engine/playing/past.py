"""What the earlier episodes of a world were about: an index of their words, which grows from one close
to the next so that nothing is read twice."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from whoknew.eventlog import Event
from whoknew.eventlog.kinds import Acted, EpisodeOpened, GoalGiven
from whoknew.eventlog.words import terms

Words = frozenset[str]

_LINE = re.compile(
    r'^ *(?:Say|Whisper to|Think|Do|Gesture|Leave|Go to)(?: [^:"\n]+)?: ".*" *$', re.MULTILINE
)


class Past:
    """The texts of the episodes up to and including the event `upto`: scenarios, goals, what was
    said."""

    def __init__(self) -> None:
        self.upto = 0
        self._texts = 0
        self._holding: dict[str, list[int]] = defaultdict(list)
        """Of each word, the numbers of the texts that hold it."""
        self._lives: Counter[str] = Counter()
        """Of each word, in how many episodes it stands."""
        self._newest: dict[str, int] = {}
        """Of each word, the newest of them."""

    def __bool__(self) -> bool:
        return self._texts > 0

    def take(self, story: Iterable[Event]) -> None:
        """Go on with what happened next."""
        for event in story:
            self.upto = event.seq
            match event.body:
                case EpisodeOpened(scenario=text) | GoalGiven(goal=text) | Acted(text=text):
                    self._add(frozenset(terms(untold(text))), event.episode)

    def weight(self, word: str) -> float:
        """A word counts the more the fewer episodes know it."""
        return 1 / (1 + self._lives[word])

    def nearest(self, words: Words) -> Words:
        """Of these words, those that the text holds which holds the most of them, by weight."""
        held: dict[int, float] = defaultdict(float)
        for word in sorted(words):
            weight = self.weight(word)
            for text in self._holding.get(word, ()):
                held[text] += weight
        best = max(held, key=lambda text: (held[text], -text), default=-1)
        return frozenset(word for word in words if best in self._holding.get(word, ()))

    def _add(self, words: Words, episode: int) -> None:
        for word in words:
            self._holding[word].append(self._texts)
            if self._newest.get(word) != episode:
                self._newest[word] = episode
                self._lives[word] += 1
        self._texts += 1


def untold(goal: str) -> str:
    """A goal without the lines that it gives its owner to say."""
    return _LINE.sub("", goal)
