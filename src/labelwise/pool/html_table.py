"""Small HTML tables for notebooks; all values are escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from itertools import islice
from typing import Any

ROWS = 20
_LONGEST = 80


def html_table(rows: Iterable[Mapping[str, Any]], *, title: str = "", n_rows: int | None = None) -> str:
    """Return the first twenty rows as an HTML table, followed by the number of rows left out.

    Parameters
    ----------
    rows : plain dictionaries with the same keys.
    title : caption of the table.
    n_rows : total number of rows, if `rows` has only the first ones.

    Examples
    --------
    >>> html_table([{"group": "<cat>", "labels": 12}]).split("<tbody>")[1]
    '<tr><td>&lt;cat&gt;</td><td>12</td></tr></tbody></table>'
    """
    given = list(rows) if n_rows is None else list(islice(rows, ROWS))
    n_all = len(given) if n_rows is None else n_rows
    shown = given[:ROWS]
    caption = f"<caption>{escape(short(title, 300))}</caption>" if title else ""
    head = "".join(f'<th scope="col">{escape(str(name))}</th>' for name in (shown[0] if shown else ()))
    body = "".join(_row(row.values()) for row in shown)
    more = f"<p>and {n_all - len(shown):,} more</p>" if n_all > len(shown) else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def facts_table(facts: Mapping[str, Any], *, title: str = "") -> str:
    """Return names and their values as an HTML table with two columns.

    Examples
    --------
    >>> facts_table({"items": 1000})
    '<table><tbody><tr><th scope="row">items</th><td>1,000</td></tr></tbody></table>'
    """
    caption = f"<caption>{escape(short(title, 300))}</caption>" if title else ""
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(cell(value))}</td></tr>' for name, value in facts.items()
    )
    return f"<table>{caption}<tbody>{body}</tbody></table>"


def cell(value: Any) -> str:
    """Format a value for a cell: floats with four significant digits, missing values as an empty string.

    Examples
    --------
    >>> cell(0.123456), cell(12345), cell(None), cell(float("nan"))
    ('0.1235', '12,345', '', '')
    """
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.4g}" if isinstance(value, float) else short(str(value))


def short(text: str, longest: int = _LONGEST) -> str:
    """Truncate text that is too long for a cell.

    Examples
    --------
    >>> short("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _row(values: Iterable[Any]) -> str:
    return f"<tr>{''.join(f'<td>{escape(cell(value))}</td>' for value in values)}</tr>"


def group_rows(**columns: Any) -> list[dict[str, Any]]:
    """Return the first rows of columns of equal length, lists or arrays, with plain Python values.

    Examples
    --------
    >>> group_rows(group=["cat", "dog"], labels=[1, 2])[1]
    {'group': 'dog', 'labels': 2}
    """
    plain = {name: [_plain(value) for value in values[:ROWS]] for name, values in columns.items()}
    return [dict(zip(plain, row, strict=True)) for row in zip(*plain.values(), strict=True)]


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value
