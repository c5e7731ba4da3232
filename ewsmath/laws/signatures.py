"""The laws of signatures and exponentially weighted signatures, each for a function of anyone's."""

from collections.abc import Callable
from typing import Any

from flint import fmpq

from ewsmath.interop import exact
from ewsmath.laws.level_one import ON_LEVEL_ONE, check_level_one
from ewsmath.laws.trial import Trial
from ewsmath.paths import PiecewiseLinearPath
from ewsmath.rings import QQ

_DEFAULT_PHI = PiecewiseLinearPath([0, fmpq(1, 4), fmpq(1, 2), 1], [[0], [fmpq(1, 2)], [fmpq(1, 2)], [1]])
"""Twice as fast to the middle of the path, then a rest, then on."""


def chen(
    signature: Callable[..., Any],
    path: Any,
    split: Any = None,
    *,
    lift: Any = None,
    product: Callable[[Any, Any], Any] | None = None,
    depth: int | None = None,
    dtype: Any = None,
    level_one: bool = True,
    ulps: int = 2,
) -> None:
    r"""Chen's identity: the signature of a path is the product of those of its two parts.

    .. math:: S(X)_{s,t} = S(X)_{s,u} ⊗ S(X)_{u,t}

    Refutes a wrong order of factors or letters, values taken for increments, pieces that are not joined at their
    common point. Cut inside a piece, it also refutes pieces that are not solved exactly.

    Args:
        signature: The function under test; takes a path and gives its levels.
        path: A :class:`PiecewiseLinearPath`, or an array of floats of shape (points, d) with two points at least.
        split: Where to cut, in pieces from the start: 3 is point number 3, 2.5 the middle of the third piece. None, or
            a place that is not inside the path, for the middle of the path.
        lift: The m x d lift B that the function applies, or its rows; None for the identity.
        product: A product ⊗ of two results that is under test, too; None for the exact one.
        depth: The depth N; needed over one letter.
        dtype: The dtype in which the function computes; None for the coarser of those of path and result.
        level_one: Whether level one is held against that of the lifted path, too, see
            :func:`~ewsmath.laws.level_one.level_one`.
        ulps: The factor of the tolerance; see :class:`~ewsmath.laws.tolerance.Tolerance`.

    Raises:
        AssertionError: The law fails; the text shows word, both values, error and tolerance.
        ValueError: The path is a single point, the lift has not d columns, or a result has not the size of levels.

    Paper: Appendix B.

    >>> from ewsmath import signature
    >>> X = PiecewiseLinearPath(None, [[0, 0], [1, 2], [3, -1]])
    >>> chen(lambda path: signature(path, depth=3), X)
    """
    trial = Trial("chen", signature, path, None, None, depth, dtype, ulps, lift)
    _chen(trial, split, product, "S(first) ⊗ S(second)", level_one)


def modified_chen(
    ews: Callable[..., Any],
    path: Any,
    dtheta: Any,
    generator: Any,
    split: Any = None,
    *,
    lift: Any = None,
    depth: int | None = None,
    dtype: Any = None,
    level_one: bool = True,
    ulps: int = 2,
) -> None:
    r"""The modified Chen identity: the first part is transported by the clock time of the second.

    .. math:: S_{s,t} = D_A^{θ_t-θ_u}(S_{s,u}) ⊗ S_{u,t}

    Refutes a flow that is missing, on the wrong factor, or of the wrong sign, and a clock that is read too late or too
    early. Cut inside a piece, it also refutes pieces that are not solved exactly.

    Args:
        ews: The function under test; takes a path and its clock increments, and gives levels.
        path: A :class:`PiecewiseLinearPath`, or an array of floats of shape (points, d) with two points at least.
        dtheta: The clock increments Δθ_j, one for each piece, of any sign. They are cut with the path.
        generator: The generator A: one of this package, or its matrix as an array.
        split: Where to cut, as in :func:`chen`.
        lift: The m x d lift B that the function applies, or its rows; None for the identity.
        depth: The depth N; needed over one letter.
        dtype: The dtype in which the function computes; None for the coarser of those of path and result.
        level_one: Whether level one is held against that of the lifted path, too, see
            :func:`~ewsmath.laws.level_one.level_one`.
        ulps: The factor of the tolerance; see :class:`~ewsmath.laws.tolerance.Tolerance`.

    Raises:
        AssertionError: The law fails; the text shows word, both values, error and tolerance.
        ValueError: The path is a single point, the lift has not d columns, or clock increments and pieces
            differ in number.

    Paper: Theorem 1(ii); Lemma 7.

    >>> from ewsmath import EWS, clocks
    >>> from ewsmath.generators import Diagonal
    >>> A = Diagonal([1, 2])
    >>> X = PiecewiseLinearPath(None, [[0, 0], [1, 2], [3, -1]])
    >>> modified_chen(lambda path, dtheta: EWS(A, clock=clocks.Given(dtheta), depth=2)(path), X, [1, 0], A)
    """
    trial = Trial("modified_chen", ews, path, dtheta, generator, depth, dtype, ulps, lift)
    _chen(trial, split, None, "D^r S(first) ⊗ S(second)", level_one)


