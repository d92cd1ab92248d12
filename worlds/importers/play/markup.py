"""A play in Jon Bosak's markup, read: its people, and its scenes with all that is said and done."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from whoknew.worlds.errors import BadSource
from whoknew.worlds.whole_file import whole

SCENES = ("SCENE", "PROLOGUE", "EPILOGUE", "INDUCT")


_BRACKETS = re.compile(r"\(([^()]*)\)\.?|\[([^\[\]]*)\]\.?")

EXPECTED = "expected was a play in Jon Bosak's markup, a <PLAY> with ACT, SCENE, SPEECH, SPEAKER and LINE in it"


class Direction(Struct, frozen=True):
    """What the text says beside the words that are spoken."""

    text: str


class Speech(Struct, frozen=True):
    """What one or several say in one go, with the directions that stand in it."""

    speakers: tuple[str, ...]
    parts: tuple[str | Direction, ...]


class SceneText(Struct, frozen=True):
    act: str
    title: str
    items: tuple[Speech | Direction, ...]


class Persona(Struct, frozen=True):
    """One of the list of persons, with what stands beside the name."""

    name: str
    description: str


class PlayText(Struct, frozen=True):
    title: str
    people: tuple[Persona, ...]
    scenes: tuple[SceneText, ...]


def read(path: Path) -> PlayText:
    """The play in a file; a BadSource where it is none in this markup."""
    try:
        root = ET.fromstring(whole(path))
    except FileNotFoundError:
        raise BadSource(f"{path} is not there") from None
    except OSError as error:
        raise BadSource(f"{path} cannot be read: {error.strerror or error}") from None
    except (ET.ParseError, ValueError, LookupError) as error:
        raise BadSource(f"{path} is no XML ({error}): {EXPECTED}") from None
    if root.tag != "PLAY" or root.find(".//SPEECH") is None:
        raise BadSource(f"{path} is no play: its outermost element is <{root.tag}>: {EXPECTED}")
    return PlayText(_text(root.find("TITLE")), tuple(_people(root)), tuple(_scenes(root)))


def _people(root: ET.Element) -> Iterator[Persona]:
    for group in root.iter("PGROUP"):
        shared = _text(group.find("GRPDESCR"))
        for persona in group.findall("PERSONA"):
            yield Persona(_text(persona), shared)
    for personae in root.iter("PERSONAE"):
        for persona in personae.findall("PERSONA"):
            name, _, description = _text(persona).partition(",")
            yield Persona(name.rstrip("."), description.strip())


def _scenes(root: ET.Element) -> Iterator[SceneText]:
    for part in root.iter():
        if part.tag == "ACT" or part is root:
            act = _text(part.find("TITLE")) if part.tag == "ACT" else ""
            for scene in part:
                if scene.tag in SCENES:
                    yield SceneText(act, _text(scene.find("TITLE")), tuple(_items(scene)))


def _items(scene: ET.Element) -> Iterator[Speech | Direction]:
    for item in scene:
        if item.tag == "STAGEDIR":
            yield _direction(item)
        elif item.tag == "SPEECH":
            named = (_text(speaker) for speaker in item.findall("SPEAKER"))
            yield Speech(tuple(filter(None, named)), tuple(_parts(item)))


def _parts(speech: ET.Element) -> Iterator[str | Direction]:
    """The words, line by line, between the directions."""
    lines: list[str] = []
    for part in speech:
        if part.tag == "LINE":
            for piece in _pieces(part):
                if isinstance(piece, str):
                    lines.append(piece)
                    continue
                if lines:
                    yield "\n".join(lines)
                lines = []
                yield piece
        elif part.tag == "STAGEDIR":
            if lines:
                yield "\n".join(lines)
            lines = []
            yield _direction(part)
    if lines:
        yield "\n".join(lines)


def _pieces(line: ET.Element) -> Iterator[str | Direction]:
    """A line, cut where a direction stands in it."""
    words = line.text or ""
    for inner in line:
        if inner.tag == "STAGEDIR":
            if words.strip():
                yield " ".join(words.split())
            words = ""
            yield _direction(inner)
        else:
            words += "".join(inner.itertext())
        words += inner.tail or ""
    if words.strip():
        yield " ".join(words.split())


def _direction(element: ET.Element) -> Direction:
    """A direction without the brackets that all of it stands in."""
    text = _text(element)
    inside = _BRACKETS.fullmatch(text)
    return Direction(inside[1] or inside[2] if inside else text)


def _text(element: ET.Element | None) -> str:
    """All text of an element, in one line."""
    return "" if element is None else " ".join("".join(element.itertext()).split())
