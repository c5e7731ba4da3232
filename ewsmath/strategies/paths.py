"""Strategies for exact paths, clocks and reparametrisations."""

from typing import Any

from flint import fmpq
from hypothesis import strategies as st

from ewsmath import clocks as _clocks
from ewsmath.exppoly import ExpPolys
from ewsmath.paths import ExpPolyPath, PiecewiseLinearPath
from ewsmath.rings import EE, QQ, Ring, check_ring
from ewsmath.rings.door import whole
from ewsmath.strategies.built import built
from ewsmath.strategies.numbers import rates, rationals
from ewsmath.strategies.sizes import limits


def clocks(dim: int, steps: int) -> st.SearchStrategy[_clocks.AbstractClock]:
    """Clocks for paths in R^dim with a number of pieces; norms are ℓ1, so that all stays exact.

    Some stop and some run backwards.

    Args:
        dim: Number of channels d of the paths.
        steps: Number of pieces J of the paths, for the clocks whose increments are given one by one.

    Returns:
        The strategy. Shrinks to the time clock.

    Raises:
        ValueError: ``dim`` is below 1, or ``steps`` below 0.
        TypeError: A size is no whole number.

    >>> from hypothesis import find
    >>> print(find(clocks(2, 3), lambda clock: clock.can_stop))
    Gated(weight=(0, 0), bias=0)
    """
    dim, steps = whole(dim, "clocks: dim"), whole(steps, "clocks: steps", at_least=0)
    numbers = rates()
    weights = st.lists(numbers, min_size=dim, max_size=dim)
    units = st.lists(st.tuples(weights, numbers), min_size=1, max_size=2)
    return st.one_of(
        st.just(_clocks.Time()),
        st.just(_clocks.Observation()),
        st.just(_clocks.Variation("l1")),
        st.builds(_clocks.Blended, st.sampled_from([fmpq(1), fmpq(1, 2)]), st.just("l1")),
        st.builds(_clocks.Gated, weights, st.one_of(st.just(0), numbers)),
        built(lambda rows: _clocks.Clamped([w for w, _ in rows], [b for _, b in rows]), units),
        st.lists(numbers, min_size=steps, max_size=steps).map(_clocks.Given),
    )


def paths(
    dim: int, ring: Ring[Any] = QQ, *, min_steps: int = 0, max_steps: int = 3
) -> st.SearchStrategy[PiecewiseLinearPath[Any]]:
    """Piecewise-linear paths in R^dim with rational points.

    Among them are paths of one point (where ``min_steps`` is 0), repeated points, and repeated times with and without a
    jump.

    Args:
        dim: Number of channels d.
        ring: The ring of the points.
        min_steps: The smallest number of pieces.
        max_steps: The largest number of pieces.

    Returns:
        The strategy. Shrinks to a short path that rests at 0.

    Raises:
        ValueError: ``dim`` is below 1, ``min_steps`` below 0 or above ``max_steps``.
        TypeError: A size is no whole number, or the ring is none.

    >>> from hypothesis import find
    >>> find(paths(1), lambda X: 0 in X.gaps)
    PiecewiseLinearPath([0, 0], [[0], [0]], ring=QQ)
    """
    dim, ring = whole(dim, "paths: dim"), check_ring(ring)
    min_steps, max_steps = limits("paths", "steps", min_steps, max_steps)
    gap = st.sampled_from([fmpq(1), fmpq(0), fmpq(1, 2), fmpq(2)])
    point = st.lists(rationals(max_numerator=3, max_denominator=2), min_size=dim, max_size=dim)
    moves = st.lists(st.tuples(gap, st.one_of(point, st.none())), min_size=min_steps, max_size=max_steps)

    def build(start: fmpq, first: list[fmpq], steps: list[tuple[fmpq, list[fmpq] | None]]) -> Any:
        times, points = [start], [first]
        for wait, following in steps:
            times.append(times[-1] + wait)
            points.append(points[-1] if following is None else following)
        return PiecewiseLinearPath(times, points, ring)

    return built(build, st.sampled_from([fmpq(0), fmpq(3)]), point, moves)


