"""Connections to servers, without a limit of their own: how many are used at once is for `Limits`."""

from __future__ import annotations

import aiohttp


def session() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=60),
        timeout=aiohttp.ClientTimeout(total=None),
    )
