"""Exact and arbitrary-precision mathematics of the exponentially weighted signature."""

from ewsmath import clocks, generators
from ewsmath.ews import EWS, Segment, chen
from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.functional import Functional
from ewsmath.interop import exact, to_numpy
from ewsmath.latex import latex
from ewsmath.matrix import Matrix
from ewsmath.operators import derivation, flow, homomorphism
from ewsmath.paths import PiecewiseLinearPath
from ewsmath.rings import EE, QQ, QQ_I, Balls, ComplexBalls
from ewsmath.signature import signature
from ewsmath.tensor import Tensor, TensorAlgebra

__all__ = [
    "EE",
    "EWS",
    "QQ",
    "QQ_I",
    "Balls",
    "ComplexBalls",
    "ExpPoly",
    "ExpPolys",
    "Functional",
    "Matrix",
    "PiecewiseLinearPath",
    "Segment",
    "Tensor",
    "TensorAlgebra",
    "chen",
    "clocks",
    "derivation",
    "exact",
    "flow",
    "generators",
    "homomorphism",
    "latex",
    "signature",
    "to_numpy",
]
