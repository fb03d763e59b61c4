"""A stopping rule that asks for a number of labels per group."""

from __future__ import annotations

from dataclasses import dataclass

from labelwise.assessment.stopping import StoppingRule, Verdict


@dataclass(frozen=True)
class LabelsPerGroup(StoppingRule):
    """Stop when every group has so many labels."""

    n_labels: int

    def __str__(self) -> str:
        return f"every group has {self.n_labels:,} labels"

    def judge(self, answer, n_labels, best_gain):
        """Compare the group with the fewest labels with the number that is wanted."""
        fewest = int(answer.posterior.n_labels.min())
        return Verdict(fewest >= self.n_labels, f"the group with the fewest has {fewest:,} of {self.n_labels:,} labels")
