"""Coefficient rings: QQ, QQ_I, EE, and real and complex balls."""

from ewsmath.rings.ball import AbstractBalls, Ball, Balls, ComplexBalls, WorkingPrecision
from ewsmath.rings.exponential import EE, Exponential, ExponentialField
from ewsmath.rings.gaussian import QQ_I, Gaussian, GaussianField
from ewsmath.rings.rational import QQ, RationalField
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

__all__ = [
    "EE",
    "QQ",
    "QQ_I",
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
    "MatrixExponentialRing",
    "MatrixRing",
    "OrderedRing",
    "RationalField",
    "Ring",
    "RingElement",
    "WorkingPrecision",
    "check_ring",
    "supports",
]
