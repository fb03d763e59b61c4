"""The package itself: what importing it loads, and that every public name is where it should be."""

import ast
import dataclasses
import inspect
import pkgutil
import subprocess
import sys
import typing
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
        "import labelwise\n[getattr(labelwise, name) for name in dir(labelwise)]",
        "import labelwise.testing, labelwise.report",
    ],
)
def test_importing_loads_neither_compiler_chart_web_nor_command_line_libraries(code):
    assert loaded_after(code) == []


def test_the_command_line_loads_no_numerical_library_before_it_needs_one():
    probe = "import sys, labelwise.cli.main\nprint(*[m for m in ('numpy', 'scipy', 'pyarrow') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_names_at_the_top_are_few():
    assert len(lw.__all__) == len(set(lw.__all__)) <= 65


@pytest.mark.parametrize("package", [*lw._PACKAGES, "testing"])
def test_every_public_name_of_a_package_is_there_and_documented(package):
    home = import_module(f"labelwise.{package}")
    assert len(home.__all__) == len(set(home.__all__))
    for name in home.__all__:
        value = getattr(home, name)
        if callable(value) and inspect.getmodule(value) is not typing:  # aliases of types have no docstring
            assert value.__doc__, f"{name} has no docstring"


@pytest.mark.parametrize("package", lw._PACKAGES)
def test_a_package_is_reached_without_an_import_of_its_own(package):
    probe = (
        f"import sys, labelwise as lw\nassert 'labelwise.{package}' not in sys.modules\nprint(lw.{package}.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [f"labelwise.{package}"]


def test_names_of_submodules_do_not_hide_the_names_of_their_packages():
    """`lw.metrics.accuracy` is a metric, although `labelwise/metrics/accuracy.py` is a module."""
    for package in lw._PACKAGES:
        home = import_module(f"labelwise.{package}")
        for _, module, _ in pkgutil.iter_modules(getattr(home, "__path__", [])):
            import_module(f"labelwise.{package}.{module}")
        assert [name for name in home.__all__ if inspect.ismodule(getattr(home, name))] == [], package


def test_a_metric_without_parameters_has_one_public_spelling():
    """Users get `lw.metrics.brier`, not `Brier()` beside it; classes are public where they take parameters."""
    values = [getattr(lw.metrics, name) for name in lw.metrics.__all__]
    for kind in {type(value) for value in values if dataclasses.is_dataclass(value) and not isinstance(value, type)}:
        fields = {field.name for field in dataclasses.fields(kind)}
        assert fields or kind not in values, kind


def test_names_for_type_checkers_and_names_at_run_time_are_the_same():
    tree = ast.parse(Path(lw.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = [(node.module, one.name) for node in block.body for one in node.names]
    packages = [("labelwise", package) for package in lw._PACKAGES]
    names = [(f"labelwise.{package}", name) for package, listed in lw._HOME.items() for name in listed.split()]
    assert sorted(seen) == sorted(packages + names)
    assert set(dir(lw)) == {*lw.__all__, *lw._PACKAGES}


def test_every_name_at_the_top_is_public_in_its_package():
    for package, names in lw._HOME.items():
        assert set(names.split()) <= set(getattr(lw, package).__all__), package


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'acuracy'"):
        lw.acuracy  # noqa: B018  # reading it is the test
