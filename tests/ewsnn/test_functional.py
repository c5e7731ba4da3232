"""The front door. Oracles: the linear CDE in fixed-point integers, a plain loop for the signature, worked numbers."""

import inspect
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import clocks, ews
from ewsnn.generators import Dense, Diagonal, Rotation, Zero
from tests.ewsnn.reference import errors, exact_states

EPS = 2.0**-52
A = np.array([[0.3, 1.0, 0.0], [-2.0, 0.1, 0.5], [0.0, 0.0, 0.7]])
B = np.array([[1.0, 0.5], [0.0, -1.0], [2.0, 0.25]])
X = np.random.default_rng(0).normal(size=(7, 2))
T = np.array([0.0, 0.5, 0.5, 1.7, 2.0, 2.2, 4.0])
# Where the family does not matter: one that compiles fast.
RATES = Diagonal([0.3, -0.1, 2.0])
ENGINES = ["scan", "sequential"]


def close(found, expected, bound=100 * EPS):
    """Levels equal up to the bound, relative to the largest entry of each; 0 where the other is exactly 0."""
    assert len(found) == len(expected)
    for level, other in zip(found, expected, strict=True):
        assert level.shape == np.shape(other)
        assert float(np.max(np.abs(level - np.asarray(other)), initial=0)) <= bound * np.max(np.abs(other), initial=0)


@pytest.mark.parametrize(
    ("clock", "dtheta"),
    [
        ("time", np.diff(T)),
        ("observation", np.ones(6)),
        ("variation", np.sqrt((np.diff(X, axis=0) ** 2).sum(axis=1))),
        ([0.1, 0.0, -0.5, 1.0, 0.25, 2.0], np.array([0.1, 0.0, -0.5, 1.0, 0.25, 2.0])),
        (clocks.Blended(2.0), np.diff(T) + 2 * np.sqrt((np.diff(X, axis=0) ** 2).sum(axis=1))),
    ],
    ids=["time", "observation", "variation", "array", "object"],
)
def test_every_clock_gives_the_states_of_the_definition(clock, dtheta):
    states = exact_states(A, dtheta, np.diff(X, axis=0) @ B.T, 2)
    found = ews(X, A, depth=2, lift=B, clock=clock, times=T, output="all")
    for j, state in enumerate(states):
        # 50 eps for each of 6 steps.
        assert max(errors([level[j] for level in found], state)) <= 300 * EPS


@pytest.mark.parametrize("engine", ENGINES)
def test_every_output_is_that_of_the_definition(engine):
    states = exact_states(A, np.diff(T), np.diff(X, axis=0) @ B.T, 3)
    expected = {
        "all": [np.stack([state[n] for state in states]) for n in range(3)],
        "terminal": states[-1],
        "mean": [np.mean([state[n] for state in states], axis=0) for n in range(3)],
    }
    for output, levels in expected.items():
        found = ews(X, A, depth=3, lift=B, times=T, output=output, engine=engine)
        assert max(errors(found, levels)) <= 300 * EPS


def test_times_default_to_0_1_2():
    close(ews(X, RATES, depth=2, lift=B), ews(X, RATES, depth=2, lift=B, times=np.arange(7)), 0)


def signature(path, depth):
    """Plain loop: product of the tensor exponentials of the increments (Chen), for words as flat arrays."""
    d = path.shape[1]
    total = [np.ones(1)] + [np.zeros(d**n) for n in range(1, depth + 1)]
    for step in np.diff(path, axis=0):
        powers = [np.ones(1)]
        for n in range(1, depth + 1):
            powers.append(np.kron(powers[-1], step) / n)
        total = [np.sum([np.kron(total[k], powers[n - k]) for k in range(n + 1)], axis=0) for n in range(depth + 1)]
    return [level.reshape(n * (d,)) for n, level in enumerate(total)][1:]


@pytest.mark.parametrize("generator", [np.zeros((2, 2)), Zero(2)], ids=["matrix", "Zero"])
@pytest.mark.parametrize("engine", ENGINES)
def test_without_a_generator_it_is_the_signature(generator, engine):
    close(ews(X, generator, depth=4, engine=engine), signature(X, 4), 30 * EPS)


def test_depth_one_of_a_rate_is_the_discounted_sum():
    # A = B = 1, X_u = u on [0, 1]: 1 - 1/e by the time clock; after u ↦ u² it is 2/e.
    assert abs(ews([[0.0], [1.0]], [[1.0]], depth=1)[0][0] - (1 - math.exp(-1))) <= 2 * EPS


