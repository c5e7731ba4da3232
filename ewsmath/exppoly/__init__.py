"""Exponential polynomials Σ c u^k e^{αu}: closed under sums, products, derivatives and integrals."""

from ewsmath.exppoly.function import ExpPoly
from ewsmath.exppoly.not_constant import NotConstant
from ewsmath.exppoly.ring import ExpPolys

__all__ = ["ExpPoly", "ExpPolys", "NotConstant"]
