"""The files that examples in help texts and pages name."""

import csv

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

LABELLER = """#!/usr/bin/env python3
import json, sys

for ticket in json.load(sys.stdin)["tickets"]:
    print(json.dumps({"ticket": ticket["ticket"], "label": "cat"}))
"""


def write_examples(folder):
    """Write every file that an example names."""
    rng = np.random.default_rng(2)
    n, names = 120, ["cat", "cow", "dog", "emu"]
    labels = rng.integers(0, 4, n)
    for file, weight in (("predictions", 2.0), ("new", 2.0), ("old", 0.5)):
        scores = rng.dirichlet([0.3] * 4, n) + weight * np.eye(4)[labels]
        scores /= scores.sum(axis=1, keepdims=True)
        columns = {"id": [f"i{k}" for k in range(n)], "label": labels, "text": [f"about {k}" for k in range(n)]} | {
            f"s{k}": scores[:, k] for k in range(4)
        }
        pq.write_table(pa.table(columns), folder / f"{file}.parquet")
    with (folder / "predictions.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "pred", "conf", "region", "text", "label"])
        for k in range(n):  # the regions differ so much that a plan is soon made
            sure, region = ((0.99, "north"), (0.05, "south"))[k // 4 % 2]
            writer.writerow([f"i{k}", names[k % 4], sure, region, f"about {k}", names[labels[k]]])
    (folder / "bin").mkdir()
    (folder / "bin" / "my-labeller").write_text(LABELLER)
    (folder / "bin" / "my-labeller").chmod(0o755)
