"""The solution series of a linear CDE from the signature of its driving path, and what it leaves out."""

from typing import Any

from flint import fmpq

from ewsmath.linear_cde.cde import LinearCDE
from ewsmath.matrix import Matrix
from ewsmath.matrix_norms import row_norm
from ewsmath.paths import AbstractPath, PiecewiseLinearPath
from ewsmath.signature import signature


def solution_series(cde: LinearCDE, path: AbstractPath[Any], depth: int) -> Matrix[Any]:
    r"""The solution series up to a depth.

    .. math:: h_t = \sum_{|w| ≤ N} M_{i_n} ⋯ M_{i_1}\, S^{i_1 ⋯ i_n}_{s,t}\, h_s

    Exact when N is at least :func:`nilpotency_index` minus one; else off by at most :func:`series_remainder`.

    Args:
        cde: The linear CDE with the matrices M_1, …, M_d.
        path: The driving path ω in R^d, in pieces of any kind.
        depth: The largest level N that is summed.

    Returns:
        The h x h matrix that takes h_s to the sum.

    Raises:
        ValueError: The path has not d channels.

    Paper: Appendix B.

    >>> from ewsmath.rings import QQ
    >>> solution_series(LinearCDE([Matrix(QQ, [[1]])]), PiecewiseLinearPath(None, [[0], [1]]), 4)
    Matrix(QQ, [[65/24]])
    """
    return cde.represent(signature(cde.driver(path), depth))


def series_remainder(cde: LinearCDE, path: PiecewiseLinearPath[Any], depth: int) -> fmpq:
    r"""A rigorous bound of what the solution series leaves out, in the largest row sum ‖·‖_∞.

    .. math:: \Big‖\sum_{|w| > N} M_{i_n} ⋯ M_{i_1} S^w\Big‖ ≤ \sum_{n > N} \frac{κ^n}{n!}, \qquad
        κ = \sum_j \Big‖\sum_i M_i Δω^i_j\Big‖

    Level n is an integral of products of n fields over a simplex, and the fields have total length κ.

    Args:
        cde: The linear CDE.
        path: The driving path ω, piecewise linear.
        depth: The depth N of the series; -1 for a bound e^κ of the whole propagator.

    Returns:
        A rational above the sum on the right, by a fraction of at most 2^-20.

    Raises:
        ValueError: The path has not d channels.

    Paper: Appendix B.

    >>> from ewsmath.rings import QQ
    >>> X = PiecewiseLinearPath(None, [[0], [1]])
    >>> QQ.ratio(1, 120) < series_remainder(LinearCDE([Matrix(QQ, [[1]])]), X, 4) < QQ.ratio(1, 100)
    True
    """
    length = fmpq(0)
    for dx in cde.increments(path):
        length += row_norm(cde.field(dx))
    return exponential_tail(length, depth + 1)


def exponential_tail(x: fmpq, start: int) -> fmpq:
    r"""A rational above the tail of the exponential series, by a fraction of at most 2^-20.

    .. math:: \sum_{n ≥ k} x^n / n!

    Args:
        x: A rational that is not negative.
        start: The first level k of the tail, at least 0.

    Returns:
        The bound.

    >>> fmpq(718281, 10**6) < exponential_tail(fmpq(1), 2) < fmpq(718283, 10**6)  # e - 2
    True
    """
    term, n = fmpq(1), 0
    while n < start:
        n += 1
        term = term * x / n
    total = term
    # From n on each term is at most x/(n+1) of the one before: once that is 1/2, the rest is at most the last term.
    while 2 * x > n + 1 or term * _RESOLUTION > total:
        n += 1
        term = term * x / n
        total += term
    return total + term


_RESOLUTION = 2**20
