"""From whom a speaker says to have it: "Ann told me that ...", "as Ann said", "I have it from Ann"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from whoknew.engine.finding.company import Company
from whoknew.engine.finding.sentences import Sentence

SAYING = frozenset(
    """
    said says saith told tells wrote writes writ swore swears confessed confesses reported reports
    promised promises warned warns assured assures informed informs admitted admits let lets showed
    """.split()  # noqa: SIM905  (as prose it can be read)
)
"""What stands behind the name of one who told."""

HEARING = frozenset(
    "heard hear have had has hath got know knew learned learnt told it".split()  # noqa: SIM905
)
"""What stands before "from" and the name of one who told."""

BETWEEN = frozenset(
    """
    who hath has have had did himself herself themselves also too once just already first even since
    lately that then always never
    """.split()  # noqa: SIM905  (as prose it can be read)
)
"""What may stand between a name and its verb."""

WIDE = 3
"""So many such words at most; and so many between "have" and "from"."""


def sources(said: Sequence[Sentence], people: Company) -> Iterator[str]:
    """Those from whom it says to have what it tells, sentence by sentence."""
    for sentence in said:
        if not sentence.asks and (sentence.reports or "from" in sentence.words):
            yield from _sources(sentence.words, people)


def _sources(spoken: Sequence[str], people: Company) -> Iterator[str]:
    for at, word in enumerate(spoken):
        name = people.one_named(word)
        if name is not None and (_says(spoken[at + 1 :]) or _is_heard_from(spoken[:at])):
            yield name


def _says(after: Sequence[str]) -> bool:
    for word in after[: WIDE + 1]:
        if word not in BETWEEN:
            return word in SAYING
    return False


def _is_heard_from(before: Sequence[str]) -> bool:
    """Also where a sentence begins with it: "From Ann: ..." """
    if before[-1:] != ["from"]:
        return False
    return len(before) == 1 or not HEARING.isdisjoint(before[-1 - WIDE : -1])