def curves(dim: int, *, max_steps: int = 2) -> st.SearchStrategy[ExpPolyPath[Any]]:
    """Paths in R^dim over EE whose channels are polynomials, exponentials, cosines and sines of low order.

    Among them are pieces over a repeated time.

    Args:
        dim: Number of channels d.
        max_steps: The largest number of pieces.

    Returns:
        The strategy. Shrinks to one piece that rests at 0.

    Raises:
        ValueError: A size is below 1.
        TypeError: A size is no whole number.

    >>> from hypothesis import find
    >>> find(curves(1), lambda X: X.values[-1] != X.values[0])
    ExpPolyPath([0, 1], [[u]], ring=EE)
    """
    dim, max_steps = whole(dim, "curves: dim"), whole(max_steps, "curves: max_steps")
    functions = ExpPolys(EE)
    u = functions.variable
    basis = [functions.one, u, functions.exponential(-1), functions.cosine(2), functions.sine(1)]
    speed = st.lists(st.tuples(st.sampled_from(basis), st.integers(-2, 2)), max_size=2)
    piece = st.tuples(st.sampled_from([fmpq(1), fmpq(0), fmpq(1, 2)]), st.lists(speed, min_size=dim, max_size=dim))

    def build(moves: list[tuple[fmpq, list[list[tuple[Any, int]]]]]) -> ExpPolyPath[Any]:
        times, ends, pieces = [fmpq(0)], [EE.zero] * dim, []
        for wait, speeds in moves:
            channels = []
            for start, terms in zip(ends, speeds, strict=True):
                moved = sum((f.scaled(EE.coerce(c)) for f, c in terms), functions.zero).integral()
                channels.append(functions.coerce(start) + moved)
            times.append(times[-1] + wait)
            pieces.append(channels)
            ends = [f(1) for f in channels]
        return ExpPolyPath(times, pieces)

    return built(build, st.lists(piece, min_size=1, max_size=max_steps))


def reparametrisations(*, max_kinks: int = 3, rests: bool = True) -> st.SearchStrategy[PiecewiseLinearPath[fmpq]]:
    """Reparametrisations φ: piecewise-linear, increasing maps of [0, 1] onto itself, as paths in R^1.

    Kinks stand at multiples of 1/8.

    Args:
        max_kinks: The largest number of kinks.
        rests: Whether φ may be constant somewhere, where a path that is run through by it rests.

    Returns:
        The strategy. Shrinks to the identity.

    Raises:
        ValueError: ``max_kinks`` is below 0.
        TypeError: A size is no whole number.

    Paper: Prop. 4.

    >>> from hypothesis import find
    >>> find(reparametrisations(), lambda phi: phi.steps > 1)
    PiecewiseLinearPath([0, 1/8, 1], [[0], [0], [1]], ring=QQ)
    >>> find(reparametrisations(rests=False), lambda phi: phi.steps > 1)
    PiecewiseLinearPath([0, 1/8, 1], [[0], [1/8], [1]], ring=QQ)
    """
    max_kinks = whole(max_kinks, "reparametrisations: max_kinks", at_least=0)
    kinks = st.lists(st.integers(1, 7), max_size=max_kinks, unique=True).map(sorted)

    def build(times: list[int], heights: list[int]) -> PiecewiseLinearPath[fmpq]:
        known = sorted(heights)[: len(times)]
        times = times[: len(known)]
        stamps, values = ([fmpq(n, 8) for n in (0, *places, 8)] for places in (times, known))
        return PiecewiseLinearPath(stamps, [[u] for u in values])

    heights = st.lists(st.integers(0, 8) if rests else st.integers(1, 7), max_size=max_kinks, unique=not rests)
    return built(build, kinks, heights)


def clock_increments(steps: int) -> st.SearchStrategy[list[fmpq]]:
    """Clock increments Δθ_j: whole numbers and halves, some 0, some negative.

    Every one of them is a number of every float format.

    Args:
        steps: The number of pieces.

    Returns:
        The strategy. Shrinks to a clock that stands still.

    Raises:
        ValueError: ``steps`` is below 0.
        TypeError: A size is no whole number.

    >>> from hypothesis import find
    >>> print(*find(clock_increments(2), lambda dtheta: dtheta[1] < 0))
    0 -1
    """
    steps = whole(steps, "clock_increments: steps", at_least=0)
    return st.lists(rates(), min_size=steps, max_size=steps)
