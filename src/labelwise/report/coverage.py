"""The coverage card as it was measured for this version, in short, for reports."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any


def kept_card() -> dict[str, Any]:
    """Return the coverage card that `make card` has kept: what `labelwise study card` would measure again in minutes.

    Examples
    --------
    >>> card = kept_card()
    >>> card["level"], card["cells"][0]["looked"], card["cells"][0]["interval"]
    (0.95, 'once, after 20 labels', 'flat prior')
    """
    text = files("labelwise.report").joinpath("coverage.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def short_card() -> dict[str, Any]:
    """Return one row per way of looking, one column per kind of interval: the share of runs in which it covered.

    Examples
    --------
    >>> short_card()["rows"][0]["always valid"] > 0.95
    True
    """
    card = kept_card()
    kinds = dict.fromkeys(cell["interval"] for cell in card["cells"])
    rows: dict[str, dict[str, Any]] = {}
    for cell in card["cells"]:
        row = rows.setdefault(cell["looked"], {"looked at": cell["looked"]} | kinds)
        row[cell["interval"]] = cell["covered"]
    return {"level": card["level"], "seed": card["seed"], "world": card["world"], "rows": list(rows.values())}
