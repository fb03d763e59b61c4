"""Policies: which group to look at next."""

from labelwise.policies.at_random import RandomGroup, RandomItem
from labelwise.policies.border import Border
from labelwise.policies.greedy import BayesianUpperBound, EpsilonGreedy, Greedy
from labelwise.policies.policy import Policy
from labelwise.policies.prove import Prove
from labelwise.policies.thompson import MultiplePlay, Thompson, TopTwo

POLICIES: dict[str, type[Policy]] = {
    kind.name: kind
    for kind in (
        Prove, Thompson, TopTwo, Border, MultiplePlay, RandomItem, RandomGroup, EpsilonGreedy, BayesianUpperBound,
        Greedy,
    )
}  # fmt: skip
"""The policies by the name that the command line and stores call them. A new policy is registered here."""

__all__ = [
    "POLICIES",
    "BayesianUpperBound",
    "Border",
    "EpsilonGreedy",
    "Greedy",
    "MultiplePlay",
    "Policy",
    "Prove",
    "RandomGroup",
    "RandomItem",
    "Thompson",
    "TopTwo",
]
