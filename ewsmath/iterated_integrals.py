"""Iterated integrals of functions in closed form: the signature of one curve over [0, 1]."""

from collections.abc import Sequence
from typing import Any, TypeVar

from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.rings import Ring, RingElement
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.words import EMPTY, Word

R = TypeVar("R", bound=RingElement)


def iterated_integrals(ring: Ring[R], speed: Sequence[ExpPoly[R]], depth: int) -> Tensor[R]:
    r"""The signature of the curve with a given speed, word by word.

    .. math:: ⟨i_1 ⋯ i_n, S⟩ = \int_{0<u_1<⋯<u_n<1} g_{i_1}(u_1) ⋯ g_{i_n}(u_n)\, du

    Args:
        ring: The ring of the values.
        speed: The m functions g_i, the speed of the curve.
        depth: Truncation depth N.

    Returns:
        A group-like tensor over R^m.

    Paper: Appendix B.

    >>> from ewsmath.rings import QQ
    >>> u = ExpPolys(QQ).variable
    >>> iterated_integrals(QQ, [u, ExpPolys(QQ).one], 2)[2, 1]
    1/3
    """
    algebra = TensorAlgebra(ring, len(speed), depth)
    functions = ExpPolys(ring)
    # iterated[w] is u ↦ the integral of word w over 0 < u_1 < ⋯ < u_n < u.
    iterated: dict[Word, ExpPoly[Any]] = {EMPTY: functions.one}
    for n in range(1, depth + 1):
        for word in algebra.words(n):
            before, g = iterated.get(word[:-1]), speed[word[-1] - 1]
            if before and g:  # a word that passes through 0 stays 0
                iterated[word] = (before * g).integral()
    return algebra.tensor({word: integral(1) for word, integral in iterated.items()})
