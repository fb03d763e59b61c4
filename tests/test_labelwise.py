"""The package itself: what importing it loads, and that every public name is where the table says."""

import ast
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import labelwise as lw

OPTIONAL = ("numba", "altair", "vl_convert", "fastapi", "uvicorn", "jinja2", "psycopg", "typer", "click", "rich",
            "scipy.stats", "pandas", "polars", "arviz", "argon2")  # fmt: skip


def loaded_after(code):
    probe = f"import sys\n{code}\nprint(*[m for m in {OPTIONAL!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize(
    "code",
    [
        "import labelwise",
        "import labelwise\n[getattr(labelwise, name) for name in labelwise.__all__]",
        "import labelwise.testing, labelwise.report",
    ],
)
def test_importing_loads_neither_compiler_chart_web_nor_command_line_libraries(code):
    assert loaded_after(code) == []


def test_the_command_line_loads_no_numerical_library_before_it_needs_one():
    probe = "import sys, labelwise.cli.main\nprint(*[m for m in ('numpy', 'scipy', 'pyarrow') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_every_public_name_is_there_and_documented():
    for name in lw.__all__:
        value = getattr(lw, name)
        if callable(value):
            assert value.__doc__, f"{name} has no docstring"


def test_names_for_type_checkers_and_names_at_run_time_are_the_same():
    """A type checker sees what each package lists in `__all__`; every name of the table must be there."""
    tree = ast.parse(Path(lw.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {node.module.removeprefix("labelwise.") for node in block.body if isinstance(node, ast.ImportFrom)}
    assert seen == set(lw._HOME)
    for module, names in lw._HOME.items():
        listed = import_module(f"labelwise.{module}").__all__
        assert set(names.split()) <= set(listed), module
    assert set(dir(lw)) == set(lw.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'acuracy'"):
        lw.acuracy  # noqa: B018  # reading it is the test
