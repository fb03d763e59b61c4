"""Policies: which group to look at next."""

from labelwise.policies.at_random import RandomGroup, RandomItem
from labelwise.policies.greedy import BayesianUpperBound, EpsilonGreedy, Greedy
from labelwise.policies.policy import Policy
from labelwise.policies.thompson import MultiplePlay, Thompson, TopTwo

__all__ = [
    "BayesianUpperBound",
    "EpsilonGreedy",
    "Greedy",
    "MultiplePlay",
    "Policy",
    "RandomGroup",
    "RandomItem",
    "Thompson",
    "TopTwo",
]
