"""The oracle: what a layer computed, against what is true of the very same binary numbers.

The only module that imports ``ewsmath``. Nothing is rounded on the way: each float becomes the rational that
it is, the exact side computes in balls, and an error is reported as an upper bound that holds.
"""

import dataclasses
import math
import time
from collections.abc import Sequence
from fractions import Fraction

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from flint import fmpq

import ewsmath
from ewsmath import Balls, Matrix, PiecewiseLinearPath, Tensor
from ewsmath.clocks import AbstractClock as ExactClock
from ewsmath.rings import Ball
from ewsnn import clocks
from ewsnn.arrays import Levels, Numbers
from ewsnn.layers import EWSLayer
from ewsnn.parameters import value
from ewsnn.paths import Increments

EPS_PER_STEP = 50
"""Round-off allowed for each step, in units of eps.

A step costs its local EWS (measured: up to 10 eps for ‖ΔθA‖ ≤ 1), the rounding of the clock increment, of the
lift, of the flow in each slot and of a product with one term more than there are slots. Relative to the largest
entry that a level has taken so far these add up at most linearly in the number of steps.
"""


@dataclasses.dataclass(frozen=True)
class Certificate:
    """Rigorous bounds of the errors of a layer on one path.

    Args:
        errors: For levels 1 … N, an upper bound of the error at any knot, relative to the largest entry that the
            level has taken so far along the path.
        terminal: The same for the last state alone, relative to the largest entry that the level has there.
        bound: What round-off explains in this precision: ``EPS_PER_STEP`` · eps · steps.
        steps: Number of steps of the path.
        letters: Width m of the layer.
        dtype: Precision of the layer.
        prec: Working precision of the balls in bits.
        seconds: Wall time of the exact side.
    """

    errors: tuple[float, ...]
    terminal: tuple[float, ...]
    bound: float
    steps: int
    letters: int
    dtype: str
    prec: int
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether every error is within the bound; a NaN is not."""
        return all(error <= self.bound for error in self.errors)

    def table(self) -> str:
        """The errors as text, a line for each level."""
        lines = ["level  entries  certified error  at the end    bound"]
        for n, (error, last) in enumerate(zip(self.errors, self.terminal, strict=True), start=1):
            lines.append(f"{n:5d}  {self.letters**n:7d}  {error:15.1e}  {last:10.1e}  {self.bound:.1e}")
        return "\n".join(lines)


def certify(layer: EWSLayer, increments: Increments, *, engine: str = "auto", prec: int = 128) -> Certificate:
    """Compare a layer with the exact EWS at every knot of one path.

    Args:
        layer: The layer, with any parameters, trained or not.
        increments: One path, without batch axes; its padding is left out.
        engine: The engine to judge, as in ``EWSLayer``.
        prec: Working precision of the exact side in bits. The width of the balls counts as error, so a precision
            that is too low can only make a bound larger.

    Returns:
        The certificate.

    Raises:
        ValueError: The path has batch axes, or no step; a number is NaN or infinite.
        TypeError: The layer's clock is none that the exact side knows.

    Paper: Definition 2.
    """
    increments = _checked(increments)
    levels = eqx.filter_jit(layer)(increments, output="all", engine=engine)
    start = time.perf_counter()
    tensors = exact_stream(layer, increments, prec=prec)
    errors, terminal = level_errors(levels, tensors[1:])
    steps = increments.dx.shape[0]
    dtype = layer.lift.dtype
    return Certificate(
        errors=errors,
        terminal=terminal,
        bound=EPS_PER_STEP * float(jnp.finfo(dtype).eps) * steps,
        steps=steps,
        letters=layer.generator.size,
        dtype=str(dtype),
        prec=prec,
        seconds=time.perf_counter() - start,
    )


def exact_stream(
    layer: EWSLayer, increments: Increments, *, prec: int = 128, route: str = "auto"
) -> list[Tensor[Ball]]:
    """The exact EWS of one path at every knot, from the layer's own binary numbers.

    Args:
        layer: The layer: its generator's matrix, its lift and the parameters of its clock are taken exactly.
        increments: One path without batch axes; its padding is left out.
        prec: Working precision in bits.
        route: A route of ``ewsmath.EWS`` for each step.

    Returns:
        One tensor of balls for each knot, the first of which is 1.

    Raises:
        ValueError: As for :func:`certify`.
        TypeError: As for :func:`certify`.
    """
    increments = _checked(increments)
    ring = Balls(prec)
    times = [fmpq(0)]
    for dt in ewsmath.exact(np.asarray(increments.dt)):
        times.append(times[-1] + dt)
    path = PiecewiseLinearPath.from_increments(ewsmath.exact(np.asarray(increments.dx)), times, ring)
    truth = ewsmath.EWS(
        ewsmath.generators.Dense(Matrix(ring, ewsmath.exact(np.asarray(layer.generator.matrix())))),
        lift=ewsmath.exact(np.asarray(layer.lift)),
        clock=exact_clock(layer.clock, increments),
        depth=layer.depth,
    )
    return truth.stream(path, route=route)


def exact_clock(clock: clocks.AbstractClock, increments: Increments) -> ExactClock:
    """The exact side's own clock of the same kind, with the same binary numbers.

    Args:
        clock: A clock of ``ewsnn.clocks``.
        increments: One path, whose clock increments the clock ``Given`` reads.

    Returns:
        A clock of ``ewsmath.clocks``, which computes Δθ by its own formula.

    Raises:
        TypeError: The clock is of a kind that the exact side does not have.
    """
    match clock:
        case clocks.Time():
            return ewsmath.clocks.Time()
        case clocks.Observation():
            return ewsmath.clocks.Observation()
        case clocks.Variation():
            return ewsmath.clocks.Variation()
        case clocks.Blended():
            beta = clock.beta if isinstance(clock.beta, int | float) else value(clock.beta)
            # A fixed β is a Python float that the layer multiplies by in its own precision.
            return ewsmath.clocks.Blended(ewsmath.exact(np.asarray(beta, increments.dx.dtype)))
        case clocks.Gated():
            bias = 0 if clock.bias is None else ewsmath.exact(np.asarray(clock.bias))
            return ewsmath.clocks.Gated(ewsmath.exact(np.asarray(clock.weight)), bias)
        case clocks.Clamped():
            return ewsmath.clocks.Clamped(
                ewsmath.exact(np.asarray(clock.weight)), ewsmath.exact(np.asarray(clock.bias))
            )
        case clocks.Given():
            return ewsmath.clocks.Given(ewsmath.exact(np.asarray(clock(increments))))
    raise TypeError(f"the exact side has no clock {type(clock).__name__}: add one to ewsmath.clocks")


def level_errors(levels: Levels, truth: list[Tensor[Ball]]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Upper bounds of the relative errors of a stream of states, level by level.

    Args:
        levels: Levels 1 … N, level n with an axis of steps in front of its n axes.
        truth: The exact states after each step.

    Returns:
        For each level the largest error of any state, relative to the largest entry of the level so far; and the
        error of the last state, relative to its own largest entry. An error over a level that is exactly zero,
        and a state that is not finite, are infinite errors.
    """
    largest_error, last_error = [], []
    for n, level in enumerate(levels, start=1):
        worst = last = size = fmpq(0)
        for state, tensor in zip(np.asarray(level), truth, strict=True):
            error, here = _gap(state, tensor.level(n))
            size = max(size, here)
            worst, last = max(worst, _ratio(error, size), key=_order), _ratio(error, here)
        largest_error.append(_rounded_up(worst))
        last_error.append(_rounded_up(last))
    return tuple(largest_error), tuple(last_error)


