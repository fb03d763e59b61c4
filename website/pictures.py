"""The pictures of the pages, drawn anew: `python -m website.pictures` (or `make pictures`)."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

from website.pages import DOCS, PAGES, Picture, drawn

FOLDER = DOCS / "pictures"
_MADE_WITH = ("vl-convert-python", "scikit-learn", "numpy", "scipy")


def made_with() -> str:
    """Say which versions of libraries decide the bytes of a picture."""
    return "".join(f"{name} {version(name)}\n" for name in _MADE_WITH)


def _describe(page: Path, picture: Picture, alt: str) -> None:
    """Say in the page what the picture shows."""
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace(f"![{picture.alt}]({_place(text, picture)})", f"![{alt}]({_place(text, picture)})"))


def _place(text: str, picture: Picture) -> str:
    return next(found for found in re.findall(r"\]\(([^)]*\.svg)\)", text) if found.endswith(f"/{picture.name}"))


def main() -> None:
    """Write every picture, and what it was made with."""
    FOLDER.mkdir(exist_ok=True)
    for page in PAGES:
        for picture, chart in drawn(page):
            chart.save(FOLDER / picture.name)
            _describe(DOCS / page, picture, chart.alt)
            print(f"{page}: {picture.name}: {chart.alt}")
    (FOLDER / "made_with.txt").write_text(made_with())


if __name__ == "__main__":
    main()
