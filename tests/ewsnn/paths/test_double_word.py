"""Twice the digits. Oracle: rational arithmetic on the same floats."""

from fractions import Fraction

import jax
import jax.numpy as jnp
import numpy as np

from ewsnn.paths.double_word import DoubleWord

FLOAT32 = np.dtype(np.float32)


def exact(words: DoubleWord) -> Fraction:
    return Fraction(float(words.high)) + Fraction(float(words.low))


def test_a_float64_keeps_48_of_its_bits() -> None:
    for x in (1.7e9 + 1 / 3, -1e-3 / 7, 0.0):
        words = DoubleWord.of(np.array(x), FLOAT32)
        assert words.high == np.float32(x)
        assert abs(exact(words) - Fraction(x)) <= Fraction(abs(x)) / 2**48


def test_a_jax_array_is_kept_as_a_numpy_one_is() -> None:
    x = np.array([1.7e9 + 1 / 3, np.pi])
    one, other = DoubleWord.of(x, FLOAT32), jax.jit(lambda x: DoubleWord.of(x, FLOAT32))(jnp.asarray(x))
    assert jnp.array_equal(one.high, other.high)
    assert jnp.array_equal(one.low, other.low)


def test_a_million_small_steps_do_not_drift() -> None:
    step, steps = np.float32(0.1), 1_000_000

    @jax.jit
    def run(words: DoubleWord) -> DoubleWord:
        return jax.lax.fori_loop(0, steps, lambda _, words: words.plus(jnp.asarray(step)), words)

    found = run(DoubleWord.of(np.array(0.0), FLOAT32))
    # Each sum rounds to 48 bits: far less than a float32 alone, which is off by a percent.
    assert abs(exact(found) - steps * Fraction(float(step))) <= steps * Fraction(10**5) / 2**48
    assert found.value == np.float32(steps * float(step))


def test_differences_of_close_numbers_are_exact_and_have_gradients() -> None:
    one, other = (DoubleWord.of(np.array(x), FLOAT32) for x in (1.7e9 + 0.375, 1.7e9 + 0.125))
    assert one.minus(other) == 0.25

    def f(x):
        return DoubleWord.of(x, FLOAT32).plus(x).minus(DoubleWord.of(3 * x, FLOAT32))

    assert jax.jit(jax.grad(f))(jnp.float32(2.0)) == -1
