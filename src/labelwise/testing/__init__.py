"""Contract tests for beliefs, metrics, policies and stores, shipped for implementers."""

from labelwise.testing.calibration import CalibrationCheck, check_calibration, pit_of_draws
from labelwise.testing.contracts import check_belief, check_metric, check_policy
from labelwise.testing.stores import check_store
from labelwise.testing.worlds import World, belief_simulation

__all__ = [
    "CalibrationCheck",
    "World",
    "belief_simulation",
    "check_belief",
    "check_calibration",
    "check_metric",
    "check_policy",
    "check_store",
    "pit_of_draws",
]
