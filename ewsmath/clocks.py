"""Clocks: causal maps from paths to real paths, built from the increments of the path before the lift."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq

from ewsmath.exppoly import NotConstant
from ewsmath.norms import Norm, check_norm, norm, ordered
from ewsmath.paths import AbstractPath, check_any_path
from ewsmath.rings import QQ, Ball, Exponential, Ring
from ewsmath.rings.door import entries, named
from ewsmath.rings.immutable import Immutable


class AbstractClock(Immutable, ABC):
    """A clock θ: it reads a path and moves by Δθ_j over each piece, linearly in between.

    What a clock is known for is data, which laws and tests read; None stands where whoever gives the clock
    decides.

    Attributes:
        invariant: Whether θ(X∘φ) = θ(X)∘φ for every reparametrisation φ.
        can_stop: Whether it can stand still over a piece in which both the path and its time stamp move.
        additive: Whether it is unchanged when a piece is subdivided.
        causal: Whether θ up to a knot depends on nothing of the path after that knot.

    Paper: Def. 1.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> X = PiecewiseLinearPath([0, 2, 3], [[0], [1], [5]])
    >>> Variation()(X), Variation().invariant, Time().invariant
    ([0, 1, 5], True, False)
    """

    invariant: bool | None
    can_stop: bool | None
    additive: bool | None
    causal: bool | None

    @abstractmethod
    def increment(self, path: AbstractPath[Any], j: int, ring: Ring[Any]) -> Any:
        """The clock increment Δθ_j over piece j, from 0, in a ring that takes the path."""

    def increments(self, path: AbstractPath[Any]) -> list[Any]:
        """The clock increments Δθ_j of all pieces, in the ring of the path.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> X = PiecewiseLinearPath([0, 2, 3], [[0], [1], [5]])
        >>> Variation().increments(X), Time().increments(X)
        ([1, 4], [2, 1])
        """
        check_any_path(path, type(self).__name__)
        return [self.increment(path, j, path.ring) for j in range(path.steps)]

    def __call__(self, path: AbstractPath[Any]) -> list[Any]:
        """The values of the clock at all knots, from 0 on, in the ring of the path."""
        values = [check_any_path(path, type(self).__name__).ring.zero]
        for dtheta in self.increments(path):
            values.append(values[-1] + dtheta)
        return values


class AbstractIncrementClock(AbstractClock):
    r"""A clock with a formula for one piece.

    .. math:: θ_{t_j} = \sum_{i ≤ j} f(ΔX_i, Δt_i)

    On a curve the formula is read with the speed dX/du in place of ΔX, and the clock is affine there where that
    gives a constant: always for the clocks that read Δt alone, for the Euclidean variation on a circle.

    Paper: Prop. 5.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> X = PiecewiseLinearPath([0, 2, 3], [[0], [1], [5]])
    >>> Increment(lambda v, gap: 2 * v[0] + gap).increments(X)
    [4, 9]
    """

    causal = True

    def increment(self, path: AbstractPath[Any], j: int, ring: Ring[Any]) -> Any:
        """The clock increment f(ΔX_j, Δt_j) over piece j, from 0, in a ring that takes the path.

        Raises:
            NotConstant: The piece is a curve on which the clock is not affine; a ValueError.
        """
        piece = path.piece(j)
        numbers = piece.numbers(ring)
        speed = tuple(map(numbers.coerce, piece.speed))  # the difference first, and exact: then it is rounded
        try:
            return piece.number(self._step(numbers, speed, path.times[j + 1] - path.times[j]))
        except NotConstant as error:
            raise NotConstant(
                f"{self} is not affine on piece {j}, a curve ({error}): take the time clock, Time(), or a "
                "piecewise-linear path"
            ) from None

    @abstractmethod
    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        """The increment f(v, Δt) over one piece."""


@dataclass(frozen=True)
class Time(AbstractIncrementClock):
    """The time clock, f = Δt.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Time()(PiecewiseLinearPath([3, 5, 6], [[0], [1], [1]]))
    [0, 2, 3]
    """

    invariant = False
    can_stop = False
    additive = True

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        return ring.coerce(gap)


@dataclass(frozen=True)
class Observation(AbstractIncrementClock):
    """The observation clock, f = 1: it counts the pieces.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Observation()(PiecewiseLinearPath([0, 5, 7], [[0], [3], [3]]))
    [0, 1, 2]
    """

    invariant = False
    can_stop = False
    additive = False

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        return ring.one


@dataclass(frozen=True)
class Variation(AbstractIncrementClock):
    """The variation clock, f = ‖v‖.

    Args:
        norm: ``"l2"``, the Euclidean norm, exact where it is rational; or ``"l1"``, which is always exact.

    Paper: Prop. 5.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Variation("l1")(PiecewiseLinearPath(None, [[0, 0], [3, -4], [3, -4]]))
    [0, 7, 7]
    """

    norm: Norm = "l2"
    invariant = True
    can_stop = False
    additive = True

    def __post_init__(self) -> None:
        check_norm(self.norm)

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        return norm(ring, v, self.norm)


@dataclass(frozen=True)
class Blended(AbstractIncrementClock):
    """The blended clock, f = Δt + β ‖v‖ with β > 0.

    Args:
        beta: The weight β of the variation.
        norm: ``"l2"`` or ``"l1"``.

    Raises:
        ValueError: β is a rational and not above 0, or the norm is unknown.
        TypeError: β is a float.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Blended(QQ.ratio(1, 2))(PiecewiseLinearPath(None, [[0, 0], [3, -4], [3, -4]]))
    [0, 7/2, 9/2]
    """

    beta: Any
    norm: Norm = "l2"
    invariant = False
    can_stop = False
    additive = True

    def __post_init__(self) -> None:
        check_norm(self.norm)
        # A ball or an element of EE is taken as it is: its own ring alone could order it.
        if not isinstance(self.beta, Ball | Exponential) and not QQ.coerce(self.beta) > 0:
            raise ValueError(f"Blended: β must be above 0, got {self.beta}; for β = 0 take the clock Time()")

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        return ring.coerce(gap) + ring.coerce(self.beta) * norm(ring, v, self.norm)


@dataclass(frozen=True)
class Gated(AbstractIncrementClock):
    r"""The gated clock, which stands still where its gate is shut.

    .. math:: f(v) = \max(w·v + b\,Δt,\; 0)

    Args:
        weight: The d weights w.
        bias: The bias b; with b = 0 the clock is invariant.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Gated([1, -1])(PiecewiseLinearPath(None, [[0, 0], [2, 1], [2, 5]]))
    [0, 1, 1]
    """

    weight: Sequence[Any]
    bias: Any = 0
    invariant: bool | None = field(init=False, repr=False)
    can_stop = True
    additive = True

    def __post_init__(self) -> None:
        self._set(weight=tuple(entries(self.weight, "Gated takes its weights")), invariant=not self.bias)

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        return ordered(ring, "the gated clock").maximum(_affine(ring, self.weight, v, self.bias, gap), ring.zero)


@dataclass(frozen=True)
class Clamped(AbstractIncrementClock):
    r"""The clamped clock, a sum of units each of which moves by at most one over a piece.

    .. math:: f(v) = \sum_{i ≤ k} \operatorname{clip}(w_i·v + b_i Δt,\; 0,\; 1)

    Args:
        weight: The k rows w_i of d weights.
        bias: The k biases b_i; None for zeros.

    Raises:
        ValueError: Rows and biases differ in number.
        TypeError: Rows, a row or the biases are no sequence.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Clamped([[1, 0], [0, 1]])(PiecewiseLinearPath(None, [[0, 0], [3, -4], [3, QQ.ratio(-7, 2)]]))
    [0, 1, 3/2]
    """

    weight: Sequence[Sequence[Any]]
    bias: Sequence[Any] | None = None
    invariant = False
    can_stop = True
    additive = False

    def __post_init__(self) -> None:
        given = enumerate(entries(self.weight, "Clamped takes its rows"))
        rows = tuple(tuple(entries(row, f"Clamped takes row {i}")) for i, row in given)
        bias = (0,) * len(rows) if self.bias is None else tuple(entries(self.bias, "Clamped takes its biases"))
        if len(bias) != len(rows):
            raise ValueError(
                f"Clamped: {len(rows)} rows of weights but {len(bias)} biases; give one bias for each unit"
            )
        self._set(weight=rows, bias=bias)

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        maximum = ordered(ring, "the clamped clock").maximum
        total = ring.zero
        for row, bias in zip(self.weight, self.bias or (), strict=True):
            shut = maximum(_affine(ring, row, v, bias, gap), ring.zero)
            total = total - maximum(-shut, -ring.one)  # min(x, 1) = -max(-x, -1)
        return total


@dataclass(frozen=True)
class Increment(AbstractIncrementClock):
    r"""The clock with a formula of one's own.

    .. math:: θ_{t_j} = \sum_{i ≤ j} f(ΔX_i, Δt_i)

    Args:
        f: The function (v, gap) ↦ Δθ: v is the increment, a tuple of d elements of the ring, gap the rational Δt.
            It returns an element of the ring, or a rational.
        invariant: Whether f(cv) = c f(v) for c > 0 and f does not use Δt, where that is known.
        can_stop: Whether f can be 0 while v and Δt are not, where that is known.
        additive: Whether f is unchanged when a piece is subdivided, where that is known.

    Raises:
        TypeError: f is no function.

    Paper: Prop. 5.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Increment(lambda v, gap: v[0] * v[0] + gap)(PiecewiseLinearPath(None, [[0], [3], [1]]))
    [0, 10, 15]
    """

    f: Callable[[tuple[Any, ...], fmpq], Any]
    invariant: bool | None = None
    can_stop: bool | None = None
    additive: bool | None = None

    def __post_init__(self) -> None:
        if not callable(self.f):
            raise TypeError(f"Increment takes a function (v, gap) ↦ Δθ, got {named(self.f)}")

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        return ring.coerce(self.f(v, gap))


@dataclass(frozen=True)
class Given(AbstractClock):
    """The clock whose increments are given: accumulated steps of a selective model, or any numbers.

    Args:
        values: The increments Δθ_j, of any sign, one for each piece.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Given([1, 0, -2])(PiecewiseLinearPath(None, [[0], [1], [2], [3]]))
    [0, 1, 1, -1]
    """

    values: Sequence[Any]
    invariant = None
    can_stop = None
    additive = None
    causal = None

    def __post_init__(self) -> None:
        self._set(values=tuple(entries(self.values, "Given takes its increments")))

    def increment(self, path: AbstractPath[Any], j: int, ring: Ring[Any]) -> Any:
        """The increment as given, in the ring; ValueError unless there is one for each piece of the path."""
        if len(self.values) != path.steps:
            raise ValueError(
                f"Given: {len(self.values)} increments for a path of {path.steps} pieces; give one for each"
            )
        return ring.coerce(self.values[j])


def _affine(ring: Ring[Any], weight: Sequence[Any], v: Sequence[Any], bias: Any, gap: fmpq) -> Any:
    if len(weight) != len(v):
        raise ValueError(f"a clock with {len(weight)} weights does not read a path in R^{len(v)}")
    total = ring.coerce(bias) * ring.coerce(gap)
    for w, x in zip(weight, v, strict=True):
        total = total + ring.coerce(w) * x
    return total
