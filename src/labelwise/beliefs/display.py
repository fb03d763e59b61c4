"""How a belief shows itself in a notebook, and how its draws get into ArviZ: the only door to that library."""

from __future__ import annotations

from inspect import signature
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from labelwise.beliefs.belief import Belief, Target
from labelwise.checks import check_count
from labelwise.errors import ArgumentError
from labelwise.pool.html_table import ROWS, group_rows, html_table


def belief_table(belief: Belief) -> str:
    """Write labels and mean of each group as a small table in HTML.

    Examples
    --------
    >>> import labelwise as lw
    >>> belief = lw.beliefs.BetaBelief.from_counts([9], [10], names=["<cat>"])
    >>> "<td>&lt;cat&gt;</td><td>10</td><td>0.8333</td>" in belief_table(belief)
    True
    """
    mean = np.asarray(belief.mean())
    n_labels = np.asarray(belief.n_labels)
    n_labels = n_labels.reshape(len(belief.names), -1).sum(axis=1) if n_labels.ndim else n_labels
    columns: dict[str, Any] = {"group": belief.names[:ROWS], "labels": n_labels}
    if mean.shape == (len(belief.names),):
        columns["mean"] = mean
    return html_table(group_rows(**columns), title=repr(belief).strip("<>"), n_rows=len(belief.names))


def to_arviz(
    belief: Belief,
    *,
    n_draws: int = 1_000,
    n_chains: int = 4,
    target: Target = "population",
    rng: np.random.Generator,
) -> Any:
    """Return draws of a belief as ArviZ's inference data, groups by their names, for its summaries and plots.

    The draws are independent, so chains are a formality: every diagnostic of a sampler is at its best.

    Parameters
    ----------
    belief : any of labelwise's.
    n_draws : of each chain.
    n_chains : how many chains to divide the draws into.

    Examples
    --------
    >>> import numpy as np, labelwise as lw
    >>> belief = lw.beliefs.BetaBelief.from_counts([9, 5], [10, 10], names=["cat", "dog"])
    >>> data = lw.beliefs.to_arviz(belief, rng=np.random.default_rng(1))
    >>> data.posterior["value"].sel(group="cat").shape
    (4, 1000)
    """
    check_count(n_draws, "n_draws")
    check_count(n_chains, "n_chains")
    arviz = _library()
    draws = belief.draw(n_draws * n_chains, target=target, rng=rng)
    value = draws.reshape(n_chains, n_draws, *draws.shape[1:])
    dims = ["group", *(f"part_{k}" for k in range(1, value.ndim - 2))]
    described: dict[str, Any] = {"coords": {"group": list(belief.names)}, "dims": {"value": dims}}
    # before version 1 groups of variables were arguments, since then they are keys
    if "posterior" in signature(arviz.from_dict).parameters:
        return arviz.from_dict(posterior={"value": value}, **described)
    return arviz.from_dict({"posterior": {"value": value}}, **described)


def _library() -> Any:
    try:
        with catch_warnings():
            simplefilter("ignore", FutureWarning)  # of a version to come, which `to_arviz` is ready for
            import arviz
    except ImportError as error:
        raise ArgumentError(
            f"Draws for ArviZ need arviz ({error}). Install it with `pip install 'labelwise[notebook]'`."
        ) from None
    return arviz
