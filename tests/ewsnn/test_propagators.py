"""Propagators are a group of matrices acting slot by slot. Oracle: NumPy products with their dense matrix."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.propagators import Dense
from ewsnn.tensor import group_product
from tests.conftest import GENERATORS, GeneratorCase

EPS = 2.0**-52
M = 4


@pytest.fixture(params=GENERATORS, ids=str)
def generator(request):
    case: GeneratorCase = request.param
    return case.fast(case.arguments(3, M))


def dense(propagator, batch=()) -> np.ndarray:
    """The matrix, column by column from what the propagator does to the basis."""
    columns = [propagator.apply(jnp.broadcast_to(e, (*batch, M))) for e in jnp.eye(M)]
    return np.stack(columns, axis=-1)


def test_the_unit_does_nothing(generator):
    # cos 0 = 1, e^0 = 1: exact for every family.
    assert (dense(generator.propagator(jnp.zeros(()))) == np.eye(M)).all()


def test_idle_propagators_are_the_unit(generator):
    idle = generator.propagator(jnp.array([0.3, -0.7])).idle()
    assert (dense(idle, (2,)) == np.eye(M)).all()


def test_elapsed_times_add(generator):
    r1, r2 = jnp.array([0.3, -0.7]), jnp.array([1.1, 0.4])
    together = dense(generator.propagator(r1).then(generator.propagator(r2)), (2,))
    directly = dense(generator.propagator(r1 + r2), (2,))
    # Entries are at most e^{2} and sums of four products.
    np.testing.assert_allclose(together, directly, rtol=0, atol=100 * EPS)


def test_dense_propagators_compose_in_order():
    a, b = jnp.array([[1.0, 2.0], [0.0, 1.0]]), jnp.array([[1.0, 0.0], [3.0, 1.0]])
    assert (Dense(a).then(Dense(b)).matrix == b @ a).all()


def test_flow_acts_in_every_slot(generator):
    r = jnp.array([[0.5], [-0.2]])
    propagator = generator.propagator(r)
    P = dense(propagator, (2, 1))
    rng = np.random.default_rng(0)
    levels = tuple(jnp.asarray(rng.normal(size=(2, 1, *n * (M,)))) for n in range(1, 4))
    flowed = jax.jit(type(propagator).flow)(propagator, levels)
    for i in range(2):
        p = P[i, 0]
        expected = (
            p @ levels[0][i, 0],
            np.einsum("ai,bj,ij->ab", p, p, levels[1][i, 0]),
            np.einsum("ai,bj,ck,ijk->abc", p, p, p, levels[2][i, 0]),
        )
        for found, exact in zip(flowed, expected, strict=True):
            # Sums of up to 64 products.
            np.testing.assert_allclose(found[i, 0], exact, rtol=0, atol=200 * EPS * np.abs(exact).max())


def test_flow_is_an_automorphism(generator):
    rng = np.random.default_rng(1)
    a, b = (tuple(jnp.asarray(rng.normal(size=n * (M,))) for n in range(1, 4)) for _ in range(2))
    p = generator.propagator(jnp.asarray(0.6))
    image, product = p.flow(group_product(a, b)), group_product(p.flow(a), p.flow(b))
    for x, y in zip(image, product, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=200 * EPS * float(jnp.abs(x).max()))


def test_the_table_of_words_is_not_transposed():
    # Level two at word (i, j): the first letter is the first axis.
    P, a = jnp.array([[1.0, 2.0], [0.0, 1.0]]), jnp.array([[0.0, 1.0], [0.0, 0.0]])
    (_, found) = Dense(P).flow((jnp.zeros(2), a))
    for i, j in itertools.product(range(2), repeat=2):
        assert found[i, j] == P[i, 0] * P[j, 1]
