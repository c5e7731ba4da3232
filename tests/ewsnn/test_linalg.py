"""The matrix exponential. Oracle: mpmath at 60 digits, and closed forms."""

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest

from ewsnn.linalg import expm, halvings, repeat
from ewsnn.multiples import exponentials, exponentials_within, transported

EPS = 2.0**-52


def exact_expm(M: np.ndarray) -> np.ndarray:
    """Taylor's series at 60 digits behind those that cancel, in a context of its own."""
    context = mpmath.mp.clone() if hasattr(mpmath.mp, "clone") else mpmath.MPContext()
    context.dps = 60 + int(np.abs(M).sum())
    matrix = context.matrix(M.tolist())
    term = total = context.eye(len(M))
    k = 0
    while any(abs(x) > context.mpf(10) ** (-context.dps) for x in term):
        k += 1
        term = term * matrix / k
        total = total + term
    return np.array(total.tolist(), dtype=float)


def relative(found, exact) -> float:
    return float(np.abs(np.asarray(found) - exact).sum(axis=0).max() / np.abs(exact).sum(axis=0).max())


def rotation(norm: float) -> np.ndarray:
    """A damped rotation of the given 1-norm."""
    M = -np.array([[0.05, -1.0], [1.0, 0.05]])
    return M * (norm / 1.05)


@pytest.mark.parametrize("norm", [0.5, 1.0, 1.99, 3.0, 7.0, 9.0, 10.7, 10.8, 15.9, 21.4, 42.0])
def test_rotations_keep_their_digits_at_every_norm(norm):
    # Scaling to norm 1 and squaring doubles a relative error of about 1 eps, so the bound grows like the norm:
    # 4 eps for the polynomial and one for each of its factors of two.
    M = rotation(norm)
    assert relative(jax.jit(expm)(jnp.asarray(M)), exact_expm(M)) <= (4 + 2 * norm) * EPS


@pytest.mark.parametrize("norm", [0.1, 0.5, 1.0, 3.0, 4.0, 7.0])
def test_a_known_reach_gives_the_same_digits(norm):
    # The terms of a polynomial add up to e² at most, and each squaring doubles.
    A, r = rotation(1.0), jnp.asarray([norm, -norm, 0.0])
    found = jax.jit(lambda r: exponentials_within(jnp.asarray(A), r, norm))(r)
    for X, multiple in zip(found, (norm, -norm, 0.0), strict=True):
        assert relative(X, exact_expm(multiple * A)) <= (8 + 4 * norm) * EPS


def test_multiples_are_each_squared_as_they_need():
    A, r = np.random.default_rng(0).normal(size=(4, 4)), [0.0, 1e-9, -0.1, 1.0, 5.0]
    found = jax.jit(lambda r: exponentials(jnp.asarray(A), r))(jnp.asarray(r))
    assert (found[0] == jnp.eye(4)).all()
    for X, multiple in zip(found, r, strict=True):
        M = multiple * A
        assert relative(X, exact_expm(M)) <= (8 + 8 * np.abs(M).sum(axis=0).max()) * EPS


@pytest.mark.parametrize(("dtype", "scale"), [(np.float32, 1e30), (np.float64, 1e250)])
def test_multiples_of_huge_and_tiny_matrices_neither_overflow_nor_vanish(dtype, scale):
    # e^{rA} where ‖rA‖ is 1 but powers of A alone, or of r alone, are no numbers of the type.
    A = np.array([[0.0, 1.0], [-1.0, 0.0]])
    turn = np.array([[np.cos(1), np.sin(1)], [-np.sin(1), np.cos(1)]])
    for size in (scale, 1 / scale):
        found = exponentials(jnp.asarray(size * A, dtype), jnp.asarray(1 / size, dtype))
        np.testing.assert_allclose(found, turn, rtol=0, atol=10 * float(np.finfo(dtype).eps))


def test_transported_vectors_are_those_of_the_exponential():
    A, r = np.random.default_rng(1).normal(size=(3, 3)) / 2, 0.7
    v, fractions = jnp.array([1.0, -2.0, 0.5]), [0.0, 0.25, 1.0]
    found = jax.jit(lambda r, v: transported(jnp.asarray(A), r, v, jnp.asarray(fractions), 2.0))(jnp.asarray(r), v)
    for x, c in zip(found, fractions, strict=True):
        np.testing.assert_allclose(x, exact_expm(c * r * A) @ v, rtol=0, atol=20 * EPS)


def test_the_gradient_of_a_multiple_at_zero_is_the_matrix():
    A = jnp.array([[1.0, 2.0], [-3.0, 0.5]])
    for f in (lambda r: exponentials(A, r), lambda r: exponentials_within(A, r, 1.0)):
        assert (jax.jacfwd(f)(jnp.zeros(())) == A).all()
        assert jax.jacrev(f)(jnp.zeros(())).tolist() == A.tolist()


