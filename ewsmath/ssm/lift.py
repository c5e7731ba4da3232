"""Lifts from input maps: φ_1(-A) B = Bbar solved for B, by three routes."""

from __future__ import annotations

from typing import Any

from flint import acb, arb, fmpq

from ewsmath import spectrum
from ewsmath.matrix import Matrix
from ewsmath.rings import AbstractBalls, Ball, WorkingPrecision
from ewsmath.ssm.working_ring import in_balls

_SERIES_NORM = 1
"""The norm of A up to which the series is taken, and no linear system is solved."""


def lift(A: Matrix[Any], Bbar: Matrix[Any]) -> Matrix[Any]:
    r"""The lift B of an input map in the unit-clock convention.

    .. math:: φ_1(-A)\, B = \bar B

    By the series where ‖A‖_∞ ≤ 1, else by solving with φ_1(-A), which is the top right block of the
    exponential of [[-A, I], [0, 0]]: no difference of close numbers is formed.

    Args:
        A: The m x m generator, over real or complex balls; no eigenvalue in 2πiZ∖{0}.
        Bbar: The m x d input map over the same ring.

    Returns:
        The m x d matrix B.

    Raises:
        ValueError: A is not square, or Bbar has not as many rows.
        ZeroDivisionError: φ_1(-A) is not certainly regular.

    Paper: Appendix E, (9).

    >>> from ewsmath.rings import Balls
    >>> lift(Matrix(Balls(64), [[0, 2], [0, 0]]), Matrix(Balls(64), [[0], [1]]))
    Matrix(Balls(prec=64), [[1.00000000000000000], [1.00000000000000000]])
    """
    check_input_map(A, Bbar, "a lift")
    if _norm(A) <= _SERIES_NORM:
        return lift_by_series(A, Bbar)
    ring = in_balls(A.ring, "a lift")
    with WorkingPrecision(ring.prec):
        phi1 = ring.matrix(phi1_matrix(A).entries, A.shape[0])
        solved = phi1.solve(ring.matrix(Bbar.entries, Bbar.shape[1]))
    return Matrix.flat(ring, ring.wrap(solved), Bbar.shape[1])


def check_input_map(transition: Matrix[Any], Bbar: Matrix[Any], what: str) -> None:
    """Refuse a matrix and an input map that do not belong together.

    Args:
        transition: The transition, or its generator: m x m.
        Bbar: The input map, with m rows.
        what: Who takes both, for the message.

    Raises:
        ValueError: The first is not square, or the second has not as many rows.

    >>> from ewsmath.rings import QQ
    >>> check_input_map(Matrix(QQ, [[1]]), Matrix(QQ, [[1], [2]]), "a lift")
    Traceback (most recent call last):
        ...
    ValueError: a lift takes an input map with a row for each of the 1 states, got shape (2, 1)
    """
    m = transition.check_square(what)
    if Bbar.shape[0] != m:
        raise ValueError(f"{what} takes an input map with a row for each of the {m} states, got shape {Bbar.shape}")


def phi1_matrix(A: Matrix[Any]) -> Matrix[Any]:
    r"""The matrix φ_1(-A) = ∫_0^1 e^{-rA} dr, in balls.

    .. math:: \exp\begin{pmatrix} -A & I \\ 0 & 0 \end{pmatrix}
        = \begin{pmatrix} e^{-A} & φ_1(-A) \\ 0 & I \end{pmatrix}

    Args:
        A: A square matrix over balls.

    Returns:
        The matrix, of the same shape.

    Raises:
        ValueError: The ring is exact.

    Paper: (43) and (44).

    >>> from ewsmath.rings import Balls
    >>> phi1_matrix(Matrix(Balls(64), [[0, 1], [0, 0]]))
    Matrix(Balls(prec=64), [[1.00000000000000000, -0.500000000000000000], [0, 1.00000000000000000]])
    """
    ring = in_balls(A.ring, "φ_1 of a matrix")
    m = A.check_square("φ_1")
    rows = [[-x for x in row] + [ring.one if i == j else ring.zero for j in range(m)] for i, row in enumerate(A.rows)]
    augmented = Matrix(ring, rows + [[ring.zero] * (2 * m)] * m)
    return Matrix(ring, [row[m:] for row in spectrum.exponential(augmented).rows[:m]])


