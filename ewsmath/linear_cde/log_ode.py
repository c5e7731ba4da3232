"""The Log-ODE method: over a window, the flow of one constant field from the log-signature of the driving path."""

from collections.abc import Iterator
from typing import Any, Literal

from ewsmath import spectrum
from ewsmath.linear_cde.cde import LinearCDE
from ewsmath.matrix import Matrix
from ewsmath.paths import AbstractPath, PiecewiseLinearPath, check_path
from ewsmath.rings.door import whole
from ewsmath.signature import signature

Step = Literal["exact", "taylor", "euler"]
STEPS = ("exact", "taylor", "euler")


def magnus(cde: LinearCDE, path: AbstractPath[Any], depth: int) -> Matrix[Any]:
    r"""The Magnus exponent up to a depth: the field by which the log-signature of a path acts.

    .. math:: Ω_N = ρ_M(\log S_N(ω)) = \sum_i λ_i M_i + \sum_{i<j} λ_{ij} (M_j M_i - M_i M_j) + ⋯

    The logarithm is taken in words and acts word by word, the first letter on the right, so no basis of brackets
    is chosen; in any basis a bracket [u, v] acts by M_v M_u - M_u M_v.

    Args:
        cde: The linear CDE with the matrices M_1, …, M_d.
        path: The driving path ω in R^d, in pieces of any kind.
        depth: Truncation depth N.

    Returns:
        The h x h matrix Ω_N.

    Paper: Appendix B.

    >>> from ewsmath.rings import QQ
    >>> cde = LinearCDE([Matrix(QQ, [[0, 1], [0, 0]]), Matrix(QQ, [[0, 0], [1, 0]])])
    >>> magnus(cde, PiecewiseLinearPath(None, [[0, 0], [1, 0], [1, 1]]), 2)
    Matrix(QQ, [[-1/2, 1], [1, 1/2]])
    """
    S = signature(cde.driver(path), depth)
    return cde.represent(S.algebra.log(S))


def log_ode_flow(cde: LinearCDE, path: AbstractPath[Any], depth: int, step: Step = "exact") -> Matrix[Any]:
    r"""The flow of the Log-ODE over one window.

    .. math:: F = e^{Ω_N} \quad\text{(exact)}, \qquad F = \sum_{k=0}^{N} Ω_N^k / k! \quad\text{(taylor)}, \qquad
        F = I + Ω_N \quad\text{(euler)}

    The first two leave an error of order N+1 in the length of the window. The Euler step, which published code
    takes, leaves one of order 2 whatever the depth: it drops Ω²/2, which is of the order of the brackets of level 2.

    Args:
        cde: The linear CDE.
        path: The driving path over the window, in pieces of any kind.
        depth: Truncation depth N.
        step: ``"exact"``, ``"taylor"`` or ``"euler"``.

    Returns:
        An h x h matrix.

    Raises:
        ValueError: The step is unknown; or it is exact and the ring does not contain the exponential.

    Paper: Appendix B.

    >>> from ewsmath.rings import QQ
    >>> cde = LinearCDE([Matrix(QQ, [[0, 1], [0, 0]]), Matrix(QQ, [[0, 0], [1, 0]])])
    >>> corner = PiecewiseLinearPath(None, [[0, 0], [1, 0], [1, 1]])
    >>> log_ode_flow(cde, corner, 2, "taylor"), log_ode_flow(cde, corner, 2, "euler")
    (Matrix(QQ, [[9/8, 1], [1, 17/8]]), Matrix(QQ, [[1/2, 1], [1, 3/2]]))
    """
    if step not in STEPS:
        raise ValueError(f"unknown step {step!r}: choose one of {', '.join(STEPS)}")
    exponent = magnus(cde, path, depth)
    if step == "exact":
        return spectrum.exponential(exponent)
    unit = Matrix.identity(cde.ring, cde.size)
    flow = unit
    for k in range(1 if step == "euler" else depth, 0, -1):  # Horner's rule: I + Ω(I + Ω/2 (I + ⋯))
        flow = unit + exponent @ flow * cde.ring.ratio(1, k)
    return flow


def log_ode(
    cde: LinearCDE, path: PiecewiseLinearPath[Any], depth: int, window: int, step: Step = "exact"
) -> list[Matrix[Any]]:
    """The flows of the Log-ODE over windows of a path; composed as those of single pieces.

    Every piece belongs to exactly one window; each window reads its own pieces and nothing else.

    Args:
        cde: The linear CDE.
        path: The driving path ω.
        depth: Truncation depth N.
        window: Number of pieces in a window; the last window takes what is left.
        step: As in :func:`log_ode_flow`.

    Returns:
        One h x h matrix for each window, in order.

    Raises:
        ValueError: The window is below 1; or as for :func:`log_ode_flow`.
        TypeError: The window is no whole number.

    Paper: Appendix B.

    >>> from ewsmath.rings import QQ
    >>> cde = LinearCDE([Matrix(QQ, [[0, 1], [0, 0]])])
    >>> log_ode(cde, PiecewiseLinearPath(None, [[0], [1], [3], [6]]), depth=2, window=2)
    [Matrix(QQ, [[1, 3], [0, 1]]), Matrix(QQ, [[1, 3], [0, 1]])]
    """
    return [log_ode_flow(cde, part, depth, step) for part in windows(path, window)]


def windows(path: PiecewiseLinearPath[Any], window: int) -> Iterator[PiecewiseLinearPath[Any]]:
    """The parts of a path between every so many knots; neighbours share a knot.

    Args:
        path: The path.
        window: Number of pieces in a part, at least 1; the last part takes what is left.

    Returns:
        An iterator over the parts; none for a path of one point.

    >>> [part.steps for part in windows(PiecewiseLinearPath(None, [[0], [1], [3], [6]]), 2)]
    [2, 1]
    """
    window = whole(window, "windows: the number of pieces")
    for k in range(0, check_path(path, "windows").steps, window):
        knots = slice(k, k + window + 1)
        yield PiecewiseLinearPath(path.times[knots], path.values[knots], path.ring)
