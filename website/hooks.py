"""What the site generator asks for: pages that are written elsewhere, brought in under the addresses of the site."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

_ROOT = Path(__file__).parent.parent
_MOVED = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "src/labelwise/beliefs/learned/MODEL.md": "model.md",
}
_FOLDERS = {"decisions/": "decisions/index.md", "mini.py": "mini.md", "notebooks/": "notebooks/quickstart.ipynb"}
_LINK = re.compile(r"(\]\(|src=\")([^)\"#:]+)")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages that do not lie in the folder of the docs."""
    from website.names import pages

    made = {address: _moved((_ROOT / name).read_text(encoding="utf-8")) for name, address in _MOVED.items()}
    made |= pages() | {"decisions/index.md": _decisions(), "mini.md": _mini()}
    for address, text in made.items():
        files.append(File.generated(config, address, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Let links out of the docs lead to where those pages are on the site."""
    for name, address in _MOVED.items():
        markdown = markdown.replace(f"](../{name}", f"]({address}")
        markdown = markdown.replace(f"](../../{name}", f"](../{address}")  # from a folder of the docs
    return markdown


def _moved(text: str) -> str:
    """Let links of a file at the root, or in a folder of the source, lead to the same place on the site."""

    def place(found: re.Match[str]) -> str:
        before, target = found.groups()
        target = target.removeprefix("../" * target.count("../"))
        if target in _MOVED:
            return before + _MOVED[target]
        target = target.removeprefix("docs/")
        return before + _FOLDERS.get(target, target)

    return _LINK.sub(place, text)


def _decisions() -> str:
    """List the decisions by their titles."""
    lines = ["# Decisions", "Half a page each: the situation, the choice, its price."]
    for path in sorted((_ROOT / "docs" / "decisions").glob("0*.md")):
        title = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        lines.append(f"- [{title}]({path.name})")
    return "\n\n".join(lines[:2]) + "\n\n" + "\n".join(lines[2:]) + "\n"


def _mini() -> str:
    """Show the small program."""
    program = (_ROOT / "docs" / "mini.py").read_text(encoding="utf-8")
    return f"# The whole idea in 150 lines\n\nRun it with `python docs/mini.py`.\n\n```python\n{program}```\n"
