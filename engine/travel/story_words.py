"""A story that is drawn, in words: for whoever cannot see the picture."""

from __future__ import annotations

from collections.abc import Iterator

from whoknew.engine.travel.gatherings import Gathering
from whoknew.engine.travel.story_drawing import Drawing
from whoknew.eventlog.counted import counted

SCENES = 400
"""So many are told; nobody reads more."""


def sentences(drawing: Drawing) -> list[str]:
    """The same in words: when who is together, and who knows of the event."""
    lines = drawing.lines
    whose = f" as {drawing.character} perceived it" if drawing.character else ""
    words = [
        f"{drawing.title}{whose}, up to #{drawing.cursor}: {counted(len(lines.people), 'line')}."
    ]
    if lines.others:
        words.append(f"{lines.others} more characters are not drawn.")
    words += _knowing(drawing)
    words += _scenes(drawing)
    return words


def _knowing(drawing: Drawing) -> Iterator[str]:
    fact = drawing.fact
    if fact is None:
        return
    of = f", of {fact.meant:,} found" if fact.meant > 1 else ""
    yield f"Coloured: who knows of #{fact.event}{of}."
    for one in fact.learnt:
        if one.how == "present":
            doubt = f" (left open: {one.doubt})" if one.doubt else ""
            yield f"{one.character} was there{doubt}."
        elif one.how == "told":
            doubt = f" ({one.doubt})" if one.doubt else ""
            yield f"{one.character} was told at #{one.at} by {one.by or 'a page'}{doubt}."
        else:
            yield f"{one.character} was told otherwise at #{one.at} by {one.by or 'a page'}."
    known = {one.character for one in fact.learnt if one.how != "otherwise"}
    unaware = [name for name in drawing.lines.people if name not in known]
    if unaware:
        yield f"Not known to {', '.join(unaware)}."


def _scenes(drawing: Drawing) -> Iterator[str]:
    """Who is together, episode by episode, as long as that is not too long to be read."""
    said: set[tuple[int, Gathering]] = set()
    for column in drawing.lines.columns:
        for one in column.together:
            if len(one.people) < 2 or (column.episode, one) in said:
                continue
            if len(said) == SCENES:
                yield "And so on."
                return
            said.add((column.episode, one))
            where = f" at {one.place}" if one.place else ""
            when = f"E{column.episode}" if column.episode else f"#{column.first}"
            hidden = f" ({', '.join(one.hidden)} unseen)" if one.hidden else ""
            yield f"{when}{where}: {', '.join(one.people)}{hidden}."
