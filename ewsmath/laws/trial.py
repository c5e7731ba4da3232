"""One trial of a law: a function under test, the path it is tried on, and the tolerance of the answer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Any

from flint import fmpq

from ewsmath.interop import exact
from ewsmath.laws.drive import Drive
from ewsmath.laws.flows import BALLS, as_generator, condition, growth
from ewsmath.laws.reading import Reading, coarser, read
from ewsmath.laws.tolerance import Tolerance, check, disagreements
from ewsmath.matrix import Matrix
from ewsmath.matrix_norms import magnitude, row_norm
from ewsmath.operators import flow
from ewsmath.rings import QQ, AbstractBalls
from ewsmath.rings.door import named, whole
from ewsmath.tensor import Tensor, TensorAlgebra


class Trial:
    """A function tried on a path.

    Args:
        law: The name of the law, for messages.
        function: Takes a path, and clock increments where there are any, and gives levels.
        path: A :class:`PiecewiseLinearPath`, or an array of floats of shape (points, d).
        dtheta: The clock increments; None for a function without a clock.
        generator: The generator A, or its matrix; None for a function without a clock.
        depth: The depth N.
        dtype: The format in which the function computes; None for the coarser of those of path and result.
        ulps: The factor of the tolerance.
        lift: The lift B of the function, or its rows; None for the identity.

    Raises:
        ValueError: Only one of clock and generator is given, the path has one point only, or the lift is of another
            shape.
    """

    def __init__(
        self,
        law: str,
        function: Callable[..., Any],
        path: Any,
        dtheta: Any,
        generator: Any,
        depth: int | None,
        dtype: Any,
        ulps: int,
        lift: Any = None,
    ) -> None:
        if (dtheta is None) != (generator is None):
            raise ValueError(
                "a function with a clock is tried with both, dtheta= and generator=; one without, with none"
            )
        if not callable(function):
            raise TypeError(f"{law} takes the function under test, got {named(function)}")
        self.law, self.function, self.drive = law, function, Drive.of(path, dtheta)
        self.generator = None if generator is None else as_generator(generator)
        self.depth, self.dtype, self.ulps = depth, dtype, whole(ulps, f"{law}: ulps")
        self.lift = lift if lift is None or isinstance(lift, Matrix) else Matrix(QQ, exact(lift))
        self._format: Any = None
        if not self.drive.steps:
            raise ValueError(f"{law} says nothing of a single point: draw paths with min_points=2")
        if self.lift is not None:
            self.check_lift(self.dim)

    @property
    def dim(self) -> int:
        """The number of letters."""
        if self.generator is not None:
            return self.generator.dim
        return self.drive.dim if self.lift is None else self.lift.shape[0]

    def check_lift(self, rows: int) -> None:
        """ValueError when the lift does not take the path to R^rows."""
        d = self.drive.dim
        shape = (d, d) if self.lift is None else self.lift.shape
        if shape != (rows, d):
            raise ValueError(
                f"{self.law}: a path in R^{d} with level one in R^{rows} needs a lift of {rows} rows and {d} columns, "
                f"got {'none' if self.lift is None else f'shape {shape}'}: give the matrix B by which the function "
                "lifts the path, lift=B"
            )

    def raw(self, drive: Drive) -> Any:
        """What the function gives."""
        return drive.call(self.function)

    def value(self, drive: Drive) -> Tensor[Any]:
        """What the function gives, as an exact tensor."""
        return self.read(self.raw(drive))

    def read(self, result: Any) -> Tensor[Any]:
        """A result as an exact tensor, over a ring in which the flow can be computed."""
        reading = read(result, self.dim, self.depth, self.dtype)
        # What a path of float32 is worth is not known any better in float64.
        self._format = reading.format if self.dtype is not None else coarser(reading.format, self.drive.format)
        if self.generator is None:
            return reading.tensor
        ring = self._ring(reading)
        algebra = reading.tensor.algebra
        return TensorAlgebra(ring, algebra.dim, algebra.depth).tensor(reading.tensor.coefficients)

    def _ring(self, reading: Reading) -> Any:
        ring = reading.tensor.algebra.ring
        if reading.format is not None:
            return BALLS
        return ring if isinstance(ring, AbstractBalls) else self.generator.ring  # type: ignore[union-attr]

    def flow(self, elapsed: Any, a: Tensor[Any]) -> Tensor[Any]:
        """D_A^r of a tensor; the tensor itself for a function without a clock."""
        if self.generator is None:
            return a
        return flow(self.generator.over(a.algebra.ring), a.algebra.ring.coerce(elapsed), a)

    def tolerance(self, *, steps: int | None = None, stretch: int | fmpq = 1, back: bool = False) -> Tolerance | None:
        """The tolerance of the results read last; None where they are exact.

        Args:
            steps: The number of pieces; None for that of the path.
            stretch: A factor of the length of the path.
            back: Whether the clock also runs back over the path.

        Returns:
            The tolerance.
        """
        if self._format is None:
            return None
        length = fmpq(0)
        for before, after in zip(self.drive.values, self.drive.values[1:], strict=False):
            length += max(magnitude(y - x) for x, y in zip(before, after, strict=True))
        if self.drive.format is not None:  # each point is known up to eps times its size
            length += max(magnitude(x) for point in self.drive.values for x in point)
        if self.lift is not None:
            length *= max(row_norm(self.lift), QQ.one)
        enlarged, turned = self._growth(back)
        return Tolerance(self._format, self.ulps, steps or self.drive.steps, length * enlarged * stretch, turned)

    def _growth(self, back: bool) -> tuple[fmpq, fmpq]:
        """The largest ‖e^{-ρA}‖ over single pieces and from either end to each point; and 1 + ‖A‖ Σ ``|Δθ_j|``."""
        if self.generator is None or self.drive.dtheta is None:
            return fmpq(1), fmpq(1)
        dtheta = [BALLS.coerce(x) for x in self.drive.dtheta]
        spans = [*dtheta, *accumulate(dtheta), *accumulate(dtheta[::-1])]
        if back:
            spans += [-x for x in spans]
        return growth(self.generator, spans), condition(self.generator, dtheta)

    def compare(
        self,
        left: Tensor[Any],
        right: Tensor[Any],
        names: tuple[str, str],
        tolerance: Tolerance | None,
        place: str = "",
    ) -> None:
        """AssertionError when two tensors differ by more than the tolerance."""
        found, compared = disagreements(left, right, None if tolerance is None else tolerance.at)
        check(self.law, names, found, compared, tolerance, place)
