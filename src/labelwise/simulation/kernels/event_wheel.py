"""A calendar of the steps at which groups fire: a wheel of lists, each step looking into one of them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from labelwise.simulation.kernels.compiler import inlined
from labelwise.simulation.kernels.generator import State, exponential

_Counts = NDArray[np.int64]
_Floats = NDArray[np.float64]
N_SLOTS = 4096  # a power of two; an entry further ahead than one turn is passed over until its turn
NEVER = -1
DUE, NEXT, PREVIOUS = range(3)
"""Columns of `entries`: the step at which a group fires, its neighbours in the list of its slot."""


@inlined
def scale_of(chance: float) -> float:
    """Give -1/log(1 - chance), the scale of the waiting time; zero if it is certain, minus one if it never comes."""
    if chance >= 1:
        return 0.0
    if chance <= 0:
        return -1.0
    return -1 / math.log1p(-chance)


@inlined
def put(slots: _Counts, entries: _Counts, g: int, scale: float, now: int, end: int, state: State) -> State:
    """Draw when group g fires next, a geometric number of steps after `now`, and put it into the calendar."""
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
    """Take group g out of the calendar."""
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
    """Put the groups that fire now into `fired`, and give how many there are."""
    n_fired = 0
    g = slots[now & (N_SLOTS - 1)]
    while g >= 0:
        if entries[g, DUE] == now:
            fired[n_fired] = g
            n_fired += 1
        g = entries[g, NEXT]
    return n_fired
