"""Reproduced tables as Markdown, which reads as well on a terminal."""

from __future__ import annotations

from labelwise.reproduce import Reproduction


def render_reproduction(found: Reproduction) -> str:
    """Write one reproduced table.

    Examples
    --------
    >>> from labelwise.reproduce import Row
    >>> row = Row(("SVHN", "IPrior"), "as coded", 5.1, 5.0, 0.1)
    >>> print(render_reproduction(Reproduction("3", "RMSE", ("data", "method"), (row,), 100)))
    ## Table 3: RMSE
    <BLANKLINE>
    100 runs; 1 of 1 rows agree.
    <BLANKLINE>
    | data | method | protocol | published | ours | error | bound | agrees |
    |---|---|---|---|---|---|---|---|
    | SVHN | IPrior | as coded | 5.1 | 5.00 | 0.10 | 0.50 | yes |
    """
    header = [*found.columns, "protocol", "published", "ours", "error", "bound", "agrees"]
    lines = [f"| {' | '.join(header)} |", "|" + "---|" * len(header)]
    for row in found.rows:
        numbers = [f"{row.published:g}", f"{row.ours:.2f}", f"{row.error:.2f}", f"{row.bound:.2f}"]
        lines.append(f"| {' | '.join([*row.where, row.protocol, *numbers, 'yes' if row.agrees else 'no'])} |")
    n_agree = sum(row.agrees for row in found.rows)
    counts = f"{found.n_runs:,} runs; {n_agree} of {len(found.rows)} rows agree."
    table = "\n".join(lines)
    notes = "".join(f"\n\n{note}" for note in found.notes)
    return f"## Table {found.name}: {found.title}\n\n{counts}\n\n{table}{notes}"
