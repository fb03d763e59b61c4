"""The reference of Python names: one page a package, from signatures and docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import labelwise
from labelwise import _HOME

TITLES = {
    "assessment": "Assessments",
    "questions": "Questions and answers",
    "policies": "Policies",
    "pool": "Pools",
    "groups": "Groups",
    "beliefs": "Beliefs and priors",
    "metrics": "Metrics",
    "ensembles": "Ensembles",
    "store": "Stores",
    "accounts": "Accounts",
    "plots": "Charts",
    "report": "Reports",
    "simulation": "Simulation",
    "errors": "Errors",
}
"""Packages in the order of the navigation."""
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}\n", re.M)
_ENTRY = re.compile(r"^(?P<names>\*{0,2}\w[\w, *]*) : (?P<words>.*)$")


def pages() -> dict[str, str]:
    """Return the Markdown of every page by its path."""
    found = {f"reference/{package}.md": _page(package) for package in TITLES}
    return {"reference/index.md": _index()} | found


def names_of(package: str) -> list[str]:
    """Return the public names of a package, in alphabetical order."""
    return sorted(_HOME[package].split(), key=str.lower)


def _index() -> str:
    lines = [
        "# Python names",
        "Everything public is in one place: `import labelwise as lw`. Each page is written from signatures and "
        "docstrings; every example in them is run by the tests.",
    ]
    for package, title in TITLES.items():
        linked = ", ".join(f"[`{name}`]({package}.md#{_anchor(name)})" for name in names_of(package))
        lines.append(f"**[{title}]({package}.md)**: {linked}")
    return "\n\n".join(lines) + "\n"


def _anchor(name: str) -> str:
    """Return where a name stands on its page; `accuracy` and `Accuracy` are two."""
    return f"lw.{name}"


def _page(package: str) -> str:
    module = inspect.getmodule(getattr(labelwise, names_of(package)[0]))
    home = __import__(f"labelwise.{package}", fromlist=["_"])
    assert module is not None  # every name comes from somewhere
    parts = [f"# {TITLES[package]}", _escaped(inspect.getdoc(home) or "")]
    for name in names_of(package):
        parts += [f"## lw.{name} {{: #{_anchor(name)} }}", *_entry(name, getattr(labelwise, name))]
    return "\n\n".join(parts) + "\n"


def _entry(name: str, value: Any) -> Iterator[str]:
    if inspect.isclass(value):
        yield _signature(name, value)
        yield from rendered(inspect.getdoc(value) or "")
        for own, member in _members(value):
            if isinstance(member, property):
                yield f"**`.{own}`** {_first_line(member)}"
            else:
                yield f"**`.{own}{_arguments(member)}`** {_first_line(member)}"
    elif inspect.isroutine(value):
        yield _signature(name, value)
        yield from rendered(inspect.getdoc(value) or "")
    else:
        kind = type(value).__name__
        yield f"`lw.{name}` is `{value!r}`: see [`lw.{kind}`](#{_anchor(kind)})."


def _members(value: type) -> Iterator[tuple[str, Any]]:
    """Return the public methods and properties that a class defines itself."""
    for name, member in vars(value).items():
        plain = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if not name.startswith("_") and (isinstance(plain, property) or inspect.isfunction(plain)):
            yield name, plain


def _first_line(member: Any) -> str:
    return _escaped((inspect.getdoc(member) or "").partition("\n\n")[0].replace("\n", " "))


def _signature(name: str, value: Any) -> str:
    return f"```text\nlw.{name}{_arguments(value)}\n```"


def _arguments(value: Any) -> str:
    """Write the signature without the types, which would fill the page."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    kept = [
        one.replace(annotation=inspect.Parameter.empty)
        for one in signature.parameters.values()
        if one.name not in ("self", "cls")
    ]
    written = str(signature.replace(parameters=kept, return_annotation=inspect.Signature.empty))
    return re.sub(r"<(function|factory|object)[^>]*>", "...", written)


def rendered(doc: str) -> Iterator[str]:
    """Turn a docstring into Markdown: sections become bold words, entries a list, examples a block.

    Examples
    --------
    >>> list(rendered("A thing.\\n\\nParameters\\n----------\\nx : a number.\\n\\nExamples\\n--------\\n>>> 1\\n1"))
    ['A thing.', '**Parameters**', '- `x`: a number.', '```python\\n>>> 1\\n1\\n```']
    """
    pieces = _SECTION.split(doc)
    if pieces[0].strip():
        yield from (_escaped(part) for part in pieces[0].strip().split("\n\n"))
    for title, body in zip(pieces[1::2], pieces[2::2], strict=True):
        if title == "Examples":
            yield f"```python\n{body.strip()}\n```"
        else:
            yield f"**{title}**"
            yield "\n".join(_entries(body.strip())) if title != "References" else _escaped(body.strip())


def _entries(body: str) -> Iterator[str]:
    for line in body.splitlines():
        found = _ENTRY.match(line)
        if found:
            yield f"- `{found['names']}`: {_escaped(found['words'])}"
        elif line.strip():
            yield f"{'  ' if line.startswith(' ') else ''}{_escaped(line.strip())}"


def _escaped(text: str) -> str:
    """Keep what is written as it is written: angle brackets and stars are not markup here."""
    return re.sub(r"(?<!`)([<*_])(?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)", r"\\\1", text)
