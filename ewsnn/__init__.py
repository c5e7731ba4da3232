"""JAX layers of the exponentially weighted signature: fast, differentiable, checked against ewsmath."""

from ewsnn import (
    clocks,
    convert,
    engine,
    front_ends,
    generators,
    heads,
    linalg,
    parameters,
    propagators,
    signature,
    slices,
    tensor,
)
from ewsnn.batch_norm import BatchNorm
from ewsnn.blocks import EWSBlock
from ewsnn.functional import ews
from ewsnn.layers import EWSLayer
from ewsnn.level_gain import LevelGain
from ewsnn.models import EWSClassifier
from ewsnn.multi_head import MultiHead
from ewsnn.paths import Increments, Reading, Signal
from ewsnn.sequence import SequenceModel
from ewsnn.sharded import Sharded
from ewsnn.train.predictor import load

__all__ = [
    "BatchNorm",
    "EWSBlock",
    "EWSClassifier",
    "EWSLayer",
    "Increments",
    "LevelGain",
    "MultiHead",
    "Reading",
    "SequenceModel",
    "Sharded",
    "Signal",
    "clocks",
    "convert",
    "engine",
    "ews",
    "front_ends",
    "generators",
    "heads",
    "linalg",
    "load",
    "parameters",
    "propagators",
    "signature",
    "slices",
    "tensor",
]
