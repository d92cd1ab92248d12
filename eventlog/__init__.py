"""What happened, in order, and who saw it: an append-only log of worlds."""

from whoknew.eventlog.address import open_log
from whoknew.eventlog.archive import backup, export_log, import_log
from whoknew.eventlog.chain import Head
from whoknew.eventlog.cursor import Cursor, parse
from whoknew.eventlog.director import Director
from whoknew.eventlog.event import Draft, Event
from whoknew.eventlog.expected import ABSENT, ANY, exactly
from whoknew.eventlog.kinds import Kind
from whoknew.eventlog.knowledge import Knowledge, Known
from whoknew.eventlog.log import Log
from whoknew.eventlog.recall import Recalled
from whoknew.eventlog.recent import Placed
from whoknew.eventlog.verify import Fault, verify
from whoknew.eventlog.view import View
from whoknew.eventlog.writer import Appended

__all__ = [
    "ABSENT",
    "ANY",
    "Appended",
    "Cursor",
    "Director",
    "Draft",
    "Event",
    "Fault",
    "Head",
    "Kind",
    "Knowledge",
    "Known",
    "Log",
    "Placed",
    "Recalled",
    "View",
    "backup",
    "exactly",
    "export_log",
    "import_log",
    "open_log",
    "parse",
    "verify",
]
