"""The figures of the paper Bookmarks, to stand beside ours: marked as the paper's, never mixed with them.

What it says of its bank in the text: more than nine of ten proposals are hits, more than seven tenths of
the search are saved. Its tables by work are not known to us.
"""

from __future__ import annotations

from whoknew.engine.exams.bookmarks.figures import HITS, SAVED
from whoknew.engine.exams.kind import Published

PAPER: dict[str, Published] = {
    "the paper's: bookmarks, at least": {HITS: (90.0, None), SAVED: (70.0, None)},
}
