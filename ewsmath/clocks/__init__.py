"""Clock families: how far clock time moves over each piece of a path."""

from ewsmath.clocks.clock import AbstractClock, AbstractIncrementClock
from ewsmath.clocks.counting import Observation, Time
from ewsmath.clocks.gated import Clamped, Gated
from ewsmath.clocks.given import Given, Increment
from ewsmath.clocks.variation import Blended, Variation

__all__ = [
    "AbstractClock",
    "AbstractIncrementClock",
    "Blended",
    "Clamped",
    "Gated",
    "Given",
    "Increment",
    "Observation",
    "Time",
    "Variation",
]
