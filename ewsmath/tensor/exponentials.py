"""Products of exponentials of vectors: signatures of piecewise-linear paths."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import lcm
from typing import Any, TypeVar

from flint import fmpq

from ewsmath.rings import QQ, RingElement
from ewsmath.tensor.algebra import Tensor, TensorAlgebra
from ewsmath.tensor.packed import integer_signature
from ewsmath.words import Word

R = TypeVar("R", bound=RingElement)


def product_of_exponentials(algebra: TensorAlgebra[R], vectors: Sequence[Sequence[R]]) -> Tensor[R]:
    r"""The product of the exponentials of vectors.

    .. math:: \exp(v_1) ⊗ ⋯ ⊗ \exp(v_J)

    Over QQ by integers, a level at a time; over other rings by Horner's rule, a word at a time.

    Args:
        algebra: The tensor algebra over R^m.
        vectors: J vectors, each of m ring elements.

    Returns:
        A group-like tensor; 1 when there is no vector.

    Paper: Appendix B.

    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> product_of_exponentials(T, [[QQ.one, QQ.zero], [QQ.zero, QQ.one]])
    1 + e1 + e2 + 1/2*e11 + e12 + 1/2*e22
    """
    moved: Any = [v for v in vectors if any(v)]
    if moved and algebra.ring == QQ:
        return _by_integers(algebra, moved)
    S = algebra.one()
    for v in moved:
        S = times_exponential(S, algebra.vector(v))
    return S


def times_exponential(S: Tensor[R], v: Tensor[R]) -> Tensor[R]:
    r"""The product S ⊗ exp(v) with the exponential of a vector: the plain way, over any ring.

    Args:
        S: A tensor.
        v: An element of level one of the same algebra.

    Returns:
        S ⊗ exp(v).

    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> times_exponential(T.one() + T.vector([0, 1]), T.vector([1, 0]))
    1 + e1 + e2 + 1/2*e11 + e21
    """
    # Horner's rule from the left: S ⊗ exp(v) = S + (S + (S + ⋯) ⊗ v/2) ⊗ v, so that only products with a
    # vector occur.
    rest = S.algebra.zero()
    for n in range(S.algebra.depth, 0, -1):
        rest = (S + rest) @ v.scaled(S.algebra.ring.ratio(1, n))
    return S + rest


def _by_integers(algebra: TensorAlgebra[Any], vectors: Sequence[Sequence[fmpq]]) -> Tensor[Any]:
    # Channel i is scaled by the common denominator of its entries; channels that never move are left out, so that
    # few moves among many letters stay cheap.
    moving = [i for i in range(algebra.dim) if any(v[i] for v in vectors)]
    scales = [lcm(*(int(v[i].q) for v in vectors)) for i in moving]
    whole = [[int(v[i].p) * (scale // int(v[i].q)) for i, scale in zip(moving, scales, strict=True)] for v in vectors]
    letters = [i + 1 for i in moving]
    coefficients: dict[Word, fmpq] = {}
    scaling = [1]  # of the words of one length: n! times the scales of their letters
    for n, level in enumerate(integer_signature(whole, algebra.depth)):
        if n:
            scaling = [n * c * scale for c in scaling for scale in scales]
        coefficients.update(zip(product(letters, repeat=n), map(fmpq, level, scaling), strict=True))
    return Tensor._of(algebra, coefficients)
