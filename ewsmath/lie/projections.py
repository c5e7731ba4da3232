"""Projections of the tensor algebra onto its Lie elements: Dynkin's and Euler's."""

from collections.abc import Mapping
from functools import lru_cache
from math import factorial
from types import MappingProxyType
from typing import Any, TypeVar

from ewsmath.rings import RingElement
from ewsmath.rings.door import integer, named
from ewsmath.tensor import Tensor, check_tensor
from ewsmath.words import Word, deshuffle

R = TypeVar("R", bound=RingElement)


def dynkin(a: Tensor[R]) -> Tensor[R]:
    r"""The Dynkin map, which brackets every word from the left.

    .. math:: i_1 i_2 … i_n \mapsto [[⋯[i_1, i_2], ⋯], i_n], \qquad ∅ \mapsto 0

    The classical criterion of Dynkin, Specht and Wever: a Lie element of level n is multiplied by n, and there are no
    others for which that holds.

    Args:
        a: The tensor to act on.

    Returns:
        A Lie element of the same algebra.

    >>> from ewsmath.rings import QQ
    >>> from ewsmath.tensor import TensorAlgebra
    >>> dynkin(TensorAlgebra(QQ, dim=3, depth=3).tensor({(1, 2, 3): 1}))
    e123 - e213 - e312 + e321
    """
    depth = max(map(len, check_tensor(a, "the Dynkin map").coefficients), default=0)
    total: dict[Word, Any] = {word: c for word, c in a.coefficients.items() if word}
    # [l(u), j] = l(u) j - j l(u): round k takes away the word with its letter k turned to the front.
    for k in range(1, depth):
        moved = dict(total)
        for word, c in total.items():
            if len(word) > k:
                turned = (word[k], *word[:k], *word[k + 1 :])
                moved[turned] = moved[turned] - c if turned in moved else -c
        total = {word: c for word, c in moved.items() if c}
    return Tensor._of(a.algebra, total)


def dynkin_idempotent(a: Tensor[R]) -> Tensor[R]:
    r"""The Dynkin map divided by n on level n: a projection onto the Lie elements.

    Args:
        a: The tensor to act on.

    Returns:
        A Lie element; a itself exactly when a is one (Specht, Wever).

    >>> from ewsmath.rings import QQ
    >>> from ewsmath.tensor import TensorAlgebra
    >>> dynkin_idempotent(TensorAlgebra(QQ, dim=2, depth=2).tensor({(): 5, (1, 2): 1}))
    1/2*e12 - 1/2*e21
    """
    ring = check_tensor(a, "the Dynkin idempotent").algebra.ring
    shares: dict[Word, Any] = {word: ring.ratio(1, len(word)) * c for word, c in dynkin(a).coefficients.items()}
    return Tensor._of(a.algebra, shares)


def eulerian_idempotent(a: Tensor[R], k: int) -> Tensor[R]:
    r"""The k-th Eulerian idempotent, for k = 1 the logarithm of the identity under convolution.

    .. math:: e_1 = \log_⋆(\mathrm{id}) = \sum_{j ≥ 1} \frac{(-1)^{j+1}}{j} (\mathrm{id} - ε)^{⋆ j},
        \qquad e_k = \frac{e_1^{⋆ k}}{k!}

    The classical idempotents of the Hopf algebra of words.

    They are projections, with e_j e_k = 0 for j ≠ k, and they sum to the identity. The image of e_1 is the
    free Lie algebra, and the image of e_k is spanned by the k-th powers of its elements. On a group-like
    element e_1 is the logarithm.

    Args:
        a: The tensor to act on.
        k: A whole number from 0 up; e_0 keeps the constant term alone.

    Returns:
        A tensor of the same algebra.

    Raises:
        TypeError: k is no whole number.
        ValueError: k is negative.

    >>> from ewsmath.rings import QQ
    >>> from ewsmath.tensor import TensorAlgebra
    >>> a = TensorAlgebra(QQ, dim=2, depth=2).tensor({(1, 2): 1})
    >>> eulerian_idempotent(a, 1), eulerian_idempotent(a, 2)
    (1/2*e12 - 1/2*e21, 1/2*e12 + 1/2*e21)
    """
    ring = check_tensor(a, "an Eulerian idempotent").algebra.ring
    index = integer(k)
    if index is None:
        raise TypeError(f"an Eulerian idempotent has a whole number, got {named(k)}")
    if index < 0:
        raise ValueError(f"Eulerian idempotents are numbered from 0, got {index}")
    total: dict[Word, Any] = {}
    for word, c in a.coefficients.items():
        # log(1 + J)^k / k! is a series in J = id - ε whose coefficients are Stirling's numbers.
        for j in range(index, len(word) + 1):
            share = ring.ratio(_stirling(j, index), factorial(j)) * c
            for image, n in _power(word, j).items():
                term = ring.coerce(n) * share
                total[image] = total[image] + term if image in total else term
    return Tensor._of(a.algebra, total)


@lru_cache(maxsize=4096)
def _power(word: Word, j: int) -> Mapping[Word, int]:
    """The convolution power J^{⋆j} of J = id − ε at a word: all ways to deal it out to j non-empty words, joined."""
    if j == 0 or not word:
        return {word: 1} if j == 0 and not word else {}
    total: dict[Word, int] = {}
    for (u, w), n in deshuffle(word).items():
        if w:
            for v, p in _power(u, j - 1).items():
                total[v + w] = total.get(v + w, 0) + n * p
    return MappingProxyType(total)


def _stirling(j: int, k: int) -> int:
    """Stirling's number of the first kind, with sign."""
    if j == 0 or k == 0:
        return int(j == k)
    return _stirling(j - 1, k - 1) - (j - 1) * _stirling(j - 1, k)
