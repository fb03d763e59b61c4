"""The reference of commands from their own help: `python -m website.commands` (or `make reference`)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import typer

from labelwise.cli.main import app
from website.pages import DOCS

PATH = DOCS / "commands.md"
KINDS = {
    "Assess with few labels": ("new", "ask", "tell", "label", "serve", "answer", "status"),
    "Show and share": ("report", "chart", "export"),
    "Try, plan, measure": ("demo", "plan", "measure"),
    "review: several labellers": ("review request", "review agreement", "review disputes", "review settle"),
    "ticket: a single ticket": ("ticket skip", "ticket withdraw", "ticket renew"),
    "store: what keeps the labels": (
        "store verify",
        "store backup",
        "store copy",
        "store history",
        "store audit",
        "store close",
        "store import",
        "store salvage",
    ),
    "user: who may sign in": (
        "user add",
        "user list",
        "user remove",
        "user password",
        "user role",
        "user key",
        "user sessions",
        "user revoke",
    ),
    "study: simulations": ("study simulate", "study card"),
}
"""Commands by what they are for; whatever is not named comes last."""
_HEAD = (
    "# Commands\n\nEvery command, argument and option, written from the help of `labelwise` itself (`make reference`). "
    "`labelwise COMMAND --help` says the same. [Which question do I have?](guides/which.md) leads to the command that "
    "you need; exit codes are in [assessing](assessing.md#exit-codes)."
)


def commands() -> dict[str, Any]:
    """Return every command by the words that call it, those of groups such as `user add` too."""
    found: dict[str, Any] = typer.main.get_command(app).every()  # type: ignore[attr-defined]
    return found


def reference() -> str:
    """Write the page."""
    found = commands()
    named = [name for names in KINDS.values() for name in names]
    kinds = KINDS | {"More": tuple(name for name in found if name not in named)}
    parts = [_HEAD]
    for kind, names in kinds.items():
        there = [name for name in names if name in found]
        if there:
            parts += [f"## {kind}", *(part for name in there for part in _command(name, found[name]))]
    return "\n\n".join(parts) + "\n"


def _command(name: str, command: Any) -> Iterator[str]:
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    words, _, examples = inspect.cleandoc(command.help).partition("Examples:")
    yield f"### {name}"
    yield f"```text\nlabelwise {name}{''.join(f' {_called(one)}' for one in arguments)} [OPTIONS]\n```"
    yield from _paragraphs(words)
    yield f"```\n{inspect.cleandoc(examples)}\n```"
    if arguments:
        yield "\n".join(f"- `{_called(one)}`: {_cell(one.help)}" for one in arguments)
    yield "| option | what it does | unless given |\n|---|---|---|\n" + "\n".join(map(_row, options))


def _paragraphs(words: str) -> Iterator[str]:
    """Return the paragraphs of a help text, those that keep their lines as a block."""
    for part in words.removesuffix("\b\n").replace("\b\n", "\b").split("\n\n"):
        if part.startswith("\b"):
            yield f"```text\n{part[1:].rstrip()}\n```"
        elif part.strip():
            yield _escaped(" ".join(part.split()))


def _called(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def _row(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    metavar = "" if option.is_flag or not option.metavar else f" `{option.metavar}`"
    default = option.default
    shown = "" if default is None or default is False or callable(default) or default == () else f"`{default}`"
    return f"| {names}{metavar} | {_cell(option.help)} | {shown} |"


def _cell(text: str | None) -> str:
    return _escaped(" ".join((text or "").split()).replace("|", "\\|"))


def _escaped(text: str) -> str:
    return re.sub(r"([*<\[])", r"\\\1", text)


def main() -> None:
    """Write the page into the docs."""
    PATH.write_text(reference(), encoding="utf-8")


if __name__ == "__main__":
    main()
