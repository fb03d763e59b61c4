"""A real classifier that errs and the pool of its predictions, for the demo: digits that come with scikit-learn."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelwise.errors import UnanswerableError
from labelwise.pool import Frame, Pool, pool_from_arrays

_N_TRAINED = 100  # so few that there is something to find out about the others
_SCALE = 12  # pixels a side of each of the 8 x 8 squares
IMAGES = "images"
"""The folder of the images, beside the store."""


@dataclass(frozen=True, eq=False)
class Digits:
    """Handwritten digits that a classifier has seen for the first time.

    Attributes
    ----------
    pool : its scores, without labels; the content of an item is the path of its image.
    truth : what each item shows, by id.
    images : grey values from 0 (white) to 16 (black), shape (n_items, 8, 8).
    n_trained : how many other digits the classifier was trained on.
    """

    pool: Pool
    truth: dict[str, str]
    images: NDArray[Any]
    n_trained: int

    def write(self, folder: Path) -> None:
        """Write the images, and a table of predictions and labels for the other commands."""
        (folder / IMAGES).mkdir(parents=True, exist_ok=True)
        ids = [str(name) for name in self.pool.all_ids()]
        for name, image in zip(ids, self.images, strict=True):
            (folder / IMAGES / f"{name}.png").write_bytes(png(image))
        assert self.pool.scores is not None  # trained makes it with scores
        scores = np.asarray(self.pool.scores)
        columns = {"id": ids} | {f"p_{name}": scores[:, k] for k, name in enumerate(self.pool.classes)}
        Frame(columns | {"label": [self.truth[name] for name in ids]}).save(folder / "digits.csv")


def trained() -> Digits:
    """Train a classifier on a few of scikit-learn's 1,797 digits, and let it predict the others."""
    try:
        from sklearn.datasets import load_digits
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import train_test_split
    except ImportError as error:
        raise UnanswerableError(
            f"The demo needs scikit-learn ({error}). Install it with `pip install 'labelwise[demo]'`."
        ) from None
    digits = load_digits()
    pixels = digits.data / 16.0
    some, rest = train_test_split(np.arange(len(pixels)), train_size=_N_TRAINED, stratify=digits.target, random_state=0)
    classifier = LogisticRegression(max_iter=1_000).fit(pixels[some], digits.target[some])
    ids = [f"digit-{i:04d}" for i in rest]
    classes = [str(k) for k in range(10)]
    pool = pool_from_arrays(
        scores=classifier.predict_proba(pixels[rest]),
        classes=classes,
        ids=ids,
        columns={"image": [f"{IMAGES}/{name}.png" for name in ids]},
        content=["image"],
    )
    truth = {name: classes[k] for name, k in zip(ids, digits.target[rest], strict=True)}
    return Digits(pool, truth, digits.images[rest], len(some))


def png(image: NDArray[Any]) -> bytes:
    """Write a grey image, 0 to 16, as a PNG file that is large enough to look at.

    Examples
    --------
    >>> png(np.zeros((8, 8)))[:8]
    b'\\x89PNG\\r\\n\\x1a\\n'
    """
    grey = (255 - np.minimum(image * 16, 255)).astype(np.uint8).repeat(_SCALE, axis=0).repeat(_SCALE, axis=1)
    height, width = grey.shape
    lines = np.hstack([np.zeros((height, 1), np.uint8), grey])  # each line begins with its filter: none
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)  # eight bits of grey
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    parts = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
