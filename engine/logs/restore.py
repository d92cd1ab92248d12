"""The names put back into what `log anonymise` wrote: `whoknew log restore`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from whoknew.engine.logs.anonymise import Anonymised, Kept, changing
from whoknew.engine.logs.digest_mask import unmasked
from whoknew.engine.opening import check_new
from whoknew.eventlog.archive import exporting
from whoknew.eventlog.errors import BadArchive
from whoknew.eventlog.rewriting import rewrite
from whoknew.worlds.anonymiser import Key, restorer


async def put_back(file: Path, key: Path, target: Path) -> Anonymised:
    """Write an anonymised export as it was before, to the byte."""
    check_new(target)
    kept = _kept(key)
    aliases = restorer(Key(kept.aliases))

    def show(text: str) -> str:
        digested = unmasked(text, kept.digests)
        return aliases.sub(lambda match: kept.aliases[match.group()], digested)

    with exporting(target) as whole:
        count = await rewrite(file, whole, changing(show, packed=kept.packed), show)
    people = Key(kept.aliases).people
    return Anonymised(str(target), str(key), count, people, len(kept.aliases))


def _kept(key: Path) -> Kept:
    try:
        return msgspec.json.decode(key.read_bytes(), type=Kept)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadArchive(f"{key} is no key to aliases: {error}") from None
