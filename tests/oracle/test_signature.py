"""Signatures, log-signatures and intervals against the exact side, on the same binary numbers. Kind: bridge.

Plain signatures of floats are rational, so that side does not round at all: neither do its derivatives, which are taken
as difference quotients with steps of 2^-60.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flint import fmpq

import ewsmath
from ewsmath import QQ, LieElement, PiecewiseLinearPath, TensorAlgebra
from ewsmath.ews import EWS
from ewsmath.rings import Balls
from ewsnn import EWSLayer, Increments, clocks, oracle
from ewsnn import signature as fast
from ewsnn.arrays import Levels
from ewsnn.tensor import group_product
from tests.conftest import ROTATION

EPS = float(np.finfo(np.float64).eps)
BASES = tuple(fast.BASES)
DEPTH, D, STEPS = 4, 2, 6


def points(steps: int = STEPS, d: int = D, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(steps + 1, d))


def exact_path(path: np.ndarray, times: np.ndarray | None = None) -> PiecewiseLinearPath[Any]:
    return PiecewiseLinearPath(None if times is None else ewsmath.exact(times), ewsmath.exact(path))


def floats(entries: Any) -> np.ndarray:
    return np.asarray(ewsmath.to_numpy(list(entries)), float)


def errors(levels: Levels, exact: Any) -> list[float]:
    """The error of each level of one tensor relative to its largest entry."""
    found = []
    for n, level in enumerate(levels, start=1):
        truth = floats(exact.level(n))
        found.append(float(np.max(np.abs(np.ravel(level) - truth)) / max(np.max(np.abs(truth)), 1e-300)))
    return found


def test_the_group_and_its_lie_algebra_are_exact() -> None:
    path = points()
    S, exact = fast.signature(path, DEPTH), ewsmath.signature(exact_path(path), DEPTH)
    assert max(errors(S, exact)) <= 10 * STEPS * EPS
    algebra = exact.algebra
    # The terms that cancel are up to |x1|^n, here some ten times the level.
    for found, truth in [
        (fast.inverse(S), algebra.inverse(exact)),
        (fast.antipode(S), exact.antipode()),
        (fast.log(S), algebra.log(exact)),
        (fast.exp(fast.log(S)), exact),
    ]:
        assert max(errors(found, truth)) <= 200 * EPS


@pytest.mark.parametrize("basis", BASES)
def test_log_signatures_are_exact_in_every_basis(basis: str) -> None:
    path, depth = points(d=2), 5
    found = fast.log_signature(path, depth, basis=basis)
    exact = ewsmath.log_signature(exact_path(path), depth, basis=basis)
    truth = floats(exact.vector())
    assert found.shape == truth.shape
    assert np.max(np.abs(found - truth)) <= 200 * EPS * np.max(np.abs(truth))
    back = fast.exp(fast.from_coordinates(jnp.asarray(truth), 2, depth, basis=basis))
    assert max(errors(back, exact.exp())) <= 200 * EPS
    for other in BASES:
        converted = fast.convert(jnp.asarray(truth), 2, depth, source=basis, target=other)
        assert np.max(np.abs(converted - floats(exact.to(other).vector()))) <= 50 * EPS * np.max(np.abs(truth))


@pytest.mark.parametrize(("m", "depth"), [(1, 3), (2, 7), (3, 4), (4, 3)])
@pytest.mark.parametrize("basis", ["lyndon words", "lyndon brackets"])
def test_labels_and_their_order_are_the_same_on_both_sides(m: int, depth: int, basis: str) -> None:
    exact = LieElement.labels(TensorAlgebra(QQ, m, depth), basis)
    spelled = [",".join(map(str, label)) if isinstance(label, tuple) else str(label) for label in exact]
    assert list(fast.labels(m, depth, basis=basis)) == spelled


def test_conversions_are_whole_numbers_without_rounding() -> None:
    algebra, depth = TensorAlgebra(QQ, 3, 5), 5
    count = len(LieElement.labels(algebra, "lyndon words"))
    x = np.random.default_rng(0).integers(-9, 10, count).astype(float)
    element = LieElement.from_vector(algebra, "lyndon brackets", ewsmath.exact(x))
    for other in BASES:
        found = fast.convert(jnp.asarray(x), 3, depth, source="lyndon brackets", target=other)
        assert (found == floats(element.to(other).vector())).all()
        assert (fast.convert(found, 3, depth, source=other, target="lyndon brackets") == x).all()


def test_intervals_between_times_are_exact_with_jumps() -> None:
    path, times = points(), np.array([3.0, 3.5, 3.5, 4.0, 5.25, 6.0, 6.0])
    intervals = fast.Intervals.from_path(path, 3, times=times)
    queries = [(3.0, 6.0), (3.25, 5.0), (3.5, 4.0), (3.5, 3.5), (3.75, 3.875), (4.5, 6.0), (0.0, 3.5), (2.0, 2.5)]
    found = intervals.between_times(*np.array(queries).T)
    for k, (s, t) in enumerate(queries):
        exact = ewsmath.signature(exact_path(path, times).restrict(*ewsmath.exact(np.array([s, t]))), 3)
        assert max(errors(tuple(level[k] for level in found), exact)) <= 10 * STEPS * EPS, (s, t)


def test_windows_are_exact() -> None:
    path = points(11)
    found = fast.Intervals.from_path(path, 3).windows(4, 3)
    assert found[0].shape == (3, D)
    for k in range(3):
        exact = ewsmath.signature(exact_path(path[3 * k : 3 * k + 5]), 3)
        assert max(errors(tuple(level[k] for level in found), exact)) <= 10 * 4 * EPS


def test_intervals_of_an_ews_are_exact() -> None:
    path, times, arguments = points(d=4), np.cumsum(np.arange(1.0, STEPS + 2)), ROTATION.arguments(0, 4)
    layer = EWSLayer(np.eye(4), ROTATION.fast(arguments), clocks.Time(), 2)
    intervals = fast.Intervals.from_layer(layer, Increments.from_values(path, times), times=times)
    exact_ews = EWS(ROTATION.exact(arguments), None, ewsmath.clocks.Time(), 2)
    X = PiecewiseLinearPath(ewsmath.exact(times), ewsmath.exact(path), Balls(128))
    for s, t in [(2.0, 20.5), (7.0, 9.5)]:
        exact = exact_ews(X, *ewsmath.exact(np.array([s, t])))
        for n, level in enumerate(intervals.between_times(s, t), start=1):
            assert oracle.relative_error(np.asarray(level), exact.level(n)) <= oracle.EPS_PER_STEP * STEPS * EPS


def test_a_short_interval_far_out_keeps_its_digits_and_division_loses_them() -> None:
    # 4000 steps with a drift, of which the last twenty are asked for.
    steps = np.round(np.random.default_rng(0).normal(size=(4000, 3)) * 1024) / 1024 + [1.0, 0.5, -0.25]
    path = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    intervals = fast.Intervals.from_path(path, 4)
    exact = ewsmath.signature(exact_path(path[3980:]), 4)
    assert max(errors(intervals.between(3980, 4000), exact)) <= 20 * EPS
    before, whole = (tuple(level[0] for level in intervals.between([0], [j])) for j in (3980, 4000))
    divided = errors(group_product(fast.inverse(before), whole), exact)
    assert divided[3] > 1e-8  # eight digits of sixteen are gone
    middle = ewsmath.signature(exact_path(path[1000:3001]), 4)
    assert max(errors(intervals.between(1000, 3000), middle)) <= 20 * EPS


def weighted(path: jax.Array, weights: jax.Array) -> jax.Array:
    """A number made of a log-signature and of the part between two times."""
    part = fast.Intervals.from_path(path, 3).between_times(0.75, 4.5)
    return jnp.dot(
        weights,
        jnp.concatenate(
            [
                fast.log_signature(path, 3, basis="lyndon brackets"),
                fast.coordinates(fast.log(part), basis="lyndon words"),
                part[2].ravel(),
            ]
        ),
    )


def exact_weighted(path: list[list[fmpq]], weights: list[fmpq]) -> fmpq:
    X = PiecewiseLinearPath(None, path)
    part = X.restrict(fmpq(3, 4), fmpq(9, 2))
    entries = [
        *ewsmath.log_signature(X, 3, basis="lyndon brackets").vector(),
        *ewsmath.log_signature(part, 3, basis="lyndon words").vector(),
        *ewsmath.signature(part, 3).level(3),
    ]
    return sum((w * x for w, x in zip(weights, entries, strict=True)), fmpq(0))


def test_first_and_second_derivatives_are_exact() -> None:
    path, direction, weights = points(5), points(5, seed=1), np.random.default_rng(2).normal(size=18)
    given = jnp.asarray(weights)
    step = fmpq(1, 2**60)

    def moved(times: int) -> fmpq:
        rows = zip(ewsmath.exact(path), ewsmath.exact(direction), strict=True)
        at = [[x + times * step * v for x, v in zip(*row, strict=True)] for row in rows]
        return exact_weighted(at, ewsmath.exact(weights))

    down, here, up = map(moved, (-1, 0, 1))
    value, slope, curvature = floats([here, (up - down) / (2 * step), (up - 2 * here + down) / step**2])

    @jax.jit
    def derivatives(path, direction):
        gradient = jax.grad(weighted)
        reverse, turned = jax.jvp(lambda x: gradient(x, given), (path,), (direction,))
        along = jax.grad(lambda x: jnp.sum(gradient(x, given) * direction))(path)
        return weighted(path, given), reverse, turned, along

    found, gradient, turned, along = derivatives(jnp.asarray(path), jnp.asarray(direction))
    # Sums of 18 weighted terms, some tens of times larger than what is left of them.
    assert abs(found - value) <= 500 * EPS * abs(value)
    assert abs(jnp.sum(gradient * direction) - slope) <= 500 * EPS * abs(slope)
    # Forward over reverse, and reverse over reverse.
    assert abs(jnp.sum(turned * direction) - curvature) <= 500 * EPS * abs(curvature)
    assert abs(jnp.sum(along * direction) - curvature) <= 500 * EPS * abs(curvature)
