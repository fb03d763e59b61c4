"""The page of drawn figures: `python -m website.figures` after `make figures` has drawn them."""

from __future__ import annotations

import re

from papers import REPRODUCTIONS
from website.pages import DOCS

FOLDER, PATH = DOCS / "figures", DOCS / "figures.md"
_DESC = re.compile(r"<title>(.*?)</title><desc>(.*?)</desc>", re.S)
_PAPERS = {"": "AAAI 2021", "supplement": "Its supplement", "workshop": "The workshop paper of 2019"}
_HEAD = (
    "# The papers' figures, drawn\n\nOurs, with what is published beside it: diamonds or broken lines are published "
    "values. All are drawn by "
    "`python -m papers NAME --charts DIR` (`make figures`); every number, of 1,000 runs, stands in "
    "[the papers, reproduced](reproduction.md). Where only a stand-in for the authors' "
    "predictions is to be had, the panel says so."
)


def page() -> str:
    """Write the page from the pictures that are there."""
    parts, paper = [_HEAD], None
    for name in REPRODUCTIONS:
        path = FOLDER / f"{name}.svg"
        if not path.is_file():
            continue
        own = name.partition("-")[0] if "-" in name else ""
        if own != paper:
            paper = own
            parts.append(f"## {_PAPERS[own]}")
        found = _DESC.search(path.read_text(encoding="utf-8"))
        assert found is not None  # every chart of ours says what it shows
        parts.append(f"### {_called(name)}\n\n![{_plain(found[2])}](figures/{name}.svg)")
    return "\n\n".join(parts) + "\n"


def _called(name: str) -> str:
    """Return the heading of a name on the command line."""
    rest = name.partition("-")[2] or name
    if rest.isdecimal():
        return f"Table {rest}"
    words = rest.replace("fig", "figure ").replace("ttts", "top-two Thompson").replace("ece", "ECE").replace("-", " ")
    return words[0].upper() + words[1:]


def _plain(text: str) -> str:
    for written, meant in (("&#x27;", "'"), ("&quot;", '"'), ("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&")):
        text = text.replace(written, meant)
    return text


def main() -> None:
    """Write the page into the docs."""
    PATH.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
