"""Labels until the worst class is found, beside the authors' counts."""

import pytest

from papers import Sources, Study
from papers.supplement.success_counts import success_rows


@pytest.mark.data
def test_the_published_upper_bound_needs_the_published_labels_and_a_quantile_far_fewer(data_folder):
    printed, coded = success_rows(Study(Sources(data_folder), 300, 0, 2), ("Bayesian UCB",))
    assert (printed.protocol, coded.protocol) == ("as printed", "as coded")
    assert printed.published == coded.published == 5_207
    assert coded.agrees
    assert printed.ours < 3_500 < 4_000 < coded.ours