def relative_error(found: Numbers, exact: Sequence[Ball]) -> float:
    """An upper bound of the largest error of any entry, relative to the largest entry.

    Args:
        found: An array of any shape.
        exact: As many balls, in row-major order.

    Returns:
        The bound; infinite where an entry found is not finite, or where all should be zero and are not.
    """
    return _rounded_up(_ratio(*_gap(np.asarray(found), exact)))


def _gap(found: np.ndarray, exact: Sequence[Ball]) -> tuple[fmpq | None, fmpq]:
    """An upper bound of the largest error, None where it is infinite, and a lower bound of the largest entry."""
    size = max(_abs_lower(x) for x in exact)
    if not np.all(np.isfinite(found)):
        return None, size
    pairs = zip(exact, ewsmath.exact(found.reshape(-1)), strict=True)
    return max((x - y).abs_upper() for x, y in pairs), size


def _abs_lower(x: Ball) -> fmpq:
    mid = x.mid
    return max(abs(mid) - x.radius, fmpq(0)) if isinstance(mid, fmpq) else fmpq(0)


def _ratio(error: fmpq | None, size: fmpq) -> fmpq | None:
    """The relative error; None stands for infinity."""
    if error is None:
        return None
    if error == 0:
        return fmpq(0)
    return error / size if size > 0 else None


def _order(x: fmpq | None) -> tuple[bool, fmpq]:
    return (True, fmpq(0)) if x is None else (False, x)


def _rounded_up(x: fmpq | None) -> float:
    if x is None:
        return math.inf
    nearest = float(Fraction(int(x.p), int(x.q)))
    return nearest if nearest == 0 and x == 0 else math.nextafter(nearest, math.inf)


def _checked(increments: Increments) -> Increments:
    """One path without its padding."""
    if increments.dx.ndim != 2:
        raise ValueError(
            f"the oracle judges one path at a time, dx of shape (steps, d), got {increments.dx.shape}: take "
            "one of the batch, jax.tree.map(lambda leaf: leaf[i], increments)"
        )
    valid = np.asarray(increments.valid)
    if not valid.any():
        raise ValueError("the path has no step, so there is nothing to judge")
    elapsed = increments.elapsed
    return dataclasses.replace(
        increments,
        dx=increments.dx[valid],
        dt=increments.dt[valid],
        valid=increments.valid[valid],
        elapsed=None if elapsed is None else elapsed[valid],
    )
