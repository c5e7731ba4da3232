"""Homeomorphisms of time: exact monotonicity of piecewise-polynomial functions, and what they make of a path."""

from itertools import pairwise
from typing import Any

from flint import fmpq, fmpq_poly

from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.paths.path import AbstractPath
from ewsmath.paths.piece import Piece
from ewsmath.rings import QQ
from ewsmath.rings.door import of_kind


def composition(path: AbstractPath[Any], phi: AbstractPath[Any]) -> tuple[list[fmpq], list[Piece]]:
    """The times and the pieces of X∘φ; see :meth:`AbstractPath.compose`.

    Args:
        path: The path X.
        phi: The homeomorphism φ, a path in R^1.

    Returns:
        The time stamps, one more than there are pieces, and the pieces.

    Raises:
        ValueError: φ is no homeomorphism onto the times of X, or a knot of X comes at an irrational time.
        TypeError: φ is no path.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> X = PiecewiseLinearPath([0, 1, 4], [[0], [1], [7]])
    >>> times, pieces = composition(X, PiecewiseLinearPath([0, 2], [[0], [4]]))
    >>> times, len(pieces)
    ([0, 1/2, 2], 2)
    """
    laps = increasing_polynomials(phi)
    (first,), (last,) = phi.values[0], phi.values[-1]
    if (first, last) != (path.times[0], path.times[-1]):
        raise ValueError(
            f"a reparametrisation leads onto the times of the path, {path.times[0]} to {path.times[-1]}, got one from "
            f"{first} to {last}: restrict the path first"
        )
    times, pieces = [phi.times[0]], list[Piece]()
    lap, u = 0, fmpq(0)  # where on φ the walk is: its piece, and the fraction of it
    for piece, (start, end) in zip(path.pieces, pairwise(path.times), strict=True):
        if start == end:  # a jump of X stays one
            times.append(times[-1])
            pieces.append(piece)
            continue
        now = start
        while now < end:
            p = laps[lap]
            now = min(end, p(1))
            until = fmpq(1) if now == p(1) else preimage(p, now)
            # How far on the piece of X, as a function of the fraction of the new piece.
            fraction = (p(fmpq_poly([u, until - u])) - start) / (end - start)
            pieces.append(piece.composed(_function(fraction)))
            times.append(phi.times[lap] + until * (phi.times[lap + 1] - phi.times[lap]))
            lap, u = (lap + 1, fmpq(0)) if until == 1 else (lap, until)
    return times, pieces


def increasing_polynomials(phi: AbstractPath[Any]) -> list[fmpq_poly]:
    """The pieces of a strictly increasing piecewise-polynomial function, over their fractions.

    Args:
        phi: The function, as a path in R^1 with rational data.

    Returns:
        One polynomial for each piece, strictly increasing on [0, 1].

    Raises:
        ValueError: There are several channels; a piece jumps, is no rational polynomial, or does not increase.
        TypeError: φ is no path.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> increasing_polynomials(PiecewiseLinearPath([0, 1, 2], [[0], [1], [4]]))
    [x, 3*x + 1]
    """
    of_kind(phi, AbstractPath, "a reparametrisation is a path in R^1", "give PiecewiseLinearPath(times, [[…], …])")
    if phi.dim != 1:
        raise ValueError(f"a reparametrisation is a path in R^1, got one in R^{phi.dim}")
    found = []
    for j, (piece, gap) in enumerate(zip(phi.pieces, phi.gaps, strict=True)):
        try:
            polynomial = fmpq_poly(piece.functions[0].coefficients(of=QQ))
        except ValueError as error:
            raise ValueError(
                f"piece {j} of a reparametrisation is a polynomial with rational coefficients: {error}"
            ) from None
        if not gap or not is_increasing(polynomial):
            raise ValueError(f"a reparametrisation increases strictly and does not jump, piece {j} of {phi} does not")
        found.append(polynomial)
    return found


def is_increasing(p: fmpq_poly) -> bool:
    """Whether a polynomial increases strictly on [0, 1], decided.

    It does when it is larger at 1 than at 0 and its derivative changes sign nowhere between: no factor of odd
    multiplicity has a root there.

    Args:
        p: The polynomial.

    Returns:
        The answer.

    >>> is_increasing(fmpq_poly([0, 0, 1])), is_increasing(fmpq_poly([0, -1, 3]))
    (True, False)
    """
    if not p(1) > p(0):
        return False
    return not any(multiplicity % 2 and _has_root_inside(q) for q, multiplicity in p.derivative().factor()[1])


def preimage(p: fmpq_poly, value: fmpq) -> fmpq:
    """The rational u in (0, 1) with p(u) = value, for an increasing p that takes the value there.

    Args:
        p: The polynomial.
        value: The value.

    Returns:
        The fraction u.

    Raises:
        ValueError: u is irrational.

    >>> preimage(fmpq_poly([0, 0, 1]), fmpq(1, 4))
    1/2
    """
    for q, _ in (p - value).factor()[1]:
        if q.degree() == 1 and 0 < (root := -q[0] / q[1]) < 1:
            return root
    raise ValueError(
        f"the knot at time {value} comes at an irrational time under {p}: give the path a reparametrisation that has "
        "a rational time there, or join reparametrised pieces by then"
    )


def _has_root_inside(q: fmpq_poly) -> bool:
    # q is irreducible. Of degree two or more it has no rational root, so none at the ends, and Sturm's theorem counts
    # the roots between: sign changes of the chain at 0 less those at 1.
    if q.degree() == 1:
        return 0 < -q[0] / q[1] < 1
    chain = [q, q.derivative()]
    while chain[-1].degree() > 0:
        chain.append(-(chain[-2] % chain[-1]))
    changes = [_sign_changes([link(end) for link in chain]) for end in (0, 1)]
    return changes[0] > changes[1]


def _sign_changes(values: list[fmpq]) -> int:
    signs = [value > 0 for value in values if value != 0]
    return sum(1 for before, after in pairwise(signs) if before != after)


def _function(p: fmpq_poly) -> ExpPoly[fmpq]:
    functions = ExpPolys(QQ)
    total, power = functions.zero, functions.one
    for c in p.coeffs():
        total, power = total + power.scaled(c), power * functions.variable
    return total
