"""The SLiCE layer: padding, streams, gradients, modes and errors. Kinds: identity, twin."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import Increments
from ewsnn.affine import Affine
from ewsnn.slices import BD, DE, WH, D, S, SLiCELayer, normal_start
from ewsnn.slices import layer as slice_layer
from ewsnn.slices.action import LARGEST_NORM, exponential_action
from ewsnn.slices.modes import mode_for

EPS = float(np.finfo(np.float64).eps)
KEY = jax.random.key(3)
CHANNELS, SIZE = 2, 4
X = np.random.default_rng(0).normal(size=(3, 6, CHANNELS)) / 2
LENGTHS = [6, 4, 1]


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).normal(size=shape) / 2


START = Affine(numbers(SIZE, CHANNELS), numbers(SIZE))
EXACT = SLiCELayer(START, BD(numbers(CHANNELS, 2, 2, 2)))
BLOCKS = SLiCELayer(START, EXACT.structure, flow="first-order")
TRANSFORM = SLiCELayer(START, WH(numbers(CHANNELS, SIZE)), flow="first-order")
# Some tens of roundings for each of at most 5 steps, relative to states of about 1.
TOLERANCE = 200 * EPS


@eqx.filter_jit
def run(layer: SLiCELayer, increments: Increments, output: str, mode: str = "recurrent") -> jax.Array:
    return layer(increments, output=output, mode=mode, chunk=2)


def near(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=TOLERANCE * float(np.max(np.abs(expected), initial=1.0)))


@pytest.mark.parametrize("mode", ["recurrent", "chunked"])
def test_padding_is_the_identity(mode: str) -> None:
    increments = Increments.from_values(X, lengths=LENGTHS)
    everywhere = np.asarray(run(BLOCKS, increments, "all", mode))
    terminal, mean = (np.asarray(run(BLOCKS, increments, output, mode)) for output in ("terminal", "mean"))
    start = np.asarray(BLOCKS.begin(increments))
    alone = np.asarray(run(BLOCKS, Increments.from_values(X), "all"))
    for i, length in enumerate(LENGTHS):
        states = np.concatenate([start[i : i + 1], alone[i, : length - 1]])
        near(everywhere[i, : length - 1], states[1:])
        near(everywhere[i, length - 1 :], np.broadcast_to(states[-1], (6 - length, SIZE)))
        near(terminal[i], states[-1])
        near(mean[i], states.mean(axis=0))
    # A path of one point has not moved.
    np.testing.assert_array_equal(terminal[2], start[2])


@pytest.mark.parametrize("mode", ["recurrent", "chunked", "full"])
def test_a_path_of_no_step_has_its_start_alone(mode: str) -> None:
    point = Increments.from_values(X[:, :1])
    start = BLOCKS.begin(point)
    np.testing.assert_array_equal(run(BLOCKS, point, "terminal", mode), start)
    np.testing.assert_array_equal(run(BLOCKS, point, "mean", mode), start)
    assert run(BLOCKS, point, "all", mode).shape == (3, 0, SIZE)


def test_a_stream_is_the_whole_path_at_every_cut() -> None:
    values, times = X[0], np.array([0.0, 1.0, 1.5, 1.5, 4.0, 5.0])
    whole = run(TRANSFORM, Increments.from_values(values, times), "all")
    for cut in (2, 3):
        state = TRANSFORM.start(t0=times[0], point=values[0])
        state, first = TRANSFORM.observe(state, values[1 : 1 + cut], times[1 : 1 + cut], output="all")
        state, second = TRANSFORM.observe(state, values[1 + cut :], times[1 + cut :], output="all")
        near(np.concatenate([first, second]), whole)
        near(state.hidden, whole[-1])
        assert (int(state.steps), float(state.knot.time.value)) == (5, 5.0)


def test_a_stream_of_single_steps_is_the_whole_path() -> None:
    whole = run(EXACT, Increments.from_values(X[0]), "all")
    state = EXACT.start(point=X[0, 0])
    for dx, expected in zip(np.diff(X[0], axis=0), whole, strict=True):
        state, h = EXACT.step(state, dx, dt=0.5)
        near(h, expected)
    assert float(state.time) == 2.5


def test_a_stream_of_a_batch_with_padding_keeps_each_at_its_place() -> None:
    increments = Increments.from_values(X, lengths=LENGTHS)
    state, h = BLOCKS.feed(BLOCKS.start((3,), point=X[:, 0]), increments)
    near(h, run(BLOCKS, increments, "terminal"))
    assert state.steps.tolist() == [5, 3, 0]
    # Without a first point the stream begins at 0.
    np.testing.assert_array_equal(BLOCKS.start((2,)).hidden, np.broadcast_to(BLOCKS.initial.bias, (2, SIZE)))


def test_modes_have_the_same_gradients_also_where_nothing_moves() -> None:
    structure = S(numbers(3), [[0, 1, 2], [1, 1, 2], [1, 3, 3]], channels=CHANNELS, size=SIZE)
    layer = SLiCELayer(START, structure, flow="first-order")
    moving = jnp.asarray(X[0, :4])
    # The second path rests: its gradient in the increments is that of the linear flow at the identity.
    paths = jnp.stack([moving, jnp.broadcast_to(moving[:1], moving.shape)])

    @eqx.filter_jit
    def gradients(layer: SLiCELayer, paths: jax.Array) -> list[Any]:
        def loss(both: tuple[SLiCELayer, jax.Array], mode: str) -> jax.Array:
            found = both[0](Increments.from_values(both[1]), mode=mode, chunk=2)
            return jnp.sum(found**2)

        return [eqx.filter_grad(loss)((layer, paths), mode) for mode in ("recurrent", "chunked")]

    one, other = gradients(layer, paths)
    for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True):
        assert np.isfinite(a).all()
        near(a, b)
    assert np.abs(np.asarray(one[1][1])).max() > 0.01


def test_vmap_is_the_batch() -> None:
    increments = Increments.from_values(X, lengths=LENGTHS)
    near(jax.jit(jax.vmap(lambda one: BLOCKS(one)))(increments), run(BLOCKS, increments, "terminal"))


def test_single_precision_stays_single() -> None:
    single = jax.tree.map(lambda leaf: leaf.astype(np.float32) if eqx.is_inexact_array(leaf) else leaf, BLOCKS)
    increments = Increments.from_values(X, lengths=LENGTHS)
    found = run(single, Increments.from_values(X.astype(np.float32), lengths=LENGTHS), "all")
    assert found.dtype == np.float32
    expected = np.asarray(run(BLOCKS, increments, "all"))
    np.testing.assert_allclose(found, expected, rtol=0, atol=100 * 2.0**-23 * np.abs(expected).max())
    with pytest.raises(ValueError, match="the path is float64, the layer float32"):
        single(increments)


def test_the_gradient_of_the_recurrence_keeps_no_flows() -> None:
    h, steps = 32, 256
    start = Affine(np.ones((h, CHANNELS)), np.ones(h))
    increments = Increments.from_values(np.zeros((steps + 1, CHANNELS)))

    @jax.jit
    @jax.grad
    def gradient(dense: jax.Array) -> jax.Array:
        return jnp.sum(SLiCELayer(start, DE(dense), flow="first-order")(increments, mode="recurrent"))

    analysis = gradient.lower(jnp.asarray(numbers(CHANNELS, h, h))).compile().memory_analysis()
    flows = steps * h * h * 8
    # Of a span of 128 steps the fields and their cotangents are there, of the others one state each.
    assert analysis is not None
    assert analysis.temp_size_in_bytes < 1.5 * flows


def test_the_action_of_the_exponential_takes_the_turns_that_the_norm_asks_for() -> None:
    act = jax.jit(lambda scale: exponential_action(lambda h: scale[:, None] * h, jnp.ones((scale.size, 1)), abs(scale)))
    scales = np.array([0.0, 0.5, -7.3, 30.0, -300.0])
    # A turn has its own roundings: 300 turns have as many.
    np.testing.assert_allclose(act(jnp.asarray(scales))[:, 0], np.exp(scales), rtol=1000 * EPS)
    # The derivative of e^a in a is e^a, also at 0, where no turn is needed.
    slopes = jax.jit(jax.grad(lambda scale: jnp.sum(act(scale))))(jnp.asarray(scales))
    np.testing.assert_allclose(slopes, np.exp(scales), rtol=1000 * EPS)
    beyond = np.array([-1.0, -(LARGEST_NORM + 1.0)])
    assert np.isnan(act(jnp.asarray(beyond))[:, 0]).tolist() == [False, True]


def test_the_mode_is_chosen_by_machine_and_structure(monkeypatch: pytest.MonkeyPatch) -> None:
    increments = Increments.from_values(X)
    monkeypatch.setattr(jax, "default_backend", lambda: "cpu")
    assert (BLOCKS.mode_for(increments), TRANSFORM.mode_for(increments)) == ("recurrent", "recurrent")
    monkeypatch.setattr(jax, "default_backend", lambda: "gpu")
    assert (mode_for(BLOCKS.structure), TRANSFORM.mode_for(increments)) == ("chunked", "recurrent")


def test_the_start_is_read_from_the_first_point() -> None:
    layer = SLiCELayer(Affine(np.eye(2), [10.0, 20.0]), D(np.zeros((2, 2))))
    path = Increments.from_values([[1.0, 2.0], [3.0, 4.0]])
    assert layer(path).tolist() == [11.0, 22.0]
    assert layer(path, [5.0, 5.0]).tolist() == [15.0, 25.0]
    assert layer(path.with_base_point()).tolist() == [10.0, 20.0]
    timed = Increments.from_values([[1.0], [3.0]]).with_time()
    assert layer(timed, [1.0, 0.0]).tolist() == [11.0, 20.0]
    with pytest.raises(ValueError, match=r"do not know their first point.*give point="):
        layer(timed)
    with pytest.raises(ValueError, match=r"point must have shape \(2,\)"):
        layer(path, [1.0])


def test_a_start_map_may_read_other_numbers_than_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    monkeypatch.setattr(slice_layer, "drawn", lambda key, *noted: found.append(noted) or numbers(*noted[0]))
    start = normal_start(KEY, 3, 2, sigma=0.5)
    assert found == [((2, 3), 0.5), ((2,), 0.5)]
    layer = SLiCELayer(start, D([[1.0, 2.0]]))
    state, _ = layer.step(layer.start(point=[1.0, 2.0, 3.0]), [0.5])
    np.testing.assert_allclose(state.hidden, np.exp([0.5, 1.0]) * np.asarray(start(jnp.array([1.0, 2.0, 3.0]))))


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: SLiCELayer(BLOCKS.initial, BLOCKS.structure, flow="euler"), ValueError, "'exact', 'first-order'"),
        (lambda: SLiCELayer(BLOCKS.initial, BD), TypeError, "structure"),  # pyright: ignore[reportArgumentType]
        (lambda: SLiCELayer(BLOCKS.initial, 3), TypeError, "structure"),  # pyright: ignore[reportArgumentType]
        (lambda: SLiCELayer(Affine(np.ones((3, 2)), np.ones(3)), BLOCKS.structure), ValueError, "has rows, 4, got 3"),
        (
            lambda: SLiCELayer(Affine(np.ones((4, 2), np.float32), np.ones(4, np.float32)), BLOCKS.structure),
            ValueError,
            "give both one type",
        ),
        (lambda: BLOCKS(Increments.from_values(X), mode="fast"), ValueError, "'auto', 'recurrent'.*got 'fast'"),
        (lambda: BLOCKS(Increments.from_values(X), output="last"), ValueError, "output must be one of"),
        (lambda: BLOCKS(Increments.from_values(X), chunk=0), ValueError, "at least 1 step, got 0"),
        (lambda: BLOCKS(Increments.from_values(X[..., :1])), ValueError, "for 2 channels, the path has 1"),
        (lambda: BLOCKS.step(BLOCKS.start(), [1.0]), ValueError, r"\(…, d\) = \(2,\), got \(1,\)"),
        (lambda: BLOCKS.step(BLOCKS.start(), [1.0, 2.0], -1.0), ValueError, "time does not go back"),
        (lambda: BLOCKS.step(BLOCKS.start(), [1.0, 2.0], [1.0]), ValueError, "dt must be one number"),
        (lambda: BLOCKS.step(BLOCKS.start(), [1.0, np.nan]), ValueError, "dx must be finite"),
        (lambda: BLOCKS.feed(BLOCKS.start((2,)), Increments.from_values(X)), ValueError, "the state is of a batch"),
        (
            lambda: BLOCKS.feed(BLOCKS.start((3,)), Increments.from_values(X), output="mean"),
            ValueError,
            "'terminal' or 'all' for a stream",
        ),
    ],
)
def test_bad_requests_are_refused(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()
