"""What the weighted signatures share: a pair 𝔸 = (A, B) with a clock and a depth, and the pieces that they read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from ewsmath.capacity import check_size
from ewsmath.clocks import AbstractClock, Time
from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.generators import AbstractGenerator
from ewsmath.generators.generator import check_generator
from ewsmath.matrix import Matrix
from ewsmath.paths import AbstractPath, check_any_path
from ewsmath.rings import ExponentialRing, Ring, supports, taken
from ewsmath.rings.door import entries, of_kind
from ewsmath.rings.immutable import Immutable
from ewsmath.tensor import TensorAlgebra


class Stretch(NamedTuple):
    """What a weighted signature reads of one piece of a path, or of a part of it.

    Attributes:
        elapsed: The clock time r that elapses.
        speed: The derivative of the lifted path by the fraction u of the stretch, m entries: ring elements, the
            increment BΔX, on a line; exponential polynomials of u on a curve.

    >>> from ewsmath.ews import EWS
    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> EWS.signature(1).stretches(PiecewiseLinearPath([0, 2], [[0], [3]]), 0, 1)
    [Stretch(elapsed=1, speed=[3/2])]
    """

    elapsed: Any
    speed: list[Any]


class AbstractWeightedSignature(Immutable):
    """A pair 𝔸 = (A, B) with a clock and a depth. Immutable.

    All is done in the ring of the generator; lift and path may be over a smaller ring and are taken there.

    Args:
        generator: The generator A.
        lift: The m x d lift B, or its rows; None for the identity.
        clock: The clock θ; the time clock unless said otherwise. It reads the path before the lift.
        depth: Truncation depth N.

    Attributes:
        generator: The generator A.
        lift: The lift B, a matrix over the ring of the generator.
        clock: The clock θ.
        algebra: The tensor algebra in which the values lie.

    Raises:
        ValueError: The lift has not m rows, the depth is below 1, or there are more than a million words.
        TypeError: The depth is no whole number; the generator or the clock is none.

    Paper: Def. 2.

    >>> from ewsmath.ews import EWS
    >>> from ewsmath.generators import Diagonal
    >>> ews = EWS(Diagonal([1, 2]), [[3], [5]], depth=1)
    >>> isinstance(ews, AbstractWeightedSignature), ews.lift, ews.ring, ews.depth
    (True, Matrix(EE, [[3], [5]]), EE, 1)
    """

    __slots__ = ("_given_lift", "algebra", "clock", "generator", "lift")
    generator: AbstractGenerator
    lift: Matrix[Any]
    clock: AbstractClock
    algebra: TensorAlgebra[Any]

    def __init__(
        self,
        generator: AbstractGenerator,
        lift: Matrix[Any] | Sequence[Sequence[Any]] | None = None,
        clock: AbstractClock | None = None,
        depth: int = 2,
    ) -> None:
        name = type(self).__name__
        m = check_generator(generator, name).dim
        clock = Time() if clock is None else clock
        of_kind(clock, AbstractClock, f"{name} takes a clock", "give one of ewsmath.clocks, such as Time()")
        B = Matrix.identity(generator.ring, m) if lift is None else Matrix.over(generator.ring, lift)
        if B.shape[0] != m:
            raise ValueError(f"a lift of shape {B.shape} does not reach the generator's R^{m}: it needs {m} rows")
        algebra = TensorAlgebra(generator.ring, m, depth)
        check_size(m, algebra.depth, name)
        # The lift as it came: over balls of more bits its numbers are rounded anew, not the rounded ones.
        given = lift if lift is None or isinstance(lift, Matrix) else tuple(tuple(row) for row in lift)
        self._set(generator=generator, lift=B, clock=clock, algebra=algebra, _given_lift=given)

    @property
    def ring(self) -> Ring[Any]:
        """The ring of the values: that of the generator."""
        return self.generator.ring

    @property
    def depth(self) -> int:
        """The truncation depth N."""
        return self.algebra.depth

    def over(self, ring: Ring[Any]) -> Self:
        """The same over another ring: generator and lift are taken there from the numbers that were given.

        Args:
            ring: The ring.

        Returns:
            The weighted signature there.

        >>> from ewsmath.ews import EWS
        >>> from ewsmath.generators import Diagonal
        >>> from ewsmath.rings import Balls
        >>> EWS(Diagonal(1)).over(Balls(64)).ring
        Balls(prec=64)
        """
        return type(self)(self.generator.over(ring), self._given_lift, self.clock, self.depth)

    def stretches(self, path: AbstractPath[Any], s: Any = None, t: Any = None) -> list[Stretch]:
        """What is read of a path between two times, piece by piece.

        The clock reads the whole path, and over a part of a piece it moves by that part of its increment. Only the
        pieces in the interval are looked at.

        Args:
            path: The path in R^d.
            s: Start; None for the first time.
            t: End; None for the last time.

        Returns:
            One stretch for each piece that the interval meets, in order.

        Raises:
            ValueError: The path has not d channels, or t < s.
            TypeError: The path is none.

        >>> from ewsmath.ews import EWS
        >>> from ewsmath.generators import Diagonal
        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> X = PiecewiseLinearPath([0, 1, 3], [[0], [1], [5]])
        >>> [(stretch.elapsed, stretch.speed) for stretch in EWS(Diagonal(1)).stretches(X, 0, 2)]
        [(1, [1]), (1, [2])]
        """
        if check_any_path(path, type(self).__name__).dim != self.lift.shape[1]:
            raise ValueError(f"a path in R^{path.dim} does not fit the lift of shape {self.lift.shape}")
        found = []
        for j, start, end in path.portions(s, t):
            elapsed = self.ring.coerce(end - start) * self.clock.increment(path, j, self.ring)
            found.append(Stretch(elapsed, self.lifted(path.piece(j).between(start, end).speed)))
        return found

    def lifted(self, dx: Sequence[Any]) -> list[Any]:
        """The lift applied to an increment, or to a speed given as exponential polynomials, over the ring.

        Args:
            dx: The d entries.

        Returns:
            The m entries.

        Raises:
            ValueError: dx has not d entries, or one that the ring does not hold; a ring that does is named.
            TypeError: dx is no sequence.

        >>> from ewsmath.ews import EWS
        >>> from ewsmath.generators import Diagonal
        >>> EWS(Diagonal([1, 2]), [[3], [5]]).lifted([2])
        [6, 10]
        """
        dx = entries(dx, f"{type(self).__name__} takes an increment")
        if len(dx) != self.lift.shape[1]:
            raise ValueError(f"an increment with {len(dx)} entries does not fit the lift of shape {self.lift.shape}")
        curved = [x for x in dx if isinstance(x, ExpPoly)]
        if not supports(self.ring, ExponentialRing) and any(alpha for x in curved for _, alpha in x.terms):
            raise ValueError(
                f"{type(self).__name__} over {self.ring.name} does not read a path with exponentials: take the "
                "generator over EE, generator.over(EE)"
            )
        numbers: Ring[Any] = ExpPolys(self.ring) if curved else self.ring
        return Matrix.over(numbers, self.lift).apply([taken(numbers, x, "the generator") for x in dx])

    def __repr__(self) -> str:
        name = type(self).__name__
        return f"{name}({self.generator}, lift={self.lift}, clock={self.clock}, depth={self.depth})"
