"""Generators: matrices of Table 1, their exponentials, stability, refusals. Oracle: SciPy-free series in NumPy."""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import generators
from ewsnn.parameters import Dissipative, Positive
from tests.conftest import GENERATORS, GeneratorCase

EPS = 2.0**-52
M = 4


def exponential(A: np.ndarray, r: float) -> np.ndarray:
    """e^{-rA} by Taylor's series of a small enough part, squared five times, in extended precision."""
    part = -np.asarray(A, np.longdouble) * np.longdouble(r) / 32
    term = total = np.eye(len(A), dtype=np.longdouble)
    for k in range(1, 40):
        term = term @ part / k
        total = total + term
    for _ in range(5):
        total = total @ total
    return total.astype(float)


@pytest.fixture(params=GENERATORS, ids=str)
def generator(request):
    case: GeneratorCase = request.param
    return case.fast(case.arguments(5, M))


def test_matrices_are_those_of_the_table():
    a, w, q = np.array([0.1, 0.2]), np.array([3.0, -4.0]), np.arange(1.0, 7)
    assert generators.Zero(2).matrix().tolist() == [[0, 0], [0, 0]]
    assert generators.Diagonal([0.1, -2.0]).matrix().tolist() == [[0.1, 0], [0, -2]]
    assert generators.Rotation(a, w).matrix().tolist() == [
        [0.1, -3, 0, 0],
        [3, 0.1, 0, 0],
        [0, 0, 0.2, 4],
        [0, 0, -4, 0.2],
    ]
    assert generators.Rotation(None, [3.0]).matrix().tolist() == [[0, -3], [3, 0]]
    assert generators.Jordan(0.1, 3).matrix().tolist() == [[0.1, 1, 0], [0, 0.1, 1], [0, 0, 0.1]]
    assert generators.Jordan(a, 2).matrix().tolist() == [
        [0.1, 1, 0, 0],
        [0, 0.1, 0, 0],
        [0, 0, 0.2, 1],
        [0, 0, 0, 0.2],
    ]
    assert generators.ComplexJordan(a, w, 1).matrix().tolist() == generators.Rotation(a, w).matrix().tolist()
    assert generators.ComplexJordan(0.1, 3.0, 2).matrix().tolist() == [
        [0.1, -3, 1, 0],
        [3, 0.1, 0, 1],
        [0, 0, 0.1, -3],
        [0, 0, 3, 0.1],
    ]
    assert generators.Skew(q).matrix().tolist() == [
        [0, 1, 2, 3],
        [-1, 0, 4, 5],
        [-2, -4, 0, 6],
        [-3, -5, -6, 0],
    ]
    W = np.arange(4.0).reshape(2, 2)
    assert generators.Skew(W).matrix().tolist() == (W - W.T).tolist()
    assert generators.Dense(W).matrix().tolist() == W.tolist()
    assert generators.DirectSum(generators.Zero(1), generators.Dense(W)).matrix().tolist() == [
        [0, 0, 0],
        [0, 0, 1],
        [0, 2, 3],
    ]


@pytest.mark.parametrize("r", [0.4, -1.3, 5.0])
def test_propagator_is_the_exponential_of_minus_r_times_the_matrix(generator, r):
    propagator = generator.propagator(jnp.asarray(r))
    columns = np.stack([propagator.apply(e) for e in jnp.eye(M)], axis=-1)
    exact = exponential(generator.matrix(), r)
    # Conditioning: the relative error of an exponential grows like ‖rA‖, which is at most 20 here.
    np.testing.assert_allclose(columns, exact, rtol=0, atol=60 * EPS * np.abs(exact).max())


def test_multiply_is_the_product_with_the_matrix_also_in_a_batch(generator):
    v = jnp.asarray(np.random.default_rng(0).normal(size=(3, 2, M)))
    np.testing.assert_allclose(generator.multiply(v), v @ np.asarray(generator.matrix()).T, rtol=0, atol=40 * EPS)


def test_norm_bounds_the_spectral_norm_closely(generator):
    exact = np.linalg.norm(generator.matrix(), 2)
    assert exact <= float(generator.norm()) * (1 + 4 * EPS) + 1e-300
    # At most one squaring and a half too many.
    assert float(generator.norm()) <= 3 * exact


