"""Kernel density estimates, for drawing only: numbers in titles and alt texts never come from them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_POINTS = 161
_CELLS = 2_048


def density(
    draws: _Floats, *, low: float = -np.inf, high: float = np.inf, points: int = _POINTS
) -> tuple[_Floats, _Floats]:
    """Return a grid and the Gaussian kernel density estimate on it, reflected at the bounds `low` and `high`.

    The bandwidth is 4/3 of Silverman's rule. Draws that are all equal give a narrow peak.

    Examples
    --------
    >>> import numpy as np
    >>> at, height = density(np.random.default_rng(1).uniform(size=5_000), low=0, high=1)
    >>> float(height.min().round(1)), float(height.max().round(1))
    (1.0, 1.0)
    """
    draws = draws[np.isfinite(draws)]
    quartiles = np.quantile(draws, [0.25, 0.75])
    spread = min(float(draws.std()), float(np.diff(quartiles)[0]) / 1.349 or np.inf)
    width = max(1.2 * spread * len(draws) ** -0.2, 1e-4 * max(1.0, float(np.abs(draws).max())))
    start, end = max(low, float(draws.min()) - 3 * width), min(high, float(draws.max()) + 3 * width)
    # binned first: a kernel matrix of ten thousand draws by hundreds of grid points would take seconds
    mirrored = [draws] + [2 * edge - draws for edge in (low, high) if np.isfinite(edge)]
    weight, edges = np.histogram(np.concatenate(mirrored), _CELLS, (start - 4 * width, end + 4 * width))
    middle = (edges[:-1] + edges[1:]) / 2
    at = np.linspace(start, end, points)
    kernel = np.exp(-0.5 * ((at[:, None] - middle) / width) ** 2) / (width * np.sqrt(2 * np.pi))
    return at, np.asarray(kernel @ weight / len(draws))
