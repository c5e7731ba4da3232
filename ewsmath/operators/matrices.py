"""The flow operator as matrices: e^{-rL} on R^K and on one level. L itself is in ``linear_cde``."""

from typing import Any

from ewsmath.capacity import check_matrix
from ewsmath.matrix import Matrix
from ewsmath.operators.tensors import Exponentiable, check_exponentiable
from ewsmath.rings.door import whole
from ewsmath.words import size


def level_flow(generator: Exponentiable, r: Any, n: int) -> Matrix[Any]:
    r"""The matrix of the flow operator on one level, a Kronecker power.

    .. math:: e^{-rL^{(n)}} = (e^{-rA})^{⊗ n}

    Args:
        generator: The generator A.
        r: Elapsed clock time, of either sign.
        n: The level, at least 1.

    Returns:
        An m^n x m^n matrix over the ring of the generator's exponentials, in the order of the words.

    Raises:
        ValueError: n is below 1, or the matrix is too large to be held.
        TypeError: The generator is none, or n is no whole number.

    Paper: Appendix C.3.

    >>> from ewsmath.generators import Jordan
    >>> level_flow(Jordan(0, 2), 1, 2)
    Matrix(QQ, [[1, -1, -1, 1], [0, 1, 0, -1], [0, 0, 1, -1], [0, 0, 0, 1]])
    """
    n, propagator = whole(n, "level_flow: the level"), check_exponentiable(generator, "the flow matrix").exponential(r)
    K = propagator.shape[0] ** n
    check_matrix(K, K, "level_flow")
    return _powers(propagator, n)[-1]


def flow_matrix(generator: Exponentiable, r: Any, depth: int) -> Matrix[Any]:
    r"""The matrix of the flow operator D_A^r on R^K.

    .. math:: e^{-rL} = \bigoplus_{n=0}^N (e^{-rA})^{⊗ n}

    Args:
        generator: The generator A.
        r: Elapsed clock time, of either sign.
        depth: Truncation depth N.

    Returns:
        A K x K matrix over the ring of the generator's exponentials.

    Raises:
        ValueError: The depth is below 1, or the matrix is too large to be held.
        TypeError: The generator is none, or the depth is no whole number.

    Paper: Appendix C.3; Lemma 1.

    >>> from ewsmath.generators import Jordan
    >>> flow_matrix(Jordan(0, 2), 3, 1)
    Matrix(QQ, [[1, 0, 0], [0, 1, -3], [0, 0, 1]])
    """
    N, propagator = whole(depth, "flow_matrix: depth"), check_exponentiable(generator, "the flow matrix").exponential(r)
    K = size(propagator.shape[0], N)
    check_matrix(K, K, "flow_matrix")
    powers = _powers(propagator, N)
    return Matrix.block_diagonal(powers[0].ring, powers)


def _powers(propagator: Matrix[Any], n: int) -> list[Matrix[Any]]:
    powers = [Matrix.identity(propagator.ring, 1)]
    for _ in range(n):
        powers.append(powers[-1].kronecker(propagator))
    return powers