WORKED = np.array([[1.0, 2.0], [2.0, 0.0], [3.0, 3.0]])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("tail", [0.0, np.nan, 1e300])
def test_padding_given_by_lengths_changes_nothing(engine, tail):
    padded = np.concatenate([WORKED, np.full((2, 2), tail)])
    found = ews(padded[None], Zero(2), depth=2, lengths=[3], engine=engine)
    # Small integers and their halves: nothing is rounded.
    assert [level[0].tolist() for level in found] == [[2, 1], [[2, 3.5], [-1.5, 0.5]]]


def test_zero_padding_taken_as_data_is_another_path():
    found = ews(np.concatenate([WORKED, np.zeros((1, 2))]), Zero(2), depth=2)
    assert [level.tolist() for level in found] == [[-1, -2], [[0.5, 2], [0, 2]]]


@pytest.mark.parametrize(
    ("clock", "output", "engine"),
    [
        ("time", "terminal", "sequential"),
        ("observation", "terminal", "scan"),
        ("observation", "mean", "scan"),
        ("variation", "mean", "sequential"),
        (clocks.Gated([1.0, 0.5], 0.4), "terminal", "sequential"),
        (clocks.Clamped([[1.0, 0.5]], [0.4]), "mean", "sequential"),
    ],
    ids=str,
)
def test_paths_of_a_batch_have_their_own_lengths(clock, output, engine):
    lengths = [7, 1, 4]
    batch = np.stack([X, 2 * X, X[::-1]])
    for row, length in enumerate(lengths):
        batch[row, length:] = np.nan
    arguments = {"depth": 2, "lift": B, "clock": clock, "output": output, "engine": engine}
    found = ews(batch, RATES, lengths=np.array(lengths), **arguments)
    for row, length in enumerate(lengths):
        if length == 1:
            assert all((level[row] == 0).all() for level in found)
        else:
            close([level[row] for level in found], ews(batch[row, :length], RATES, **arguments))


def test_states_of_padding_stay_at_the_last_valid_one():
    found = ews(X, RATES, depth=2, lift=B, lengths=np.array(3), output="all", clock="observation")
    for level in found:
        assert (level[2:] == level[1:2]).all()


def test_one_point_gives_zeros_and_no_states():
    for output in ("terminal", "mean"):
        first, second = ews(X[:1], RATES, depth=2, lift=B, output=output)
        assert first.tolist() == [0, 0, 0]
        assert second.tolist() == [[0] * 3] * 3
    assert [level.shape for level in ews(X[None, :1], RATES, depth=2, lift=B, output="all")] == [
        (1, 0, 3),
        (1, 0, 3, 3),
    ]


def test_repeated_points_and_stamps_are_no_step():
    where = [0, 0, 1, 2, 2, 3, 4, 5, 6, 6]
    close(ews(X[where], RATES, depth=2, lift=B, times=T[where]), ews(X, RATES, depth=2, lift=B, times=T))


def test_only_differences_of_time_matter():
    close(ews(X, RATES, depth=2, lift=B, times=T + 64), ews(X, RATES, depth=2, lift=B, times=T))


def test_states_do_not_look_ahead():
    changed = X.copy()
    changed[5] += 3.0
    before, after = (ews(path, RATES, depth=2, lift=B, output="all") for path in (X, changed))
    for one, other in zip(before, after, strict=True):
        assert (one[:4] == other[:4]).all()
        assert (one[4:] != other[4:]).all()


def test_a_subdivided_path_has_the_same_ews():
    middle = (X[1:] + X[:-1]) / 2
    times = (T[1:] + T[:-1]) / 2
    fine, fine_times = np.empty((13, 2)), np.empty(13)
    fine[::2], fine[1::2], fine_times[::2], fine_times[1::2] = X, middle, T, times
    for clock in ("time", "variation"):
        close(
            ews(fine, RATES, depth=2, lift=B, times=fine_times, clock=clock),
            ews(X, RATES, depth=2, lift=B, times=T, clock=clock),
        )


def test_leading_axes_are_batch():
    batch = np.random.default_rng(1).normal(size=(2, 3, 5, 2))
    found = ews(batch, RATES, depth=2, lift=B, output="all")
    for i, j in np.ndindex(2, 3):
        close([level[i, j] for level in found], ews(batch[i, j], RATES, depth=2, lift=B, output="all"))


def test_jit_and_vmap_give_the_same_numbers():
    batch = np.random.default_rng(1).normal(size=(4, 6, 2))
    lengths = np.array([6, 2, 1, 4])

    def one(path, length):
        return ews(path, RATES, depth=2, lift=B, clock="variation", lengths=length, output="mean")

    plain = ews(batch, RATES, depth=2, lift=B, clock="variation", lengths=lengths, output="mean")
    close(jax.jit(one)(jnp.asarray(batch), jnp.asarray(lengths)), plain, 4 * EPS)
    close(jax.jit(jax.vmap(one))(jnp.asarray(batch), jnp.asarray(lengths)), plain, 20 * EPS)


