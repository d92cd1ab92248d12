"""What can go wrong with a log.

    LogError
    ├── BadAddress          the address names no store, or one that this installation lacks
    ├── NotALog             the file or database is something else
    │   └── NotBegun        there is nothing in it yet: whoever writes begins a log there
    ├── NewerSchema         written by a later Whoknew
    │   └── UnknownKind     an event of a kind that this version does not know
    ├── LogInUse            another process writes this log
    ├── ReadOnly            an append to a log opened for reading
    ├── LogClosed           the log was closed meanwhile
    ├── NotFound
    │   ├── NoSuchWorld
    │   ├── NoSuchCharacter
    │   └── NoSuchMoment    a cursor that points at nothing in this world
    ├── BadCursor           a text that is no form of "when"
    ├── BadSearch           words to search for that are no text
    ├── Refused             a draft that breaks a law; nothing of its batch was written
    │   ├── TimeRanBack     story time runs backwards
    │   ├── UnknownWitness  a witness or actor that the world does not have
    │   ├── BadName         a name that cannot be one
    │   └── TooLarge        an event of more than 64 MB, or 512 MB at once
    ├── Conflict            the head is not the one that the writer expected
    ├── LeaseLost           another process plays this world since, with a lease of its own
    ├── KeyReused           an idempotency key came back with other content
    ├── OtherHistory        an import disagrees with what the log has
    ├── BadArchive          an export file that is damaged or cut short
    ├── Damaged             bytes of the log are not what was written
    └── StoreUnavailable    the disk or the database failed; nothing was written
        ├── OutOfSpace      the disk is full
        └── OutcomeUnknown  the connection broke and the outcome could not be looked up

Each says the thing, what was found, and what would be right.
"""

from __future__ import annotations

import errno
from collections.abc import Iterable

from whoknew.eventlog.nearest import nearest


class LogError(Exception):
    """Whatever the log refuses or cannot do."""


class BadAddress(LogError):
    """The address names no store, or one that this installation lacks."""


class NotALog(LogError):
    """The file or database is something else."""


class NotBegun(NotALog):
    """There is nothing in the file or database yet: whoever writes begins a log there."""


class NewerSchema(LogError):
    """Written by a later Whoknew."""


class UnknownKind(NewerSchema):
    """An event of a kind that this version does not know."""

    def __init__(self, world: str, seq: int, kind: str, body: bytes) -> None:
        self.world, self.seq, self.body = world, seq, body
        super().__init__(
            f"{world!r} #{seq} is of kind {kind}, which this Whoknew does not know: "
            "the log was written by a later version; upgrade to read it"
        )


class LogInUse(LogError):
    """Another process writes this log."""


class ReadOnly(LogError):
    """An append to a log that was opened for reading."""


class LogClosed(LogError):
    """The log was closed before this could be done."""


class NotFound(LogError):
    """A name or a moment that is not there."""


class NoSuchWorld(NotFound):
    def __init__(self, world: str, existing: Iterable[str]) -> None:
        self.world = world
        super().__init__(f"no world {world!r} in this log: {nearest(world, sorted(existing))}")


class NoSuchCharacter(NotFound):
    def __init__(self, character: str, world: str, existing: Iterable[str]) -> None:
        self.character = character
        found = nearest(character, sorted(existing))
        super().__init__(f"no character {character!r} in {world!r} at that cursor: {found}")


class NoSuchMoment(NotFound):
    """A cursor that is well formed but points at nothing in this world."""


class BadCursor(LogError):
    """A text that is no form of "when"."""


class BadSearch(LogError):
    """A search for what is no text, or for how many events is no number."""


class Refused(LogError):
    """A draft that breaks a law; nothing of its batch was written."""


class TimeRanBack(Refused):
    """Story time runs backwards."""


class UnknownWitness(Refused):
    """A witness or actor that the world does not have."""


class BadName(Refused):
    """A name that cannot be one."""


class TooLarge(Refused):
    """An event, or a batch, of more bytes than a log takes."""


class Conflict(LogError):
    """The head is not the one that the writer expected; only this append lost."""

    def __init__(self, world: str, expected: int, actual: int) -> None:
        self.world, self.expected, self.actual = world, expected, actual
        again = "read on from there and decide again"
        if expected == 0:
            what = f"there is a world {world!r} already, with {actual} events"
            again = "give another name, or go on with that one"
        elif actual == 0:
            what = f"{world!r} was expected at #{expected}, but it does not exist"
        else:
            what = f"{world!r} was expected at #{expected}, but its head is #{actual}"
        super().__init__(f"{what}; {again}")


class LeaseLost(LogError):
    """The lease that a writer had of a world is another's by now: nothing of its append went in."""

    def __init__(self, world: str, epoch: int, now: int, holder: str) -> None:
        self.world, self.epoch = world, epoch
        super().__init__(
            f"{world!r} was taken over by {holder}: its lease is at epoch {now}, and this process had "
            f"epoch {epoch}, which it did not renew in time. Nothing of what it still had to write "
            "is on the log; leave the world to whoever plays it now"
        )


class KeyReused(LogError):
    """An idempotency key came back with other content."""

    def __init__(self, world: str, key: str, first: int) -> None:
        self.world, self.key, self.first = world, key, first
        super().__init__(
            f"key {key!r} was used in {world!r} from #{first} on, for other content; "
            "send the same batch under its key, or a new batch under a new one"
        )


class OtherHistory(LogError):
    """An import disagrees with what the log already has."""


class BadArchive(LogError):
    """An export file that is damaged or cut short."""


class Damaged(LogError):
    """Bytes of the log are not what was written."""


def unfit(world: str, seq: int, what: object, error: Exception) -> Refused:
    """Of a draft that holds what its fields cannot."""
    return Refused(
        f"{world!r} #{seq}: this {type(what).__name__} cannot be written so that it can be read again "
        f"({error}): give each field what it takes"
    )


def missing(world: str, seq: int) -> Damaged:
    """An event that the log should have, and has not."""
    return Damaged(f"{world!r} #{seq} is missing: see what `whoknew log verify` says")


def unwritable(error: OSError, path: object) -> LogError:
    """Why the system did not let a file be made or written, in words."""
    why = (error.strerror or str(error)).lower()
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT:
            return OutOfSpace(f"no space left for {path}: make room, and try again")
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return ReadOnly(f"{path} cannot be written ({why}): check its permissions")
        case errno.EISDIR | errno.ENOTEMPTY:
            return BadAddress(f"{path} is a folder: name a file, or move the folder away")
        case errno.ENOTDIR | errno.EEXIST:
            return BadAddress(f"{path}: on the way there is a file: name another place")
        case errno.ENAMETOOLONG:
            return BadAddress(f"{path}: the name is too long: give a shorter one")
        case _:
            return StoreUnavailable(f"{path}: the disk failed ({why}): look at it, then try again")


class StoreUnavailable(LogError):
    """The disk or the database failed. Nothing of the append was written; try again later."""


class OutOfSpace(StoreUnavailable):
    """The disk is full: appends are refused until there is space."""


class OutcomeUnknown(StoreUnavailable):
    """The connection broke during an append and its outcome could not be looked up."""
