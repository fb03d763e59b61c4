"""The figures of the AAAI supplement about how labels are chosen: policies, and how strong a prior they start from."""

from collections.abc import Callable

from papers.reproduction import Reproduction
from papers.study import Study
from papers.supplement.baselines import baselines
from papers.supplement.flat_informed import flat_informed
from papers.supplement.prior_strength import ece_prior_strength, prior_strength
from papers.supplement.top_two import top_two

POLICY_FIGURES: dict[str, Callable[[Study], Reproduction]] = {
    "supplement-ttts": top_two,
    "supplement-baselines": baselines,
    "supplement-prior-strength": prior_strength,
    "supplement-ece-prior-strength": ece_prior_strength,
    "supplement-uniform-informed": flat_informed,
}
"""From the name on the command line to what reproduces it."""
