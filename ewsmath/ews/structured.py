"""Route 3, the linear CDE form: the exponential of one structured K x K matrix."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ewsmath import spectrum
from ewsmath.generators import AbstractGenerator
from ewsmath.linear_cde import generator_matrix, lift_matrix
from ewsmath.rings import MatrixExponentialRing, exponent_field, exponent_of
from ewsmath.tensor import Tensor, TensorAlgebra

LARGEST_SIZE = 200
"""The largest K for which the K x K matrix is formed."""


def local_structured(generator: AbstractGenerator, dtheta: Any, v: Sequence[Any], depth: int) -> Tensor[Any]:
    r"""The EWS of one linear piece, as a matrix exponential on R^K.

    .. math:: σ = \exp\big(-rL + ρ(v)\big)\, 1

    Args:
        generator: The generator A; exact or in balls.
        dtheta: The elapsed clock time r over the piece, of either sign.
        v: The increment BΔX of the lifted path.
        depth: Truncation depth N.

    Returns:
        The tensor σ over R^m.

    Raises:
        ValueError: K exceeds 200.

    Paper: Prop. 1; Appendix C.3.

    >>> from ewsmath.generators import Diagonal
    >>> local_structured(Diagonal(1), 1, [1], 2)[1]
    -e^(-1) + 1
    """
    ring = generator.ring
    algebra = TensorAlgebra(ring, generator.dim, depth)
    K = algebra.size
    if K > LARGEST_SIZE:
        raise ValueError(
            f"the structured route forms a {K} x {K} matrix ({generator.dim} letters at depth "
            f"{depth}), more than "
            f"{LARGEST_SIZE}: take route='group' in balls, or route='iterated' in an exact ring"
        )
    r = ring.coerce(dtheta)
    matrix = generator_matrix(generator.matrix, depth) * -r + lift_matrix(ring, v, depth)
    if isinstance(ring, MatrixExponentialRing):
        column = spectrum.exponential(matrix).transpose().rows[0]
    else:
        unit = [ring.one] + [ring.zero] * (K - 1)
        column = spectrum.exponential_times(matrix, unit, _spectrum(generator, r, depth))
    return algebra.from_vector(column)


def _spectrum(generator: AbstractGenerator, r: Any, depth: int) -> list[Any]:
    # -rL + ρ(v) is block-lower-triangular, and the spectrum of L^{(n)} is all sums of n eigenvalues of A.
    zero: Any = exponent_field(generator.ring).zero
    factor = -exponent_of(generator.ring, r) if any(generator.eigenvalues) else zero
    level, found = [zero], [zero]
    for _ in range(depth):
        level = [z + factor * x for z in level for x in generator.eigenvalues]
        found += level
    return list(Counter(found).elements())
