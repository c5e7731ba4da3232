"""Route 1, the definition: weighted iterated integrals of one piece."""

from collections.abc import Sequence
from typing import Any

from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.generators import AbstractGenerator
from ewsmath.iterated_integrals import iterated_integrals
from ewsmath.tensor import Tensor


def local_iterated(generator: AbstractGenerator, dtheta: Any, v: Sequence[Any], depth: int) -> Tensor[Any]:
    r"""The EWS of one piece, from its definition.

    .. math:: σ_n = \int_{0<u_1<⋯<u_n<1} g(u_1) ⊗ ⋯ ⊗ g(u_n)\, du, \qquad g(u) = e^{-r(1-u)A} v(u)

    Args:
        generator: The generator A, exact (QQ or EE).
        dtheta: The elapsed clock time r over the piece, of either sign; a Gaussian rational.
        v: The increment BΔX of the lifted path, or its speed as m exponential polynomials of the fraction u of
            the piece.
        depth: Truncation depth N.

    Returns:
        The tensor σ over R^m.

    Raises:
        ValueError: The generator is given in balls.

    Paper: Def. 2.

    >>> from ewsmath.generators import Diagonal
    >>> local_iterated(Diagonal(1), 1, [1], 2)[1]
    -e^(-1) + 1
    """
    return iterated_integrals(generator.ring, transported_speed(generator, dtheta, v), depth)


def transported_speed(
    generator: AbstractGenerator, dtheta: Any, v: Sequence[Any], after: Any = 0
) -> list[ExpPoly[Any]]:
    r"""The speed of the re-weighted path on one piece, entry by entry.

    .. math:: g(u) = e^{-(R + r(1-u))A} v(u)

    Args:
        generator: The generator A, exact (QQ or EE).
        dtheta: The elapsed clock time r over the piece.
        v: The increment of the lifted path, or its speed as m exponential polynomials of u.
        after: The clock time R that elapses after the piece.

    Returns:
        The m functions of u.

    Paper: Prop. 3.

    >>> from ewsmath.generators import Diagonal
    >>> transported_speed(Diagonal(1), 2, [3], after=1)
    [3*e^(-3)*e^(2u)]
    """
    functions, coerce = ExpPolys(generator.ring), generator.ring.coerce
    start, speed = coerce(after) + coerce(dtheta), -coerce(dtheta)
    weights = generator.kernel().map(functions, lambda f: f.substituted(start, speed))
    return weights.apply([functions.coerce(x) for x in v])
