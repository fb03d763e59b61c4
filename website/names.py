"""The reference of Python names: one page per package, from signatures and docstrings."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any, Literal, get_args, get_origin

import labelwise

TITLES = {
    "assessment": "Assessments",
    "questions": "Questions and answers",
    "policies": "Policies",
    "pool": "Pools",
    "groups": "Groups",
    "beliefs": "Beliefs and priors",
    "metrics": "Metrics",
    "ensembles": "Ensembles",
    "datasets": "Datasets",
    "store": "Stores",
    "accounts": "Accounts",
    "plots": "Charts",
    "report": "Reports",
    "simulation": "Simulation",
    "testing": "Tests of your own members",
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
    return sorted(_module(package).__all__, key=str.lower)


def spelling_of(package: str, name: str) -> str:
    """Return how users write a name: short if it is at the top, else with its package.

    `labelwise.testing`, for those who write members of their own, is imported by its full name.

    Examples
    --------
    >>> spelling_of("metrics", "accuracy"), spelling_of("metrics", "brier")
    ('lw.accuracy', 'lw.metrics.brier')
    """
    if name in labelwise.__all__:
        return f"lw.{name}"
    return f"lw.{package}.{name}" if package in labelwise._PACKAGES else f"labelwise.{package}.{name}"


def _module(package: str) -> ModuleType:
    return import_module(f"labelwise.{package}")


def _index() -> str:
    lines = [
        "# Python names",
        "With `import labelwise as lw`, every `lw.` name is reached as it is written here, without another import. "
        "Each page is written from signatures and docstrings; every example in them is run by the tests.",
    ]
    for package, title in TITLES.items():
        spelled = [spelling_of(package, name) for name in names_of(package)]
        linked = ", ".join(f"[`{one}`]({package}.md#{one})" for one in spelled)
        lines.append(f"**[{title}]({package}.md)**: {linked}")
    return "\n\n".join(lines) + "\n"


def _page(package: str) -> str:
    parts = [f"# {TITLES[package]}", _escaped(inspect.getdoc(_module(package)) or "")]
    for name in names_of(package):
        spelled = spelling_of(package, name)
        parts += [f"## {spelled} {{: #{spelled} }}", *_entry(package, name)]
    return "\n\n".join(parts) + "\n"


def _entry(package: str, name: str) -> Iterator[str]:
    value, spelled = getattr(_module(package), name), spelling_of(package, name)
    if inspect.isclass(value):
        yield f"```text\n{spelled}{_arguments(value)}\n```"
        yield from rendered(inspect.getdoc(value) or "")
        for own, member in _members(value):
            if isinstance(member, property):
                yield f"**`.{own}`** {_first_line(member)}"
            else:
                yield f"**`.{own}{_arguments(member)}`** {_first_line(member)}"
    elif inspect.isroutine(value):
        yield f"```text\n{spelled}{_arguments(value)}\n```"
        yield from rendered(inspect.getdoc(value) or "")
    elif get_origin(value) is Literal:
        yield f"A type: one of {', '.join(f'`{one!r}`' for one in get_args(value))}."
    elif isinstance(value, dict):
        yield _escaped(_words_below(package, name))
        yield f"Its names: {', '.join(f'`{one}`' for one in value)}."
    elif type(value).__name__ in _module(package).__all__:  # the class has words of its own
        kind = spelling_of(package, type(value).__name__)
        yield f"`{kind}()`, with the parameters that it has by default: see [`{kind}`](#{kind})."
    elif type(value).__module__.startswith("labelwise."):
        yield from rendered(inspect.getdoc(value) or "")
    else:
        yield f"A type: `{value}`."


def _words_below(package: str, name: str) -> str:
    """Return the string that follows an assignment, where a constant has its docstring."""
    body = ast.parse(inspect.getsource(_module(package))).body
    for one, below in pairwise(body):
        if isinstance(one, ast.AnnAssign) and ast.unparse(one.target) == name and isinstance(below, ast.Expr):
            return inspect.cleandoc(ast.literal_eval(below.value))
    return ""


def _members(value: type) -> Iterator[tuple[str, Any]]:
    """Return the public methods and properties that a class defines itself."""
    for name, member in vars(value).items():
        plain = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
        if not name.startswith("_") and (isinstance(plain, property) or inspect.isfunction(plain)):
            yield name, plain


def _first_line(member: Any) -> str:
    return _escaped((inspect.getdoc(member) or "").partition("\n\n")[0].replace("\n", " "))


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
