"""Route 1, the definition: weighted iterated integrals of one linear piece."""

from collections.abc import Sequence
from typing import Any

from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.generators import AbstractGenerator
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.words import EMPTY, Word


def local_iterated(generator: AbstractGenerator, dtheta: Any, v: Sequence[Any], depth: int) -> Tensor[Any]:
    r"""The EWS of one linear piece, from its definition.

    .. math:: σ_n = \int_{0<u_1<⋯<u_n<1} g(u_1) ⊗ ⋯ ⊗ g(u_n)\, du, \qquad g(u) = e^{-r(1-u)A} v

    Args:
        generator: The generator A, exact (QQ or EE).
        dtheta: The elapsed clock time r over the piece, of either sign; a Gaussian rational.
        v: The increment BΔX of the lifted path.
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
    algebra = TensorAlgebra(generator.ring, generator.dim, depth)
    g = transported_speed(generator, dtheta, v)
    # iterated[w] is u ↦ the integral of word w over 0 < u_1 < ⋯ < u_n < u.
    iterated: dict[Word, ExpPoly[Any]] = {EMPTY: ExpPolys(generator.ring).one}
    for n in range(1, depth + 1):
        for word in algebra.words(n):
            before = iterated[word[:-1]]
            iterated[word] = (before * g[word[-1] - 1]).integral()
    return algebra.tensor({word: integral(1) for word, integral in iterated.items()})


def transported_speed(generator: AbstractGenerator, dtheta: Any, v: Sequence[Any]) -> list[ExpPoly[Any]]:
    """The speed of the re-weighted path on one piece: g(u) = e^{-r(1-u)A} v, entry by entry.

    Paper: Prop. 3.
    """
    functions = ExpPolys(generator.ring)
    weights = generator.kernel().map(functions, lambda f: f.substituted(dtheta, -dtheta))
    return weights.apply([functions.coerce(x) for x in v])
