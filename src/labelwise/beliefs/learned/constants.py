"""Constants of the learned belief, shared by the belief itself and by the compiled engine.

What each one is for, and why it has its value, is in MODEL.md beside this file.
"""

from __future__ import annotations

# Confidences
NEAREST_CONFIDENCE = 1e-5
"""Confidences closer to 0 or 1 are moved to this distance from it."""
N_BINS = 32
"""Bins of the confidence, of equally many items."""

# Prior
SHIFT_SCALE = 1.0
"""Scale of the shift, about 0."""
SLOPE_CENTRE, SLOPE_SCALE = 0.8, 0.4
"""Centre and scale of the slope."""
TAILS = 4.0
"""Degrees of freedom of the Student's t distributions of shift and slope."""
SPREADS = tuple(1.5 * 0.64**k for k in range(6))
"""Standard deviations of the groups' logits about the map, equally probable: from 1.5 to 0.16."""
STEEPNESS = 1.2
"""Slope of groups over the slope of the items within them."""
APART = 0.25
"""Standard deviation of the difference between the slope of items and that of the map."""
MIXED = 0.5
"""Groups have a steepness of their own only if this part of the variance of all logits lies within groups."""

# Bounds
NEAREST = 1e-6
"""Mean accuracies keep this distance from 0 and 1."""
QUIETEST = 0.25
"""Lower bound on the residual variance ratio within a group."""
LEAST_SPARE = 0.01
"""Lower bound on the part of a group's variance that is left to its level."""

# Approximation
N_NODES = 5
"""Nodes of the Gauss-Hermite rule per direction."""
STRETCH = 1.2
"""How much wider than the normal approximation the nodes are placed."""
NEGLIGIBLE = 1e-9
"""Nodes with a smaller posterior weight are dropped."""
MAP_STEPS, MAP_STEP, MAP_TOLERANCE = 40, 1.5, 1e-4
"""Search for the posterior mode of a map: number of steps, longest step, and the step that ends it."""
SLOPE_STEPS, SLOPE_STEP, SLOPE_TOLERANCE = 30, 0.7, 1e-4
"""The same for the search for the slope of items."""
REFIT = 1.1
"""Groups are chosen by a map that is fitted anew after this factor more labels."""
