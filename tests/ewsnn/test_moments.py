"""Moments of the exponential. Oracle: their power series in fractions."""

from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.moments import complex_moments, moments

# Small, on both sides of where the formulas change, and large.
SIZES = (0.0, 1e-9, 0.3, 0.99, 1.01, 1.9, 2.1, 3.0, 4.5, 9.0)


def exact(k: int, x: float, y: float) -> tuple[float, float]:
    """Real and imaginary part of the sum of z^n/(n!(n+k+1)), term by term until it no longer matters."""
    real, imag = Fraction(0), Fraction(0)
    a, b, n = Fraction(1), Fraction(0), 0
    x_, y_ = Fraction(x), Fraction(y)
    while n < 12 or abs(a) + abs(b) > Fraction(1, 10**40):
        real, imag = real + a / (n + k + 1), imag + b / (n + k + 1)
        n += 1
        a, b = (a * x_ - b * y_) / n, (a * y_ + b * x_) / n
        # Of a product of fractions no more than 60 digits are needed.
        a, b = (Fraction(round(part * 10**60), 10**60) for part in (a, b))
    return float(real), float(imag)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_real_moments_keep_their_digits(count, dtype):
    z = np.array([sign * size for size in SIZES for sign in (1, -1)], dtype)
    found = jax.jit(lambda z: moments(count, z))(jnp.asarray(z))
    for k, values in enumerate(found):
        assert values.dtype == dtype
        # The recurrences add an eps or two for each of their steps, more where they begin.
        np.testing.assert_allclose(
            values, [exact(k, float(x), 0.0)[0] for x in z], rtol=30 * float(np.finfo(dtype).eps)
        )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_complex_moments_keep_their_digits(count, dtype):
    angles = np.arange(7)
    x, y = (np.array([size * f(angle) for size in SIZES for angle in angles], dtype) for f in (np.cos, np.sin))
    found = jax.jit(lambda x, y: complex_moments(count, x, y))(jnp.asarray(x), jnp.asarray(y))
    for k, parts in enumerate(found):
        known = np.array([exact(k, float(a), float(b)) for a, b in zip(x, y, strict=True)])
        # Relative to the integral of the modulus, as the integral itself may cancel.
        scale = np.array([exact(k, float(a), 0.0)[0] for a in x])
        for part, values in zip(parts, known.T, strict=True):
            assert np.abs((np.asarray(part, float) - values) / scale).max() <= 30 * np.finfo(dtype).eps


def test_derivatives_are_the_next_moments_to_every_order():
    for z in (0.0, 0.5, 1.5, -3.0):
        first = jax.grad(lambda z: moments(1, z)[0])
        z = jnp.asarray(z)
        assert first(z) == pytest.approx(exact(1, float(z), 0.0)[0], rel=1e-15 * 8)
        assert jax.grad(first)(z) == pytest.approx(exact(2, float(z), 0.0)[0], rel=1e-15 * 8)
    turn = jax.jacrev(lambda x, y: jnp.stack(complex_moments(1, x, y)[0]), argnums=(0, 1))
    for x, y in ((0.0, 0.0), (0.3, -0.2), (-1.0, 4.0)):
        by_x, by_y = turn(jnp.asarray(x), jnp.asarray(y))
        real, imag = exact(1, x, y)
        np.testing.assert_allclose([*by_x, *by_y], [real, imag, -imag, real], rtol=0, atol=2e-15)
