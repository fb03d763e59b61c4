"""What the tests of charts share: every chart of three pools, made once, and the schema of Vega-Lite."""

from __future__ import annotations

import json
from pathlib import Path

import altair
import jsonschema
import pytest

import labelwise as lw
from gallery import CASES, CHARTS, Case, make_pool


@pytest.fixture(scope="session")
def case():
    """Return a case by its name, made once."""
    made: dict[str, Case] = {}

    def of(name):
        if name not in made:
            made[name] = CASES[name]()
        return made[name]

    return of


@pytest.fixture(scope="session")
def chart_of(case):
    """Return a chart of a case, made once."""
    made: dict[tuple[str, str], lw.plots.Chart] = {}

    def of(kind, name):
        if (kind, name) not in made:
            made[kind, name] = CHARTS[kind](case(name))
        return made[kind, name]

    return of


@pytest.fixture(scope="session")
def named_case():
    """Makes a case whose classes have these names."""
    return lambda names: Case(make_pool(len(names), 120, names=list(names)), 30)


def _without_data(value):
    if isinstance(value, dict):
        return {k: v[:1] if k == "values" and isinstance(v, list) else _without_data(v) for k, v in value.items()}
    return [_without_data(entry) for entry in value] if isinstance(value, list) else value


@pytest.fixture(scope="session")
def check_schema():
    """Refuses a description that breaks the schema that Altair ships."""
    folder = Path(altair.vegalite.__file__).parent
    path = next(folder.glob("v*/schema/vega-lite-schema.json"))
    validator = jsonschema.Draft7Validator(json.loads(path.read_text(encoding="utf-8")))

    def check(spec):
        errors = [error.message[:300] for error in validator.iter_errors(_without_data(spec))]
        assert errors == []

    return check