def lift_from_steady_state(A: Matrix[Any], steady_state: Matrix[Any]) -> Matrix[Any]:
    r"""The lift from the response h_∞ to a constant unit input.

    .. math:: B = A\, h_∞, \qquad h_∞ = (I - \bar A)^{-1} \bar B

    Args:
        A: The m x m generator.
        steady_state: The m x d matrix h_∞ over the same ring.

    Returns:
        The m x d matrix B.

    Paper: Appendix E, (9).

    >>> from ewsmath.rings import QQ
    >>> lift_from_steady_state(Matrix(QQ, [[2]]), Matrix(QQ, [[6]]))
    Matrix(QQ, [[12]])
    """
    return A @ steady_state


def steady_state(Abar: Matrix[Any], Bbar: Matrix[Any]) -> Matrix[Any]:
    """The response (I - Abar)^{-1} Bbar to a constant unit input.

    Args:
        Abar: The m x m transition.
        Bbar: The m x d input map over the same ring.

    Returns:
        The m x d matrix h_∞.

    Raises:
        ZeroDivisionError: 1 may be an eigenvalue of Abar.

    >>> from ewsmath.rings import QQ
    >>> steady_state(Matrix(QQ, [[QQ.ratio(1, 2)]]), Matrix(QQ, [[3]]))
    Matrix(QQ, [[6]])
    """
    return (Matrix.identity(Abar.ring, Abar.check_square("the steady state")) - Abar).inverse() @ Bbar


def lift_by_series(A: Matrix[Any], Bbar: Matrix[Any]) -> Matrix[Any]:
    r"""The lift as a series in A, with its remainder in the radii; also at A = 0.

    .. math:: B = \sum_{k ≥ 0} \frac{(-1)^k B_k}{k!} A^k \bar B = \bar B + \frac12 A \bar B + \frac1{12} A^2 \bar B - ⋯

    With Bernoulli numbers ``|B_k|/k! ≤ 4/(2π)^k``, so that with q = ‖A‖_∞/2π < 1 the terms from k on are at most
    4 q^k/(1 - q) ‖Bbar‖ together.

    Args:
        A: The m x m generator over balls, ‖A‖_∞ < 2π.
        Bbar: The m x d input map over the same ring.

    Returns:
        The m x d matrix B.

    Raises:
        ValueError: The norm of A is not certainly below 2π, A is not square, or Bbar has not as many rows.

    >>> from ewsmath.rings import Balls, QQ
    >>> B = lift_by_series(Matrix(Balls(64), [[0, 1], [0, 0]]), Matrix(Balls(64), [[0], [1]]))
    >>> B[0, 0] == QQ.ratio(1, 2), B[1, 0] == 1
    (True, True)
    """
    check_input_map(A, Bbar, "the series of a lift")
    ring = in_balls(A.ring, "the series of a lift")
    with WorkingPrecision(ring.prec):
        q = arb(_norm(A)) / (2 * arb.pi())
        if not q < 1:
            raise ValueError(f"the series of a lift needs ‖A‖ < 2π, got {_norm(A)}: take lift(A, Bbar)")
        goal, largest = arb(2) ** -ring.prec, max((x.abs_upper() for x in Bbar.entries), default=fmpq(0))
    total, term, k, factorial = Bbar, Bbar, 0, fmpq(1)
    while True:
        with WorkingPrecision(ring.prec):
            remainder = (4 * q ** (k + 1) / (1 - q)).upper()
            if remainder <= goal:
                error = _error(ring, remainder * arb(largest))
                break
        k += 1
        factorial *= k
        term = A @ term
        coefficient = fmpq.bernoulli(k) * (-1) ** k / factorial
        if coefficient:
            total = total + term * coefficient
    return total.map(ring, lambda x: x + error)


def _error(ring: AbstractBalls, radius: arb) -> Ball:
    error = arb(0, radius)
    return ring.coerce(acb(error, error)) if ring.one.value.__class__ is acb else ring.coerce(error)


def _norm(A: Matrix[Any]) -> fmpq:
    """A rational bound of the largest row sum of |entries|."""
    return max(sum((x.abs_upper() for x in row), fmpq(0)) for row in A.rows)
