"""The `labelwise` command: its subcommands, and how errors leave it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import typer

from labelwise import __version__
from labelwise.cli import (
    answers,
    audit,
    card,
    chart,
    copy,
    demo,
    measure,
    new,
    report,
    review,
    serve,
    simulate,
    store,
    terminal,
    tickets,
    user,
)
from labelwise.errors import ArgumentError, ConflictError, DataWarning, LabelwiseError, NotFoundError

_EXIT_CODES = {ArgumentError: 2, NotFoundError: 3, ConflictError: 4}

app = typer.Typer(
    name="labelwise",
    help="Find out how good a black-box classifier really is, with as few labels as possible.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
_COMMANDS: dict[str, Callable[..., None]] = {
    "demo": demo.demo,
    "new": new.new,
    "ask": tickets.ask,
    "tell": tickets.tell,
    "serve": serve.serve,
    "label": terminal.label,
    "skip": tickets.skip,
    "withdraw": tickets.withdraw,
    "renew": tickets.renew,
    "import": tickets.import_,
    "seconds": review.seconds,
    "agreement": review.agreement,
    "disputes": review.disputes,
    "settle": review.settle,
    "answer": answers.answer,
    "status": answers.status,
    "history": answers.history,
    "export": answers.export,
    "close": answers.close,
    "verify": answers.verify,
    "backup": answers.backup,
    "copy": copy.copy,
    "audit": audit.audit,
    "plan": new.plan,
    "simulate": simulate.simulate,
    "card": card.card,
    "measure": measure.measure,
    "chart": chart.chart,
    "report": report.report,
}
_NEED_NOTHING = ("card", "demo")  # do their work without a word more
for _name, _command in _COMMANDS.items():
    app.command(_name, no_args_is_help=_name not in _NEED_NOTHING)(_command)
app.add_typer(store.app)
app.add_typer(user.app)


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
