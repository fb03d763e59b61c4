"""What the tests of the papers share: stand-ins for the authors' predictions, and a way to run `python -m papers`."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from papers.__main__ import main


@dataclass(frozen=True)
class Done:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def document(self):
        return json.loads(self.out)


def write_authors(folder):
    """Write stand-ins for the authors' prediction sets, as small as table 3 allows."""
    folder.mkdir()
    rng = np.random.default_rng(5)
    pred = rng.integers(0, 100, 1_100)
    label = np.where(rng.uniform(size=1_100) < 0.7, pred, (pred + 1) % 100)
    columns = {"label": label, "pred": pred, "conf": rng.uniform(0.3, 1, 1_100)}
    pq.write_table(pa.table(columns), folder / "cifar100_resnet110_authors_top1.parquet")
    scores = rng.dirichlet([0.3] * 10, 300)
    columns = {"label": scores.argmax(axis=1)} | {f"s{k}": scores[:, k] for k in range(10)}
    pq.write_table(pa.table(columns), folder / "svhn_resnet152_authors.parquet")


@pytest.fixture
def authors(tmp_path):
    """A folder of stand-ins for the authors' prediction sets."""
    write_authors(tmp_path / "data")
    return tmp_path / "data"


@pytest.fixture
def command(monkeypatch, capsys):
    """Runs `python -m papers WORDS` in this process."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)  # typer sets its own; ours comes back

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["papers", *map(str, words)])
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        return Done(code, *capsys.readouterr())

    return run
