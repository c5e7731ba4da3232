"""Paths whose pieces are exponential polynomials: polynomial, exponential and trigonometric paths, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeVar

from flint import fmpq

from ewsmath.exppoly import ExpPolys
from ewsmath.paths.curve import Curve
from ewsmath.paths.path import AbstractPath
from ewsmath.paths.piece import Piece
from ewsmath.paths.stamps import time_stamps
from ewsmath.paths.time_change import composition
from ewsmath.rings import EE, Ring, RingElement
from ewsmath.rings.door import entries

R = TypeVar("R", bound=RingElement)


class ExpPolyPath(AbstractPath[R]):
    r"""A path in R^d whose channels are exponential polynomials on each piece. Immutable.

    .. math:: X^i_{t_{j-1} + u\,Δt_j} = f_{ji}(u) = \sum_{k, α} c\, u^k e^{αu}, \qquad 0 ≤ u ≤ 1

    Each piece is given over its fraction u, so that a piece over a repeated time is a curve that is run through at
    once; :meth:`from_functions` takes functions of the time instead.

    Args:
        times: The J+1 ≥ 2 time stamps, weakly increasing rationals; None where there are none, for 0, 1, …, J.
        pieces: The J pieces, each a sequence of d functions of u, or constants.
        ring: The ring of the coefficients and of the points.

    Attributes:
        times: The time stamps.
        values: The points at the knots.
        ring: The ring.
        stamped: Whether time stamps were given.

    Raises:
        ValueError: A time is less than the one before; times and pieces differ in number, or pieces in length; a
            piece does not start where the one before it ends; a point is not in the ring.
        TypeError: A time is no rational, or a function none over the ring.

    >>> u = ExpPolys(EE).variable
    >>> X = ExpPolyPath([0, 2], [[u * u, ExpPolys(EE).exponential(-1)]])
    >>> X.values, X(1)
    (((0, 1), (1, e^(-1))), (1/4, e^(-1/2)))
    """

    __slots__ = ("_curves",)
    _curves: tuple[Curve[R], ...]

    def __init__(self, times: Sequence[Any] | None, pieces: Sequence[Sequence[Any]], ring: Ring[Any] = EE) -> None:
        functions = ExpPolys(ring)
        curves = []
        for j, given in enumerate(entries(pieces, "a path takes pieces")):
            channels = entries(given, f"a path takes the functions of piece {j}")
            curves.append(Curve(ring, tuple(map(functions.coerce, channels))))
        if not curves or not curves[0].functions:
            raise ValueError("a path of functions needs at least one piece, with at least one channel")
        for j, curve in enumerate(curves):
            if len(curve.functions) != len(curves[0].functions):
                raise ValueError(
                    f"piece {j} has {len(curve.functions)} channels, piece 0 has {len(curves[0].functions)}"
                )
        for j, (before, after) in enumerate(pairwise(curves), start=1):
            for i, (x, y) in enumerate(zip(before.end, after.start, strict=True)):
                if not ring.equal(x, y):
                    raise ValueError(
                        f"channel {i} (from 0) ends piece {j - 1} at {x} and starts piece {j} at {y}: a path does not "
                        "break, give a jump as a piece over a repeated time"
                    )
        stamps = time_stamps(times, len(curves) + 1)
        knots = _knots(curves[0].start, curves)
        self._set(times=stamps, values=knots, ring=ring, stamped=times is not None, _curves=tuple(curves))

    @classmethod
    def from_functions(cls, times: Sequence[Any], functions: Sequence[Any], ring: Ring[Any] = EE) -> ExpPolyPath[Any]:
        """The path t ↦ (f_1(t), …, f_d(t)).

        Args:
            times: Its time stamps, where pieces begin and end; two for one piece.
            functions: The d functions of the time t, or constants.
            ring: The ring of the coefficients and of the points; EE holds the values of exponentials.

        Returns:
            The path.

        Raises:
            ValueError: A time is less than the one before, or there is one only.

        >>> t = ExpPolys(EE).variable
        >>> ExpPolyPath.from_functions([1, 3], [t * t])
        ExpPolyPath([1, 3], [[1 + 4*u + 4*u^2]], ring=EE)
        """
        stamps = time_stamps(times, None)
        channels = [ExpPolys(ring).coerce(f) for f in entries(functions, "from_functions takes them")]
        pieces = [[f.substituted(start, end - start) for f in channels] for start, end in pairwise(stamps)]
        return cls(stamps, pieces, ring)

    def piece(self, j: int) -> Curve[R]:
        """Piece j, from 0, as a function of its fraction u.

        Args:
            j: The number of the piece.

        Returns:
            The curve.

        >>> t = ExpPolys(EE).variable
        >>> ExpPolyPath.from_functions([0, 2, 3], [t * t]).piece(1).functions
        (4 + 4*u + u^2,)
        """
        return self._curves[j]

    def _built(
        self, times: Sequence[fmpq], start: tuple[Any, ...], pieces: Sequence[Piece], ring: Ring[Any]
    ) -> ExpPolyPath[R]:
        curves = tuple(Curve(ring, piece.functions) for piece in pieces)
        path = type(self).__new__(type(self))
        path._set(times=time_stamps(times, None), values=_knots(start, curves), ring=ring, _curves=curves)
        return path

    def compose(self, phi: AbstractPath[Any]) -> ExpPolyPath[R]:
        """The reparametrised path X∘φ, exact; see :meth:`AbstractPath.compose`.

        Args:
            phi: The homeomorphism φ; affine on each piece where a channel holds exponentials.

        Returns:
            The path on the times of φ.

        >>> from ewsmath.rings import QQ
        >>> t = ExpPolys(QQ).variable
        >>> X, phi = (ExpPolyPath.from_functions([0, 1], [f], QQ) for f in (t + t * t, t * t))
        >>> X.compose(phi)
        ExpPolyPath([0, 1], [[u^2 + u^4]], ring=QQ)
        """
        times, pieces = composition(self, phi)
        return self._made(times, self.values[0], pieces, stamped=phi.stamped)

    def __repr__(self) -> str:
        times = ", ".join(map(str, self.times))
        pieces = ", ".join("[" + ", ".join(map(str, curve.functions)) + "]" for curve in self._curves)
        return f"ExpPolyPath([{times}], [{pieces}], ring={self.ring.name})"


def _knots(start: tuple[Any, ...], curves: Sequence[Curve[Any]]) -> tuple[tuple[Any, ...], ...]:
    return (tuple(start), *(curve.end for curve in curves))
