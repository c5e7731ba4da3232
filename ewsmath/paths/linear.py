"""Piecewise-linear paths with time stamps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from flint import fmpq

from ewsmath.paths.exponential import ExpPolyPath
from ewsmath.paths.path import AbstractPath
from ewsmath.paths.piece import Line, Piece
from ewsmath.paths.stamps import time_stamps
from ewsmath.paths.time_change import composition
from ewsmath.rings import QQ, Ring, RingElement, check_ring
from ewsmath.rings.door import entries, named, of_kind

R = TypeVar("R", bound=RingElement)


class PiecewiseLinearPath(AbstractPath[R]):
    """A path in R^d, linear between its knots. Immutable.

    Times are the time stamps as they came: they are not moved to start at 0. They may repeat: a repeated
    time is a jump, a piece with Δt = 0. Outside its times the path is constant and no clock runs.

    Args:
        times: The time stamps, weakly increasing rationals; None where there are none, for 0, 1, …, J.
        values: The J+1 points, each a sequence of d numbers.
        ring: The ring of the values.

    Attributes:
        times: The time stamps.
        values: The points, tuples of ring elements.
        ring: The ring of the values.
        stamped: Whether time stamps were given.

    Raises:
        ValueError: A time is less than the one before; points and times differ in number; points differ in
            length.
        TypeError: A time is no rational, or a point no sequence of numbers of the ring; both are named.

    Paper: Section 2.

    >>> X = PiecewiseLinearPath([3, 5, 6], [[0, 0], [2, 4], [2, 1]])
    >>> X.increments, X.gaps, X(4)
    ([(2, 4), (0, -3)], [2, 1], (1, 2))
    """

    __slots__ = ()

    def __init__(self, times: Sequence[Any] | None, values: Sequence[Sequence[Any]], ring: Ring[R] = QQ) -> None:
        check_ring(ring)
        points = tuple(_point(ring, j, point) for j, point in enumerate(entries(values, "a path takes values")))
        if not points or not points[0]:
            raise ValueError("a path needs at least one point, with at least one coordinate")
        for j, point in enumerate(points):
            if len(point) != len(points[0]):
                raise ValueError(f"point {j} has {len(point)} coordinates, point 0 has {len(points[0])}")
        stamps = time_stamps(times, len(points))
        self._set(times=stamps, values=points, ring=ring, stamped=times is not None)

    @classmethod
    def from_increments(
        cls, increments: Sequence[Sequence[Any]], times: Sequence[Any] | None = None, ring: Ring[R] = QQ
    ) -> PiecewiseLinearPath[R]:
        """The path that starts at 0 and moves by these increments.

        Args:
            increments: The J ≥ 1 increments, each a sequence of d numbers.
            times: The J+1 time stamps; None for 0, 1, …, J.
            ring: The ring of the values.

        Returns:
            The path.

        Raises:
            ValueError: There is no increment, or two have different numbers of coordinates.

        >>> PiecewiseLinearPath.from_increments([[1, 2], [0, -1]]).values
        ((0, 0), (1, 2), (1, 1))
        """
        check_ring(ring)
        moves = [entries(dx, "from_increments takes each") for dx in entries(increments, "from_increments takes them")]
        if not moves:
            raise ValueError("from_increments needs at least one increment; a path of one point is given by its value")
        points: list[list[Any]] = [[ring.zero for _ in moves[0]]]
        for j, dx in enumerate(moves):
            if len(dx) != len(points[0]):
                raise ValueError(f"increment {j} has {len(dx)} coordinates, increment 0 has {len(points[0])}")
            points.append([x + ring.coerce(y) for x, y in zip(points[-1], dx, strict=True)])
        return cls(times, points, ring)

    @property
    def increments(self) -> list[tuple[R, ...]]:
        """The increments ΔX_j of the pieces."""
        return [tuple(y - x for x, y in zip(before, after, strict=True)) for before, after in pairwise(self.values)]

    def piece(self, j: int) -> Line[R]:
        """Piece j, from 0, as a function of its fraction u.

        Args:
            j: The number of the piece.

        Returns:
            The line.

        >>> PiecewiseLinearPath(None, [[0], [1], [4]]).piece(1).speed
        (3,)
        """
        return Line(self.ring, self.values[j], self.values[j + 1])

    def _built(
        self, times: Sequence[fmpq], start: tuple[Any, ...], pieces: Sequence[Piece], ring: Ring[Any]
    ) -> PiecewiseLinearPath[R]:
        return type(self)(times, [start, *(piece.end for piece in pieces)], ring)

    def _curve(self, times: Sequence[fmpq], pieces: Sequence[Piece], stamped: bool) -> ExpPolyPath[R]:
        path = ExpPolyPath[R](times, [piece.functions for piece in pieces], self.ring)
        path._set(stamped=stamped)
        return path

    def curved(self) -> ExpPolyPath[R]:
        """The same path as one whose pieces are functions: to go on as a curve, ``X.curved().then(Y)``.

        Returns:
            The path; its ring has a decidable zero.

        Raises:
            ValueError: The path has one point only, or is over balls.

        >>> PiecewiseLinearPath(None, [[1], [3]]).curved().piece(0).functions
        (1 + 2*u,)
        """
        return self._curve(self.times, self.pieces, self.stamped)

    def compose(self, phi: AbstractPath[Any]) -> PiecewiseLinearPath[R] | ExpPolyPath[R]:
        """The reparametrised path X∘φ, exact; see :meth:`AbstractPath.compose`.

        Args:
            phi: The homeomorphism φ.

        Returns:
            The path on the times of φ: piecewise linear where φ is, else one with polynomial pieces.

        >>> X = PiecewiseLinearPath([0, 4], [[0], [8]])
        >>> X.compose(PiecewiseLinearPath([0, 1, 2], [[0], [1], [4]]))
        PiecewiseLinearPath([0, 1, 2], [[0], [2], [8]], ring=QQ)
        >>> from ewsmath.exppoly import ExpPolys
        >>> X.compose(ExpPolyPath.from_functions([0, 2], [ExpPolys(QQ).variable * ExpPolys(QQ).variable], QQ))
        ExpPolyPath([0, 2], [[8*u^2]], ring=QQ)
        """
        times, pieces = composition(self, phi)
        if all(isinstance(piece, Line) for piece in pieces):
            return self._made(times, self.values[0], pieces, stamped=phi.stamped)
        return self._curve(times, pieces, phi.stamped)

    def lead_lag(self) -> PiecewiseLinearPath[R]:
        r"""The lead–lag path in R^{2d}: over each piece first the lead moves, channels 1 … d, then the lag, d+1 … 2d.

        .. math:: (x_0, x_0), (x_1, x_0), (x_1, x_1), (x_2, x_1), …

        The lead moves in the first half of the time of the piece. With this order level two of the signature
        holds the quadratic covariation,

        .. math:: ⟨i\,(d{+}j), S⟩ - ⟨(d{+}i)\, j, S⟩ = \sum_k ΔX^i_k ΔX^j_k .

        Returns:
            The path with 2J pieces.

        >>> PiecewiseLinearPath(None, [[0], [3]]).lead_lag()
        PiecewiseLinearPath([0, 1/2, 1], [[0, 0], [3, 0], [3, 3]], ring=QQ)
        """
        times, pieces = [self.times[0]], list[Piece]()
        for (start, end), (x, y) in zip(pairwise(self.times), pairwise(self.values), strict=True):
            times += [(start + end) / 2, end]
            pieces += [Line(self.ring, x + x, y + x), Line(self.ring, y + x, y + y)]
        return self._made(times, self.values[0] + self.values[0], pieces)

    def __repr__(self) -> str:
        times = ", ".join(map(str, self.times))
        values = ", ".join("[" + ", ".join(map(str, point)) + "]" for point in self.values)
        return f"PiecewiseLinearPath([{times}], [{values}], ring={self.ring.name})"


def check_path(path: object, use: str) -> PiecewiseLinearPath[Any]:
    """The path, if it is piecewise linear; else TypeError that names the use.

    Args:
        path: What came.
        use: Who reads it, for the message.

    Returns:
        The path itself.

    Raises:
        TypeError: It is none.

    >>> X = PiecewiseLinearPath(None, [[0], [1]])
    >>> check_path(X, "a clock") is X
    True
    """
    return of_kind(path, PiecewiseLinearPath, f"{use} reads a path", "give PiecewiseLinearPath(times, values)")


def check_any_path(path: object, use: str) -> AbstractPath[Any]:
    """The path, if it is one of any kind; else TypeError that names the use.

    Args:
        path: What came.
        use: Who reads it, for the message.

    Returns:
        The path itself.

    Raises:
        TypeError: It is none.

    >>> X = PiecewiseLinearPath(None, [[0], [1]]).curved()
    >>> check_any_path(X, "a clock") is X
    True
    """
    return of_kind(path, AbstractPath, f"{use} reads a path", "give PiecewiseLinearPath(times, values)")


def _point(ring: Ring[R], j: int, point: Any) -> tuple[R, ...]:
    try:
        return tuple(ring.coerce(x) for x in point)
    except TypeError as error:
        if isinstance(point, Iterable):
            raise TypeError(f"point {j}: {error}") from None
        raise TypeError(
            f"point {j} of a path is a sequence of d numbers, got {named(point)}: in one channel write [x]"
        ) from None
