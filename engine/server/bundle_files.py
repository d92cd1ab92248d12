"""The files of a bundle: parts of data, each a script that hands one over, and the page that reads them."""

from __future__ import annotations

import re
import shutil
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

import msgspec

from whoknew.engine.opening import check_new
from whoknew.engine.server.viewer_files import VIEWER
from whoknew.eventlog.errors import unwritable

BEGINS = (
    "<script>var whoknewBundle = {}, "
    "whoknewPart = (name, value) => { whoknewBundle[name] = value; };</script>"
)
"""A part is handed over by a script: so it is read from a disk, too, where a page may fetch nothing."""

ALONE = (
    '<meta http-equiv="Content-Security-Policy" '
    "content=\"connect-src 'none'; form-action 'none'; object-src 'none'\">"
)
"""A bundle asks nobody for anything."""

_MAIN = '<script type="module" src="/main.js"></script>'
_IMPORTED = re.compile(r'(?<=")\./(\w+\.js)(?=")')
_PRELOADED = re.compile(r'  <link rel="modulepreload" href="/\w+\.js">\n')
_ROOTED = re.compile(r'(?<=href=")/')


@contextmanager
def becoming_folder(folder: Path) -> Iterator[Path]:
    """A folder that takes its place once it is whole, and is gone if it never is. Till then it has a name
    that nobody else's has."""
    partial = folder.with_name(f"{folder.name}.{token_hex(4)}.partial")
    try:
        partial.mkdir()
        try:
            yield partial
            check_new(folder)  # another may have come first
            partial.rename(folder)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    except OSError as error:
        raise unwritable(error, folder) from error


def write_part(data: Path, name: str, value: Any) -> None:
    body = msgspec.json.encode(value)
    (data / f"{name}.js").write_bytes(b'whoknewPart("%s", %s);\n' % (name.encode(), body))


def read_part(file: Path) -> Any:
    """What a file hands over."""
    body = file.read_bytes().partition(b", ")[2].removesuffix(b");\n")
    return msgspec.json.decode(body)


def write_page(folder: Path) -> None:
    """The page that a server shows, with its modules in it: a browser loads none from a disk."""
    for name in ("style.css", "icon.svg"):
        shutil.copyfile(VIEWER / name, folder / name)
    modules = {f"whoknew/{one.name}": _module(one) for one in sorted(VIEWER.glob("*.js"))}
    imports = msgspec.json.encode({"imports": modules}).decode()
    scripts = (
        ALONE,
        BEGINS,
        '<script src="data/facts.js"></script>',
        f'<script type="importmap">{imports}</script>',
        '<script type="module">import "whoknew/main.js";</script>',
    )
    page = _PRELOADED.sub("", (VIEWER / "index.html").read_text("utf-8"))
    begun = page.replace(_MAIN, "\n  ".join(scripts))
    (folder / "index.html").write_text(_ROOTED.sub("", begun), "utf-8")


def _module(file: Path) -> str:
    """A module as the address by which it is imported, with those that it imports by their names."""
    text = _IMPORTED.sub(r"whoknew/\1", file.read_text("utf-8"))
    return f"data:text/javascript;charset=utf-8;base64,{b64encode(text.encode()).decode()}"
