"""Thompson and top-two sampling: all four curves on both pools, and every published count has a row."""

import pytest

from papers.supplement.top_two import DATA

pytestmark = pytest.mark.data


def test_both_policies_are_played_with_both_priors(figure):
    found = figure("supplement-ttts")
    frame = found.frame
    played = set(zip(frame["data"], frame["method"], strict=True))
    assert played == {(data, f"{p}Prior+{t}") for data in DATA for p in "UI" for t in ("TS", "TTTS")}
    assert len(found.claims) == 4
    assert {row.where[-1] for row in found.rows} >= {"random", "UPrior+TS", "UPrior+TTTS", "IPrior+TS", "IPrior+TTTS"}
