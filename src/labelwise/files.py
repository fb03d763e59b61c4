"""Atomic file writes that never overwrite a store."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from labelwise.errors import ConflictError

_MAGIC = b"SQLite format 3\x00"


def is_database(path: str | Path) -> bool:
    """Return whether a file is an SQLite database, judging by its first bytes.

    Examples
    --------
    >>> is_database("no such file")
    False
    """
    try:
        if not Path(path).is_file():
            return False  # reading from a pipe would block
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def check_target(path: str | Path) -> None:
    """Check that a file can be written and is not a store, whose labels may be expensive to replace.

    Raises
    ------
    ConflictError : if the file is a database.
    OSError : if it cannot be written.
    """
    target = Path(path)
    if is_database(target):
        raise ConflictError(f"'{target}' is a store and must not be overwritten. Choose another output file.")
    if _is_special(target):
        return
    if target.exists():
        with target.open("ab"):  # raises OSError for a directory or a read-only file
            return
    temporary = _temporary(target)
    os.close(_create(temporary))
    temporary.unlink()


def write_file(path: str | Path, data: str | bytes) -> None:
    """Write a file atomically: readers see the old content or the new, even if this process is killed.

    Raises
    ------
    ConflictError : if the file is a database.
    OSError : if it cannot be written.
    """
    target, content = Path(path), data.encode() if isinstance(data, str) else data
    check_target(target)
    if _is_special(target):
        target.write_bytes(content)
        return
    target = target.resolve()  # replace the target of a symbolic link, not the link
    temporary = _temporary(target)
    try:
        with os.fdopen(_create(temporary), "wb") as file:
            file.write(content)
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o7777)
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _is_special(path: Path) -> bool:
    """Return whether a path is a pipe or a device, which cannot be replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _temporary(path: Path) -> Path:
    return path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}")


def _create(path: Path) -> int:
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