@pytest.mark.parametrize("engine", ENGINES)
def test_it_is_differentiable_in_everything(engine):
    rng = np.random.default_rng(3)
    lengths = np.array([5, 3])
    point = {
        "path": jnp.asarray(rng.normal(size=(2, 5, 2))).at[1, 3:].set(jnp.nan),
        "matrix": jnp.asarray(A),
        "lift": jnp.asarray(B),
        "elapsed": jnp.asarray(rng.uniform(0, 1, size=(2, 4))),
    }
    direction = {name: jnp.asarray(rng.normal(size=array.shape)) for name, array in point.items()}

    def pairing(p):
        levels = ews(
            p["path"], p["matrix"], depth=2, lift=p["lift"], clock=p["elapsed"], lengths=lengths, engine=engine
        )
        return jnp.sum(levels[0] * jnp.arange(6.0).reshape(2, 3)) + jnp.sum(levels[1] ** 2)

    gradient = jax.jit(jax.grad(pairing))(point)
    assert all(jnp.isfinite(leaf).all() for leaf in gradient.values())
    # Padding has no part in it, whatever is there.
    assert (gradient["path"][1, 3:] == 0).all()
    assert (gradient["elapsed"][1, 2:] == 0).all()
    slope = sum(jnp.sum(gradient[name] * direction[name]) for name in point)
    along = jax.jit(lambda h: pairing({name: point[name] + h * direction[name] for name in point}))
    # Sixth-order central differences: truncation of about 1e-11 (2e-7 was seen at 5h), round-off of 10 eps/h.
    h = 1e-3
    weights = ((1.0, 45 / 60), (2.0, -9 / 60), (3.0, 1 / 60))
    difference = sum(c * (along(k * h) - along(-k * h)) for k, c in weights) / h
    assert abs(float(difference - slope)) <= 1e-9 * max(1, abs(float(slope)))


@pytest.mark.parametrize(
    "clock",
    [
        "time",
        "observation",
        "variation",
        clocks.Blended(1.0),
        clocks.Gated([1.0, 1.0]),
        clocks.Clamped([[1.0, 1.0]], [0.0]),
    ],
    ids=str,
)
def test_gradients_are_finite_where_the_path_stands_still(clock):
    for path in (np.array([[0.0, 0], [1, 0], [1, 0], [1, 1]]), np.zeros((4, 2))):
        gradient = jax.grad(lambda x: sum(jnp.sum(level**2) for level in ews(x, RATES, depth=2, lift=B, clock=clock)))(
            jnp.asarray(path)
        )
        assert jnp.isfinite(gradient).all()


def test_learned_clocks_learn():
    gradient = jax.grad(
        lambda w, b: ews(X, RATES, depth=1, lift=B, clock=clocks.Gated(w, b), times=T)[0][0], argnums=(0, 1)
    )(jnp.array([0.1, 0.2]), jnp.asarray(0.5))
    assert all((leaf != 0).all() for leaf in gradient)


@pytest.mark.parametrize("engine", ENGINES)
def test_single_precision_loses_no_more_than_its_digits(engine):
    path = np.random.default_rng(5).normal(size=(200, 2)).astype(np.float32)
    generator = Rotation(np.array([0.05], np.float32), np.array([1.0], np.float32))
    double = ews(path.astype(np.float64), Rotation([float(np.float32(0.05))], [1.0]), depth=3)
    single = ews(path, generator, depth=3, engine=engine)
    assert single[2].dtype == np.float32
    # 199 steps; roundings add up like their root: 4e-7 was measured at level three.
    assert max(errors(single, [np.asarray(level) for level in double])) <= 30 * 2.0**-23


def test_float64_path_without_x64_is_subtracted_first():
    path = 1e4 + np.array([[0.0], [0.0015], [0.003]])
    with jax.enable_x64(False), pytest.warns(UserWarning, match="x64 flag is off"):
        (level,) = ews(path, np.zeros((1, 1)), depth=1)
    np.testing.assert_allclose(level, [0.003], rtol=1e-6)


@pytest.mark.parametrize(
    "path", [[[0, 0], [1, 0], [1, 1]], [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], np.array([[0, 0], [1, 0], [1, 1]])]
)
def test_integers_and_lists_are_read_in_the_default_precision_without_a_warning(path):
    # Warnings are errors here.
    with jax.enable_x64(False):
        level1, level2 = ews(path, [[0, 0], [0, 0]], depth=2)
    assert level1.dtype == np.float32
    # One rounding of float32.
    close((np.asarray(level1), np.asarray(level2)), (np.ones(2), np.array([[0.5, 1], [0, 0.5]])), 2.0**-23)


def test_large_integers_are_subtracted_before_they_are_rounded():
    with jax.enable_x64(False):
        (level,) = ews(np.array([[10**9], [10**9 + 3]]), [[0]], depth=1)
    assert level.tolist() == [3]


