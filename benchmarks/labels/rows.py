"""How a row is printed: ours beside the papers', and whether the goal was reached."""

from __future__ import annotations


def row(what: str, theirs: str, ours: str, goal: str = "", reached: bool | None = None) -> None:
    """Print one line of a table."""
    verdict = "" if reached is None else "reached" if reached else "MISSED"
    print(f"{what:<44} {theirs:>26} {ours:>28} {goal:>16}  {verdict}", flush=True)
