"""Writing files: whole or not at all, and never over a store."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from labelwise.errors import ConflictError

_MAGIC = b"SQLite format 3\x00"


def is_database(path: str | Path) -> bool:
    """Return whether a file is an SQLite database, by its first bytes.

    Examples
    --------
    >>> is_database("no such file")
    False
    """
    try:
        if not Path(path).is_file():
            return False  # reading a pipe would wait for somebody to write
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def check_target(path: str | Path) -> None:
    """Refuse a file that cannot be written, or must not be: a store, which may hold labels that people were paid for.

    Raises
    ------
    ConflictError : if the file is a database.
    OSError : if it cannot be written.
    """
    target = Path(path)
    if is_database(target):
        raise ConflictError(f"'{target}' is a store, and is not overwritten. Choose another name for the output.")
    if _is_special(target):
        return
    if target.exists():
        with target.open("ab"):  # a directory, or a file that may not be changed
            return
    beside = _beside(target)
    os.close(_created(beside))
    beside.unlink()


def write_file(path: str | Path, data: str | bytes) -> None:
    """Write a whole file: whoever reads it sees the old one or the new one, also if this process is killed.

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
    target = target.resolve()  # a link stays a link
    beside = _beside(target)
    try:
        with os.fdopen(_created(beside), "wb") as file:
            file.write(content)
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o7777)
        beside.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink()
        raise


def _is_special(path: Path) -> bool:
    """Return whether a path is a pipe or a device, which cannot be replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}")


def _created(path: Path) -> int:
    return os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
