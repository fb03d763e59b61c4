"""Where things are kept that take seconds to make and can be made again."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from pathlib import Path

from labelwise.files import write_file


def cache_folder() -> Path:
    """Return the user's cache folder of labelwise; XDG_CACHE_HOME (on Windows LOCALAPPDATA) moves it."""
    home = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else None)
    return Path(home or Path.home() / ".cache") / "labelwise"


def cached_text(name: str) -> str | None:
    """Return a text that was cached, or None if there is none or it is damaged.

    Examples
    --------
    >>> cached_text("no-such-text") is None
    True
    """
    try:
        digest, _, text = (cache_folder() / name).read_bytes().decode().partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return text if digest == _digest(text) else None


def cache_text(name: str, text: str) -> None:
    """Write a text to the cache under a name that tells its version; where that is impossible, do nothing."""
    with contextlib.suppress(OSError):
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        write_file(folder / name, f"{_digest(text)}\n{text}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
