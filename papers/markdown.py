"""Reproduced tables and figures as Markdown, which reads as well on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from papers.reproduction import Reproduction


def render_reproduction(found: Reproduction) -> str:
    """Write one reproduced table or figure.

    Examples
    --------
    >>> from papers import Row
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
    parts = [f"## {_called(found.name)}: {found.title}", _counts(found)]
    if found.rows:
        parts.append(_rows(found))
    if found.claims:
        claims = [
            [one.where, one.says, one.ours, "yes" if one.holds else "no" + (f": {one.cause}" if one.cause else "")]
            for one in found.claims
        ]
        parts.append(_table(["on", "the papers show", "ours", "holds"], claims))
    return "\n\n".join([*(part for part in parts if part), *found.notes])


def _called(name: str) -> str:
    """Return the heading of a name on the command line: a bare number is a table of the AAAI paper."""
    paper, _, rest = name.partition("-")
    if not rest:
        return f"Figure {name[3:]}" if name.startswith("fig") else f"Table {name}"
    return f"{paper.capitalize()} {rest.replace('-', ' ').replace('fig', 'figure ')}"


def _counts(found: Reproduction) -> str:
    said = [f"{found.n_runs:,} runs"] if found.n_runs else []
    if found.rows:
        said.append(f"{sum(row.agrees for row in found.rows)} of {len(found.rows)} rows agree")
    if found.claims:
        said.append(f"{sum(one.holds for one in found.claims)} of {len(found.claims)} directions hold")
    if found.frame is not None:
        said.append(f"{len(next(iter(found.frame.values()))):,} rows of data")
    return "; ".join(said) + "." if said else ""


def _rows(found: Reproduction) -> str:
    digits = max(row.digits for row in found.rows) + 1
    has_chance, has_cause = any(row.chance for row in found.rows), any(found.cause_of(row) for row in found.rows)
    header = [*found.columns, "protocol", "published", "ours", "error", *(["chance"] if has_chance else [])]
    header += ["bound", "agrees", *(["cause"] if has_cause else [])]
    lines = []
    for row in found.rows:
        numbers = [row.ours, row.error, *([row.chance] if has_chance else []), row.bound]
        line = [*row.where, row.protocol, f"{row.published:g}", *(f"{number:.{digits}f}" for number in numbers)]
        lines.append([*line, "yes" if row.agrees else "no", *([found.cause_of(row)] if has_cause else [])])
    return _table(header, lines)


def _table(header: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    return "\n".join(
        [f"| {' | '.join(header)} |", "|" + "---|" * len(header), *(f"| {' | '.join(x)} |" for x in lines)]
    )
