"""Directions: lines of a goal that the offline model performs, one a turn."""

from __future__ import annotations

import re

DIRECTION = re.compile(
    r'^ *(Say|Whisper to|Think|Do|Gesture|Leave|Go to)(?: ([^:"\n]+))?: "(.*)" *$', re.MULTILINE
)
"""What is done, with whom or where, and the words of it."""
