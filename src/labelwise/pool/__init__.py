"""Pools: a classifier's predictions for a set of items, read from files, data frames or arrays.

Only this package imports Arrow.
"""

from labelwise.pool.arrays import pool_from_arrays
from labelwise.pool.frame import Frame
from labelwise.pool.layout import ClassName
from labelwise.pool.pool import Pool
from labelwise.pool.read import read_pool

__all__ = ["ClassName", "Frame", "Pool", "pool_from_arrays", "read_pool"]
