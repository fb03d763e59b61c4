"""How text leaves a command: at once, unchanged, and without complaint if the reader has left."""

from __future__ import annotations

import os
import sys

import typer


def put(text: str, *, nl: bool = True) -> None:
    """Print to standard output; a reader that leaves early, such as `head`, ends the command as a success."""
    try:
        typer.echo(text, nl=nl, color=True)  # as it is: nothing may be taken out of data
    except BrokenPipeError:
        # what is still in the buffer must not be tried again when the interpreter ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