def _chen(trial: Trial, split: Any, product: Callable[[Any, Any], Any] | None, name: str, level_one: bool) -> None:
    drive = trial.drive
    place = fmpq(drive.steps, 2) if split is None else exact(split)
    if not 0 < place < drive.steps:
        place = fmpq(drive.steps, 2)
    first, second = drive.cut(place)
    whole = trial.value(drive)
    if product is not None:
        joined = trial.read(product(trial.raw(first), trial.raw(second)))
    else:
        joined = trial.flow(drive.elapsed(place, fmpq(drive.steps)), trial.value(first)) @ trial.value(second)
    trial.compare(whole, joined, ("S(X)", name), trial.tolerance(), f", cut at {place} of {drive.steps} pieces")
    if level_one:
        check_level_one(trial, whole, ON_LEVEL_ONE)


def reparametrisation(
    signature: Callable[..., Any],
    path: Any,
    phi: PiecewiseLinearPath[Any] | None = None,
    *,
    lift: Any = None,
    dtheta: Any = None,
    generator: Any = None,
    depth: int | None = None,
    dtype: Any = None,
    ulps: int = 2,
) -> None:
    r"""Reparametrisation: however a path is run through, its signature is the same.

    .. math:: S(X ∘ φ) = S(X)

    The path X∘φ has a knot at each kink of φ, so that pieces are subdivided, and rests where φ is constant. Refutes
    pieces that are not solved exactly, such as exp(σ_1) for the local EWS, and repeated points that change the result.

    Args:
        signature: The function under test; takes a path, and clock increments where they are given. With these the
            clock moves with the path: it is any clock that Prop. 4 allows.
        path: A :class:`PiecewiseLinearPath`, or an array of floats of shape (points, d) with two points at least.
        phi: An increasing map of [0, 1] onto itself, as a path in R^1, such as ``strategies.reparametrisations()``
            draws; None for one with a kink and a rest in the middle of the path.
        lift: The m x d lift B that the function applies, or its rows; None for the identity.
        dtheta: The clock increments of the pieces, together with the generator, for an EWS.
        generator: The generator A: one of this package, or its matrix as an array.
        depth: The depth N; needed over one letter.
        dtype: The dtype in which the function computes; None for the coarser of those of path and result.
        ulps: The factor of the tolerance; see :class:`~ewsmath.laws.tolerance.Tolerance`.

    Raises:
        AssertionError: The law fails; the text shows word, both values, error and tolerance.
        ValueError: φ is no such map, the path is a single point, the lift has not d columns, or a result has not the
            size of levels.

    Paper: Prop. 4.

    >>> from ewsmath import signature
    >>> X = PiecewiseLinearPath(None, [[0, 0], [1, 2], [3, -1]])
    >>> reparametrisation(lambda path: signature(path, depth=3), X)
    """
    trial = Trial("reparametrisation", signature, path, dtheta, generator, depth, dtype, ulps, lift)
    there = trial.drive.run_through(_DEFAULT_PHI if phi is None else phi)
    values = trial.value(trial.drive), trial.value(there)
    tolerance = trial.tolerance(steps=there.steps)
    trial.compare(*values, ("S(X)", "S(X∘φ)"), tolerance, f", with {there.steps} pieces for {trial.drive.steps}")


