"""What a sentence has to be that tells what happened in a scene, each by a rule."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from math import log

from whoknew.engine.exams.writing.checks import FRAME, CheckFailed
from whoknew.eventlog.words import sentences, terms, words

LEAST, MOST = 5, 60
"""Words."""

_QUOTED = re.compile('["\u201c][^"\u201c\u201d]*["\u201d]')
_ABBREVIATED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|St|Capt|Prof)\.")

_TESTAMENT = re.compile(r"\b(?:an?|the|his|her|their|last|own) will\b", re.IGNORECASE)
"""No verb."""

_PAST = frozenset(
    words(
        "was were had did said told gave took went came saw heard knew thought brought bought made found "
        "left kept held let put set sat stood lay laid ran rose fell felt fled flew fought broke spoke "
        "wrote read drew drove drank ate swore stole struck shook sang rang hid bit bound built burnt "
        "caught chose clung crept cut dealt dug fed forgave forgot froze got grew hit hung hurt learnt "
        "led lent lit lost meant met paid quit rode sank sent shone shot shut slept slid sold sought "
        "spent spread sprang stuck stung swept swam swung taught threw tore understood woke wore won "
        "wound wept became began bent bet bled blew withdrew overheard could would might"
    )
)
_PRESENT = frozenset(
    words(
        "is are am isn aren has does doesn don will shall says tells asks goes comes takes gives makes "
        "knows thinks sees hears wants"
    )
)
"""What no sentence in the past tense holds outside of what it quotes."""


def one_sentence(text: str) -> CheckFailed | None:
    """What is wrong with its form: whether it is one sentence in the past tense."""
    if not text.isprintable() or text != text.strip():
        return CheckFailed("wording", "it holds signs that are no text, or blanks at an end.")
    if not LEAST <= len(words(text)) <= MOST:
        return CheckFailed("length", f"it has {len(words(text))} words: give {LEAST} to {MOST}.")
    own = _ABBREVIATED.sub(lambda found: found[0][:-1], _QUOTED.sub('"', text))
    parts = [one for one in sentences(own) if one.strip()]
    if len(parts) != 1 or not own.endswith((".", '."', '"')) or "?" in own or "!" in own:
        return CheckFailed("one sentence", "it is not one sentence that ends with a full stop.")
    spoken = words(_TESTAMENT.sub(" ", own))
    if found := _PRESENT.intersection(spoken):
        return CheckFailed("past tense", f"{min(found)!r} is not in the past tense.")
    if not any(word in _PAST or word.endswith("ed") for word in spoken):
        return CheckFailed("past tense", "it has no verb in the past tense.")
    return None


class SceneWords:
    """The words of all scenes of a world: which of them a sentence fits."""

    def __init__(self, texts: Sequence[str], names: Collection[str]) -> None:
        """`names` are those of the people, who are there in many scenes."""
        self._scenes = [frozenset(terms(text)) for text in texts]
        self._held = Counter(term for scene in self._scenes for term in scene)
        self._named = frozenset(term for name in names for term in terms(name))

    def telling(self, sentence: str) -> frozenset[str]:
        """Those of its words that tell something."""
        return frozenset(terms(sentence)) - FRAME

    def another(self, sentence: str, scene: int) -> int | None:
        """A scene, by its number, that a sentence on one fits as well."""
        telling = self.telling(sentence) - self._named or self.telling(sentence)
        own = self._weight(telling, scene)
        others = (one for one in range(len(self._scenes)) if one != scene)
        return next((one for one in others if self._weight(telling, one) >= own), None)

    def _weight(self, telling: Collection[str], scene: int) -> float:
        """A word weighs the more, the fewer scenes have it."""
        return sum(
            log(1 + len(self._scenes) / self._held[term])
            for term in telling
            if term in self._scenes[scene]
        )
