"""Exams on the authors' novels: whether their text is there to be read."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from whoknew.engine.exams.kind import BegunExam
from whoknew.eventlog import Log
from whoknew.eventlog.kinds import Imported
from whoknew.worlds.importers.timechara import ASKED, FORMAT, PRINTED

READERS = """
[arms."unsafe:rag-cutoff"]        # passages of the text, up to the moment, whoever was there
memory = "unsafe:recall-all"

[arms."unsafe:experts-rag-cutoff"]
memory = "unsafe:recall-all"
method = "experts"
experts = { bare = true }
"""


def with_readers(begun: BegunExam, settings: Sequence[str]) -> BegunExam:
    """With the arms of the paper at the end of its plan, where the text is there that they read."""
    if not any(one.startswith("text=") for one in settings):
        return begun
    return replace(begun, tables=begun.tables + READERS)


async def unprinted(material: Log, worlds: Sequence[str]) -> list[str]:
    """Of which novels the text is not there: in these worlds, or in all. An import wrote it at their
    end."""
    found, summed = list[str](), list[str]()
    for name in worlds or [one.name for one in await material.worlds()]:
        for event in await (await material.director(name)).last(1):
            if not isinstance(event.body, Imported) or event.body.format != FORMAT:
                continue
            printed, asked = (event.body.rest.get(key, 0) for key in (PRINTED, ASKED))
            if not printed:
                summed.append(name)
            elif printed < asked:
                of = f"{printed:,} of {asked:,} chapters that are asked about have a text"
                found.append(f"{name}: {of}: a search in the whole finds nothing of the others")
    if summed:
        what = "whoever searches reads summaries, one sentence a scene (--text adds the text)"
        found.append(f"{', '.join(summed)}: {what}")
    return found
