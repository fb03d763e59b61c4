"""The `labelwise` command: its subcommands, and how errors leave it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

import typer

from labelwise import __version__
from labelwise.cli.command import CommandLine
from labelwise.errors import ArgumentError, ConflictError, DataWarning, LabelwiseError, NotFoundError

_EXIT_CODES = {ArgumentError: 2, NotFoundError: 3, ConflictError: 4}


class _Labelwise(CommandLine):
    panels: ClassVar = {
        "Assess with few labels": {
            "new": "Begin an assessment: ask a question about a pool.",
            "ask": "Hand out the items to label next, as a table to fill in.",
            "tell": "Take labels from a filled-in table.",
            "label": "Label in the terminal, one key per class.",
            "serve": "Label in a browser, alone or as a team.",
            "answer": "Show what is known now, how surely, and whether it is enough.",
            "status": "List the assessments of a store and how far they are.",
        },
        "Show and share": {
            "report": "Write a report of one assessment, or compare two.",
            "chart": "Draw an assessment, or a pool whose labels are known.",
            "export": "Write the labels that count, one row per item.",
        },
        "Try, plan, measure": {
            "demo": "Show the whole loop on a real classifier, from plan to report.",
            "plan": "Estimate how many labels an assessment will need.",
            "measure": "Measure a classifier on a pool whose labels are known.",
        },
        "Rarer work, each with commands of its own": {
            "review": "Request second opinions, see agreement, settle disputes.",
            "ticket": "Skip, withdraw or renew a single ticket.",
            "store": "Verify, back up, copy, close or repair what keeps the labels.",
            "user": "Manage who may sign in to the server of a store.",
            "study": "Simulate policies, and how often intervals cover.",
        },
    }
    moved: ClassVar = {"seconds": "review request"}
    without_arguments = ("demo",)


app = typer.Typer(
    name="labelwise",
    cls=_Labelwise,
    help="Find out how good a black-box classifier really is, with as few labels as possible.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"labelwise {__version__}")
        raise typer.Exit()


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    """Find out how good a black-box classifier really is, with as few labels as possible."""


@cache
def _command_line() -> Any:
    """Return the parser of all commands; making it takes 30 ms, so it is made once per process."""
    return typer.main.get_command(app)


def _show_warning(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Print a warning about the data without the place in the code, and leave those for developers out."""
    if issubclass(category, DataWarning):
        print(f"Warning: {message}", file=sys.stderr)


def main() -> None:
    """Run the `labelwise` command."""
    run(_command_line(), "labelwise")


def run(command: Callable[..., Any], name: str) -> None:
    """Run a command line; leave with 0 (done), 1 (error), 2 (usage), 3 (not found), 4 (conflict) or 130 (interrupted).

    `answer` leaves with 5 while the stopping rule is not met.
    """
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            command(prog_name=name)
    except LabelwiseError as error:
        print(f"Error: {error}", file=sys.stderr)
        sys.exit(next((code for kind, code in _EXIT_CODES.items() if isinstance(error, kind)), 1))
    except MemoryError:
        print("Error: There is not enough memory. Use fewer groups, bins or draws.", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        # the reader of our output, say `head`, has left: nothing to say, and no one to say it to
        sys.stderr.close()
        sys.exit(0)
