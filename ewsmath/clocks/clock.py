"""Clocks: causal maps from paths to real paths, built from the increments of the path before the lift."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from flint import fmpq

from ewsmath.exppoly import NotConstant
from ewsmath.paths import AbstractPath, check_any_path
from ewsmath.rings import Ring, taken
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

    >>> from ewsmath.clocks import Time, Variation
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
        """The clock increment Δθ_j over one piece.

        Args:
            path: The path.
            j: The number of the piece, from 0.
            ring: A ring that takes the path, in which the increment is wanted.

        Returns:
            An element of the ring.

        >>> from ewsmath.clocks import Time
        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> from ewsmath.rings import Balls
        >>> X = PiecewiseLinearPath([0, 2, 3], [[0], [1], [5]])
        >>> Time().increment(X, 0, X.ring), Time().increment(X, 0, Balls(prec=53))
        (2, 2.00000000000000)
        """

    def increments(self, path: AbstractPath[Any]) -> list[Any]:
        """The clock increments Δθ_j of all pieces, in the ring of the path.

        Args:
            path: The path.

        Returns:
            One element of that ring for each piece.

        Raises:
            TypeError: It is no path.

        >>> from ewsmath.clocks import Time, Variation
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

    >>> from ewsmath.clocks import Increment
    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> X = PiecewiseLinearPath([0, 2, 3], [[0], [1], [5]])
    >>> Increment(lambda v, gap: 2 * v[0] + gap).increments(X)
    [4, 9]
    """

    causal = True

    def increment(self, path: AbstractPath[Any], j: int, ring: Ring[Any]) -> Any:
        """The clock increment f(ΔX_j, Δt_j) over one piece.

        Args:
            path: The path.
            j: The number of the piece, from 0.
            ring: A ring that takes the path, in which the increment is wanted.

        Returns:
            An element of the ring; the difference ΔX_j is taken exactly, and enters the ring as one number.

        Raises:
            NotConstant: The piece is a curve on which the clock is not affine; a ValueError.

        >>> from ewsmath.clocks import Variation
        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> from ewsmath.rings import MP
        >>> Variation().increment(PiecewiseLinearPath(None, [[1, 1], [2, 2]]), 0, MP(20))  # √2, which QQ has not
        1.4142135623730950488
        """
        piece = path.piece(j)
        numbers = piece.numbers(ring)
        speed = tuple(
            taken(numbers, x, "the generator") for x in piece.speed
        )  # the difference first, and exact: then it is rounded
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
