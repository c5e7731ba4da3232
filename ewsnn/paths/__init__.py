"""Paths as what the layer reads: increments, step by step."""

from ewsnn.paths.increments import Increments
from ewsnn.paths.knot import Knot
from ewsnn.paths.reading import Reading
from ewsnn.paths.signal import Signal

__all__ = ["Increments", "Knot", "Reading", "Signal"]