def scaling(
    signature: Callable[..., Any],
    path: Any,
    factor: Any = 2,
    *,
    lift: Any = None,
    dtheta: Any = None,
    generator: Any = None,
    depth: int | None = None,
    dtype: Any = None,
    ulps: int = 2,
) -> None:
    r"""Scaling: level n is homogeneous of degree n in the path.

    .. math:: S(cX)^{(n)} = c^n S(X)^{(n)}

    Refutes levels that are mixed up, and clocks that are read from the path where the clock increments are given.

    Args:
        signature: The function under test; takes a path, and clock increments where they are given.
        path: A :class:`PiecewiseLinearPath`, or an array of floats of shape (points, d) with two points at least.
        factor: The rational c; a power of two scales floats without rounding.
        lift: The m x d lift B that the function applies, or its rows; None for the identity.
        dtheta: The clock increments of the pieces, together with the generator, for an EWS. They stay as they are.
        generator: The generator A: one of this package, or its matrix as an array.
        depth: The depth N; needed over one letter.
        dtype: The dtype in which the function computes; None for the coarser of those of path and result.
        ulps: The factor of the tolerance; see :class:`~ewsmath.laws.tolerance.Tolerance`.

    Raises:
        AssertionError: The law fails; the text shows word, both values, error and tolerance.
        ValueError: The path is a single point, the lift has not d columns, or a result has not the size of levels.

    Paper: Def. 2.

    >>> from ewsmath import signature
    >>> X = PiecewiseLinearPath(None, [[0, 0], [1, 2], [3, -1]])
    >>> scaling(lambda path: signature(path, depth=3), X)
    """
    trial = Trial("scaling", signature, path, dtheta, generator, depth, dtype, ulps, lift)
    c = QQ.coerce(factor)
    scaled, S = trial.value(trial.drive.scaled(c)), trial.value(trial.drive)
    ring = S.algebra.ring
    levels = [[ring.coerce(c**n) * x for x in S.level(n)] for n in range(S.algebra.depth + 1)]
    tolerance = trial.tolerance(stretch=max(abs(c), QQ.one))
    trial.compare(scaled, S.algebra.from_levels(levels), ("S(cX)", "c^n S(X)"), tolerance, f", c = {c}")


def time_reversal(
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
    r"""Time reversal: a path that is run through backwards undoes itself.

    .. math:: S(X) ⊗ S(\overleftarrow{X}) = 1, \qquad D_A^{-r}\big(S(X)\big) ⊗ S(\overleftarrow{X}) = 1

    The second form is that of the EWS, whose clock runs back by r.

    Args:
        signature: The function under test; takes a path, and clock increments where they are given.
        path: A :class:`PiecewiseLinearPath`, or an array of floats of shape (points, d) with two points at least.
        lift: The m x d lift B that the function applies, or its rows; None for the identity.
        dtheta: The clock increments of the pieces, together with the generator, for an EWS. Backwards they come in the
            other order and with the other sign.
        generator: The generator A: one of this package, or its matrix as an array.
        depth: The depth N; needed over one letter.
        dtype: The dtype in which the function computes; None for the coarser of those of path and result.
        ulps: The factor of the tolerance; see :class:`~ewsmath.laws.tolerance.Tolerance`.

    Raises:
        AssertionError: The law fails; the text shows word, both values, error and tolerance.
        ValueError: The path is a single point, the lift has not d columns, or a result has not the size of levels.

    Paper: Theorem 1(ii); Appendix B.

    >>> from ewsmath import signature
    >>> X = PiecewiseLinearPath(None, [[0, 0], [1, 2], [3, -1]])
    >>> time_reversal(lambda path: signature(path, depth=3), X)
    """
    trial = Trial("time_reversal", signature, path, dtheta, generator, depth, dtype, ulps, lift)
    back = trial.drive.reversed()
    S, turned = trial.value(trial.drive), trial.value(back)
    undone = trial.flow(back.elapsed(fmpq(0), fmpq(back.steps)), S) @ turned
    name = "S(X) ⊗ S(X reversed)" if trial.generator is None else "D^-r S(X) ⊗ S(X reversed)"
    # The path is gone through twice.
    trial.compare(undone, S.algebra.one(), (name, "1"), trial.tolerance(stretch=2, back=True))
