r"""The Walsh–Hadamard transform, on any device.

Sylvester's matrix is a Kronecker power of [[1, 1], [1, −1]], so that the product with a vector of :math:`h = 2^k`
entries is one with small matrices along the axes of a tensor.

.. math:: H_{ab} = H_a ⊗ H_b, \qquad (H_a ⊗ H_b) \operatorname{vec} X = \operatorname{vec} H_a X H_b^⊤
"""

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn.arrays import PRECISION

# Axes of two are joined to at most 2^5 = 32: products with matrices of that size keep a machine busy, while the work of
# h·32 for each axis is still far from the h² of the whole matrix.
_BITS = 5


def check_power_of_two(size: int) -> int:
    """The logarithm to base two of a size.

    Args:
        size: The number of entries h.

    Raises:
        ValueError: If the size is no power of two.

    >>> check_power_of_two(8)
    3
    """
    if size < 1 or size & (size - 1):
        raise ValueError(f"a Walsh–Hadamard matrix has 1, 2, 4, 8, … rows, got {size}: choose a power of two.")
    return size.bit_length() - 1


def sylvester(size: int) -> np.ndarray:
    """Sylvester's Hadamard matrix, whose entries are 1 and −1.

    Args:
        size: The number of rows, a power of two.

    Raises:
        ValueError: If the size is no power of two.

    >>> sylvester(2).tolist()
    [[1.0, 1.0], [1.0, -1.0]]
    """
    matrix = np.ones((1, 1))
    for _ in range(check_power_of_two(size)):
        matrix = np.kron(matrix, [[1.0, 1.0], [1.0, -1.0]])
    return matrix


def walsh_hadamard(x: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
    r"""The product of each vector with the orthogonal matrix :math:`H/\sqrt h`, which is its own inverse.

    Args:
        x: Vectors of a power of two many entries.

    Returns:
        Their images, entries in Sylvester's order.

    Raises:
        ValueError: If the number of entries is no power of two.

    >>> walsh_hadamard(jnp.array([3.0, 1.0, 0.0, 0.0])).tolist()
    [2.0, 1.0, 2.0, 1.0]
    """
    *batch, h = x.shape
    bits = check_power_of_two(h)
    count = -(-bits // _BITS)
    for k in range(count):
        size = 2 ** (bits * (k + 1) // count - bits * k // count)
        factor = jnp.asarray(sylvester(size), x.dtype)
        # The first axis is contracted and comes out as the last: after all turns the order is the old one.
        turned = jnp.einsum("...ir,ij->...rj", x.reshape(*batch, size, h // size), factor, precision=PRECISION)
        x = turned.reshape(*batch, h)
    return x / np.sqrt(h).item()
