r"""What tells kernels apart: the differential operators that annihilate some, and the paths that do not see these.

.. math:: P(D) = \prod_i (D - α_i)

annihilates a function of the elapsed clock time r exactly when it is a combination of the e^{α_i r}, for distinct α_i.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from ewsmath import ExpPoly, ExpPolys
from ewsmath.rings import Ring


def annihilated(f: ExpPoly[Any], exponents: Iterable[Any]) -> ExpPoly[Any]:
    """P(D)f, one factor D − α after the other."""
    for alpha in exponents:
        f = f.derivative() - f.scaled(f.ring.coerce(alpha))
    return f


def bump(ring: Ring[Any], order: int, more: int) -> ExpPoly[Any]:
    """The function u^n (1−u)^{n+k} on [0, 1], which vanishes at both ends with its first n−1 derivatives."""
    functions = ExpPolys(ring)
    u = functions.variable
    b = functions.one
    for factor in [u] * order + [functions.one - u] * (order + more):
        b = b * factor
    return b


def blind_path(ring: Ring[Any], exponents: Sequence[Any], more: int = 0) -> ExpPoly[Any]:
    r"""The speed of a path on [0, 1] that no kernel e^{α_i r} sees.

    .. math:: \int_0^1 K(1-u)\, x(u)\, du = \int_0^1 (P(D)K)(1-u)\, b(u)\, du, \qquad x = \prod_i (D - α_i)\, b

    by parts, as many times as there are exponents, b being a bump of that order.
    """
    return annihilated(bump(ring, len(exponents), more), exponents)
