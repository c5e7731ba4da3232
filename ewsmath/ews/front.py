"""EWS(generator, lift, clock, depth): the front door to the exponentially weighted signature of a path."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from ewsmath.ews.chen import Segment, prefixes, unit
from ewsmath.ews.closed import local_closed
from ewsmath.ews.group import local_group
from ewsmath.ews.iterated import local_iterated, transported_speed
from ewsmath.ews.recursion import local_recursion
from ewsmath.ews.structured import local_structured
from ewsmath.ews.value import EWSValue
from ewsmath.ews.weighted import AbstractWeightedSignature
from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.generators import AbstractGenerator, Diagonal, Zero
from ewsmath.paths import AbstractPath, ExpPolyPath
from ewsmath.rings import QQ, AbstractBalls, MatrixExponentialRing, Ring, supports
from ewsmath.tensor import Tensor

Local = Callable[[AbstractGenerator, Any, Sequence[Any], int], Tensor[Any]]

ROUTES: MappingProxyType[str, Local] = MappingProxyType(
    {
        "iterated": local_iterated,
        "recursion": local_recursion,
        "structured": local_structured,
        "group": local_group,
        "closed": local_closed,
    }
)
"""The routes for one piece, by name."""

CURVED = ("iterated", "recursion")
"""The routes that also solve curves."""


class EWS(AbstractWeightedSignature):
    r"""The exponentially weighted signature of paths in pieces. Immutable.

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
        ValueError: The lift has not m rows, the depth is below 1, or there are more than a million words.
        TypeError: The depth is no whole number; the generator or the clock is none.

    Paper: Def. 2.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> X = PiecewiseLinearPath([0, 1], [[0], [1]])
    >>> EWS(Diagonal(1), depth=2)(X)
    1 + (-e^(-1) + 1)*e1 + (1/2*e^(-2) - e^(-1) + 1/2)*e11
    """

    __slots__ = ()

    @classmethod
    def signature(cls, dim: int, depth: int = 2, ring: Ring[Any] = QQ) -> EWS:
        """The signature as the EWS that forgets nothing: A = 0, B = I.

        Args:
            dim: Number of channels d.
            depth: Truncation depth N.
            ring: The ring of the values; EE for paths with exponentials.

        Returns:
            The EWS; its clock, that of time, has no effect.

        Paper: Section 2.

        >>> from ewsmath.paths import ExpPolyPath
        >>> t = ExpPolys(QQ).variable
        >>> EWS.signature(2)(ExpPolyPath.from_functions([0, 1], [t, t * t]))
        1 + e1 + e2 + 1/2*e11 + 2/3*e12 + 1/3*e21 + 1/2*e22
        """
        return cls(Zero(dim, ring=ring), depth=depth)

    @classmethod
    def efm(cls, rates: Any | Sequence[Any], depth: int = 2) -> EWS:
        """The exponentially fading memory signature on [s, t]: A = diag(λ), B = I, the time clock.

        Args:
            rates: The rates λ, one for each channel.
            depth: Truncation depth N.

        Returns:
            The EWS.

        Paper: Section 2; Appendix D.

        >>> EWS.efm([1, 2]).generator.matrix
        Matrix(EE, [[1, 0], [0, 2]])
        """
        return cls(Diagonal(rates), depth=depth)

    def local(self, dtheta: Any, dx: Sequence[Any], route: str = "auto") -> Tensor[Any]:
        """The EWS of one piece.

        Args:
            dtheta: The elapsed clock time over the piece; 0 where the clock stands still, negative where it
                goes back.
            dx: The increment ΔX of the path, before the lift; or its speed on a curve, exponential polynomials of
                the fraction u of the piece.
            route: ``"iterated"`` (the definition), ``"recursion"`` or ``"structured"`` (the linear CDE
                form), three that share nothing but the algebra; ``"closed"`` (divided differences of exp);
                ``"group"`` in balls; ``"auto"`` takes the fastest of the ring. Curves are for the first two.

        Returns:
            A tensor over R^m.

        Raises:
            ValueError: There is no such route, or it does not work in the ring or on a curve; dx has not d
                entries.
            TypeError: dx is no sequence.

        >>> EWS(Diagonal(1), depth=1).local(2, [3])
        1 + (-3/2*e^(-2) + 3/2)*e1
        """
        return self._solve(self.ring.coerce(dtheta), self.lifted(dx), route)

    def _solve(self, elapsed: Any, speed: Sequence[Any], route: str) -> Tensor[Any]:
        if route == "auto":
            numeric = "group" if isinstance(self.ring, AbstractBalls) else "structured"
            route = numeric if supports(self.ring, MatrixExponentialRing) else "iterated"
        if route not in ROUTES:
            raise ValueError(f"unknown route {route!r}: choose 'auto' or one of {', '.join(ROUTES)}")
        if route not in CURVED and any(isinstance(x, ExpPoly) for x in speed):
            raise ValueError(f"the route {route!r} solves lines, the piece is a curve: choose {' or '.join(CURVED)}")
        return ROUTES[route](self.generator, elapsed, speed, self.depth)

    def segments(self, path: AbstractPath[Any], s: Any = None, t: Any = None, route: str = "auto") -> list[Segment]:
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

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> X = PiecewiseLinearPath([0, 1, 3], [[0], [1], [1]])
        >>> [(segment.elapsed, segment.ews[1]) for segment in EWS(Diagonal(1), depth=1).segments(X)]
        [(1, -e^(-1) + 1), (2, 0)]
        """
        return [
            Segment(self.generator, elapsed, self._solve(elapsed, speed, route))
            for elapsed, speed in self.stretches(path, s, t)
        ]

    def __call__(self, path: AbstractPath[Any], s: Any = None, t: Any = None, route: str = "auto") -> EWSValue:
        """The EWS of a path between two times.

        Args:
            path: The path in R^d.
            s: Start; None for the first time.
            t: End; None for the last time.
            route: The route for each piece, as in :meth:`local`.

        Returns:
            A group-like tensor over R^m, 1 where nothing of the path lies between s and t; its
            :meth:`~ewsmath.ews.value.EWSValue.digits` are certified decimals.

        Raises:
            ValueError: The path has not d channels, or t < s.
            TypeError: The path is none.

        Paper: Def. 2; Theorem 1(ii).
        """
        return EWSValue(self._value(path, s, t, route), partial(_over, self, path, s, t))

    def _value(self, path: AbstractPath[Any], s: Any, t: Any, route: str) -> Tensor[Any]:
        return prefixes(self.segments(path, s, t, route), unit(self.generator, self.depth))[-1].ews

    def stream(self, path: AbstractPath[Any], route: str = "auto") -> list[Tensor[Any]]:
        """The EWS from the first time to each knot of a path.

        Args:
            path: The path in R^d.
            route: The route for each piece, as in :meth:`local`.

        Returns:
            J + 1 tensors, the first of which is 1.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> X = PiecewiseLinearPath([0, 1, 3], [[0], [1], [1]])
        >>> [S[1] for S in EWS(Diagonal(1), depth=1).stream(X)]
        [0, -e^(-1) + 1, -e^(-3) + e^(-2)]
        """
        return [g.ews for g in prefixes(self.segments(path, route=route), unit(self.generator, self.depth))]

    def reweighted(self, path: AbstractPath[Any], s: Any = None, t: Any = None) -> ExpPolyPath[Any]:
        r"""The re-weighted path, whose signature is the EWS of the interval.

        .. math:: Z^{[t]}_τ = \int_s^τ e^{-(θ_t-θ_u)A} B\, dX_u, \qquad S_𝔸(X;θ)_{s,t} = S(Z^{[t]})_{s,t}

        Args:
            path: The path in R^d.
            s: Start; None for the first time.
            t: End, to which the weights reach; None for the last time.

        Returns:
            A path in R^m that starts at 0, at the times of the restricted path.

        Raises:
            ValueError: Nothing of the path lies in the interval, the path has not d channels, or the generator is
                given in balls.
            TypeError: The path is none.

        Paper: Prop. 3.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> ews = EWS(Diagonal(1), depth=2)
        >>> X = PiecewiseLinearPath([0, 1, 3], [[0], [1], [5]])
        >>> EWS.signature(1, ring=ews.ring)(ews.reweighted(X)) == ews(X)
        True
        """
        stretches = self.stretches(path, s, t)
        functions = ExpPolys(self.ring)
        if not stretches:
            raise ValueError("nothing of the path lies in the interval, so there is no path to re-weight")
        after = sum((elapsed for elapsed, _ in stretches), self.ring.zero)
        start, pieces = [self.ring.zero] * self.generator.dim, []
        for elapsed, speed in stretches:
            after = after - elapsed
            g = transported_speed(self.generator, elapsed, speed, after)
            pieces.append([functions.coerce(x) + f.integral() for x, f in zip(start, g, strict=True)])
            start = [f(1) for f in pieces[-1]]
        return ExpPolyPath(path.restrict(s, t).times, pieces, self.ring)


def _over(ews: EWS, path: AbstractPath[Any], s: Any, t: Any, ring: Ring[Any]) -> Tensor[Any]:
    return ews.over(ring)._value(path, s, t, "auto")
