"""The classifier of the demo, trained on the spot: digits that come with scikit-learn."""

from __future__ import annotations

import numpy as np

from labelwise.datasets import Digits, make_digits
from labelwise.errors import UnanswerableError

_N_TRAINED = 100  # so few that there is something to find out about the others


def trained() -> Digits:
    """Train a classifier on a few of scikit-learn's 1,797 digits, and predict the others.

    Its scores depend on the processor and on the versions of libraries; `labelwise.datasets.digits` does not.
    """
    try:
        from sklearn.datasets import load_digits
        from sklearn.linear_model import LogisticRegression
        from sklearn.model_selection import train_test_split
        from sklearn.neighbors import KNeighborsClassifier
    except ImportError as error:
        raise UnanswerableError(
            f"The demo needs scikit-learn ({error}). Install it with `pip install 'labelwise[demo]'`."
        ) from None
    data = load_digits()
    pixels = data.data / 16.0
    some, rest = train_test_split(np.arange(len(pixels)), train_size=_N_TRAINED, stratify=data.target, random_state=0)
    regression = LogisticRegression(max_iter=1_000).fit(pixels[some], data.target[some])
    neighbours = KNeighborsClassifier(5).fit(pixels[some], data.target[some])
    return make_digits(
        numbers=rest,
        scores=regression.predict_proba(pixels[rest]),
        truth=data.target[rest],
        images=data.images[rest],
        n_trained=len(some),
        neighbours=neighbours.predict(pixels[rest]),
    )
