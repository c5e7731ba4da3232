"""Streaming. Oracles: exact states in fixed point, values by hand, and the stream itself before it was saved.

Compiling is what these tests cost, so most of them share one shape: two paths, chunks of four steps, diagonal rates.
"""

import dataclasses

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import EWSLayer, Increments, clocks, generators
from ewsnn.engine import stream
from ewsnn.tensor import group_product
from ewsnn.train import checkpoint
from tests.conftest import GENERATORS, ClockCase, GeneratorCase
from tests.ewsnn.reference import exact_states

EPS = 2.0**-52
M, D, STEPS, CHUNK, DEPTH = 4, 3, 8, 4, 2
DIAGONAL = GENERATORS[1]


def path(steps: int = STEPS, seed: int = 0) -> Increments:
    """Two paths: uneven time stamps, a repeated point, a repeated time, and a clock that stops and goes back."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(2, steps, D))
    times = np.cumsum(rng.uniform(size=(2, steps)), axis=-1)
    points[..., 2, :], times[..., 4] = points[..., 1, :], times[..., 3]
    elapsed = rng.uniform(-0.3, 1, size=(2, steps))
    elapsed[..., 5] = 0
    read = Increments.from_values(points, times, start_time=-1.0).with_base_point()
    return read.with_elapsed(elapsed)


def layer(generator: GeneratorCase = DIAGONAL, clock: ClockCase | None = None) -> EWSLayer:
    return EWSLayer(
        np.random.default_rng(1).normal(size=(M, D)) / 2,
        generator.fast(generator.arguments(0, M)),
        clocks.Time() if clock is None else clock.fast(clock.arguments(0, D)),
        DEPTH,
    )


def piece(increments: Increments, start: int, stop: int) -> Increments:
    """Some steps of the paths."""
    dx, dt, valid, elapsed = (leaf[:, start:stop] for leaf in jax.tree.leaves(increments))
    return Increments(dx, dt, valid, elapsed)


def first_of(increments: Increments) -> Increments:
    """The first path alone, in a batch of one."""
    return jax.tree.map(lambda leaf: leaf[:1], increments)


def exact(layer: EWSLayer, increments: Increments) -> list[np.ndarray]:
    """The states after every step, level by level: exact, from the floats of the clock and the lifted increments."""
    v, dtheta = np.einsum("md,bjd->bjm", layer.lift, increments.dx), np.asarray(layer.clock(increments))
    A = np.asarray(layer.generator.matrix())
    every = [exact_states(A, r, steps, layer.depth) for r, steps in zip(dtheta, v, strict=True)]
    return [np.array([[state[n] for state in states] for states in every]) for n in range(layer.depth)]


def close(found, expected, steps: int = STEPS) -> bool:
    # Round-off: up to 50 eps a step are allowed to the engine, see oracle.EPS_PER_STEP.
    return all(
        a.shape == b.shape and float(np.max(np.abs(a - b))) <= 50 * EPS * steps * float(np.max(np.abs(b)))
        for a, b in zip(found, expected, strict=True)
    )


def equal(one, other) -> bool:
    """Bit for bit."""
    pairs = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return all(np.array_equal(a, b) and a.dtype == b.dtype for a, b in pairs)


def test_every_cut_gives_the_whole_for_every_generator(generator_case: GeneratorCase) -> None:
    one, increments = dataclasses.replace(layer(generator_case), clock=clocks.Given()), first_of(path())
    whole = exact(one, increments)
    # Chunks of one shape, one for each cut, cut where their padding begins or ends.
    places, cuts = np.broadcast_arrays(np.arange(STEPS), np.arange(STEPS + 1)[:, None])
    state = one.start((STEPS + 1,))
    for chosen in (places < cuts, places >= cuts):
        dx = np.where(chosen[..., None], increments.dx[0], 0)
        dt, elapsed = (np.where(chosen, leaf[0], 0) for leaf in (increments.dt, one.clock(increments)))
        chunk = Increments(jnp.asarray(dx), jnp.asarray(dt), jnp.asarray(chosen), jnp.asarray(elapsed))
        state, levels = one.feed(state, chunk, output="all")
    levels = jax.device_get(levels)
    for k in range(STEPS):
        assert close([level[k, k:] for level in levels], [level[0, k:] for level in whole])
    assert close(state.levels, [np.broadcast_to(level[0, -1:], (STEPS + 1, *level.shape[2:])) for level in whole])
    assert state.steps.tolist() == [STEPS] * (STEPS + 1)


def test_steps_and_queries_give_the_whole_for_every_clock(clock_case: ClockCase) -> None:
    one, increments = layer(clock=clock_case), path()
    whole, r = exact(one, increments), one.clock(increments)
    given = clock_case.name == "Given"
    state = one.start((2,), -1.0)
    for j in range(STEPS):
        elapsed = r[:, j] if given else None
        state, levels = one.step(state, increments.dx[:, j], increments.dt[:, j], elapsed=elapsed)
        assert close(levels, [level[:, j] for level in whole])
    # The stamps from -1 on, whatever the clock; each is the sum of those before it.
    np.testing.assert_allclose(state.time, -1 + np.sum(increments.dt, axis=-1), rtol=STEPS * EPS)
    elapsed = -0.25 if given else None
    before = jax.tree.map(jnp.copy, state)
    later = one.at(state, 0.5, elapsed=elapsed)
    assert equal(state, before)
    # As if nothing had moved for half a unit of time.
    assert close(later, one.step(state, np.zeros((2, D)), 0.5, elapsed=elapsed)[1])
    assert close(
        later, eqx.filter_jit(stream.at)(state, jnp.full(2, BETWEEN[str(clock_case)]), generator=one.generator)
    )


# The clock increment of half a unit of time without a movement: the definitions at v = 0, Δt = 1/2.
GATED, CLAMPED = (np.random.default_rng(0).normal(size=size) for size in (D + 1, 3 * D + 3))
BETWEEN = {
    "Time": 0.5,
    "Observation": 1.0,
    "Variation": 0.0,
    "Blended": 0.5,
    "Gated": max(0.5 * GATED[D], 0),
    "Gated without bias": 0.0,
    "Clamped": np.clip(0.5 * CLAMPED[3 * D :], 0, 1).sum(),
    "Given": -0.25,
}


@pytest.mark.parametrize("engine", ["scan", "sequential"])
def test_chunks_give_every_state_by_every_engine(engine: str) -> None:
    one, increments = layer(), path()
    whole, state = exact(one, increments), one.start((2,), -1.0)
    for start in (0, CHUNK):
        chunk = piece(increments, start, start + CHUNK)
        state, levels = one.feed(state, chunk, output="all", engine=engine)
        assert close(levels, [level[:, start : start + CHUNK] for level in whole])
    same, nothing = one.feed(state, piece(increments, 0, 0), engine=engine)
    assert equal((same, nothing), (state, state.levels))
    assert [level.shape for level in one.feed(state, piece(increments, 0, 0), output="all")[1]] == [
        (2, 0, M),
        (2, 0, M, M),
    ]


def test_chunks_of_1_7_and_1000_steps_give_the_whole() -> None:
    one, steps = layer(), 1008
    increments = path(steps)
    whole = eqx.filter_jit(one)(increments)
    state, start = one.start((2,)), 0
    for size in (1, 7, 1000):
        state, levels = one.feed(state, piece(increments, start, start + size))
        start += size
    assert close(levels, whole, steps)
    assert equal(levels, state.levels)
    assert state.steps.tolist() == [steps, steps]


def test_steps_run_under_jit_scan_and_vmap() -> None:
    one, increments = layer(), path()

    @jax.jit
    @jax.vmap
    def go(dx, dt):
        return jax.lax.scan(lambda state, now: one.step(state, *now), one.start(t0=-1.0), (dx, dt))

    state, levels = go(increments.dx, increments.dt)
    whole = exact(one, increments)
    assert close(levels, whole)
    assert close(state.levels, [level[:, -1] for level in whole])


def test_gradients_through_steps_are_those_of_the_whole() -> None:
    one = dataclasses.replace(layer(), clock=clocks.Gated.init(jax.random.key(0), D))
    increments = jax.tree.map(lambda leaf: leaf[0], path())
    dt = increments.dt

    def by_steps(parts):
        one, dx = parts
        state, levels = jax.lax.scan(lambda state, now: one.step(state, *now), one.start(), (dx, dt))
        return jnp.sum(jnp.sin(levels[1])) + jnp.sum(one.at(state, 0.25)[1])

    def at_once(parts):
        one, dx = parts
        # The query is a step of the time alone.
        longer = Increments(jnp.concatenate([dx, jnp.zeros((1, D))]), jnp.append(dt, 0.25), jnp.ones(STEPS + 1, bool))
        level = one(longer, output="all")[1]
        return jnp.sum(jnp.sin(level[:-1])) + jnp.sum(level[-1])

    parts = (one, increments.dx)
    found, expected = (eqx.filter_jit(eqx.filter_grad(f))(parts) for f in (by_steps, at_once))
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        # The same sums in another order: at most the round-off of the states, 50 eps a step, and of as many cotangents.
        assert float(jnp.max(jnp.abs(a - b))) <= 100 * STEPS * EPS * float(jnp.max(jnp.abs(b)))
        assert (b != 0).any()


def test_the_function_below_is_modified_chen_with_the_local_ews() -> None:
    # A scalar: S^(n) = e^{-nr} S^(n), joined with φ_1(-r) v and (φ_1(-r) v)² / 2.
    generator, r, v = generators.Diagonal([1.0]), 0.5, 2.0
    before = EWSLayer([[3.0]], generator, clocks.Given(), 2).start()
    before = dataclasses.replace(before, levels=(jnp.array([0.25]), jnp.array([[0.75]])))
    step = jax.jit(
        lambda state: stream.step(state, jnp.array([v]), jnp.array(r), lift=jnp.array([[3.0]]), generator=generator)
    )
    state, levels = step(before)
    local, decay = -np.expm1(-r) / r * 3 * v, np.exp(-r)
    expected = (0.25 * decay + local, 0.75 * decay**2 + 0.25 * decay * local + local**2 / 2)
    np.testing.assert_allclose([levels[0][0], levels[1][0, 0]], expected, rtol=8 * EPS)
    assert (int(state.steps), float(state.time), state.knot.point.value.tolist()) == (1, 0, [v])


def test_stamps_are_absolute_and_intervals_differ() -> None:
    # Ticks at 3, 5 and 6: the whole is the product of its pieces, and shifting all stamps moves nothing.
    one = layer()
    x = np.random.default_rng(3).normal(size=(3, D))

    def run(shift: float):
        states = [one.start(t0=shift)]
        for k, t in enumerate((3.0, 5.0, 6.0)):
            states.append(one.observe(states[-1], x[k : k + 1], [shift + t])[0])
        return states

    states = run(0.0)
    assert [float(state.time) for state in states] == [0, 3, 5, 6]
    # Nothing is there before the first tick.
    assert all((level == 0).all() for level in one.at(states[0], 2.0))
    pieces = [
        one.observe(one.start(t0=t, point=x[k]), x[k + 1 : k + 2], [later])[1]
        for k, t, later in ((0, 3.0, 5.0), (1, 5.0, 6.0))
    ]
    assert float(jnp.max(jnp.abs(pieces[0][0] - pieces[1][0]))) > 0.1
    assert close(group_product(one.at(states[2], 1.0), pieces[1]), states[3].levels)
    shifted = run(100.0)
    assert [float(state.time) for state in shifted] == [100, 103, 105, 106]
    # All differences of small integers are exact.
    assert equal(states[3].levels, shifted[3].levels)


@pytest.mark.parametrize("base_point", [True, False])
def test_observations_give_the_path_with_lengths(base_point: bool) -> None:
    rng = np.random.default_rng(4)
    first, points = (0, STEPS) if base_point else (1, STEPS + 1)
    x, t = rng.normal(size=(2, points, D)), np.cumsum(rng.uniform(size=(2, points)), axis=-1)
    lengths = np.array([points, 3])
    one = layer()
    read = Increments.from_values(x, t, lengths, start_time=-0.5 if base_point else None)
    whole = exact(one, read.with_base_point() if base_point else read)
    state = one.start((2,), -0.5) if base_point else one.start((2,), t[:, 0], x[:, 0])
    point = x[1, 2].tolist()
    # What comes after the length is not read; the last chunk of the second path is all padding.
    x[1, 3:] = t[1, 3:] = np.nan
    for start in (first, first + CHUNK):
        chunk = slice(start, start + CHUNK)
        counts = np.clip(lengths - start, 0, CHUNK)
        state, levels = one.observe(state, x[:, chunk], t[:, chunk], counts)
        assert close(levels, [level[:, start + CHUNK - 1 - first] for level in whole])
    assert state.time.tolist() == [t[0, -1], t[1, 2]]
    assert state.knot.point.value.tolist() == [x[0, -1].tolist(), point]
    assert state.steps.tolist() == [STEPS, 3 - first]


def test_a_given_clock_comes_with_the_observations() -> None:
    one = dataclasses.replace(layer(), clock=clocks.Given())
    x, r = np.random.default_rng(5).normal(size=(2, CHUNK, D)), np.array([0.5, 0.0, -0.25, 1.0])
    state, levels = one.observe(one.start((2,)), x, elapsed=r)
    whole = exact(one, Increments.from_values(x).with_base_point().with_elapsed(r))
    assert close(levels, [level[:, -1] for level in whole])
    assert state.time.tolist() == [4, 4]


def test_an_integral_reading_streams() -> None:
    one = layer()
    x, t = np.random.default_rng(6).normal(size=(2, STEPS, D)), np.cumsum([0, 1, 0, 3, 1, 0.5, 0.5, 2])
    whole, state = exact(one, Increments.integral(x, t, start_time=-1.0)), one.start((2,), -1.0)
    for start in (0, CHUNK):
        knot, increments = state.knot.integral(x[:, start : start + CHUNK], t[start : start + CHUNK])
        state, levels = one.feed(state, increments, knot=knot)
        assert close(levels, [level[:, start + CHUNK - 1] for level in whole])
    assert state.time.tolist() == [t[-1], t[-1]]


def test_a_saved_state_goes_on_bit_for_bit(tmp_path) -> None:
    one = layer()
    x, t = np.random.default_rng(7).normal(size=(2, CHUNK, D)), 1.7e9 + 0.1 * np.arange(CHUNK)
    state, _ = one.observe(one.start((2,), 1.7e9 - 1), x, t)
    checkpoint.save(tmp_path / "state.npz", state)
    restored = checkpoint.load(tmp_path / "state.npz", like=one.start((2,)))
    for _ in range(2):
        x, t = -2 * x, t + 1
        state, levels = one.observe(state, x, t)
        restored, again = one.observe(restored, x, t)
        assert equal((state, levels), (restored, again))


class Counting(clocks.AbstractClock):
    """The time clock, which notes each time it is traced."""

    traces: list = eqx.field(static=True)

    def increment(self, increments: Increments):
        self.traces.append(increments.dt.shape)
        return increments.dt


class Traces(list):
    """A list that can be part of a key of the cache."""

    def __hash__(self) -> int:  # pyright: ignore[reportIncompatibleVariableOverride]
        return id(self)


def test_a_hundred_thousand_steps_compile_once_and_keep_their_size() -> None:
    chunk, chunks = 1000, 50
    traces = Traces()
    # In float32, and an undamped rotation forgets nothing.
    generator = generators.Rotation(None, np.array([1.0, 0.25], np.float32))
    one = EWSLayer(np.eye(M, D, dtype=np.float32), generator, Counting(traces), 2)
    rng = np.random.default_rng(8)
    increments = Increments(
        jnp.asarray(rng.normal(size=(chunks, chunk, D)), np.float32),
        jnp.full((chunks, chunk), 0.1, np.float32),
        jnp.ones((chunks, chunk), bool),
    )
    run = eqx.filter_jit(
        lambda state: jax.lax.scan(lambda state, now: (one.feed(state, now)[0], None), state, increments)[0]
    )
    half = run(one.start(t0=np.float32(1000)))
    whole = run(half)
    # The same once more, chunk by chunk from Python.
    apart = half
    for k in range(chunks):
        apart, _ = one.feed(apart, jax.tree.map(lambda leaf, k=k: leaf[k], increments))
    # Traced once, for all chunks of one shape, and wherever they are fed.
    assert traces == [(chunk,)]
    sizes = [sum(leaf.nbytes for leaf in jax.tree.leaves(state)) for state in (one.start(), half, whole)]
    assert len(set(sizes)) == 1
    assert int(whole.steps) == 2 * chunk * chunks
    # The time is summed in twice the digits: the float32 that is nearest to 0.1, 10⁵ times.
    assert float(whole.time) == np.float32(1000 + 100_000 * float(np.float32(0.1)))
    for a, b in zip(whole.levels, apart.levels, strict=True):
        # The same program within another: steps · eps is far more than reordering can do.
        assert float(jnp.max(jnp.abs(a - b))) <= chunk * 2.0**-23 * float(jnp.max(jnp.abs(b)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda one, state: one.step(state, np.ones(2), 1.0), r"dx must have shape \(…, d\) = \(3,\), got \(2,\)"),
        (lambda one, state: one.step(state, np.ones(3), -1.0), "dt must not be negative, got -1.0"),
        (lambda one, state: one.step(state, [1.0, np.nan, 0.0], 1.0), r"dx must be finite, got nan at index \(1,\)"),
        (lambda one, state: one.step(state, np.ones(3), np.ones(2)), r"dt must be one number or have shape \(\)"),
        (lambda one, state: one.step(state, np.ones(3)), "clock Given reads increments.elapsed"),
        (lambda one, state: one.at(state, np.inf), "dt must be finite"),
        (lambda one, state: one.at(state, -0.5), "dt must not be negative"),
        (lambda one, state: one.feed(state, path()), r"the state is of a batch \(\), the increments are of \(2,\)"),
        (
            lambda one, state: one.feed(one.start((2,)), path(), output="mean"),
            "'terminal' or 'all' for a stream, got 'mean'",
        ),
        (lambda one, state: one.observe(state, np.ones((2, 2))), r"the path is \(knots, 3\) .* shape \(2, 2\)"),
        (
            lambda one, state: one.observe(state, np.ones((1, 3)), [4.0]),
            r"at 5.0, the next time is 4.0, at index \(0,\)",
        ),
        (lambda one, state: one.observe(state, np.ones((2, 3)), [6.0, 5.5]), "increasing, got 5.5 after 6.0"),
        (lambda one, state: one.start((2,), np.zeros(3)), r"t0 must be one number or have shape \(2,\), got \(3,\)"),
        (lambda one, state: one.start(point=np.zeros(2)), r"point must have shape \(3,\) or \(3,\), got \(2,\)"),
    ],
)
def test_what_does_not_fit_is_refused(call, message: str) -> None:
    one = dataclasses.replace(layer(), clock=clocks.Given())
    with pytest.raises(ValueError, match=message):
        call(one, one.start(t0=5.0))
