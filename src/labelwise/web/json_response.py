"""A JSON answer that may hold what plain JSON cannot: dates and the like as text."""

from __future__ import annotations

import json
from typing import Any

from fastapi.responses import JSONResponse


class Document(JSONResponse):
    """A document of the reader's, from which what is not a number has been taken out."""

    def render(self, content: Any) -> bytes:
        """Write it."""
        return written(content).encode(errors="replace")


def written(content: Any) -> str:
    """Write a document as JSON.

    Examples
    --------
    >>> written({"labels": []})
    '{"labels":[]}'
    """
    return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=str)
