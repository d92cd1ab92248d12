"""What `--json` prints, for programs: hashes in hex, times in ISO 8601."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import msgspec


def as_json(result: object) -> str:
    plain = msgspec.to_builtins(result, builtin_types=(bytes, datetime))
    text = json.dumps(plain, default=_plain, indent=2, ensure_ascii=False)
    return "\n".join(line if line.isprintable() else _spelt_out(line) for line in text.split("\n"))


def _spelt_out(line: str) -> str:
    return "".join(sign if sign.isprintable() else _spelt(sign) for sign in line)


def _plain(value: Any) -> str:
    return value.hex() if isinstance(value, bytes) else value.isoformat()


def _spelt(sign: str) -> str:
    return json.dumps(sign)[1:-1]
