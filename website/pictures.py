"""The pictures of the pages, drawn anew: `python -m website.pictures` (or `make pictures`)."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from website.pages import DOCS, PAGES, Picture, run_page

FOLDER = DOCS / "pictures"


def _describe(page: Path, picture: Picture, alt: str) -> None:
    """Say in the page what the picture shows."""
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace(f"![{picture.alt}]({_place(text, picture)})", f"![{alt}]({_place(text, picture)})"))


def _place(text: str, picture: Picture) -> str:
    return next(found for found in re.findall(r"\]\(([^)]*\.svg)\)", text) if found.endswith(f"/{picture.name}"))


def data_path(picture: Picture) -> Path:
    """Return the file with the description of a picture, numbers and all, that tests compare with."""
    return FOLDER / Path(picture.name).with_suffix(".json")


def rounded(value: Any) -> Any:
    """Round every number of a description to six digits: the rest depends on the machine."""
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [rounded(entry) for entry in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def main() -> None:
    """Write every picture and its description, and its words into the page."""
    FOLDER.mkdir(exist_ok=True)
    for page in PAGES:
        run = run_page(page)
        if run.failures:
            print(run.failures, file=sys.stderr)
        for picture, chart in run.charts:
            chart.save(FOLDER / picture.name)
            spec = rounded(chart.spec())
            data_path(picture).write_text(json.dumps(spec, ensure_ascii=False, separators=(",", ":")) + "\n")
            _describe(DOCS / page, picture, chart.alt)
            print(f"{page}: {picture.name}: {chart.alt}")


if __name__ == "__main__":
    main()
