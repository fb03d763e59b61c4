"""What labellers see of an item, and the one folder that its pictures may come from."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

from labelwise.errors import NotFoundError

PICTURES = {
    ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp",
    ".bmp": "image/bmp", ".avif": "image/avif", ".svg": "image/svg+xml",
}  # fmt: skip
_SHORT = 80  # characters of a text that is shown as a value in a row
_MOST_BYTES = 50 * 2**20


def parts_of(item: dict[str, Any], ticket: int, *, has_images: bool) -> list[dict[str, Any]]:
    """Return an item's columns, each with how it is to be shown.

    Examples
    --------
    >>> parts_of({"id": 7, "text": "a small lizard"}, 3, has_images=False)
    [{'name': 'text', 'kind': 'text', 'value': 'a small lizard'}]
    >>> parts_of({"id": 7, "file": "7.png"}, 3, has_images=True)
    [{'name': 'file', 'kind': 'image', 'value': '/api/tickets/3/image/file'}]
    """
    columns = {name: value for name, value in item.items() if name != "id"}
    texts = [value for value in columns.values() if isinstance(value, str)]
    n_texts = sum(not (has_images and is_picture(text)) for text in texts)
    return [_part(name, value, ticket, has_images, is_only=n_texts == 1) for name, value in columns.items()]


def plain_value(value: Any) -> Any:
    """Return a value as JSON has it: dates and the like as text."""
    if isinstance(value, dict):
        return {str(key): plain_value(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain_value(entry) for entry in value]
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else None
    return value if value is None or isinstance(value, (str, int)) else str(value)


def _part(name: str, value: Any, ticket: int, has_images: bool, *, is_only: bool) -> dict[str, Any]:
    if isinstance(value, str):
        if has_images and is_picture(value):
            return {"name": name, "kind": "image", "value": f"/api/tickets/{ticket}/image/{_quoted(name)}"}
        structured = _structured(value)
        if structured is not None:
            return {"name": name, "kind": "json", "value": structured}
        kind = "text" if is_only or len(value) > _SHORT or "\n" in value else "value"
        return {"name": name, "kind": kind, "value": value}
    if isinstance(value, (list, dict)):
        return {"name": name, "kind": "json", "value": value}
    return {"name": name, "kind": "value", "value": value}


def _quoted(name: str) -> str:
    from urllib.parse import quote

    return quote(name, safe="")


def _structured(text: str) -> Any:
    """Return what a text that is JSON holds; None if it is only text."""
    if not text.startswith(("{", "[")):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, (list, dict)) else None


def is_picture(value: str) -> bool:
    """Return whether a text names a picture, by its ending."""
    return os.path.splitext(value)[1].lower() in PICTURES


def picture(root: Path, value: str) -> tuple[bytes, str]:
    """Read a picture of the folder, and say what it is; whatever leads out of the folder is not there.

    Symbolic links below the folder are not followed, wherever they lead.

    Examples
    --------
    >>> picture(Path("."), "../secret.png")
    Traceback (most recent call last):
    ...
    labelwise.errors.NotFoundError: There is no such picture in the folder.
    """
    missing = NotFoundError("There is no such picture in the folder.")
    parts = value.replace("\\", "/").split("/")
    is_odd = not is_picture(value) or any(ord(c) < 32 for c in value) or value.startswith(("/", "\\")) or ":" in value
    if is_odd or any(part in ("", ".", "..") for part in parts):
        raise missing
    try:
        here = root.resolve(strict=True)
        handle = os.open(here, os.O_RDONLY | os.O_DIRECTORY)
        try:
            for part in parts[:-1]:
                below = os.open(part, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=handle)
                os.close(handle)
                handle = below
            file = os.open(parts[-1], os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=handle)
        finally:
            os.close(handle)
        with os.fdopen(file, "rb") as opened:
            about = os.fstat(file)
            if not stat.S_ISREG(about.st_mode) or about.st_size > _MOST_BYTES:
                raise missing
            return opened.read(), PICTURES[os.path.splitext(value)[1].lower()]
    except (OSError, ValueError):
        raise missing from None
