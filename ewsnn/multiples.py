r"""Exponentials :math:`e^{rA}` of many multiples of one matrix.

Taylor's polynomial in r has the powers of A as coefficients, the same for all r: so it is one product of matrices,
numbers r by powers times powers by entries, where an exponential of each matrix would take several products of each.
"""

import math

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn.arrays import PRECISION
from ewsnn.linalg import halved, halvings, repeat, square

# How large ‖rA‖ may be for the polynomial, to base two: its terms add up to e² at most, of which no digit is lost that
# a squaring would not lose.
_LOG2_REACH = 1

# Remainders of the polynomial that leave every digit.
_REMAINDER = {4: 1e-9, 8: 1e-18}


def exponentials(A: Float[Array, "m m"], r: Float[Array, "*batch"]) -> Float[Array, "*batch m m"]:
    r"""The matrices :math:`e^{rA}`.

    .. math:: e^{rA} = \left(e^{rA/2^s}\right)^{2^s}, \quad s = \max(0, ⌈\log_2 ‖rA‖_1⌉ - 1)

    Args:
        A: A square matrix.
        r: Numbers of any size and sign.

    Returns:
        A matrix for each number. Each is squared as often as its own norm asks: more would only lose digits.

    >>> exponentials(jnp.array([[0.0, 1.0], [0.0, 0.0]]), jnp.array([0.0, 3.0]))[1].tolist()
    [[1.0, 3.0], [0.0, 1.0]]
    """
    norm = jax.lax.stop_gradient(jnp.max(jnp.sum(jnp.abs(A), axis=0))).astype(r.dtype)
    counts = halvings(jnp.log2(jnp.abs(jax.lax.stop_gradient(r))) + (jnp.log2(norm) - _LOG2_REACH))
    return repeat(counts, square, _polynomial(A, halved(r, counts)), double=r.dtype == np.float64)


def exponentials_within(A: Float[Array, "m m"], r: Float[Array, "*batch"], reach: float) -> Float[Array, "*batch m m"]:
    r"""The matrices :math:`e^{rA}` where they are known to be near: it compiles much faster.

    Args:
        A: A square matrix.
        r: Numbers.
        reach: What the 1-, 2- or ∞-norm of each rA is at most; all are squared as often as this asks.

    >>> exponentials_within(jnp.array([[0.0, 1.0], [0.0, 0.0]]), jnp.array([3.0]), 3.0).tolist()
    [[[1.0, 3.0], [0.0, 1.0]]]
    """
    doublings = max(0, math.ceil(math.log2(reach)) - _LOG2_REACH)
    power = _polynomial(A, r / 2.0**doublings)
    for _ in range(doublings):
        power = square(power)
    return power


def transported(
    A: Float[Array, "m m"],
    r: Float[Array, "*batch"],
    v: Float[Array, "*batch m"],
    fractions: Float[Array, " nodes"],
    reach: float,
) -> Float[Array, "*batch nodes m"]:
    r"""The vectors :math:`e^{crA}v` for every fraction c of [0, 1].

    Args:
        A: A square matrix.
        r: Numbers.
        v: A vector for each.
        fractions: The fractions c.
        reach: What :math:`‖rA‖` is at most; the polynomial is not squared, so it loses :math:`e^{reach}` eps.

    >>> transported(jnp.array([[0.0, 1.0], [0.0, 0.0]]), jnp.array(2.0), jnp.ones(2), jnp.array([0.5]), 2.0).tolist()
    [[2.0, 1.0]]
    """
    orders = jnp.arange(1, _degree(reach, _REMAINDER[A.dtype.itemsize]) + 1, dtype=A.dtype)

    def advance(term: Array, k: Array) -> tuple[Array, Array]:
        term = jnp.einsum("ij,...j->...i", A, term, precision=PRECISION) * (r / k)[..., None]
        return term, term

    terms = jnp.concatenate([v[None], jax.lax.scan(advance, v, orders)[1]])
    return jnp.einsum("kc,k...i->...ci", _ladder(fractions, terms.shape[0]), terms, precision=PRECISION)


def _polynomial(A: Float[Array, "m m"], r: Float[Array, "*batch"]) -> Float[Array, "*batch m m"]:
    powers, of_r = _powers(A, r, _degree(2.0**_LOG2_REACH, _REMAINDER[A.dtype.itemsize]))
    return jnp.einsum("k...,kij->...ij", of_r, powers, precision=PRECISION)


def _powers(
    A: Float[Array, "m m"], r: Float[Array, "*batch"], degree: int
) -> tuple[Float[Array, "orders m m"], Float[Array, "orders *batch"]]:
    r"""The matrices :math:`A^k/k!` and the numbers :math:`r^k`, from k = 0 to the degree."""
    # A scaled to entries of about 1, and r against it: no power overflows where the product with r does not.
    largest = jax.lax.stop_gradient(jnp.max(jnp.abs(A)))
    scale = jnp.where((largest > 0) & jnp.isfinite(largest), largest, 1)
    A, r = A / scale, r * scale

    def advance(power: Array, k: Array) -> tuple[Array, Array]:
        power = jnp.matmul(power, A, precision=PRECISION) / k
        return power, power

    identity = jnp.eye(A.shape[-1], dtype=A.dtype)
    orders = jnp.arange(1, degree + 1, dtype=A.dtype)
    powers = jnp.concatenate([identity[None], jax.lax.scan(advance, identity, orders)[1]])
    return powers, _ladder(r, degree + 1)


def _ladder(x: Float[Array, "*batch"], count: int) -> Float[Array, "count *batch"]:
    r"""The powers :math:`x^k` from 0 to count - 1, twice as many at each turn."""
    powers, factor = jnp.ones_like(x)[None], x[None]
    while powers.shape[0] < count:
        powers = jnp.concatenate([powers, powers * factor])
        factor = factor * factor
    return powers[:count]


def _degree(reach: float, remainder: float) -> int:
    """The last degree that does not leave less than the remainder."""
    term, degree = 1.0, 0
    while term > remainder:
        degree += 1
        term *= reach / degree
    return degree
