"""Coefficient rings: QQ, QQ_I, EE, the symbolic SR, real and complex balls, and mpmath numbers."""

from ewsmath.rings.ball import AbstractBalls, Ball, Balls, ComplexBalls
from ewsmath.rings.exponential import EE, Exponential, ExponentialField
from ewsmath.rings.extension import back, complexification, exponent_field
from ewsmath.rings.gaussian import QQ_I, Gaussian, GaussianField
from ewsmath.rings.mp import MP, MPNumber
from ewsmath.rings.precision import WorkingPrecision
from ewsmath.rings.rational import QQ, RationalField
from ewsmath.rings.rational_function import RF, RationalFunction, RationalFunctionField
from ewsmath.rings.ring import (
    ExponentialRing,
    Field,
    MatrixExponentialRing,
    MatrixRing,
    OrderedRing,
    Ring,
    RingElement,
    check_ring,
    supports,
)
from ewsmath.rings.symbolic import SR, Symbolic, SymbolicRing

__all__ = [
    "EE",
    "MP",
    "QQ",
    "QQ_I",
    "RF",
    "SR",
    "AbstractBalls",
    "Ball",
    "Balls",
    "ComplexBalls",
    "Exponential",
    "ExponentialField",
    "ExponentialRing",
    "Field",
    "Gaussian",
    "GaussianField",
    "MPNumber",
    "MatrixExponentialRing",
    "MatrixRing",
    "OrderedRing",
    "RationalField",
    "RationalFunction",
    "RationalFunctionField",
    "Ring",
    "RingElement",
    "Symbolic",
    "SymbolicRing",
    "WorkingPrecision",
    "back",
    "check_ring",
    "complexification",
    "exponent_field",
    "supports",
]
