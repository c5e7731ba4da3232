"""A path with a clock, driven through a function under test: cut, turned round, stretched, run through otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from flint import fmpq

from ewsmath.floats import FloatFormat
from ewsmath.interop import exact, to_array
from ewsmath.laws.reading import format_of
from ewsmath.paths import PiecewiseLinearPath
from ewsmath.rings import QQ, Ring
from ewsmath.rings.door import named

Point = tuple[Any, ...]


@dataclass(frozen=True)
class Drive:
    """A piecewise-linear path in exact numbers, its clock increments, and the form in which functions take it.

    Attributes:
        values: The J + 1 points.
        times: Their time stamps; 0, 1, …, J for an array.
        dtheta: The J clock increments, or None for a function without a clock.
        ring: The ring of the points.
        format: The format of the array that came, None for a :class:`PiecewiseLinearPath`.
    """

    values: tuple[Point, ...]
    times: tuple[fmpq, ...]
    dtheta: tuple[Any, ...] | None
    ring: Ring[Any]
    format: FloatFormat | None

    @classmethod
    def of(cls, path: Any, dtheta: Any = None) -> Drive:
        """The drive of a path and its clock increments.

        Args:
            path: A :class:`PiecewiseLinearPath`, or an array of floats of shape (points, d).
            dtheta: The clock increments, one for each piece; None for a function without a clock.

        Returns:
            The drive.

        Raises:
            TypeError: The path is neither.
            ValueError: The array has not two axes, or the clock increments are not one for each piece.
        """
        if isinstance(path, PiecewiseLinearPath):
            values, times, ring, format = path.values, path.times, path.ring, None
        else:
            format = format_of(path)
            if format is None:
                raise TypeError(f"a law takes an array of floats or a PiecewiseLinearPath, got {named(path)}")
            rows = exact(path)
            if not rows or not all(isinstance(row, list) and row for row in rows):
                raise ValueError(f"a path is an array of shape (points, d), got {path!r}")
            values = tuple(map(tuple, rows))
            times, ring = tuple(fmpq(j) for j in range(len(values))), QQ
        if dtheta is not None:
            dtheta = tuple(exact(dtheta) if format is not None else dtheta)
            if len(dtheta) != len(values) - 1:
                raise ValueError(f"{len(dtheta)} clock increments for {len(values) - 1} pieces: give one for each")
        return cls(values, times, dtheta, ring, format)

    @property
    def steps(self) -> int:
        """The number J of pieces."""
        return len(self.values) - 1

    @property
    def dim(self) -> int:
        """The number d of channels."""
        return len(self.values[0])

    @property
    def ends(self) -> tuple[Point, Point]:
        """The first and the last point."""
        return self.values[0], self.values[-1]

    def call(self, function: Callable[..., Any]) -> Any:
        """What the function gives for the path, and for its clock increments where there are any."""
        if self.format is None:
            path: Any = PiecewiseLinearPath(self.times, self.values, self.ring)
            return function(path) if self.dtheta is None else function(path, list(self.dtheta))
        path = to_array([list(point) for point in self.values], self.format.name)
        if self.dtheta is None:
            return function(path)
        return function(path, to_array(list(self.dtheta), self.format.name, (self.steps,)))

    def at(self, place: fmpq) -> tuple[Point, fmpq]:
        """The point and the time stamp at a place: j is point number j, j + 1/2 the middle of the piece after it."""
        j = min(int(place.floor()), self.steps - 1)
        c = self.ring.coerce(place - j)
        pairs = zip(self.values[j], self.values[j + 1], strict=True)
        return tuple(x + c * (y - x) for x, y in pairs), self.times[j] + (place - j) * (
            self.times[j + 1] - self.times[j]
        )

    def elapsed(self, start: fmpq, end: fmpq) -> Any:
        """The clock time that elapses from one place to another."""
        total: Any = self.ring.zero
        for j, dtheta in enumerate(self.dtheta or ()):
            share = min(end, fmpq(j + 1)) - max(start, fmpq(j))
            if share > 0:
                total = total + self.ring.coerce(share) * dtheta
        return total

    def through(self, places: Sequence[fmpq], times: Sequence[fmpq] | None = None) -> Drive:
        """The path that goes from place to place, in this order, with the clock that does the same.

        Args:
            places: Weakly increasing places; all points between the first and the last are to be among them.
            times: Their time stamps; None for those of this path.

        Returns:
            The drive.
        """
        known = [self.at(place) for place in places]
        dtheta = None if self.dtheta is None else tuple(self.elapsed(a, b) for a, b in pairwise(places))
        stamps = tuple(stamp for _, stamp in known) if times is None else tuple(times)
        return replace(self, values=tuple(point for point, _ in known), times=stamps, dtheta=dtheta)

    def cut(self, place: fmpq) -> tuple[Drive, Drive]:
        """The path up to a place inside it, and the path from there on."""
        points = [fmpq(j) for j in range(self.steps + 1)]
        first, second = [p for p in points if p < place], [p for p in points if p > place]
        return self.through([*first, place]), self.through([place, *second])

    def reversed(self) -> Drive:
        """The path run through backwards, with a clock that goes back."""
        total = self.times[0] + self.times[-1]
        dtheta = None if self.dtheta is None else tuple(-x for x in self.dtheta[::-1])
        times = tuple(total - t for t in self.times[::-1])
        return replace(self, values=self.values[::-1], times=times, dtheta=dtheta)

    def scaled(self, c: fmpq) -> Drive:
        """The path cX, with the same clock increments."""
        factor = self.ring.coerce(c)
        return replace(self, values=tuple(tuple(factor * x for x in point) for point in self.values))

    def run_through(self, phi: PiecewiseLinearPath[Any]) -> Drive:
        """The path X∘φ, with a knot at every kink of φ and wherever it comes to a point of X.

        Args:
            phi: A weakly increasing map of [0, 1] onto itself, as a path in R^1. Places run over [0, J] while φ runs
                over [0, 1].

        Returns:
            The drive; the clock moves with the path, and the time stamps with φ.

        Raises:
            ValueError: φ is no such map.
        """
        heights = [u for (u,) in phi.values] if phi.dim == 1 else []
        ends = (phi.times[0], phi.times[-1], *heights[:1], *heights[-1:])
        rises = all(u <= w for u, w in pairwise(heights)) and all(gap > 0 for gap in phi.gaps)
        if ends != (0, 1, 0, 1) or not rises:
            raise ValueError(f"a reparametrisation is an increasing path in R^1 from 0 to 1 on [0, 1], got {phi}")
        start, length = self.times[0], self.times[-1] - self.times[0]
        places, times = [fmpq(0)], [start]
        for (s, t), (u, w) in zip(pairwise(phi.times), pairwise(heights), strict=True):
            low, high = u * self.steps, w * self.steps
            inner = range(int(low.floor()) + 1, int(high.ceil()))
            places += [*(fmpq(j) for j in inner), high]
            times += [start + length * (s + (j - low) / (high - low) * (t - s)) for j in inner] + [start + length * t]
        return self.through(places, times)
