"""Opening a store for a command, and how its output leaves."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from labelwise.assessment import Assessment
from labelwise.errors import NotFoundError
from labelwise.store import SqliteStore


@contextmanager
def opened(path: Path, name: str | None) -> Iterator[Assessment]:
    """Open an assessment of a store for the length of a command."""
    with store_at(path) as store:
        yield store.open(name)


@contextmanager
def store_at(path: Path) -> Iterator[SqliteStore]:
    """Open a store that is there, for the length of a command."""
    store = SqliteStore(path, create=False)
    try:
        yield store
    finally:
        store.close()


def say(document: Any, text: str, *, as_json: bool) -> None:
    """Print the document for machines, or the text for people."""
    typer.echo(json.dumps(document, ensure_ascii=False) if as_json else text)


def write_out(text: str, out: Path | None) -> None:
    """Write to a file, or to standard output if there is none or it is '-'."""
    if out is None or str(out) == "-":
        typer.echo(text, nl=not text.endswith("\n"))
        return
    try:
        out.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise NotFoundError(f"'{out}' cannot be written: {error.strerror}.") from None


def read_in(path: Path) -> str:
    """Read a text file, or standard input for '-'."""
    if str(path) == "-":
        return sys.stdin.read()
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise NotFoundError(f"'{path}' does not exist. Check the path.") from None
    except (OSError, UnicodeDecodeError):
        raise NotFoundError(f"'{path}' cannot be read as UTF-8 text. Check the path, and save it as UTF-8.") from None


def why_no_more(assessment: Assessment) -> str:
    """Say why nothing more is handed out."""
    n_out = len(assessment.ledger.with_status("open"))
    if n_out:
        return f"the other {n_out:,} items that can change the answer are with labellers until their leases end."
    return "every item that can change the answer has been asked."


def has_unicode() -> bool:
    """Say whether the terminal can draw lines."""
    return (sys.stdout.encoding or "").lower().startswith("utf")
