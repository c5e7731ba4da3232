"""EWS(generator, lift, clock, depth): the front door to the exponentially weighted signature of a path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

from ewsmath.clocks import AbstractClock, Time
from ewsmath.ews.chen import Segment, prefixes, unit
from ewsmath.ews.group import local_group
from ewsmath.ews.iterated import local_iterated
from ewsmath.ews.recursion import local_recursion
from ewsmath.ews.structured import local_structured
from ewsmath.generators import AbstractGenerator
from ewsmath.generators.generator import check_generator
from ewsmath.matrix import Matrix
from ewsmath.paths import PiecewiseLinearPath, check_path
from ewsmath.rings import AbstractBalls, Ring
from ewsmath.rings.door import entries, of_kind
from ewsmath.rings.immutable import Immutable
from ewsmath.tensor import Tensor, TensorAlgebra

Local = Callable[[AbstractGenerator, Any, Sequence[Any], int], Tensor[Any]]

ROUTES: MappingProxyType[str, Local] = MappingProxyType(
    {
        "iterated": local_iterated,
        "recursion": local_recursion,
        "structured": local_structured,
        "group": local_group,
    }
)
"""The routes for one linear piece, by name."""


class EWS(Immutable):
    r"""The exponentially weighted signature of piecewise-linear paths. Immutable.

    .. math:: S_𝔸(X;θ)^{(n)}_{s,t}
        = \int_{s<t_1<⋯<t_n<t} e^{-(θ_t-θ_{t_1})A} B\, dX_{t_1} ⊗ ⋯ ⊗ e^{-(θ_t-θ_{t_n})A} B\, dX_{t_n}

    Each piece is solved by itself, and the pieces are joined by the modified Chen product. All is done in
    the ring of the generator; paths over a smaller ring are taken there.

    Over ``Balls(prec)`` each coefficient is a rigorous ball; ``c.mid``, ``c.radius`` and ``c.abs_upper()``
    are exact rationals, and ``Tensor.level(n)`` gives the level as a flat list in the order of the words.

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
        ValueError: The lift has not m rows, or the depth is below 1.
        TypeError: The depth is no whole number; the generator or the clock is none.

    Paper: Def. 2.

    >>> from ewsmath.generators import Diagonal
    >>> X = PiecewiseLinearPath([0, 1], [[0], [1]])
    >>> EWS(Diagonal(1), depth=2)(X)
    1 + (-e^(-1) + 1)*e1 + (1/2*e^(-2) - e^(-1) + 1/2)*e11
    """

    __slots__ = ("algebra", "clock", "generator", "lift")
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
        m = check_generator(generator, "EWS").dim
        clock = Time() if clock is None else clock
        of_kind(clock, AbstractClock, "EWS takes a clock", "give one of ewsmath.clocks, such as Time()")
        B = Matrix.identity(generator.ring, m) if lift is None else Matrix.over(generator.ring, lift)
        if B.shape[0] != m:
            raise ValueError(f"a lift of shape {B.shape} does not reach the generator's R^{m}: it needs {m} rows")
        self._set(generator=generator, lift=B, clock=clock, algebra=TensorAlgebra(generator.ring, m, depth))

    @property
    def ring(self) -> Ring[Any]:
        """The ring of the values: that of the generator."""
        return self.generator.ring

    @property
    def depth(self) -> int:
        """The truncation depth N."""
        return self.algebra.depth

    def local(self, dtheta: Any, dx: Sequence[Any], route: str = "auto") -> Tensor[Any]:
        """The EWS of one linear piece.

        Args:
            dtheta: The elapsed clock time over the piece; 0 where the clock stands still, negative where it
                goes back.
            dx: The increment ΔX of the path, before the lift.
            route: ``"iterated"`` (the definition), ``"recursion"`` or ``"structured"`` (the linear CDE
                form), three that share nothing but the algebra; ``"group"`` in balls; ``"auto"`` takes the
                fastest of the ring.

        Returns:
            A tensor over R^m.

        Raises:
            ValueError: There is no such route, or it does not work in the ring; dx has not d entries.
            TypeError: dx is no sequence.
        """
        if route == "auto":
            route = "group" if isinstance(self.ring, AbstractBalls) else "iterated"
        if route not in ROUTES:
            raise ValueError(f"unknown route {route!r}: choose 'auto' or one of {', '.join(ROUTES)}")
        dx = entries(dx, "EWS takes an increment")
        if len(dx) != self.lift.shape[1]:
            raise ValueError(f"an increment with {len(dx)} entries does not fit the lift of shape {self.lift.shape}")
        v = self.lift.apply([self.ring.coerce(x) for x in dx])
        return ROUTES[route](self.generator, self.ring.coerce(dtheta), v, self.depth)

    def segments(
        self, path: PiecewiseLinearPath[Any], s: Any = None, t: Any = None, route: str = "auto"
    ) -> list[Segment]:
        """The segments of the pieces of a path between two times.

        The clock reads the whole path, and over a part of a piece it moves by that part of its increment.

        Args:
            path: The path in R^d.
            s: Start; None for the first time.
            t: End; None for the last time.
            route: The route for each piece, as in :meth:`local`.

        Returns:
            One segment for each piece that the interval meets, in order.

        Raises:
            ValueError: The path has not d channels, or t < s.
            TypeError: The path is none.
        """
        if check_path(path, "EWS").dim != self.lift.shape[1]:
            raise ValueError(f"a path in R^{path.dim} does not fit the lift of shape {self.lift.shape}")
        path = path.over(self.ring)
        dtheta, dx = self.clock.increments(path), path.increments
        found = []
        for piece, start, end in path.portions(s, t):
            share = self.ring.coerce(end - start)
            elapsed, moved = share * dtheta[piece], [share * x for x in dx[piece]]
            found.append(Segment(self.generator, elapsed, self.local(elapsed, moved, route)))
        return found

    def __call__(
        self, path: PiecewiseLinearPath[Any], s: Any = None, t: Any = None, route: str = "auto"
    ) -> Tensor[Any]:
        """The EWS of a path between two times.

        Args:
            path: The path in R^d.
            s: Start; None for the first time.
            t: End; None for the last time.
            route: The route for each piece, as in :meth:`local`.

        Returns:
            A group-like tensor over R^m; 1 where nothing of the path lies between s and t.

        Raises:
            ValueError: The path has not d channels, or t < s.
            TypeError: The path is none.

        Paper: Def. 2; Theorem 1(ii).
        """
        return prefixes(self.segments(path, s, t, route), unit(self.generator, self.depth))[-1].ews

    def stream(self, path: PiecewiseLinearPath[Any], route: str = "auto") -> list[Tensor[Any]]:
        """The EWS from the first time to each knot of a path.

        Args:
            path: The path in R^d.
            route: The route for each piece, as in :meth:`local`.

        Returns:
            J + 1 tensors, the first of which is 1.
        """
        return [g.ews for g in prefixes(self.segments(path, route=route), unit(self.generator, self.depth))]

    def __repr__(self) -> str:
        return f"EWS({self.generator}, lift={self.lift}, clock={self.clock}, depth={self.depth})"
