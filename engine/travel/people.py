"""People in little room: initials that stand for one person alone, and a colour: the same in pictures,
in the terminal, and on the page (`viewer/people.js` goes by the same rules)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import cos, radians, sin
from unicodedata import category

LONGEST = 12

_SEPARATING = re.compile(r"\s+")


def initials(people: Sequence[str]) -> dict[str, str]:
    """Those of each: of its words, and as many letters more as tell it from all others. Whom no letter
    tells apart, a number does."""
    found = {name: _shortened(name, 1) for name in people}
    for length in range(2, LONGEST):
        times = Counter(letters.lower() for letters in found.values())
        for name, letters in found.items():
            if times[letters.lower()] > 1:
                found[name] = _shortened(name, length)
    taken: set[str] = set()
    for name, letters in found.items():
        free, number = letters, 2
        while free.lower() in taken:
            free, number = f"{letters}{number}", number + 1
        taken.add(free.lower())
        found[name] = free
    return found


def _shortened(name: str, length: int) -> str:
    """Vera: V, Ve, Ver; Person Bob: PB, PBo, PBob."""
    letters = "".join(sign if category(sign)[0] in "LMN" else " " for sign in name)
    words = [word for word in _SEPARATING.split(letters) if word] or ["?"]
    first = words[0][0].upper() if len(words) > 1 else ""
    return first + words[-1][0].upper() + words[-1][1:length]


def colour(place: int) -> str:
    """That of the character at a place among all, far from that of the one before, and as light as all
    others: it can be seen on white and on black."""
    hue = radians((place * 137 + 150) % 360)
    return _hex(0.6, 0.13 * cos(hue), 0.13 * sin(hue))


def _hex(light: float, a: float, b: float) -> str:
    """A colour of Oklab as screens have it (Ottosson, 2020)."""
    long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
    middle = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (light - 0.0894841775 * a - 1.2914855480 * b) ** 3
    parts = (
        4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short,
    )
    return "#" + "".join(f"{_byte(part):02x}" for part in parts)


def _byte(part: float) -> int:
    part = max(0.0, min(1.0, part))
    curved = 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
    return round(255 * curved)
