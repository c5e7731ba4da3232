"""The fast side against the exact side, on the same binary numbers. Kind: bridge.

Tolerances are multiples of eps for each step, ``oracle.EPS_PER_STEP``, with the reason given there; those of single
functions say their own.
"""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest
from jaxtyping import Array

import ewsmath
import ewsnn
from ewsmath import Tensor
from ewsmath.ews import local_group
from ewsmath.rings import Ball, Balls
from ewsnn import Increments, oracle
from ewsnn.arrays import Levels
from ewsnn.data import bundled_folder, read_pair
from ewsnn.engine.bound import error_bound
from ewsnn.engine.local import local_ews
from ewsnn.engine.states import states
from ewsnn.generators import AbstractGenerator
from ewsnn.layers import EWSLayer
from tests.conftest import GENERATORS, ROTATION, ClockCase, GeneratorCase

EPS = np.finfo(np.float64).eps
M, D, STEPS = 4, 3, 8
BALLS = Balls(128)


def path(seed: int = 0, *, steps: int = STEPS, elapsed: bool = True, dtype: type = np.float64) -> Increments:
    """Uneven time stamps, a repeated point, a repeated time, and a clock that stops and runs back."""
    rng = np.random.default_rng(seed)
    dx = rng.normal(size=(steps + 1, D)).astype(dtype)
    times = np.cumsum(rng.integers(1, 9, steps + 1) / 8).astype(dtype)
    if steps > 3:
        dx[2], times[4] = dx[1], times[3]
    increments = Increments.from_values(dx, times)
    given = rng.uniform(-0.3, 1, steps).astype(dtype)
    given[: steps // 4] = 0
    return increments.with_elapsed(given) if elapsed else increments


def layer(generator: GeneratorCase, clock: ClockCase | None, depth: int, seed: int = 0) -> EWSLayer:
    rng = np.random.default_rng(seed + 1)
    return EWSLayer(
        rng.normal(size=(M, D)) / 2,
        generator.fast(generator.arguments(seed, M)),
        ewsnn.clocks.Time() if clock is None else clock.fast(clock.arguments(seed, D)),
        depth,
    )


def test_both_sides_mean_the_same_matrix(generator_case: GeneratorCase) -> None:
    arguments = generator_case.arguments(0, M)
    fast = ewsmath.exact(np.asarray(generator_case.fast(arguments).matrix()))
    exact = generator_case.exact(arguments).matrix
    assert [[x.mid for x in row] for row in exact.rows] == fast
    assert all(x.radius == 0 for x in exact.entries)


@pytest.mark.parametrize("r", [0.0, 0.3, -0.5, 2.0, 15.0])
def test_propagators_are_the_exact_exponentials(generator_case: GeneratorCase, r: float) -> None:
    arguments = generator_case.arguments(0, M)
    # One propagator for each row e_k of the identity; e^{-rA}e_k is column k.
    found = generator_case.fast(arguments).propagator(jnp.full(M, r)).apply(jnp.eye(M)).T
    generator = generator_case.exact(arguments)
    exact = generator.exponential(ewsmath.exact(r))
    # The rounding of the product rA alone moves the exponential by ‖rA‖ eps; squaring adds as much each time.
    size = 1 + abs(r) * max(float(ewsmath.to_numpy([x.abs_upper()])[0]) for x in generator.matrix.entries) * M
    assert oracle.relative_error(found, list(exact.entries)) <= 10 * size * EPS


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_local_ews_is_exact(generator_case: GeneratorCase, depth: int) -> None:
    arguments = generator_case.arguments(0, M)
    r = np.array([0.0, 1e-9, 0.3, -0.5, 2.0, 10.0])
    v = np.random.default_rng(1).normal(size=(len(r), M))
    levels = eqx.filter_jit(local_ews)(generator_case.fast(arguments), jnp.asarray(r), jnp.asarray(v), depth)
    generator = generator_case.exact(arguments)
    for j in range(len(r)):
        exact = local_group(generator, ewsmath.exact(r[j]), ewsmath.exact(v[j]), depth)
        for n, level in enumerate(levels, start=1):
            # Ten eps for collocation (measured: 9), and ‖rA‖ eps for each letter as for the propagator.
            assert oracle.relative_error(np.asarray(level[j]), exact.level(n)) <= 10 * (1 + n * abs(r[j])) * EPS


# Compiled once for each family and depth, since compilation is what these tests cost: the clock runs outside, and the
# next test judges layers that are compiled as a whole.
compiled_states = eqx.filter_jit(states)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_every_generator_with_every_clock_is_exact(
    generator_case: GeneratorCase, clock_case: ClockCase, depth: int
) -> None:
    one, increments = layer(generator_case, clock_case, depth), path()
    timed = increments.with_elapsed(one.clock(increments))
    levels = compiled_states(
        timed, one.lift, one.generator, ewsnn.clocks.Given(), depth=depth, output="all", engine="sequential"
    )
    truth = oracle.exact_stream(one, increments)[1:]
    along, last = oracle.level_errors(levels, truth)
    assert max(along) <= oracle.EPS_PER_STEP * STEPS * EPS
    assert max(last) <= oracle.EPS_PER_STEP * STEPS * EPS
    terminal = terminal_by_chunks(timed, one.lift, one.generator, depth)
    assert max(of_the_end(terminal, truth)) <= oracle.EPS_PER_STEP * STEPS * EPS


def terminal_by_chunks(increments: Increments, lift: Array, generator: AbstractGenerator, depth: int) -> Levels:
    return compiled_states(increments, lift, generator, ewsnn.clocks.Given(), depth=depth, engine="chunked")


def of_the_end(levels: Levels, truth: list[Tensor[Ball]]) -> list[float]:
    """The errors of the last state, relative to the largest entry that each level takes along the path."""
    errors = []
    for n, level in enumerate(levels, start=1):
        here = oracle.relative_error(np.asarray(level), truth[-1].level(n))
        size = [max(float(ewsmath.to_numpy([x.abs_upper()])[0]) for x in state.level(n)) for state in truth]
        errors.append(here * size[-1] / max(size))
    return errors


bound = eqx.filter_jit(error_bound)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("size", [1e-3, 0.3, 3.0, 15.0, 50.0])
def test_the_error_bound_holds_and_is_no_exaggeration(generator_case: GeneratorCase, depth: int, size: float) -> None:
    one, increments = layer(generator_case, None, depth), path()
    norm = float(np.max(np.sum(np.abs(np.asarray(one.generator.matrix())), axis=1))) or 1.0
    elapsed = np.random.default_rng(2).uniform(0.5, 1, STEPS)
    elapsed[3] = 1
    elapsed *= size / norm
    timed = increments.with_elapsed(elapsed)
    given = EWSLayer(one.lift, one.generator, ewsnn.clocks.Given(), depth)
    found = terminal_by_chunks(timed, one.lift, one.generator, depth)
    error = max(of_the_end(found, oracle.exact_stream(given, timed)[1:]))
    most = float(bound(one.generator, jnp.asarray(elapsed), depth, np.float64))
    assert error <= most
    # Round-off may happen to cancel, so an error below half an ulp counts as that.
    assert most <= 1e4 * max(error, EPS / 2)


def test_a_clock_that_jumps_keeps_all_digits() -> None:
    steps = 1000
    increments = path(steps=steps, elapsed=False)
    elapsed = np.full(steps, 1e-3)
    elapsed[617] = 40.0
    timed = increments.with_elapsed(elapsed)
    one = layer(ROTATION, None, 2)
    given = EWSLayer(one.lift, one.generator, ewsnn.clocks.Given(), 2)
    found = terminal_by_chunks(timed, one.lift, one.generator, 2)
    error = max(of_the_end(found, oracle.exact_stream(given, timed)[1:]))
    assert error <= oracle.EPS_PER_STEP * np.sqrt(steps) * EPS


@pytest.mark.parametrize("engine", ["scan", "sequential", "chunked"])
def test_layers_are_certified(clock_case: ClockCase, engine: str) -> None:
    certificate = oracle.certify(layer(ROTATION, clock_case, 2), path(), engine=engine)
    assert certificate.bound == oracle.EPS_PER_STEP * STEPS * EPS
    assert certificate.ok, certificate.table()


def test_parallel_scan_is_exact(generator_case: GeneratorCase) -> None:
    certificate = oracle.certify(layer(generator_case, None, 3), path(), engine="scan")
    assert certificate.ok, certificate.table()


def test_clocks_agree(clock_case: ClockCase) -> None:
    arguments, increments = clock_case.arguments(3, D), path(3)
    clock = clock_case.fast(arguments)
    exact_path = ewsmath.PiecewiseLinearPath.from_increments(
        ewsmath.exact(np.asarray(increments.dx)),
        [0, *np.cumsum(ewsmath.exact(np.asarray(increments.dt)))],
        BALLS,
    )
    if clock_case.name == "Given":
        exact = ewsmath.clocks.Given(ewsmath.exact(np.asarray(increments.elapsed)))
    else:
        exact = clock_case.exact(arguments)
    # A sum of at most d + 1 products, or the root of one, for each of three units, relative to the largest step.
    assert oracle.relative_error(np.asarray(clock(increments)), exact.increments(exact_path)) <= 10 * EPS


def test_front_door_is_exact_in_each_output() -> None:
    rng = np.random.default_rng(5)
    points, times = rng.normal(size=(STEPS + 1, M)), np.cumsum(rng.uniform(size=STEPS + 1))
    A = rng.normal(size=(M, M)) / 2
    length = STEPS - 2
    points[length:] = np.nan
    increments = Increments.from_values(points[:length], times[:length])
    truth = oracle.exact_stream(EWSLayer(np.eye(M), ewsnn.generators.Dense(A), ewsnn.clocks.Time(), 2), increments)[1:]
    for n in (1, 2):
        states = [tensor.level(n) for tensor in truth]
        share = BALLS.ratio(1, len(states))
        mean = [share * sum(entries, BALLS.zero) for entries in zip(*states, strict=True)]
        for output, exact in (("terminal", states[-1]), ("mean", mean)):
            level = ewsnn.ews(points, A, depth=2, times=times, lengths=length, output=output)[n - 1]
            assert oracle.relative_error(np.asarray(level), exact) <= oracle.EPS_PER_STEP * STEPS * EPS
        every = ewsnn.ews(points, A, depth=2, times=times, lengths=length, output="all")[n - 1]
        for j in range(STEPS):
            exact = states[min(j, len(states) - 1)]
            assert oracle.relative_error(np.asarray(every[j]), exact) <= oracle.EPS_PER_STEP * STEPS * EPS


def test_float32_is_within_its_own_bound() -> None:
    rng = np.random.default_rng(2)
    damping, frequency = (x.astype(np.float32) for x in ROTATION.arguments(0, M))
    single = EWSLayer(
        rng.normal(size=(M, D)).astype(np.float32),
        ewsnn.generators.Rotation(damping, frequency),
        ewsnn.clocks.Variation(),
        3,
    )
    certificate = oracle.certify(single, path(dtype=np.float32))
    assert certificate.dtype == "float32"
    assert certificate.bound == 50 * STEPS * 2.0**-23
    assert certificate.ok, certificate.table()
    # It is float32 that is judged, not float64 in disguise.
    assert max(certificate.errors) > 100 * EPS


def test_padding_is_left_out_of_the_judgement() -> None:
    one = layer(ROTATION, None, 2)
    points, times = np.random.default_rng(0).normal(size=(6, D)), np.arange(6.0)
    padded = np.concatenate([points, np.full((3, D), 7.0)])
    whole = oracle.exact_stream(one, Increments.from_values(points, times))
    part = oracle.exact_stream(one, Increments.from_values(padded, np.arange(9.0), lengths=np.array(6)))
    assert len(part) == len(whole) == 6
    assert [x.mid for x in part[-1].vector()] == [x.mid for x in whole[-1].vector()]


@pytest.mark.parametrize("case", [case for case in GENERATORS if case.name in ("Rotation", "Dense", "Jordan")], ids=str)
def test_group_route_overlaps_the_structured_exponential(case: GeneratorCase) -> None:
    one = layer(case, None, 3)
    group = oracle.exact_stream(one, path(), route="group")
    structured = oracle.exact_stream(one, path(), route="structured")
    pairs = [
        (x, y) for a, b in zip(group, structured, strict=True) for x, y in zip(a.vector(), b.vector(), strict=True)
    ]
    assert len(pairs) == (STEPS + 1) * (1 + 4 + 16 + 64)
    assert all(x.overlaps(y) for x, y in pairs)
    # Overlap means something only between narrow balls.
    assert max(float(ewsmath.to_numpy([y.radius])[0]) for pair in pairs for y in pair) < 1e-25


def test_a_wrong_state_is_refused() -> None:
    one = layer(ROTATION, None, 2)
    truth = oracle.exact_stream(one, path())[1:]
    levels = [np.array(level) for level in one(path(), output="all")]
    true_errors, _ = oracle.level_errors(tuple(map(jnp.asarray, levels)), truth)
    assert max(true_errors) < 100 * EPS
    size = np.abs(levels[1]).max()
    levels[1][-1, 0, 1] += 1e-3 * size
    errors, last = oracle.level_errors(tuple(map(jnp.asarray, levels)), truth)
    assert errors[0] == true_errors[0]
    assert errors[1] == pytest.approx(1e-3, rel=1e-6)
    assert last[1] == pytest.approx(1e-3 * size / np.abs(levels[1][-1]).max(), rel=1e-2)
    levels[1][0, 0, 0] = np.nan
    assert oracle.level_errors(tuple(map(jnp.asarray, levels)), truth)[0][1] == np.inf


def test_a_level_that_should_vanish_has_no_relative_error() -> None:
    resting = Increments.from_values(np.ones((3, D)))
    one = layer(ROTATION, None, 1)
    truth = oracle.exact_stream(one, resting)[1:]
    assert oracle.level_errors((jnp.zeros((2, M)),), truth) == ((0.0,), (0.0,))
    assert oracle.level_errors((jnp.full((2, M), 1e-300),), truth)[0] == (np.inf,)


def test_a_wrong_formula_is_not_certified() -> None:
    class Doubled(ewsnn.generators.Rotation):
        """Claims the matrix of a rotation but turns twice as fast."""

        def propagator(self, r):
            return super().propagator(2 * r)

    arguments = ROTATION.arguments(0, M)
    wrong = EWSLayer(np.eye(M, D), Doubled(*arguments), ewsnn.clocks.Time(), 2)
    assert not oracle.certify(wrong, path()).ok


def test_bad_requests_are_refused() -> None:
    one = layer(ROTATION, None, 1)
    batch = Increments.from_values(np.zeros((2, 3, D)))
    with pytest.raises(ValueError, match=r"one path at a time.*got \(2, 2, 3\)"):
        oracle.certify(one, batch)
    with pytest.raises(ValueError, match="no step"):
        oracle.certify(one, Increments.from_values(np.zeros((1, D))))

    class Strange(ewsnn.clocks.Time):
        """A clock of someone else's."""

    class Foreign(ewsnn.clocks.AbstractClock):
        """A clock that the exact side has never heard of."""

        @property
        def invariant(self):
            return False

        @property
        def can_stop(self):
            return False

        def increment(self, increments):
            return increments.dt

    assert isinstance(oracle.exact_clock(Strange(), path()), ewsmath.clocks.Time)
    with pytest.raises(TypeError, match="no clock Foreign"):
        oracle.exact_clock(Foreign(), path())


def test_a_wide_deep_layer_is_certified_on_real_recordings() -> None:
    train, _ = read_pair(bundled_folder())
    series = next(values for values in train.series if len(values) > 20)[:21]
    rng = np.random.default_rng(0)
    wide = EWSLayer(
        rng.normal(size=(16, series.shape[1])) / 4,
        ewsnn.generators.Rotation(rng.uniform(0, 1, 8), rng.uniform(0, 3, 8)),
        ewsnn.clocks.Variation(),
        3,
    )
    # K = 4369: no K x K matrix can be formed, the group route has to carry it.
    certificate = oracle.certify(wide, Increments.from_values(series), engine="sequential")
    assert certificate.steps == 20
    assert certificate.ok, certificate.table()
