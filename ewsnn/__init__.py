"""JAX layers of the exponentially weighted signature: fast, differentiable, checked against ewsmath."""

from ewsnn import clocks, engine, generators, linalg, parameters, propagators, tensor
from ewsnn.functional import ews
from ewsnn.layers import EWSLayer, LevelGain
from ewsnn.models import EWSClassifier, Reading
from ewsnn.paths import Increments
from ewsnn.train.predictor import load

__all__ = [
    "EWSClassifier",
    "EWSLayer",
    "Increments",
    "LevelGain",
    "Reading",
    "clocks",
    "engine",
    "ews",
    "generators",
    "linalg",
    "load",
    "parameters",
    "propagators",
    "tensor",
]
