"""Event wheel: the future steps at which groups fire, in a ring of linked lists; each step reads one list."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compiler import inlined
from labelwise.simulation.kernels.generator import State, exponential

_Counts = NDArray[np.int64]
_Floats = NDArray[np.float64]
N_SLOTS = 4096  # a power of two; entries more than one turn ahead are skipped until they are due
NEVER = -1
DUE, NEXT, PREVIOUS = range(3)
"""Columns of `entries`: the step at which a group fires, and its neighbours in the linked list of its slot."""


@inlined
def scale_of(chance: float) -> float:
    """Return the scale -1 / log(1 - chance) of the waiting time; 0 if chance is 1, and -1 if chance is 0."""
    if chance >= 1:
        return 0.0
    if chance <= 0:
        return -1.0
    return -1 / math.log1p(-chance)


@inlined
def put(slots: _Counts, entries: _Counts, g: int, scale: float, now: int, end: int, state: State) -> State:
    """Draw when group g fires next, a geometric number of steps after `now`, and insert it."""
    e, state = exponential(state)
    wait = e * scale
    if scale < 0 or wait >= end - now:
        entries[g, DUE] = NEVER
        return state
    due = now + 1 + np.int64(wait)
    slot = due & (N_SLOTS - 1)
    after = slots[slot]
    entries[g, DUE], entries[g, NEXT], entries[g, PREVIOUS] = due, after, -1
    if after >= 0:
        entries[after, PREVIOUS] = g
    slots[slot] = g
    return state


@inlined
def take_out(slots: _Counts, entries: _Counts, g: int) -> None:
    """Remove group g."""
    if entries[g, DUE] == NEVER:
        return
    after, before = entries[g, NEXT], entries[g, PREVIOUS]
    if after >= 0:
        entries[after, PREVIOUS] = before
    if before >= 0:
        entries[before, NEXT] = after
    else:
        slots[entries[g, DUE] & (N_SLOTS - 1)] = after
    entries[g, DUE] = NEVER


@inlined
def put_due(slots: _Counts, entries: _Counts, now: int, fired: _Counts) -> int:
    """Write the groups that fire now to `fired`, and return their number."""
    n_fired = 0
    g = slots[now & (N_SLOTS - 1)]
    while g >= 0:
        if entries[g, DUE] == now:
            fired[n_fired] = g
            n_fired += 1
        g = entries[g, NEXT]
    return n_fired
