"""Level one: what a signature says first of a path, and the one thing that products and powers leave open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ewsmath.clocks import Given
from ewsmath.ews import EWS
from ewsmath.laws.flows import BALLS
from ewsmath.laws.tolerance import Disagreement, check, differ, written
from ewsmath.laws.trial import Trial
from ewsmath.matrix import Matrix
from ewsmath.paths import PiecewiseLinearPath
from ewsmath.rings import QQ
from ewsmath.tensor import Tensor

ON_LEVEL_ONE = ", on level one (where the function lifts the path by a matrix B, give lift=B)"
"""Where another law failed that looks at level one, too."""


def level_one(
    signature: Callable[..., Any],
    path: Any,
    *,
    lift: Any = None,
    dtheta: Any = None,
    generator: Any = None,
    depth: int | None = None,
    dtype: Any = None,
    ulps: int = 2,
) -> None:
    r"""Level one: of a signature the increment of the path, of an EWS the integral of its kernel.

    .. math:: S(X)^{(1)} = X_t - X_s, \qquad S_𝔸(X;θ)^{(1)} = \int_s^t e^{-(θ_t-θ_u)A} B\, dX_u

    Refutes a result that is zero, a path of another size, a channel that is left out, and a kernel that is another than
    that of the generator. Products, shuffles and powers leave level one open: the signature of 2X obeys them as well.

    Args:
        signature: The function under test; takes a path, and clock increments where they are given.
        path: A :class:`PiecewiseLinearPath`, or an array of floats of shape (points, d) with two points at least.
        lift: The m x d lift B that the function applies, or its rows; None for the identity.
        dtheta: The clock increments of the pieces, together with the generator, for an EWS.
        generator: The generator A: one of this package, or its matrix as an array.
        depth: The depth N; needed over one letter.
        dtype: The dtype in which the function computes; None for the coarser of those of path and result.
        ulps: The factor of the tolerance; see :class:`~ewsmath.laws.tolerance.Tolerance`.

    Raises:
        AssertionError: The law fails; the text shows word, both values, error and tolerance.
        ValueError: The path is a single point, the lift has not d columns, or there is none from R^d to R^m with m ≠ d.

    Paper: Def. 2.

    >>> from ewsmath import signature
    >>> X = PiecewiseLinearPath(None, [[0, 0], [1, 2], [3, -1]])
    >>> level_one(lambda path: signature(path, depth=3), X)
    >>> level_one(lambda path: [[4, 2]], X, lift=[[1, -1], [0, -2]])

    A function that gives zeros is refuted:

    >>> try:
    ...     level_one(lambda path: [[0, 0]], X)
    ... except AssertionError as error:
    ...     print(error)
    level_one fails at word 1 (2 of 2 comparisons fail)
      S(X)      = 0
      X_t - X_s = 3
      error 3; no error is allowed: both values are exact, or in balls that do not meet
    """
    trial = Trial("level_one", signature, path, dtheta, generator, depth, dtype, ulps, lift)
    check_level_one(trial, trial.value(trial.drive))


def check_level_one(trial: Trial, S: Tensor[Any], place: str = "") -> None:
    """AssertionError when the level one of a result is not that of the path of the trial.

    Args:
        trial: The trial.
        S: What the function gave for its path.
        place: Where the law was applied, for the text.

    >>> from ewsmath import signature
    >>> X = PiecewiseLinearPath(None, [[0], [3]])
    >>> trial = Trial("chen", lambda path: signature(path, depth=2), X, None, None, 2, None, 2)
    >>> check_level_one(trial, trial.value(trial.drive))
    """
    drive, tolerance = trial.drive, trial.tolerance()
    trial.check_lift(S.algebra.dim)
    # Floats are compared where all paths and lifts have a place, exact results in the larger of the two rings.
    ring = BALLS if tolerance is not None else drive.ring if S.algebra.ring == QQ else S.algebra.ring
    B = Matrix.identity(ring, drive.dim) if trial.lift is None else Matrix.over(ring, trial.lift)
    if trial.generator is None:
        name, expected = (
            "X_t - X_s" if trial.lift is None else "B (X_t - X_s)",
            B.apply([ring.coerce(y) - ring.coerce(x) for x, y in zip(*drive.ends, strict=True)]),
        )
    else:
        ews = EWS(trial.generator.over(ring), B, Given(drive.dtheta or ()), depth=1)
        name, expected = (
            "∫ e^{-(θ_t-θ_u)A} B dX_u",
            ews(PiecewiseLinearPath(drive.times, drive.values, drive.ring)).level(1),
        )
    bound = QQ.zero if tolerance is None else tolerance.at(1)
    pairs = list(zip(map(ring.coerce, S.level(1)), expected, strict=True))
    found = [
        Disagreement.between(written((i,)), x, y, bound)
        for i, (x, y) in enumerate(pairs, start=1)
        if differ(ring, x, y, bound)
    ]
    check(trial.law, ("S(X)", name), found, len(pairs), tolerance, place)