def test_integers_are_read_as_floats():
    close(ews([[0, 0], [2, 1]], [[1, 0], [3, 1]], depth=2), ews([[0.0, 0], [2, 1]], [[1.0, 0], [3, 1]], depth=2), 0)


def test_a_second_call_does_not_trace_again():
    traces = []

    class Counting(clocks.AbstractClock):
        @property
        def invariant(self) -> bool:
            return False

        @property
        def can_stop(self) -> bool:
            return False

        def increment(self, increments):
            traces.append(increments.dx.shape)
            return increments.dt

    for k in range(3):
        ews(X + k, A * k, depth=2, lift=B, clock=Counting())
    assert len(traces) == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"output": "last"}, "output must be one of 'terminal', 'mean', 'all', got 'last'"),
        ({"engine": "fastest"}, "engine must be one of 'auto', 'chunked', 'scan', 'sequential', got 'fastest'"),
        ({"clock": "theta"}, r"clock must be one of 'time', 'observation', 'variation', an array .* got 'theta'"),
        ({"clock": np.ones(7)}, r"clock must have shape \(6,\) \(…, steps\), got \(7,\)"),
        ({"clock": [0, 1, np.nan, 1, 1, 1]}, r"clock must be finite, got nan at index \(2,\)"),
        ({"clock": clocks.Given()}, "pass the increments themselves as clock="),
        ({"depth": 0}, "depth must be an integer of at least 1, got 0"),
        ({"depth": 2.5}, "depth must be an integer of at least 1, got 2.5"),
        ({"lift": None}, r"acts on 3 letters, the path has 2 channels: give a lift of shape \(3, 2\)"),
        ({"lift": B.T}, r"lift must have shape \(m, d\) = \(3, 2\), got \(2, 3\)"),
        ({"times": T[::-1]}, "weakly increasing"),
        ({"path": X * [[1], [1], [np.inf], [1], [1], [1], [1]]}, r"path must be finite, got -?inf at index \(2, 0\)"),
        ({"generator": A * [1, np.nan, 1]}, r"generator must be finite, got nan at index \(0, 1\)"),
        ({"generator": Diagonal([1.0, np.inf, 1.0])}, r"generator\.rate must be finite, got inf at index \(1,\)"),
        ({"lift": B * [1, np.inf]}, r"lift must be finite, got inf at index \(0, 1\)"),
        ({"clock": clocks.Gated([1.0, np.nan])}, r"clock\.weight must be finite, got nan at index \(1,\)"),
        ({"lengths": np.array(9)}, "lengths must lie from 1 to 7, got 9"),
    ],
)
def test_bad_arguments_are_refused(changes, message):
    arguments = {"path": X, "generator": A, "depth": 2, "lift": B} | changes
    # As users call it: without the run-time check of annotations, which would refuse a depth of 2.5 itself.
    with pytest.raises(ValueError, match=message):
        inspect.unwrap(ews)(**arguments)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"clock": None}, "clock must be a name, clock increments or an object of ewsnn.clocks, got None"),
        ({"clock": clocks.Time}, r"clock must be an object, got the class Time: make one by Time\(…\)"),
        ({"clock": [1j] * 6}, "clock must be real numbers"),
        ({"generator": Rotation}, r"generator must be an object, got the class Rotation: make one by Rotation\(…\)"),
    ],
)
def test_arguments_of_the_wrong_kind_are_refused(changes, message):
    arguments = {"generator": A, "depth": 2, "lift": B} | changes
    with pytest.raises(TypeError, match=message):
        inspect.unwrap(ews)(X, **arguments)


def test_clocks_may_go_back_and_are_not_looked_at_in_padding():
    (found,) = ews(X, RATES, depth=1, lift=B, clock=[-1, 0.5, np.nan, np.inf, 1, 1], lengths=np.array(3))
    close([found], ews(X[:3], RATES, depth=1, lift=B, clock=[-1, 0.5]))


def test_a_depth_of_numpy_is_a_depth():
    close(ews(X, RATES, depth=np.int64(2), lift=B), ews(X, RATES, depth=2, lift=B), 0)


def test_swapped_axes_are_refused_before_anything_is_allocated():
    wide = jax.ShapeDtypeStruct((2, 270, 1345), np.float32)
    with pytest.raises(ValueError, match=r"1345 letters at depth 2 = 1,810,370 features .* Are the axes swapped"):
        jax.eval_shape(lambda x: ews(x, Zero(1345), depth=2), wide)
    with pytest.raises(ValueError, match="3000 letters at depth 3"):
        ews(np.zeros((2, 3000)), Zero(3000), depth=3)


def test_a_generator_may_be_an_object_or_its_matrix():
    close(ews(X, Dense(A), depth=2, lift=B), ews(X, A, depth=2, lift=B), 0)
