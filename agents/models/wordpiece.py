"""The tokens of BERT models: a text in lower case and without accents, cut at spaces and punctuation,
each word into the longest pieces that the vocabulary has."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Iterator, Mapping

UNKNOWN, BEGINS, ENDS = "[UNK]", "[CLS]", "[SEP]"

LONGEST = 100
"""Letters; a longer word is unknown."""

UNSEEN = ("Cc", "Cf", "Co", "Cs")

IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)
"""Each is a word of its own."""


def token_ids(text: str, vocabulary: Mapping[str, int], most: int) -> list[int]:
    """The numbers of a text's tokens between those of its beginning and its end, so many at most."""
    found = [vocabulary[BEGINS]]
    for word in _words(_plain(text)):
        if len(found) >= most:
            break
        found += _pieces(word, vocabulary)
    return [*found[: most - 1], vocabulary[ENDS]]


def _plain(text: str) -> str:
    """Spaces are spaces, what cannot be seen is gone, so are capitals and accents."""
    seen = "".join(filter(None, map(_seen, text)))
    bare = (c for c in unicodedata.normalize("NFD", seen) if unicodedata.category(c) != "Mn")
    return "".join(letter.lower() for letter in bare)  # a whole text has another final sigma


def _seen(letter: str) -> str:
    if letter.isascii():
        return letter if letter.isprintable() else " " if letter in "\t\n\r\v\f" else ""
    if letter.isspace():
        return " "
    if letter == "\N{REPLACEMENT CHARACTER}" or unicodedata.category(letter) in UNSEEN:
        return ""
    return f" {letter} " if any(a <= ord(letter) <= b for a, b in IDEOGRAPHS) else letter


def _words(text: str) -> Iterator[str]:
    for word in text.split():
        begun = 0
        for at, letter in enumerate(word):
            if _is_punctuation(letter):
                yield from filter(None, (word[begun:at], letter))
                begun = at + 1
        if begun < len(word):
            yield word[begun:]


def _is_punctuation(letter: str) -> bool:
    if letter.isascii():
        return letter in string.punctuation
    return unicodedata.category(letter).startswith("P")


def _pieces(word: str, vocabulary: Mapping[str, int]) -> list[int]:
    found, begun = list[int](), 0
    while begun < len(word) <= LONGEST:
        for end in range(len(word), begun, -1):
            piece = f"##{word[begun:end]}" if begun else word[:end]
            if piece in vocabulary:
                found.append(vocabulary[piece])
                begun = end
                break
        else:
            return [vocabulary[UNKNOWN]]
    return found or [vocabulary[UNKNOWN]]
