"""Whether a server takes JSON schemas."""

from __future__ import annotations

from whoknew.agents.models.model import Request
from whoknew.eventlog.logger import logger

COMPLAINTS = ("response_format", "json_schema", "responseJsonSchema", "response_json_schema")
"""What a server names that knows of no schemas: the field that held it, as each protocol calls it."""


class Schemas:
    """They are sent to a server until it refuses one for what it is; from then on its answers are
    read as they come."""

    def __init__(self, model: str) -> None:
        self._model, self._taken = model, True

    def sent_with(self, request: Request) -> bool:
        return self._taken and request.answer is not None

    def refused(self, status: int, body: bytes) -> bool:
        """Whether a request is refused for its schema: made again, it has none."""
        said = body.decode("utf-8", "replace")
        if status not in (400, 404, 422) or not any(field in said for field in COMPLAINTS):
            return False
        if self._taken:
            self._taken = False
            logger().warning(
                "schema.refused", model=self._model, then="its answers are read as they come"
            )
        return True
