r"""Moments of the exponential, :math:`I_k(z) = \int_0^1 u^k e^{zu} \, du`: what level one takes over a linear piece.

:math:`I_0 = φ_1`, and :math:`I_k` is its k-th derivative. Complex numbers are pairs of real ones, which XLA's backend
for CPUs compiles and runs faster.
"""

import functools
import math

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ewsnn.angles import horner

Number = tuple[Float[Array, "*batch"], Float[Array, "*batch"]]
"""Real and imaginary parts."""

Broadcast = tuple[Float[Array, "*#batch"], Float[Array, "*#batch"]]

# Remainders of the series that leave every digit, for each precision.
_REMAINDER = {4: 1e-9, 8: 1e-18}


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def moments(count: int, z: Float[Array, "*batch"]) -> tuple[Float[Array, "*batch"], ...]:
    r"""The moments of real exponents.

    .. math:: I_k(z) = \int_0^1 u^k e^{zu} \, du

    Args:
        count: How many: k from 0 to count - 1.
        z: The exponents.

    Returns:
        One array for each k, with errors of a few eps.

    >>> [round(x.item(), 6) for x in moments(2, jnp.array(1.0))]
    [1.718282, 1.0]
    """
    radius = float(max(1, count - 1))
    exponential = jnp.exp(z)
    near = [horner(z, _series(count - 1, radius, z.dtype.itemsize))]
    for k in range(count - 1, 0, -1):
        near.append((exponential - z * near[-1]) / k)
    far = [(exponential - 1) / z]
    for k in range(1, count):
        far.append((exponential - k * far[-1]) / z)
    small = jnp.abs(z) <= radius
    return tuple(jnp.where(small, x, y) for x, y in zip(near[::-1], far, strict=True))


@moments.defjvp
def _derivatives(
    count: int, primals: tuple[Array], tangents: tuple[Array]
) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    found = moments(count + 1, *primals)
    return found[:-1], tuple(following * tangents[0] for following in found[1:])


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def complex_moments(count: int, x: Float[Array, "*batch"], y: Float[Array, "*batch"]) -> tuple[Number, ...]:
    r"""The moments of complex exponents :math:`z = x + iy`.

    Args:
        count: How many: k from 0 to count - 1.
        x: The real parts.
        y: The imaginary parts.

    Returns:
        Real and imaginary parts for each k, with errors of a few eps of the modulus.

    >>> [[round(part.item(), 6) for part in moment] for moment in complex_moments(1, jnp.array(0.0), jnp.array(jnp.pi))]
    [[0.0, 0.63662]]
    """
    radius = float(max(1, count - 1))
    growth = jnp.exp(x)
    exponential = growth * jnp.cos(y), growth * jnp.sin(y)
    coefficients = _series(count - 1, radius, x.dtype.itemsize)
    top = jnp.full_like(x, coefficients[-1]), jnp.zeros_like(x)
    for coefficient in coefficients[-2::-1]:
        turned = product((x, y), top)
        top = turned[0] + coefficient, turned[1]
    near = [top]
    for k in range(count - 1, 0, -1):
        turned = product((x, y), near[-1])
        near.append(((exponential[0] - turned[0]) / k, (exponential[1] - turned[1]) / k))
    square = x * x + y * y
    inverse = x / square, -y / square
    far = [product((exponential[0] - 1, exponential[1]), inverse)]
    for k in range(1, count):
        far.append(product((exponential[0] - k * far[-1][0], exponential[1] - k * far[-1][1]), inverse))
    small = square <= radius**2
    return tuple(
        (jnp.where(small, a[0], b[0]), jnp.where(small, a[1], b[1])) for a, b in zip(near[::-1], far, strict=True)
    )


@complex_moments.defjvp
def _complex_derivatives(
    count: int, primals: tuple[Array, Array], tangents: tuple[Array, Array]
) -> tuple[tuple[Number, ...], tuple[Number, ...]]:
    found = complex_moments(count + 1, *primals)
    return found[:-1], tuple(product(following, tangents) for following in found[1:])


def product(a: Broadcast, b: Broadcast) -> Broadcast:
    """The product of two complex numbers."""
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


@functools.cache
def _series(k: int, radius: float, itemsize: int) -> list[float]:
    """Coefficients of the series of I_k, for moduli up to the radius."""
    coefficients, term = [1 / (k + 1)], 1.0
    while term > _REMAINDER[itemsize]:
        n = len(coefficients)
        coefficients.append(1 / (math.factorial(n) * (k + 1 + n)))
        term *= radius / n
    return coefficients
