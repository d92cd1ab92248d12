"""The files of the page. Each has an address that names what is in all of them: a browser keeps it for good,
and asks again for nothing but where the page begins."""

from __future__ import annotations

import re
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from aiohttp import web
from msgspec import Struct

VIEWER = Path(str(files("whoknew.engine.server"))) / "viewer"

KINDS = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}

BEGINNING = "index.html"
"""Every address of the page's own is this."""

KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}
ASKED_AGAIN = {"Cache-Control": "no-cache"}

_NAMED = re.compile(r'((?:href|src)=")/(?=[\w.]+\.(?:css|js|svg)")')


class ViewerFile(Struct, frozen=True):
    body: bytes
    kind: str


class ViewerFiles:
    """All that a folder holds of the page, read once; `digest` is of all of them together, since modules
    name each other."""

    def __init__(self, folder: Path = VIEWER) -> None:
        held = {one.name: one for one in sorted(folder.iterdir()) if one.suffix in KINDS}
        self._files = {name: _file(one) for name, one in held.items()}
        told = sha256()
        for name, one in self._files.items():
            told.update(b"%s %d\n%s" % (name.encode(), len(one.body), one.body))
        self.digest = told.hexdigest()[:16]
        page = self._files.pop(BEGINNING)
        named = _NAMED.sub(rf"\g<1>/{self.digest}/", page.body.decode())
        self._page = ViewerFile(named.encode(), page.kind)

    def answer(self, request: web.Request) -> web.Response:
        """A file, where the address is one; what is of an older page is gone. Else the page."""
        folder, _, name = request.match_info["path"].rpartition("/")
        if folder == self.digest and name in self._files:
            return _sent(self._files[name], KEPT)
        if name in self._files:
            raise web.HTTPNotFound(
                text=f"{name} is not as it was when this page was opened: load the page again"
            )
        headers = {**ASKED_AGAIN, "ETag": f'"{self.digest}"'}
        if any(one.value == self.digest for one in request.if_none_match or ()):
            return web.Response(status=304, headers=headers)
        return _sent(self._page, headers)


def _file(path: Path) -> ViewerFile:
    return ViewerFile(path.read_bytes(), KINDS[path.suffix])


def _sent(file: ViewerFile, headers: dict[str, str]) -> web.Response:
    return web.Response(body=file.body, content_type=file.kind, charset="utf-8", headers=headers)
