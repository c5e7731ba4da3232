"""Rigorous enclosures of the eigenvalues of a matrix of balls, also where they cannot be told from one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import acb, acb_mat, acb_poly, arb, ctx

from ewsmath.matrix import Matrix
from ewsmath.rings import Ball, WorkingPrecision
from ewsmath.ssm.working_ring import UndecidedError, conjugate


def enclosed_eigenvalues(M: Matrix[Any]) -> list[Ball]:
    """Balls around the eigenvalues of a matrix of complex balls, with multiplicity.

    By flint where it can part them; else by discs around approximate roots of the
    characteristic polynomial.

    Args:
        M: A square matrix over ``ComplexBalls``.

    Returns:
        As many balls as rows. Eigenvalues that are not told from one another share a ball.

    Raises:
        UndecidedError: An entry is unbounded, or the balls are too wide.

    >>> from ewsmath.rings import ComplexBalls
    >>> two, three = enclosed_eigenvalues(Matrix(ComplexBalls(64), [[2, 1], [0, 3]]))
    >>> two == 2, three == 3, two == three
    (True, True, False)
    """
    ring: Any = M.ring
    size = M.check_square("the eigenvalues")
    with WorkingPrecision(ring.prec):
        matrix = ring.matrix(M.entries, size)
        if not all(x.is_finite() for x in matrix.entries()):
            raise UndecidedError(f"the eigenvalues of {M}, which is unbounded")
        try:
            found = matrix.eig()
        except ValueError:  # multiple, or as good as that
            found = _discs(matrix)
    return [Ball(ring, z) for z in found]


def _discs(matrix: acb_mat) -> list[acb]:
    """Weierstrass's discs around any distinct points r_i, with radii n |p(r_i)|/∏ |r_i - r_j|, p monic.

    All roots of p lie in them, and k of them in a connected union of k discs.
    """
    p = matrix.charpoly()
    points = _approximate_roots(p)
    discs = []
    for i, r in enumerate(points):
        radius = (len(points) * abs(_correction(p, points, i))).upper()
        discs.append(r + acb(arb(0, radius), arb(0, radius)))
    if not all(z.is_finite() for z in discs):
        raise UndecidedError(f"the eigenvalues of {matrix}: their balls are unbounded")
    groups: list[list[int]] = []
    for i, z in enumerate(discs):
        met = [group for group in groups if any(discs[j].overlaps(z) for j in group)]
        groups = [group for group in groups if group not in met] + [[i, *(j for group in met for j in group)]]
    hulls = {}
    for group in groups:
        hull = discs[group[0]]
        for j in group[1:]:
            hull = hull.union(discs[j])
        hulls |= dict.fromkeys(group, hull)
    return [hulls[i] for i in range(len(discs))]


def _correction(p: acb_poly, points: Sequence[acb], i: int) -> acb:
    value = p(points[i])
    for j, r in enumerate(points):
        if j != i:
            value = value / (points[i] - r)
    return value


def _approximate_roots(p: acb_poly) -> list[acb]:
    """Durand and Kerner's iteration on midpoints, until it stands still; nothing about it need be rigorous."""
    n = p.degree()
    radius = 1 + max(abs(c).upper() for c in p.coeffs()[:-1])
    points = [(radius * acb(arb(2 * k) / n + arb(1) / 7).exp_pi_i()).mid() for k in range(n)]
    best, since = None, 0
    for _ in range(2 * ctx.prec):  # a multiple root is approached by a constant factor; to 0 without end
        points = [(r - _correction(p, points, i)).mid() for i, r in enumerate(points)]
        move = max(abs(_correction(p, points, i)).mid() for i in range(n))
        best, since = (move, 0) if best is None or 10 * move < 9 * best else (best, since + 1)
        if since == 20:
            break
    return points


def is_certainly_real(eigenvalues: Sequence[Ball], k: int) -> bool:
    """Whether eigenvalue k of a real matrix is simple and real for certain: its conjugate can be no other.

    Args:
        eigenvalues: The enclosures of all eigenvalues.
        k: The number of one.

    Returns:
        True when its ball and the conjugate of it meet no other ball.

    >>> from ewsmath.rings import ComplexBalls
    >>> one, two = ComplexBalls(64).one, ComplexBalls(64).coerce(2)
    >>> is_certainly_real([one, two], 0), is_certainly_real([one, one], 0)
    (True, False)
    """
    z, mirrored = eigenvalues[k], conjugate(eigenvalues[k])
    others = [x for i, x in enumerate(eigenvalues) if i != k]
    return z.value.imag.contains(0) and not any(x.overlaps(z) or x.overlaps(mirrored) for x in others)