def test_random_matrices_of_one_batch_are_each_scaled_as_they_need():
    rng = np.random.default_rng(0)
    Ms = rng.normal(size=(5, 4, 4)) * np.array([1e-9, 0.1, 1.0, 4.0, 12.0])[:, None, None]
    found = jax.jit(expm)(jnp.asarray(Ms))
    for M, X in zip(Ms, found, strict=True):
        assert relative(X, exact_expm(M)) <= (4 + 4 * np.abs(M).sum(axis=0).max()) * EPS


def test_zero_is_the_identity_exactly_also_beside_others():
    batch = jnp.stack([jnp.zeros((3, 3)), 40 * jnp.ones((3, 3)), jnp.zeros((3, 3))])
    found = expm(batch)
    assert (found[0] == jnp.eye(3)).all()
    assert (found[2] == jnp.eye(3)).all()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_nilpotent_is_exact(dtype):
    N = jnp.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype)
    found = expm(N)
    assert found.dtype == dtype
    assert found.tolist() == [[1, 1, 0.5], [0, 1, 1], [0, 0, 1]]


def test_gradient_at_zero_is_the_direction():
    direction = jnp.array([[1.0, 2.0], [-3.0, 0.5]])
    _, tangent = jax.jvp(expm, (jnp.zeros((2, 2)),), (direction,))
    assert (tangent == direction).all()
    gradient = jax.grad(lambda M: jnp.sum(expm(M) * direction))(jnp.zeros((2, 2)))
    assert (gradient == direction).all()


def test_rate_matrix_reaches_its_equilibrium():
    # Rows of e^{tQ} sum to 1 and become the stationary law (0.4, 0.6).
    found = expm(7 * jnp.array([[-3.0, 3.0], [2.0, -2.0]]))
    np.testing.assert_allclose(found, [[0.4, 0.6], [0.4, 0.6]], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("dtype", "norm"), [(np.float32, 1e30), (np.float64, 1e300)])
def test_huge_norms_decay_to_zero_and_not_to_nonsense(dtype, norm):
    found = expm(jnp.asarray([[-norm, 0.0], [0.0, 0.0]], dtype))
    assert found.tolist() == [[0.0, 0.0], [0.0, 1.0]]


def test_a_matrix_that_is_not_finite_spoils_only_itself():
    batch = jnp.stack([jnp.full((2, 2), jnp.nan), jnp.asarray(rotation(3.0)), jnp.full((2, 2), jnp.inf)])
    found = expm(batch)
    assert relative(found[1], exact_expm(rotation(3.0))) <= 10 * EPS
    assert not jnp.isfinite(found[0]).any()


def test_vmap_computes_what_the_batch_computes():
    Ms = jnp.asarray(np.random.default_rng(1).normal(size=(3, 2, 2)) * np.array([0.1, 3.0, 20.0])[:, None, None])
    assert (jax.vmap(expm)(Ms) == expm(Ms)).all()


@pytest.mark.parametrize("count", [0, 1, 3, 4, 5, 13, 14, 100, 2100])
def test_repeat_does_as_many_steps_as_it_is_told(count):
    run = jax.jit(lambda n, x: repeat(n, lambda x: x + 1, x, double=True))
    assert run(jnp.asarray(count, np.int32), jnp.zeros(())) == count


@pytest.mark.parametrize("count", [0, 3, 7])
def test_repeat_is_differentiable_in_both_modes(count):
    def power(x):
        return repeat(jnp.asarray(count, np.int32), lambda y: y * 1.5, x, double=True)

    x = jnp.asarray(2.0)
    assert jax.grad(power)(x) == 1.5**count
    assert jax.jvp(power, (x,), (jnp.asarray(1.0),))[1] == 1.5**count


def test_each_norm_is_halved_as_often_as_it_asks_for():
    norms = jnp.array([[0.0, 1.0], [3.0, 2.5], [-4.0, jnp.nan]])
    expected = [[0, 1], [3, 3], [0, 0]]
    assert halvings(norms).tolist() == expected
    assert jax.vmap(halvings)(norms).tolist() == expected


def test_each_entry_is_repeated_on_its_own():
    counts = jnp.array([[0, 2], [5, 1]], np.int32)

    def doubled(counts):
        start = (jnp.ones(counts.shape), jnp.ones((*counts.shape, 3)))
        return repeat(counts, lambda state: (2 * state[0], 3 * state[1]), start, double=True)

    for run in (doubled, jax.vmap(doubled), jax.vmap(jax.vmap(doubled))):
        twos, threes = jax.jit(run)(counts)
        assert twos.tolist() == (2.0 ** np.asarray(counts)).tolist()
        assert (threes == (3.0 ** np.asarray(counts))[..., None]).all()
