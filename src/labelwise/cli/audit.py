"""`labelwise audit`: who did what when in a store, labels aside."""

from __future__ import annotations

from typing import Annotated

import typer

from labelwise.cli import options


def audit(
    store: options.Store,
    rows: Annotated[int, typer.Option(metavar="N", help="Newest entries to print; 0 for all.", min=0)] = 50,
    as_json: options.Json = False,
) -> None:
    """List the audit trail, oldest first: who changed accounts, made keys or signed in, and when.

    Every entry is tied to the one before; `labelwise verify` finds what was edited or removed.

    \b
    Examples:
      labelwise audit spring.lw
      labelwise audit spring.lw --rows 0 --json
    """
    from dataclasses import asdict

    from labelwise.accounts import Audit
    from labelwise.cli.stores import as_document, printable, say, store_at
    from labelwise.report.history import when
    from labelwise.report.table import cell_name, table

    with store_at(store) as kept:
        trail = Audit(kept)
        newest = trail.entries(newest=True, most=rows or None)[::-1]
        n_entries = newest[-1].number if newest else 0
    entries = [asdict(entry) | {"at": when(entry.at)} for entry in newest]
    cells = [
        [str(one.number), when(one.at), cell_name(one.who), cell_name(one.what), printable(as_document(one.about))]
        for one in newest
    ]
    text = table(["", "at", "who", "what", "about"], cells, left=5) if cells else "No entry yet."
    if len(entries) < n_entries:
        text += f"\n  The newest {len(entries)} of {n_entries}; --rows 0 shows all."
    say({"entries": entries, "n_entries": n_entries}, text, as_json=as_json)
