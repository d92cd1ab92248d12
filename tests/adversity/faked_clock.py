"""Where libfaketime sets the clock apart: it fails a sleep whose end has just come (EINVAL), as the real
clock does not. To be imported before what sleeps."""

from __future__ import annotations

import os
import select
import time

if "FAKETIME" in os.environ:
    time.sleep = lambda seconds: select.select((), (), (), seconds) and None
