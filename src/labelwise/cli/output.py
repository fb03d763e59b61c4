"""How text leaves a command, and enters it: at once, unchanged, and without complaint if the reader has left."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from labelwise.errors import NotFoundError
from labelwise.files import check_target, write_file


def put(text: str, *, nl: bool = True) -> None:
    """Print to standard output; a reader that leaves early, such as `head`, ends the command as a success."""
    try:
        typer.echo(text, nl=nl, color=True)  # as it is: nothing may be taken out of data
    except BrokenPipeError:
        # what is still in the buffer must not be tried again when the interpreter ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None


def say(document: Any, text: str, *, as_json: bool) -> None:
    """Print the document for machines, or the text for people."""
    put(as_document(document) if as_json else printable(text))


def as_document(document: Any) -> str:
    """Write one JSON document: dates as text, and null for what is not a number."""
    return json.dumps(_plain(document), ensure_ascii=False, allow_nan=False, default=str)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def printable(text: str) -> str:
    """Take out of a text what would move the cursor or colour the screen; line breaks and tabs may stay."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)


def write_out(text: str, out: Path | None) -> None:
    """Write to a file, or to standard output if there is none or it is '-'."""
    if out is None or str(out) == "-":
        put(printable(text) if sys.stdout.isatty() else text, nl=not text.endswith("\n"))  # items may hold anything
        return
    with writing(out):
        write_file(out, text)


@contextmanager
def writing(out: Path) -> Iterator[None]:
    """Turn what the disk says into a sentence."""
    try:
        yield
    except OSError as error:
        reason = error.strerror if error.errno is None else os.strerror(error.errno)
        raise NotFoundError(f"'{out}' cannot be written: {reason}.") from None


def check_writable(out: Path | None) -> None:
    """Refuse a file that cannot be written before anything happens that it should tell of."""
    if out is not None and str(out) != "-":
        with writing(out):
            check_target(out)


def read_in(path: Path) -> str:
    """Read a text file, or standard input for '-'."""
    try:
        raw = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        return raw.decode("utf-8-sig")  # with its own line ends: a table may hold any
    except FileNotFoundError:
        raise NotFoundError(f"'{path}' does not exist. Check the path.") from None
    except (OSError, UnicodeDecodeError):
        raise NotFoundError(f"'{path}' cannot be read as UTF-8 text. Check the path, and save it as UTF-8.") from None


def has_unicode() -> bool:
    """Return whether the terminal can draw lines."""
    return (sys.stdout.encoding or "").lower().startswith("utf")
