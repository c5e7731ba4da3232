"""The two Hopf algebras in duality: tensors with ⊗ and deshuffle, functionals with ⧢ and deconcatenation.

The classical Hopf algebra of shuffles and its graded dual; convolution, unit and antipode are those of any Hopf
algebra.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, TypeVar

from ewsmath import words as _words
from ewsmath.functional import Functional, check_functional
from ewsmath.rings import RingElement
from ewsmath.rings.door import named
from ewsmath.tensor import Tensor, check_tensor
from ewsmath.words import EMPTY, Word

R = TypeVar("R", bound=RingElement)
H = TypeVar("H", Tensor[Any], Functional[Any])
Coproduct = Mapping[tuple[Word, Word], R]


def deshuffle(a: Tensor[R]) -> Coproduct[R]:
    r"""The deshuffle coproduct of a tensor, dual to the shuffle product of functionals.

    .. math:: Δ(e_{i_1 … i_n}) = \sum_{I} e_{i_I} ⊗ e_{i_{I^c}}, \qquad ⟨l ⧢ k, a⟩ = ⟨l ⊗ k, Δ a⟩

    It is the homomorphism of algebras with Δ(v) = v ⊗ 1 + 1 ⊗ v for vectors. Group-like elements are those with
    Δ(g) = g ⊗ g, Lie elements those with Δ(x) = x ⊗ 1 + 1 ⊗ x.

    Args:
        a: A tensor.

    Returns:
        A map from pairs of words, of at most N letters together, to coefficients, without zeros.

    Paper: Appendix B.

    >>> from ewsmath.rings import QQ
    >>> from ewsmath.tensor import TensorAlgebra
    >>> a = TensorAlgebra(QQ, dim=2, depth=2).tensor({(1, 2): 1, (2, 1): -1})
    >>> deshuffle(a)
    mappingproxy({((1, 2), ()): 1, ((), (1, 2)): 1, ((2, 1), ()): -1, ((), (2, 1)): -1})
    """
    ring = check_tensor(a, "the deshuffle coproduct").algebra.ring
    total: dict[tuple[Word, Word], Any] = {}
    for word, c in a.coefficients.items():
        for pair, n in _words.deshuffle(word).items():
            term = ring.coerce(n) * c
            total[pair] = total[pair] + term if pair in total else term
    return MappingProxyType({pair: c for pair, c in total.items() if c})


def pairing(coproduct: Coproduct[R], x: Tensor[R] | Functional[R], y: Tensor[R] | Functional[R]) -> R:
    r"""The value of a coproduct at a pair: the duality of products and coproducts.

    .. math:: ⟨\sum c_{u,w}\, u ⊗ w, x ⊗ y⟩ = \sum c_{u,w}\, x_u\, y_w

    Args:
        coproduct: Pairs of words and coefficients: :func:`deshuffle` of a tensor for two functionals,
            :meth:`Functional.deconcatenation` for two tensors.
        x: What the left words pair with.
        y: What the right words pair with, over the same ring.

    Returns:
        A ring element.

    Raises:
        TypeError: x or y is neither a tensor nor a functional.
        ValueError: A word is none of a tensor's algebra, or the rings of x and y differ.

    >>> from ewsmath.rings import QQ
    >>> from ewsmath.tensor import TensorAlgebra
    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> l = Functional.word(QQ, 1, 2)
    >>> pairing(l.deconcatenation(), T.letter(1), T.letter(2)), l(T.letter(1) @ T.letter(2))
    (1, 1)
    """
    ring = _ring(x)
    if _ring(y) != ring:
        raise ValueError(f"the two sides of a pairing lie over {ring.name} and {_ring(y).name}: take one to the other")
    total: Any = ring.zero
    for (u, w), c in coproduct.items():
        total = total + c * x[u] * y[w]
    return total


def convolution(f: Callable[[H], H], g: Callable[[H], H]) -> Callable[[H], H]:
    r"""The convolution of two linear maps of one of the Hopf algebras to itself.

    .. math:: (f ⋆ g)(x) = \sum f(x') · g(x''), \qquad Δ x = \sum x' ⊗ x''

    On tensors Δ is the deshuffle and · is ⊗; on functionals Δ is the deconcatenation and · is ⧢. The unit is
    :func:`counit`, and the antipode is the inverse of the identity.

    Args:
        f: A linear map.
        g: A linear map.

    Returns:
        The map f ⋆ g, on tensors or on functionals, as f and g are.

    >>> from ewsmath.rings import QQ
    >>> convolution(Functional.antipode, lambda l: l)(Functional.word(QQ, 1, 2))
    0
    """
    left: Callable[[Any], Any] = f
    right: Callable[[Any], Any] = g

    def convolved(x: H) -> H:
        if isinstance(x, Tensor):
            algebra = x.algebra
            total: Any = algebra.zero()
            for (u, w), c in deshuffle(x).items():
                total = total + left(algebra.tensor({u: c})) @ right(algebra.tensor({w: algebra.ring.one}))
            return total
        total = Functional(check_functional(x, "a convolution").ring, {})
        for (u, w), c in x.deconcatenation().items():
            total = total + left(Functional(x.ring, {u: c})).shuffle(right(Functional.word(x.ring, *w)))
        return total

    return convolved


def counit(x: H) -> H:
    r"""The unit of convolution: the constant term, as an element of the same algebra.

    Args:
        x: A tensor or a functional.

    Returns:
        ε(x) 1.

    Raises:
        TypeError: x is neither.

    >>> from ewsmath.rings import QQ
    >>> counit(Functional(QQ, {(): 2, (1,): 3}))
    2*()
    """
    if isinstance(x, Tensor):
        return x.algebra.scalar(x[EMPTY])
    return Functional(check_functional(x, "the counit").ring, {EMPTY: x[EMPTY]})


def _ring(x: object) -> Any:
    if isinstance(x, Tensor):
        return x.algebra.ring
    if isinstance(x, Functional):
        return x.ring
    raise TypeError(f"a pairing takes tensors or functionals, got {named(x)}: make one by an algebra or Functional(…)")