def test_transport_is_the_propagator_at_every_fraction(generator):
    r = jnp.asarray([0.9, -0.5]) / max(float(generator.norm()), 1)
    v = jnp.asarray(np.random.default_rng(0).normal(size=(2, M)))
    fractions = jnp.array([0.0, 0.3, 1.0])
    found = jax.jit(type(generator).transported)(generator, r, v, fractions)
    for i in range(2):
        for j, c in enumerate(fractions):
            exact = exponential(generator.matrix(), float(c * r[i])) @ v[i]
            np.testing.assert_allclose(found[i, j], exact, rtol=0, atol=20 * EPS * np.abs(v).max())


def test_depth_one_in_closed_form_is_the_integral_of_the_propagator(generator):
    if not isinstance(generator, generators.AbstractClosedForm):
        pytest.skip("has no closed form")
    A = np.asarray(generator.matrix(), float)
    size = max(float(np.linalg.norm(A, 2)), 0.1)
    for turn in (0.0, 1e-6, 0.5, -1.0, 3.0, 12.0):
        r, v = turn / size, np.random.default_rng(4).normal(size=M)
        # The exponential of [[-rA, v], [0, 0]] holds the integral in its last column.
        augmented = np.zeros((M + 1, M + 1))
        augmented[:M, :M], augmented[:M, M] = A, -v / r if r else 0
        exact = exponential(augmented, r)[:M, M] if r else v
        found = generator.phi1(jnp.asarray(r), jnp.asarray(v))
        np.testing.assert_allclose(found, exact, rtol=0, atol=20 * EPS * max(np.abs(exact).max(), 1))


@pytest.mark.parametrize("reach", [0.2, 4.0, 50.0])
def test_propagators_within_a_reach_are_the_same(generator, reach):
    r = jnp.asarray([1.0, -0.4, 0.0]) * reach / max(float(generator.norm()), 1)
    found = generator.propagator_within(r, reach)
    for i, elapsed in enumerate(r):
        columns = np.stack([found.apply(jnp.broadcast_to(e, (3, M)))[i] for e in jnp.eye(M)], axis=-1)
        exact = exponential(generator.matrix(), float(elapsed))
        # As for all propagators, and the powers of a dense one, which have e^{reach} at most.
        np.testing.assert_allclose(columns, exact, rtol=0, atol=60 * max(reach, 1) * EPS * max(np.abs(exact).max(), 1))


def test_doubled_is_the_propagator_of_twice_the_time(generator):
    r = jnp.asarray([0.5])
    doubled = generator.doubled(generator.propagator(r), 2 * r)
    v = jnp.arange(1.0, 1 + M)[None]
    np.testing.assert_allclose(doubled.apply(v), generator.propagator(2 * r).apply(v), rtol=0, atol=400 * EPS)


INITS = {
    "Zero": lambda key, m: generators.Zero.init(key, m),
    "Diagonal": lambda key, m: generators.Diagonal.init(key, m),
    "Rotation": lambda key, m: generators.Rotation.init(key, m),
    "undamped": lambda key, m: generators.Rotation.init(key, m, damping=None),
    "Jordan": lambda key, m: generators.Jordan.init(key, m),
    "Jordan blocks": lambda key, m: generators.Jordan.init(key, m, size=2),
    "ComplexJordan": lambda key, m: generators.ComplexJordan.init(key, m, size=1),
    "Skew": lambda key, m: generators.Skew.init(key, m),
    "Dense": lambda key, m: generators.Dense.init(key, m),
    "DirectSum": lambda key, m: generators.DirectSum.init(
        key, lambda k: generators.Rotation.init(k, 2), lambda k: generators.Diagonal.init(k, m - 2)
    ),
}


@pytest.mark.parametrize("name", INITS)
def test_trained_generators_never_grow(name):
    generator = INITS[name](jax.random.key(0), 6)
    assert generator.size == 6
    leaves, structure = jax.tree.flatten(eqx.filter(generator, eqx.is_inexact_array))
    rng = np.random.default_rng(0)
    for scale in (0.0, 1.0, 10.0):
        moved = [leaf + scale * rng.normal(size=leaf.shape) for leaf in leaves]
        _, static = eqx.partition(generator, eqx.is_inexact_array)
        A = np.asarray(eqx.combine(jax.tree.unflatten(structure, moved), static).matrix())
        # A defective eigenvalue moves by the root of the round-off: eps^(1/6) for one block of six.
        slack = 0.01 if "Jordan" in name else 1e-12
        assert np.linalg.eigvals(A).real.min() >= -slack * max(1, np.abs(A).max())


