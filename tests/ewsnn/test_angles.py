"""Sine and cosine of small angles. Oracle: mpmath at 40 digits."""

import jax
import jax.numpy as jnp
import mpmath
import numpy as np
import pytest

from ewsnn.angles import LARGEST, sine_cosine


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_every_angle_has_its_sine_and_cosine(dtype):
    rng = np.random.default_rng(0)
    half_turns = np.arange(-20, 21) * np.pi / 2
    angles = np.concatenate([[0.0, LARGEST, -LARGEST], half_turns, rng.uniform(-LARGEST, LARGEST, 400)]).astype(dtype)
    found = jax.jit(sine_cosine)(jnp.asarray(angles))
    assert found[0].dtype == found[1].dtype == dtype
    with mpmath.workdps(40):
        exact = [[float(f(mpmath.mpf(float(x)))) for x in angles] for f in (mpmath.sin, mpmath.cos)]
    # Half an eps for each of the two last operations at values up to 1, and what the reduced angle lost.
    np.testing.assert_allclose(found, exact, rtol=0, atol=1.5 * float(jnp.finfo(dtype).eps))


def test_zero_is_exact():
    sine, cosine = sine_cosine(jnp.zeros(2))
    assert sine.tolist() == [0, 0]
    assert cosine.tolist() == [1, 1]


def test_derivatives_are_each_other():
    x = jnp.linspace(-9, 9, 7)
    tangent = jax.jvp(sine_cosine, (x,), (jnp.full(7, 2.0),))[1]
    np.testing.assert_allclose(tangent, (2 * np.cos(x), -2 * np.sin(x)), rtol=0, atol=1e-15)
    second = jax.vmap(jax.grad(jax.grad(lambda x: sine_cosine(x)[0])))(x)
    np.testing.assert_allclose(second, -np.sin(x), rtol=0, atol=1e-15)
