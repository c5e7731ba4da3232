"""The local EWS. Oracle: the linear CDE in fixed-point integers (tests/ewsnn/reference.py)."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import tensor
from ewsnn.engine import local_ews
from ewsnn.engine.quadrature import gauss_legendre
from ewsnn.generators import Dense, Diagonal, Jordan, Rotation, Zero
from tests.conftest import GENERATORS, GeneratorCase
from tests.ewsnn.reference import errors, exact_local

EPS = 2.0**-52
M = 4
# ‖rA‖ from a still clock over one part to several squarings, both signs (growth).
SCALES = (0.0, 1e-8, 0.3, 1.0, -1.0, 3.0, 10.0, -10.0)


def at_scales(generator, scales, dtype: type = np.float64):
    """Clock increments with the given ‖rA‖, and increments of the path, as arrays of the type."""
    size = max(float(np.linalg.norm(generator.matrix(), 2)), 0.1)
    v = np.random.default_rng(2).normal(size=(len(scales), generator.size))
    return jnp.asarray(np.array(scales) / size, dtype), jnp.asarray(v, dtype)


def exact(generator, r, v, depth):
    A = np.asarray(generator.matrix(), float)
    each = [exact_local(A, float(one), np.asarray(step, float), depth) for one, step in zip(r, v, strict=True)]
    return [list(levels) for levels in each]


@pytest.mark.parametrize("case", GENERATORS, ids=str)
def test_local_ews_is_exact_to_working_precision(case: GeneratorCase):
    generator = case.fast(case.arguments(7, M))
    r, v = at_scales(generator, SCALES)
    found = jax.jit(lambda r, v: local_ews(generator, r, v, 3))(r, v)
    for k, levels in enumerate(exact(generator, r, v, 3)):
        # Some twenty roundings on the way of a term, and the conditioning of an exponential, ‖rA‖ eps for each of
        # three slots. The worst that was seen is a half of it.
        bound = (20 + 5 * abs(SCALES[k])) * EPS
        assert max(errors([level[k] for level in found], levels)) <= bound


@pytest.mark.parametrize("depth", [1, 2, 4, 5])
def test_every_depth_is_exact(depth):
    generator = Rotation([0.3], [1.7])
    r, v = at_scales(generator, (1.0, -0.9, 0.0))
    found = jax.jit(lambda r, v: local_ews(generator, r, v, depth))(r, v)
    for k, levels in enumerate(exact(generator, r, v, depth)):
        assert max(errors([level[k] for level in found], levels)) <= 10 * EPS


@pytest.mark.parametrize("case", [case for case in GENERATORS if case.name in ("Rotation", "Jordan", "Dense")], ids=str)
def test_single_precision_keeps_its_digits(case: GeneratorCase):
    generator = jax.tree.map(lambda leaf: leaf.astype(np.float32), case.fast(case.arguments(7, M)))
    r, v = at_scales(generator, SCALES, np.float32)
    found = jax.jit(lambda r, v: local_ews(generator, r, v, 3))(r, v)
    assert found[2].dtype == np.float32
    for k, levels in enumerate(exact(generator, r, v, 3)):
        bound = (20 + 5 * abs(SCALES[k])) * 2.0**-23
        assert max(errors([level[k] for level in found], levels)) <= bound


def test_a_piece_may_be_far_longer_than_the_memory():
    # ‖rA‖ = 1e6: twenty squarings. Slow and fast rates together keep their digits.
    generator = Diagonal([1e-3, 1.0, 1e3])
    r, v = jnp.array([1e3]), jnp.array([[1.0, 2.0, -1.0]])
    found = jax.jit(lambda r, v: local_ews(generator, r, v, 2))(r, v)
    rate, step = np.array([1e-3, 1.0, 1e3]) * 1e3, np.asarray(v[0])
    with np.errstate(under="ignore"):
        first = -np.expm1(-rate) / rate * step
        # Level two of a diagonal generator in closed form, by integrating e^{-b(1-u)} times the inner integral.
        total = rate[:, None] + rate[None, :]
        inner = (-np.expm1(-total)) / total - np.exp(-rate)[:, None] * (-np.expm1(-rate)) / rate
        second = inner / rate[:, None] * np.multiply.outer(step, step)
        # ∫ e^{-a(1-u1)} e^{-b(1-u2)} over u1 < u2, with a the first letter: (1/a)(E(a+b) - e^{-a} E(b)).
    np.testing.assert_allclose(found[0][0], first, rtol=60 * EPS)
    np.testing.assert_allclose(found[1][0], second, rtol=0, atol=60 * EPS * np.abs(second).max())


@pytest.mark.parametrize(("dtype", "r"), [(np.float32, 1e30), (np.float64, 1e200)])
def test_no_finite_clock_increment_gives_a_wrong_number(dtype, r):
    # φ_1(-r) = 1/r, and level two is 1/(2 r²) (zero where that is below the range).
    levels = jax.jit(lambda r, v: local_ews(Diagonal(jnp.ones(1, dtype)), r, v, 2))(
        jnp.asarray([r], dtype), jnp.ones((1, 1), dtype)
    )
    eps = float(jnp.finfo(dtype).eps)
    np.testing.assert_allclose(levels[0][0, 0], 1 / r, rtol=50 * eps)
    assert levels[1][0, 0, 0] <= float(jnp.finfo(dtype).tiny)


def test_a_still_clock_gives_powers_over_factorials():
    v = jnp.array([[1.0, -2.0]])
    found = local_ews(Rotation([0.1], [3.0]), jnp.zeros(1), v, 4)
    for level, expected in zip(found, tensor.exp(v, 4), strict=True):
        np.testing.assert_allclose(level, expected, rtol=10 * EPS)


def test_a_still_path_gives_nothing_exactly():
    found = local_ews(Jordan(0.3, 2), jnp.array([5.0, 0.0]), jnp.zeros((2, 2)), 3)
    assert all((level == 0).all() for level in found)


def test_the_zero_generator_is_the_tensor_exponential():
    v = jnp.array([[0.3, -2.0]])
    found = local_ews(Zero(2), jnp.array([7.0]), v, 3)
    assert all((a == b).all() for a, b in zip(found, tensor.exp(v, 3), strict=True))


def test_pieces_of_a_batch_do_not_disturb_each_other():
    # The long piece makes all of them be cut as often; the one that is not finite spoils only itself.
    generator = Rotation([0.2], [1.0])
    f = jax.jit(lambda r, v: local_ews(generator, r, v, 2))
    v = jnp.array([[1.0, 2.0]])
    alone = f(jnp.array([0.5]), v)
    among = f(jnp.array([0.5, 40.0, jnp.nan, jnp.inf]), jnp.repeat(v, 4, axis=0))
    for a, b in zip(alone, among, strict=True):
        np.testing.assert_allclose(b[0], a[0], rtol=0, atol=20 * EPS * float(jnp.abs(a).max()))
        assert jnp.isfinite(b[1]).all()
        assert not jnp.isfinite(b[2:]).any()


def test_a_zero_matrix_is_the_signature_also_in_its_gradient():
    v = jnp.array([[1.0, -0.5]])

    def top(A):
        return jnp.sum(local_ews(Dense(A), jnp.ones(1), v, 2)[1] * jnp.arange(4.0).reshape(1, 2, 2))

    gradient = jax.jit(jax.grad(top))(jnp.zeros((2, 2)))
    # d/dA at 0 of level two: -∫∫ (1-u1) Av⊗v + (1-u2) v⊗Av over u1 < u2, which is -(1/3 Av⊗v + 1/6 v⊗Av).
    c, x = np.arange(4.0).reshape(2, 2), np.asarray(v[0])
    exact_gradient = -(np.einsum("ab,j,b->aj", c, x, x) / 3 + np.einsum("ab,a,j->bj", c, x, x) / 6)
    np.testing.assert_allclose(gradient, exact_gradient, rtol=0, atol=20 * EPS)


SMOOTH = [case for case in GENERATORS if case.name not in ("Zero", "Skew", "Diagonal") and not case.note]


@pytest.mark.parametrize("case", SMOOTH, ids=str)
def test_gradients_agree_with_differences(case: GeneratorCase):
    generator = case.fast(case.arguments(7, M))
    r, v = at_scales(generator, (0.4, 3.0))
    weights = [jnp.asarray(np.random.default_rng(n).normal(size=(2, *n * (M,)))) for n in (1, 2)]

    def pairing(generator, r, v):
        levels = local_ews(generator, r, v, 2)
        return sum(jnp.sum(w * level) for w, level in zip(weights, levels, strict=True))

    point = (generator, r, v)
    leaves, structure = jax.tree.flatten(point)
    rng = np.random.default_rng(5)
    direction = jax.tree.unflatten(structure, [jnp.asarray(rng.normal(size=leaf.shape)) for leaf in leaves])
    value_at = jax.jit(lambda h: pairing(*jax.tree.map(lambda a, b: a + h * b, point, direction)))
    slope = sum(
        jnp.sum(a * b)
        for a, b in zip(
            jax.tree.leaves(jax.jit(jax.grad(pairing, argnums=(0, 1, 2)))(*point)),
            jax.tree.leaves(direction),
            strict=True,
        )
    )
    # Sixth-order central differences: error h^6 f⁗ of about 1e-12, and round-off eps/h of 1e-13.
    h = 5e-3
    differences = sum(
        c * (value_at(k * h) - value_at(-k * h)) for k, c in ((1.0, 45 / 60), (2.0, -9 / 60), (3.0, 1 / 60))
    )
    scale = max(1.0, abs(float(slope)))
    assert abs(float(differences / h - slope)) <= 1e-8 * scale


def test_both_modes_of_differentiation_agree():
    generator, v = Rotation([0.2], [1.0]), jnp.array([[0.3, -0.4], [1.0, 2.0]])

    def first(r):
        return jnp.sum(local_ews(generator, r, v, 2)[1] * jnp.arange(4.0).reshape(1, 2, 2).repeat(2, 0))

    r = jnp.array([0.4, 3.0])
    by_reverse = jax.jit(jax.grad(first))(r)
    by_forward = jax.jit(jax.jacfwd(first))(r)
    # The same products, summed in another order.
    np.testing.assert_allclose(by_forward, by_reverse, rtol=100 * EPS)


def test_vmap_gives_the_gradients_of_the_batch():
    generator = Rotation([0.2], [1.0])

    def total(r, v):
        return sum(jnp.sum(level**2) for level in local_ews(generator, r, v, 2))

    r, v = jnp.array([0.1, 5.0, -3.0]), jnp.asarray(np.random.default_rng(0).normal(size=(3, 2)))
    together = jax.jit(jax.grad(total, argnums=(0, 1)))(r, v)
    each = jax.jit(jax.vmap(jax.grad(total, argnums=(0, 1))))(r, v)
    for a, b in zip(together, each, strict=True):
        np.testing.assert_allclose(b, a, rtol=0, atol=20 * EPS * float(jnp.abs(a).max()))


def test_vmap_gives_the_numbers_of_the_batch():
    generator = Rotation([0.2], [1.0])
    r, v = jnp.array([0.1, 5.0, -3.0]), jnp.asarray(np.random.default_rng(0).normal(size=(3, 2)))
    batch = jax.jit(lambda r, v: local_ews(generator, r, v, 3))(r, v)
    each = jax.jit(jax.vmap(lambda r, v: local_ews(generator, r, v, 3)))(r, v)
    for a, b in zip(batch, each, strict=True):
        np.testing.assert_allclose(b, a, rtol=0, atol=4 * EPS * float(jnp.abs(a).max()))


@pytest.mark.parametrize("q", [1, 2, 5, 9, 14])
def test_collocation_integrates_polynomials_exactly(q):
    nodes, weights, integration = gauss_legendre(q)
    # Built in the Legendre basis: no digits are lost, whatever the number of nodes.
    for k in range(q):
        np.testing.assert_allclose(integration @ nodes**k, nodes ** (k + 1) / (k + 1), rtol=0, atol=10 * EPS)
    for k in range(2 * q):
        assert abs(weights @ nodes**k - 1 / (k + 1)) <= 10 * EPS


def test_the_gradient_where_one_clock_stands_still_and_another_runs() -> None:
    generator = Rotation(jnp.array([0.3]), jnp.array([2.0]))
    v = jnp.array([[1.0, -2.0], [0.5, 3.0]])

    def entry(r: jax.Array) -> jax.Array:
        return jnp.sum(local_ews(generator, r, v, 2)[1][0])

    # The first piece is the same, whether the second takes so much clock time that all are halved or none.
    alone = jax.jit(jax.grad(entry))(jnp.array([0.0, 0.0]))[0]
    beside = jax.jit(jax.grad(entry))(jnp.array([0.0, 20.0]))[0]
    assert abs(beside - alone) <= 50 * np.finfo(np.float64).eps * abs(alone)
