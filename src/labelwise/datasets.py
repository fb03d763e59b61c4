"""Small sets of stored predictions that ship with the package, for examples, documentation and tests.

The predictions are real, but stored, so that results are the same on every machine: the scores of a newly trained
classifier depend on the processor and on library versions.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.pool import Frame, Pool, pool_from_arrays

__all__ = ["Digits", "digits"]

CLASSES = tuple(str(k) for k in range(10))
IMAGES = "images"
"""Name of the image folder next to the store."""
_SCALE = 12  # pixels per side of each of the 8 x 8 squares
_MILLION = 1_000_000  # scores are stored in millionths that add up to exactly one million per item


@dataclass(frozen=True, eq=False)
class Digits:
    """Handwritten digits that a classifier was not trained on.

    Attributes
    ----------
    pool : the classifier's scores, without labels; the content of an item is the path of its image. The column
        `neighbours` has the predictions of a second classifier for the same items.
    truth : the true digit of each item, by id.
    images : grey values from 0 (white) to 16 (black), shape (n_items, 8, 8).
    n_trained : number of other digits that the classifier was trained on.
    """

    pool: Pool
    truth: dict[str, str]
    images: NDArray[Any]
    n_trained: int

    def labelled(self) -> Pool:
        """Return the same pool with the true label of every item."""
        ids = [str(name) for name in self.pool.all_ids()]
        return pool_from_arrays(
            scores=self.pool.scores, classes=self.pool.classes, ids=ids, labels=[self.truth[name] for name in ids]
        )

    def write(self, folder: Path) -> None:
        """Write the images, and a CSV table of predictions and labels for the command line."""
        (folder / IMAGES).mkdir(parents=True, exist_ok=True)
        ids = [str(name) for name in self.pool.all_ids()]
        for name, image in zip(ids, self.images, strict=True):
            (folder / IMAGES / f"{name}.png").write_bytes(png(image))
        assert self.pool.scores is not None  # make_digits always sets them
        scores = np.asarray(self.pool.scores)
        columns = {"id": ids} | {f"p_{name}": scores[:, k] for k, name in enumerate(self.pool.classes)}
        Frame(columns | {"label": [self.truth[name] for name in ids]}).save(folder / "digits.csv")


def digits() -> Digits:
    """Return a classifier's predictions for 1,697 handwritten digits, with true labels and images.

    A logistic regression was trained on 100 of the 1,797 digits of scikit-learn (UCI's Optical Recognition of
    Handwritten Digits), as in `labelwise demo`, and predicted the others with an accuracy of 90 %.
    The column `neighbours` has the predictions of a five-nearest-neighbours classifier trained on the same 100.

    Examples
    --------
    >>> import labelwise as lw
    >>> digits = lw.datasets.digits()
    >>> digits.pool.n_items, digits.truth["digit-0042"]
    (1697, '1')
    >>> float(digits.labelled().hits.mean().round(3))
    0.901
    """
    with as_file(files("labelwise") / "data" / "digits.npz") as path, np.load(path, allow_pickle=False) as stored:
        return make_digits(
            numbers=stored["numbers"],
            scores=stored["millionths"] / _MILLION,
            truth=stored["truth"],
            images=stored["images"].reshape(-1, 8, 8),
            n_trained=int(stored["n_trained"]),
            neighbours=stored["neighbours"],
        )


def make_digits(
    *,
    numbers: NDArray[Any],
    scores: NDArray[Any],
    truth: NDArray[Any],
    images: NDArray[Any],
    n_trained: int,
    neighbours: NDArray[Any],
) -> Digits:
    """Build a set of digits from arrays with one row per item; `numbers` determine the ids."""
    ids = [f"digit-{i:04d}" for i in numbers]
    pool = pool_from_arrays(
        scores=scores,
        classes=CLASSES,
        ids=ids,
        columns={"image": [f"{IMAGES}/{name}.png" for name in ids], "neighbours": [CLASSES[k] for k in neighbours]},
        content=["image"],
    )
    return Digits(pool, {name: CLASSES[k] for name, k in zip(ids, truth, strict=True)}, images, n_trained)


def png(image: NDArray[Any]) -> bytes:
    """Return a grey image with values from 0 to 16 as an enlarged PNG file.

    Examples
    --------
    >>> png(np.zeros((8, 8)))[:8]
    b'\\x89PNG\\r\\n\\x1a\\n'
    """
    grey = (255 - np.minimum(image * 16, 255)).astype(np.uint8).repeat(_SCALE, axis=0).repeat(_SCALE, axis=1)
    height, width = grey.shape
    lines = np.hstack([np.zeros((height, 1), np.uint8), grey])  # each line starts with its filter type, 0 for none
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)  # bit depth 8, greyscale
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    parts = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