@pytest.mark.parametrize("name", INITS)
def test_drawing_depends_on_the_key_and_covers_the_range(name):
    one, same, other = (INITS[name](jax.random.key(k), 6).matrix() for k in (0, 0, 1))
    assert (one == same).all()
    assert name == "Zero" or (one != other).any()


def test_rates_cover_their_range_in_the_logarithm():
    rate = generators.Diagonal.init(jax.random.key(3), 8, rate=(1e-3, 10.0)).matrix().diagonal()
    # One rate in each eighth of the logarithmic range.
    places = np.sort(np.log(np.asarray(rate) / 1e-3) / math.log(1e4) * 8)
    assert np.floor(places).tolist() == list(range(8))


def test_arrays_given_by_hand_are_kept_exactly():
    generator = generators.Rotation(np.array([-0.1]), np.array([0.3]))
    assert generator.matrix().tolist() == [[-0.1, -0.3], [0.3, -0.1]]


def test_integers_are_converted_and_never_wrap():
    Q = np.array([[-3, 3], [2, -2]], np.int8) * np.int8(7)
    found = generators.Dense(Q).propagator(jnp.asarray(-1.0))
    rows = np.stack([found.apply(e) for e in jnp.eye(2)], axis=-1)
    np.testing.assert_allclose(rows, [[0.4, 0.6], [0.4, 0.6]], rtol=0, atol=1e-12)
    assert generators.Jordan(1, 2).matrix().tolist() == [[1.0, 1.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: generators.Zero(0), "m must be an integer of at least 1, got 0"),
        (lambda: generators.Diagonal(1.0), r"rate must be a vector with at least one entry, got shape \(\)"),
        (lambda: generators.Rotation([0.1, 0.2], [1.0]), r"damping has shape \(2,\) and frequency \(1,\)"),
        (lambda: generators.Rotation.init(jax.random.key(0), 3), "even number of coordinates, got m = 3"),
        (lambda: generators.Jordan(0.1, 0), "size must be an integer of at least 1, got 0"),
        (lambda: generators.Jordan(np.ones((2, 2)), 2), r"rate must be a number or a vector \(blocks,\)"),
        (lambda: generators.Jordan.init(jax.random.key(0), 5, size=2), "blocks of size 2 do not fill 5 places"),
        (lambda: generators.ComplexJordan(0.1, [1.0], 1), r"damping has shape \(\) and frequency \(1,\)"),
        (lambda: generators.Skew(np.ones(4)), r"entries must be the m\(m-1\)/2 .* got shape \(4,\)"),
        (lambda: generators.Skew(np.ones((2, 3))), r"got shape \(2, 3\)"),
        (lambda: generators.Dense(np.ones((2, 3))), r"a square matrix \(m, m\), got shape \(2, 3\)"),
        (lambda: generators.DirectSum(), "at least one generator"),
        (lambda: generators.Diagonal.init(jax.random.key(0), 2, rate=(1.0, 0.1)), "0 < low ≤ high"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_complex_parameters_are_refused():
    with pytest.raises(TypeError, match="rate must be real numbers"):
        generators.Diagonal(np.array([1j]))


def test_wrapped_parameters_are_read_through():
    assert generators.Diagonal(Positive([2.0])).matrix().tolist() == [[2.0]]
    assert generators.Dense(Dissipative([[2.0]])).matrix().tolist() == [[4.0]]


@pytest.mark.parametrize("name", INITS)
def test_parameters_are_as_many_as_the_table_says(name):
    m = 6
    expected = {
        "Zero": 0,
        "Diagonal": m,
        "Rotation": m,
        "undamped": m // 2,
        "Jordan": 1,
        "Jordan blocks": m // 2,
        "ComplexJordan": m,
        "Skew": m * (m - 1) // 2,
        "Dense": m * m,
        "DirectSum": m,
    }[name]
    leaves = jax.tree.leaves(eqx.filter(INITS[name](jax.random.key(0), m), eqx.is_inexact_array))
    assert sum(leaf.size for leaf in leaves) == expected
