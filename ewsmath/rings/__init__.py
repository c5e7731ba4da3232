"""Coefficient rings: QQ, QQ_I, EE, the symbolic SR, real and complex balls, and mpmath numbers."""

from ewsmath.rings.ball import Ball, BallRing
from ewsmath.rings.balls import AbstractBalls, Balls, ComplexBalls
from ewsmath.rings.exact import AbstractExactRing
from ewsmath.rings.exponential import Exponential
from ewsmath.rings.exponential_field import EE, ExponentialField
from ewsmath.rings.extension import back, complexification, exponent_field, exponent_of, taken
from ewsmath.rings.gaussian import QQ_I, Gaussian, GaussianField
from ewsmath.rings.mp import MP
from ewsmath.rings.mp_number import MPNumber, MPRing
from ewsmath.rings.precision import WorkingPrecision
from ewsmath.rings.rational import QQ, RationalField
from ewsmath.rings.rational_function import RationalFunction
from ewsmath.rings.rational_function_field import RF, RationalFunctionField
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
from ewsmath.rings.symbolic import Symbolic
from ewsmath.rings.symbolic_ring import SR, SymbolicRing

__all__ = [
    "EE",
    "MP",
    "QQ",
    "QQ_I",
    "RF",
    "SR",
    "AbstractBalls",
    "AbstractExactRing",
    "Ball",
    "BallRing",
    "Balls",
    "ComplexBalls",
    "Exponential",
    "ExponentialField",
    "ExponentialRing",
    "Field",
    "Gaussian",
    "GaussianField",
    "MPNumber",
    "MPRing",
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
    "exponent_of",
    "supports",
    "taken",
]
