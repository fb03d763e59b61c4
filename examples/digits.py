"""Trains a real classifier that errs, and writes its predictions as a pool.

Usage: python examples/digits.py OUT.parquet

The data are scikit-learn's bundled digits (1,797 images of 8 x 8 pixels). Only 150 of them are used for training, so
that there is something to find out about the others.
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split


def main(out: Path) -> None:
    digits = load_digits()
    images = digits.data / 16.0
    train, rest = train_test_split(np.arange(len(images)), train_size=150, stratify=digits.target, random_state=0)
    classifier = LogisticRegression(C=1.0, max_iter=1_000).fit(images[train], digits.target[train])
    scores = classifier.predict_proba(images[rest]).astype(np.float32)
    table = pa.table(
        {"id": [f"digit-{i:04d}" for i in rest]}
        | {f"s{k}": scores[:, k] for k in range(10)}
        | {"label": digits.target[rest], "ink": np.where(images[rest].mean(axis=1) < 0.3, "thin", "bold")}
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(table, out)
    print(f"Trained on {len(train)} digits; wrote the scores of the other {len(rest):,} to {out}.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
