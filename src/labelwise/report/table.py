"""Cells, columns and drawn intervals of tables for the terminal."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

_BAR = 25  # characters of the interval drawn beside a group


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> str:
    """Lay cells out in columns, the first `left` flush left and the others flush right.

    Examples
    --------
    >>> print(table(["group", "items"], [["cat", "12"], ["elephant", "3"]]))
      group     items
      cat          12
      elephant      3
    """
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = []
    for row in [header, *rows]:
        cells = [c.ljust(w) if i < left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True))]
        lines.append(("  " + "  ".join(cells)).rstrip())
    return "\n".join(lines)


def table_width(columns: Mapping[str, Sequence[str]]) -> int:
    """Return how many characters a line of a table of these columns has.

    Examples
    --------
    >>> table_width({"group": ["cat", "elephant"], "items": ["12", "3"]})
    17
    """
    return sum(2 + max(map(len, [name, *cells])) for name, cells in columns.items())


def rest_of(n_all: int, n_shown: int) -> str:
    """Return a line that says how many rows are left out; empty if none are."""
    return f"\n  ... and {n_all - n_shown:,} more" if n_shown < n_all else ""


def cell_name(text: str) -> str:
    """Write a name from the data: nothing that moves a cursor, and its middle left out if it is long.

    Examples
    --------
    >>> cell_name("a\\x1bb")
    'a?b'
    """
    plain = "".join(c if c.isprintable() else "?" for c in text)
    return plain if len(plain) <= 40 else f"{plain[:24]}...{plain[-13:]}"


def decimals(value: float | None) -> str:
    """Write a value with four decimals, or a dash if there is none.

    Examples
    --------
    >>> decimals(0.5), decimals(float("nan")), decimals(12345.6)
    ('0.5000', '-', '12346')
    """
    return "-" if value is None or math.isnan(value) else f"{value:.4f}" if abs(value) < 100 else f"{value:.5g}"


def ends(value: dict[str, float], prefix: str = "") -> str:
    """Write the two ends of an interval; `prefix` says which, where a row has several.

    Examples
    --------
    >>> ends({"low": 0.25, "high": 0.5})
    '[0.2500, 0.5000]'
    """
    return f"[{decimals(value[f'{prefix}low'])}, {decimals(value[f'{prefix}high'])}]"


def percent(level: float) -> str:
    """Write a probability as so many percent.

    Examples
    --------
    >>> percent(0.95), percent(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * level:.6g} %"


def chance(probability: float) -> str:
    """Write a probability with three decimals, and never as certain because it was rounded.

    Examples
    --------
    >>> chance(0.9876), chance(0.99996), chance(0.0001)
    ('0.988', 'above 0.999', 'below 0.001')
    """
    return "above 0.999" if probability > 0.9995 else "below 0.001" if probability < 0.0005 else f"{probability:.3f}"


class Scale:
    """Draws an interval as a line of characters between the smallest and the largest end of all groups.

    Examples
    --------
    >>> Scale([{"low": 0.0, "mean": 0.5, "high": 1.0}], unicode=False).bar({"low": 0.0, "mean": 0.5, "high": 1.0})
    '------------o------------'
    """

    def __init__(self, values: Sequence[dict[str, float]], unicode: bool) -> None:
        known = [v for v in values if not math.isnan(v["mean"])]
        self._low = min((v["low"] for v in known), default=0.0)
        self._high = max((v["high"] for v in known), default=1.0)
        self._marks = "─●" if unicode else "-o"
        left, right = f"{self._low:.2f}", f"{self._high:.2f}"
        self.axis = left + " " * (_BAR - len(left) - len(right)) + right

    def _place(self, value: float) -> int:
        span = self._high - self._low
        return round((value - self._low) / span * (_BAR - 1)) if span > 0 else 0

    def bar(self, value: dict[str, float]) -> str:
        """Draw one interval, its mean marked."""
        if math.isnan(value["mean"]):
            return " " * _BAR
        low, mean, high = (self._place(value[key]) for key in ("low", "mean", "high"))
        line = [" "] * _BAR
        line[low : high + 1] = self._marks[0] * (high - low + 1)
        line[min(max(mean, 0), _BAR - 1)] = self._marks[1]
        return "".join(line)
