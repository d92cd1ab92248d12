"""`whoknew bank ls`: the banks that come with Whoknew."""

from __future__ import annotations

import re

from command_runner import answer, run

from whoknew.worlds import shelf


def test_each_bank_is_listed_with_how_much_it_holds() -> None:
    shown = run("bank", "ls").stdout
    assert re.search(r"friend +47 +13 +5", shown)
    assert all(name in shown for name in shelf.bundled_banks())
    assert len(answer("bank", "ls")) == len(shelf.bundled_banks())
