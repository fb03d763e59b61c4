"""`labelwise label`: label in the terminal, one key a class."""

from __future__ import annotations

import getpass
from typing import Annotated

import typer

from labelwise.cli import options


def label(
    store: options.Store,
    labeller: Annotated[
        str | None, typer.Option(metavar="WHO", help="Who labels; your login name unless given.")
    ] = None,
    n: Annotated[int | None, typer.Option("-n", metavar="N", help="Leave after so many labels.", min=1)] = None,
    name: options.Name = None,
    as_json: options.Json = False,
) -> None:
    """Label in the terminal, one key per class.

    u undoes, s skips, d says that you do not know, q quits. With more than 31 classes, or when input is not a terminal,
    type the class (its beginning is enough) and Enter; then the other commands have a colon before them, as in ':u' and
    ':s too dark'. Every label is kept at once; run it again to go on.

    \b
    Examples:
      labelwise label spring.lw
      echo ':q' | labelwise label spring.lw --labeller ann
    """
    from labelwise.cli.opening import opened
    from labelwise.cli.output import as_document
    from labelwise.cli.terminal import Session

    with opened(store, name) as assessment:
        session = Session(assessment, login_name() if labeller is None else labeller, n, err=as_json)
        session.run()
        n_labels = len(assessment.ledger.label_of)
    if as_json:
        typer.echo(as_document({"settled": session.n_settled, "labels": n_labels}))


def login_name() -> str:
    """Return the login name; nobody's in a container whose user has none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
