"""Rigorous bounds: of the levels of an EWS, and of the width that a damped oscillation asks of real rates.

Norms are Euclidean throughout: of vectors, of level n as a vector of m^n entries (so ‖v ⊗ w‖ = ‖v‖‖w‖), of the
increments of the path before the lift, and of matrices the operator norm that belongs to it. Every bound is a
rational, rounded up.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import factorial
from typing import Any, NamedTuple

from flint import arb, fmpq

from ewsmath import spectrum
from ewsmath.ews import EWS
from ewsmath.matrix import Matrix
from ewsmath.matrix_norms import numerical_range, spectral_norm, upper
from ewsmath.paths import PiecewiseLinearPath, check_path
from ewsmath.rings import QQ, Balls, WorkingPrecision
from ewsmath.rings.door import integer, named, of_kind

_BALLS = Balls(128)

_SLACK = fmpq(1, 8)
"""The logarithm of the factor by which a supremum over a cell may be overestimated."""

_MOST_CELLS = 64


class _Piece(NamedTuple):
    """A part of a linear piece: bounds of the elapsed clock time, and of the Euclidean length of the increment."""

    least: fmpq
    most: fmpq
    length: fmpq


def factorial_bound(ews: EWS, path: PiecewiseLinearPath[Any], level: int, s: Any = None, t: Any = None) -> fmpq:
    r"""The bound of factorial decay, for any generator and any clock.

    .. math:: ‖S^{(n)}_{s,t}‖ ≤ \frac{(C\, ‖B‖\, ‖X‖_1)^n}{n!}, \qquad
        C = \sup_{u ∈ [s,t]} \big‖e^{-(θ_t - θ_u)A}\big‖

    Args:
        ews: The EWS, with a real generator and lift.
        path: The path in R^d; ‖X‖_1 is its Euclidean length between s and t.
        level: The level n; it may exceed the depth.
        s: Start; None for the first time.
        t: End; None for the last time.

    Returns:
        A rational that ‖S^{(n)}‖ does not exceed.

    Raises:
        TypeError: The level is no whole number.
        ValueError: The level is below 0, or an entry is not real.

    Paper: Appendix B; Section 2.

    >>> from ewsmath.generators import Zero
    >>> factorial_bound(EWS(Zero(1)), PiecewiseLinearPath(None, [[0], [3]]), 2)
    9/2
    """
    n = _level(level)
    pieces = _pieces(ews, path, s, t)
    length = sum((piece.length for piece in pieces), fmpq(0))
    base = _propagator_bound(ews, pieces) * spectral_norm(ews.lift) * length
    return base**n / factorial(n)


def propagator_bound(ews: EWS, path: PiecewiseLinearPath[Any], s: Any = None, t: Any = None) -> fmpq:
    r"""A bound of the propagators to the end of an interval.

    .. math:: C = \sup_{u ∈ [s,t]} \big‖e^{-(θ_t - θ_u)A}\big‖

    The elapsed clock time θ_t - θ_u takes all values between its extremes at the knots, of which one is negative
    where the clock goes back. Over a cell [a, b] of these values

    .. math:: ‖e^{-rA}‖ ≤ \min\big(‖e^{-aA}‖\, e^{(b-a)\max(-μ_-, 0)},\; ‖e^{-bA}‖\, e^{(b-a)\max(μ_+, 0)}\big)

    with the ends of :func:`~ewsmath.matrix_norms.numerical_range`.

    Args:
        ews: The EWS; its generator and clock are used.
        path: The path in R^d.
        s: Start; None for the first time.
        t: End; None for the last time.

    Returns:
        A rational not below C; above it by a factor of at most e^(1/8), unless that takes more than 64 cells.

    Raises:
        ValueError: The generator is not real.

    >>> from ewsmath.clocks import Given
    >>> from ewsmath.generators import Diagonal
    >>> C = propagator_bound(EWS(Diagonal(1), clock=Given([1, -3])), PiecewiseLinearPath(None, [[0], [1], [1]]))
    >>> 20 < C < 21  # e^3
    True
    """
    return _propagator_bound(ews, _pieces(ews, path, s, t))


def uniform_bound(
    ews: EWS, path: PiecewiseLinearPath[Any], level: int, s: Any = None, t: Any = None, sharp: bool = True
) -> fmpq:
    r"""The bound that is uniform in the length of the interval, for a dissipative generator.

    .. math:: ‖S^{(n)}_{s,t}‖ ≤ \frac{1}{n!}\Big(\frac{L\, ‖B‖}{μ}\Big(1 - e^{-μ(θ_t - θ_s)}\Big)\Big)^n
        ≤ \frac{1}{n!}\Big(\frac{L\, ‖B‖}{μ}\Big)^n

    where A + Aᵀ ≥ 2μI with μ > 0, the clock does not decrease, and ‖dX‖ ≤ L dθ.

    Args:
        ews: The EWS, with a real generator and lift.
        path: The path in R^d.
        level: The level n; it may exceed the depth.
        s: Start; None for the first time.
        t: End; None for the last time.
        sharp: Whether to take the first bound, or the second, which is the same for all intervals with that L.

    Returns:
        A rational that ‖S^{(n)}‖ does not exceed.

    Raises:
        TypeError: The level is no whole number.
        ValueError: No μ > 0 is certified; the clock does not certainly increase where the path moves, or decreases.

    Paper: Cor. 1.

    >>> from ewsmath.generators import Diagonal
    >>> X = PiecewiseLinearPath([0, 100], [[0], [100]])
    >>> uniform_bound(EWS(Diagonal(2)), X, 3, sharp=False)
    1/48
    """
    n = _level(level)
    pieces = _pieces(ews, path, s, t)
    mu = numerical_range(ews.generator.matrix)[0]
    if not mu > 0:
        raise ValueError(f"the uniform bound needs A + Aᵀ ≥ 2μI with μ > 0, certified is μ = {mu}: use factorial_bound")
    base = _speed(pieces) * spectral_norm(ews.lift) / mu
    if sharp:
        elapsed = sum((piece.most for piece in pieces), fmpq(0))
        base *= (_BALLS.one - _BALLS.exp(_BALLS.coerce(-mu * elapsed))).abs_upper()
    return base**n / factorial(n)


def fewest_rates(damping: Any, frequency: Any, error: Any) -> int:
    r"""How many real rates a kernel needs at least to be within an error of a damped oscillation.

    .. math:: m ≥ \Big\lceil \frac{ω}{π a} \log\frac{1}{ε} \Big\rceil
        \quad\text{if}\quad \Big|\sum_{k=1}^m c_k e^{-λ_k r} - e^{-ar}\cos ωr\Big| ≤ ε \text{ for all } r ≥ 0

    A sum of m real exponentials has at most m - 1 zeros, and the oscillation exceeds ε with changing sign at
    r = nπ/ω.

    Args:
        damping: The damping a > 0, a rational.
        frequency: The frequency ω, a rational of either sign.
        error: The error ε, a rational with 0 < ε ≤ 1.

    Returns:
        The least number m of distinct rates that the bound allows.

    Raises:
        TypeError: A number is not rational.
        ValueError: a ≤ 0, or ε is not in (0, 1].

    Paper: Prop. 6.

    >>> fewest_rates(1, 10, QQ.ratio(1, 100))
    15
    """
    a, w, epsilon = QQ.coerce(damping), abs(QQ.coerce(frequency)), QQ.coerce(error)
    if not a > 0:
        raise ValueError(f"the width of a damped oscillation is bounded for damping above 0, got {a}")
    if not 0 < epsilon <= 1:
        why = "above 1 no rate is needed" if epsilon > 1 else "no number of rates gives less"
        raise ValueError(f"the error of a kernel is a number in (0, 1], got {epsilon}: {why}")
    # For a rational ε < 1 the bound is no integer: log(1/ε) = qπ with q rational would make e^{qπ} rational, and it is
    # transcendental. So some precision tells its ceiling.
    prec = 64
    while True:
        with WorkingPrecision(prec):
            found = (arb(w / a) * (1 / arb(epsilon)).log() / arb.pi()).ceil().unique_fmpz()
        if found is not None:
            return int(found)
        prec *= 2


def _level(level: Any) -> int:
    n = integer(level)
    if n is None:
        raise TypeError(f"a level is a whole number, got {named(level)}")
    if n < 0:
        raise ValueError(f"a level is not below 0, got {n}")
    return n


def _pieces(ews: EWS, path: PiecewiseLinearPath[Any], s: Any, t: Any) -> list[_Piece]:
    of_kind(ews, EWS, "a bound is one of an EWS", "give EWS(generator, lift, clock)")
    if check_path(path, "a bound").dim != ews.lift.shape[1]:
        raise ValueError(f"a path in R^{path.dim} does not fit the lift of shape {ews.lift.shape}")
    path = path.over(ews.ring)
    dtheta, dx = ews.clock.increments(path), path.increments
    found = []
    for piece, start, end in path.portions(s, t):
        share = ews.ring.coerce(end - start)
        elapsed = share * dtheta[piece]
        length = spectral_norm(Matrix.column(ews.ring, [share * x for x in dx[piece]]))
        found.append(_Piece(-upper(-elapsed), upper(elapsed), length))
    return found


def _propagator_bound(ews: EWS, pieces: Sequence[_Piece]) -> fmpq:
    back = pieces[::-1]  # θ_t - θ_u at the knots u, from t on
    low = min(accumulate((piece.least for piece in back), initial=fmpq(0)))
    high = max(accumulate((piece.most for piece in back), initial=fmpq(0)))
    least, most = numerical_range(ews.generator.matrix)
    up, down = max(-least, fmpq(0)), max(most, fmpq(0))
    cells = min(max(int(((high - low) * min(up, down) / _SLACK).ceil()), 1), _MOST_CELLS)
    width = (high - low) / cells
    A = Matrix.over(_BALLS, ews.generator.matrix)
    norms = [spectral_norm(spectrum.exponential(A * -(low + width * k))) for k in range(cells + 1)]
    rise, fall = (_BALLS.exp(_BALLS.coerce(width * x)).abs_upper() for x in (up, down))
    return max(min(first * rise, last * fall) for first, last in pairwise(norms))


def _speed(pieces: Sequence[_Piece]) -> fmpq:
    speed = fmpq(0)
    for j, piece in enumerate(pieces):
        if piece.least < 0:
            raise ValueError(f"the uniform bound needs a clock that does not decrease; over piece {j} it may")
        if piece.length and not piece.least:
            raise ValueError(f"the uniform bound needs ‖dX‖ ≤ L dθ; over piece {j} the path moves, the clock may not")
        if piece.length:
            speed = max(speed, piece.length / piece.least)
    return speed
