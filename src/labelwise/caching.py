"""A file cache for results that take seconds to compute."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from pathlib import Path

from labelwise.files import write_file


def cache_folder() -> Path:
    """Return labelwise's cache folder, below XDG_CACHE_HOME (LOCALAPPDATA on Windows) if that is set."""
    home = os.environ.get("XDG_CACHE_HOME") or (os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else None)
    return Path(home or Path.home() / ".cache") / "labelwise"


def cached_text(name: str) -> str | None:
    """Return a cached text, or None if it is missing or damaged.

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
    """Write a text to the cache, under a name that includes its version; do nothing if that fails."""
    with contextlib.suppress(OSError):
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        write_file(folder / name, f"{_digest(text)}\n{text}")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
