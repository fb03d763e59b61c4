"""What drawings show."""

import pytest


@pytest.fixture
def shown():
    """Return the rows that a chart draws as a kind of mark."""
    return lambda chart, kind: [
        row for panel in chart.spec()["concat"] for row in panel["data"]["values"] if row["kind"] == kind
    ]
