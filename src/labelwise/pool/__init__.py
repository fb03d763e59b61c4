"""Pools: a classifier's predictions for a set of items, read from files, data frames or arrays.

Only this package imports Arrow.
"""

from labelwise.pool.arrays import pool_from_arrays
from labelwise.pool.fold import Progress
from labelwise.pool.frame import Frame, harmless
from labelwise.pool.keys import keys_of
from labelwise.pool.layout import ClassName
from labelwise.pool.packing import Split, pack, unpack
from labelwise.pool.pool import Pool
from labelwise.pool.read import FORMATS, read_pool

__all__ = [
    "FORMATS",
    "ClassName",
    "Frame",
    "Pool",
    "Progress",
    "Split",
    "harmless",
    "keys_of",
    "pack",
    "pool_from_arrays",
    "read_pool",
    "unpack",
]
