"""How commands are found, also by a wrong name, and how they explain themselves: in sections, rare options apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from difflib import get_close_matches
from importlib import import_module
from typing import Any, ClassVar

import typer
from typer.core import TyperCommand, TyperGroup

_PLAIN: dict[str, Any] = {"add_completion": False, "rich_markup_mode": None, "pretty_exceptions_enable": False}
_LAST = "Options"  # what every command has comes after what is special about one


class Command(TyperCommand):
    """A command whose help has sections; options declared as hidden are rare, and shown by --help-all."""

    def __init__(self, *words: Any, **settings: Any) -> None:
        super().__init__(*words, **settings)
        if any(_is_rare(one) for one in self.params):
            self.params.append(_help_all())

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options section by section."""
        _write_sections(self, ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete rare options too."""
        with _all_shown(self):
            return super().shell_complete(ctx, incomplete)


class Group(TyperGroup):
    """Commands on one subject. A name that is not among them is looked for in the whole command line."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that was named, or say where it may be."""
        name = args[0]
        if not ctx.resilient_parsing and not name.startswith("-") and self.get_command(ctx, name) is None:
            found = self._near(ctx, name)
            ctx.fail(
                f"No such command '{name}'." + (f" Did you mean {' or '.join(map(repr, found))}?" if found else "")
            )
        return super().resolve_command(ctx, args)

    def _near(self, ctx: Any, name: str) -> list[str]:
        root = ctx.find_root().command
        paths = root.paths() if isinstance(root, CommandLine) else list(self.commands)
        if isinstance(root, CommandLine) and name in root.moved:
            return [root.moved[name]]
        own = [path for path in paths if path.rpartition(" ")[0] == ("" if self is root else self.name)]
        for some in (own, paths):
            last = {path: path.rpartition(" ")[2] for path in some}
            like = [name] if name in last.values() else get_close_matches(name, last.values())
            if like:
                return [path for word in dict.fromkeys(like) for path in some if last[path] == word]
        return []

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the commands before the options."""
        self.format_commands(ctx, formatter)
        _write_sections(self, ctx, formatter)


class CommandLine(Group):
    """The command line itself: its commands are listed in panels, and each is imported when it is used.

    `panels` maps a heading to commands with what they do. Command `new` is the function `new` of `labelwise.cli.new`,
    a group is the `app` of its module. `moved` maps former names to the words that call the command now.
    """

    panels: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    moved: ClassVar[Mapping[str, str]] = {}
    without_arguments: ClassVar[tuple[str, ...]] = ()
    """Commands that do their work without a word more."""

    _only_names = False

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the commands, in the order of the help."""
        return [name for panel in self.panels.values() for name in panel]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, imported now if it was not used before."""
        said = {name: words for panel in self.panels.values() for name, words in panel.items()}
        if cmd_name not in said:
            return None
        if self._only_names:
            return TyperCommand(cmd_name, help=said[cmd_name])
        if cmd_name not in self.commands:
            self.commands[cmd_name] = self._imported(cmd_name)
        return self.commands[cmd_name]

    def _imported(self, name: str) -> Any:
        module = import_module(f"labelwise.cli.{name}")
        app = getattr(module, "app", None)
        if app is None:
            app = typer.Typer(**_PLAIN)
            app.command(name, cls=Command, no_args_is_help=name not in self.without_arguments)(getattr(module, name))
        return typer.main.get_command(app)

    def paths(self) -> list[str]:
        """Return the words that call each command, those of groups such as `user add` too."""
        return [*self.every()]

    def every(self) -> dict[str, Any]:
        """Return every command by the words that call it."""
        found: dict[str, Any] = {}
        for name in self.list_commands(None):
            command = self.get_command(None, name)
            inner = getattr(command, "commands", None)
            found |= {name: command} if inner is None else {f"{name} {own}": one for own, one in inner.items()}
        return found

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write a section per panel."""
        width = max(map(len, self.list_commands(ctx)))
        for heading, commands in self.panels.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(width), words) for name, words in commands.items()])

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Complete names from the list, without importing the commands."""
        self._only_names = True
        try:
            return super().shell_complete(ctx, incomplete)
        finally:
            self._only_names = False


def group(
    name: str, words: str, commands: Mapping[str, Callable[..., None]], *, bare: tuple[str, ...] = ()
) -> typer.Typer:
    """Return a group of commands; those in `bare` do their work without a word more."""
    app = typer.Typer(name=name, cls=Group, help=words, no_args_is_help=True, **_PLAIN)
    for called, command in commands.items():
        app.command(called, cls=Command, no_args_is_help=called not in bare)(command)
    return app


def _is_rare(option: Any) -> bool:
    return bool(getattr(option, "hidden", False))


@contextmanager
def _all_shown(command: Any) -> Iterator[None]:
    """Show rare options for a while."""
    rare = [one for one in command.params if _is_rare(one)]
    for one in rare:
        one.hidden = False
    try:
        yield
    finally:
        for one in rare:
            one.hidden = True


def _show_all(ctx: typer.Context, wanted: bool) -> None:
    if wanted:
        with _all_shown(ctx.command):
            typer.echo(ctx.get_help())
        raise typer.Exit()


def _help_all() -> Any:
    """Return the option --help-all, as typer makes options."""
    app = typer.Typer(**_PLAIN)

    @app.command()
    def shown(
        every: bool = typer.Option(
            False, "--help-all", is_eager=True, expose_value=False, callback=_show_all, help="Show rare options too."
        ),
    ) -> None: ...

    return typer.main.get_command(app).params[0]


def _write_sections(command: Any, ctx: Any, formatter: Any) -> None:
    sections: dict[str, list[tuple[str, str]]] = {}
    for one in command.get_params(ctx):
        record = one.get_help_record(ctx)
        if record is not None:
            is_argument = one.param_type_name == "argument"
            heading = "Arguments" if is_argument else getattr(one, "rich_help_panel", None) or _LAST
            sections.setdefault(heading, []).append(record)
    for heading in sorted(sections, key=lambda name: name == _LAST):
        with formatter.section(heading):
            formatter.write_dl(sections[heading])
