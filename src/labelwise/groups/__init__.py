"""Groupings: partitions of a pool into groups."""

from labelwise.groups.by_column import by_column
from labelwise.groups.by_map import by_map
from labelwise.groups.by_prediction import by_prediction
from labelwise.groups.by_score import BinRule, by_score
from labelwise.groups.crossed import crossed
from labelwise.groups.everything import everything
from labelwise.groups.grouping import Grouping
from labelwise.groups.pooled import pooled
from labelwise.groups.without_small import without_small

__all__ = [
    "BinRule",
    "Grouping",
    "by_column",
    "by_map",
    "by_prediction",
    "by_score",
    "crossed",
    "everything",
    "pooled",
    "without_small",
]
