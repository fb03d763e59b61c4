"""Writes the frozen digits of `labelwise.datasets`: run `python tests/references/digits.py` to train them anew.

Every number in README, guides and tests that comes from the digits changes with them; run `make pictures notebooks`
afterwards.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import labelwise
from labelwise.cli.demo_classifier import trained

PATH = Path(labelwise.__file__).parent / "data" / "digits.npz"


def millionths(scores: np.ndarray) -> np.ndarray:
    """Round scores to millionths that add up to exactly one million per item: the largest remainders go up."""
    exact = scores * 1_000_000
    whole = np.floor(exact).astype(np.int64)
    n_up = 1_000_000 - whole.sum(axis=1)
    rank = np.argsort(np.argsort(whole - exact, axis=1), axis=1)
    return (whole + (rank < n_up[:, None])).astype(np.uint32)


def main() -> None:
    digits = trained()
    pool = digits.pool
    ids = [str(name) for name in pool.all_ids()]
    np.savez_compressed(
        PATH,
        numbers=np.array([int(name.removeprefix("digit-")) for name in ids], np.uint16),
        millionths=millionths(np.asarray(pool.scores)),
        truth=np.array([int(digits.truth[name]) for name in ids], np.uint8),
        images=digits.images.astype(np.uint8).reshape(len(ids), 64),
        neighbours=np.array([int(name) for name in pool.column("neighbours")], np.uint8),
        n_trained=digits.n_trained,
    )
    print(f"{PATH.name}: {PATH.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
