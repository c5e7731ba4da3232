"""The signature of a piecewise-linear path: the product of the exponentials of its increments."""

from typing import TypeVar

from ewsmath.paths import PiecewiseLinearPath, check_path
from ewsmath.rings import RingElement
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.tensor.exponentials import product_of_exponentials

R = TypeVar("R", bound=RingElement)


def signature(path: PiecewiseLinearPath[R], depth: int) -> Tensor[R]:
    r"""The signature of a path up to a depth.

    .. math:: S(X) = \exp(ΔX_1) ⊗ ⋯ ⊗ \exp(ΔX_J)

    Args:
        path: The path in R^d.
        depth: Truncation depth N.

    Returns:
        A group-like tensor over R^d; 1 for a path of one point.

    Paper: Appendix B.

    >>> X = PiecewiseLinearPath(None, [[1, 2], [2, 0], [3, 3]])
    >>> signature(X, 2)
    1 + 2*e1 + e2 + 2*e11 + 7/2*e12 - 3/2*e21 + 1/2*e22
    """
    check_path(path, "the signature")
    algebra = TensorAlgebra(path.ring, path.dim, depth)
    return product_of_exponentials(algebra, path.increments)
