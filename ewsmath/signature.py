"""The signature of a path: the product of the exponentials of its increments, or of its iterated integrals."""

from functools import reduce
from itertools import groupby
from operator import matmul
from typing import Any, TypeVar

from ewsmath.capacity import check_size
from ewsmath.iterated_integrals import iterated_integrals
from ewsmath.paths import AbstractPath, Curve, check_any_path
from ewsmath.rings import RingElement
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.tensor.exponentials import product_of_exponentials

R = TypeVar("R", bound=RingElement)


def signature(path: AbstractPath[R], depth: int, s: Any = None, t: Any = None) -> Tensor[R]:
    r"""The signature of a path between two times, up to a depth.

    .. math:: S(X)_{s,t} = \exp(ΔX_1) ⊗ ⋯ ⊗ \exp(ΔX_J)

    for a piecewise-linear path; a piece in closed form contributes its iterated integrals.

    Args:
        path: The path in R^d.
        depth: Truncation depth N.
        s: Start; None for the first time.
        t: End; None for the last time.

    Returns:
        A group-like tensor over R^d; 1 where nothing of the path lies between s and t.

    Raises:
        ValueError: There are more than a million words, or t < s.
        TypeError: The path is none.

    Paper: Appendix B.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> X = PiecewiseLinearPath(None, [[1, 2], [2, 0], [3, 3]])
    >>> signature(X, 2)
    1 + 2*e1 + e2 + 2*e11 + 7/2*e12 - 3/2*e21 + 1/2*e22
    >>> signature(X, 2, 0, 1) @ signature(X, 2, 1, 2) == signature(X, 2)
    True
    """
    check_any_path(path, "the signature")
    if s is not None or t is not None:
        path = path.restrict(s, t)
    algebra = TensorAlgebra(path.ring, path.dim, depth)
    check_size(path.dim, algebra.depth, "the signature")
    factors: list[Tensor[Any]] = []
    for curved, pieces in groupby(path.pieces, key=lambda piece: isinstance(piece, Curve)):
        speeds: list[Any] = [piece.speed for piece in pieces]
        if curved:
            factors += [iterated_integrals(path.ring, speed, depth) for speed in speeds]
        else:
            factors.append(product_of_exponentials(algebra, speeds))
    return reduce(matmul, factors) if factors else algebra.one()
