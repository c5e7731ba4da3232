"""The adjoints of the operators: what homomorphism, flow, derivation and ρ(v) do to functionals."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from ewsmath.functional import Functional, check_functional
from ewsmath.matrix import Matrix
from ewsmath.operators.tensors import Operand, add_term, derived, images_of_letters, matrix_of, propagator
from ewsmath.rings import RingElement
from ewsmath.rings.door import entries
from ewsmath.words import Word

R = TypeVar("R", bound=RingElement)


def adjoint_homomorphism(matrix: Matrix[Any] | Sequence[Sequence[Any]], functional: Functional[R]) -> Functional[R]:
    r"""The adjoint of the homomorphism that a linear map P induces: what P does to functionals.

    .. math:: ⟨P^* l, a⟩ = ⟨l, P a⟩, \qquad
        P^*(i_1 … i_n) = \sum_{j_1, …, j_n} P_{i_1 j_1} ⋯ P_{i_n j_n}\; j_1 … j_n

    It is a homomorphism of shuffle algebras.

    Args:
        matrix: A p x m matrix P, or its rows.
        functional: A functional l on tensors over R^p.

    Returns:
        A functional on tensors over R^m.

    Raises:
        ValueError: A letter of l is above p.

    Paper: Section 2.

    >>> from ewsmath.rings import QQ
    >>> adjoint_homomorphism([[1, 2]], Functional.word(QQ, 1, 1))
    (11) + 2*(12) + 2*(21) + 4*(22)
    """
    P = Matrix.over(check_functional(functional, "an adjoint").ring, matrix)
    images = images_of_letters(P)
    total: dict[Word, Any] = dict(_check_letters(functional, P.shape[0]))
    for k in range(max(map(len, total), default=0)):
        # Round k replaces the letter at place k.
        moved: dict[Word, Any] = {word: c for word, c in total.items() if len(word) <= k}
        for word, c in total.items():
            for j, x in images[word[k]] if len(word) > k else ():
                add_term(moved, (*word[:k], j, *word[k + 1 :]), x * c)
        total = moved
    return Functional(functional.ring, total)


def adjoint_flow(generator: Operand, r: Any, functional: Functional[R]) -> Functional[R]:
    r"""The adjoint of the flow operator: the functional that reads a tensor after it has flowed.

    .. math:: ⟨(D_A^r)^* l, a⟩ = ⟨l, D_A^r a⟩

    An automorphism of the shuffle algebra.

    Args:
        generator: The generator A, over the ring of l; or an m x m matrix, or its rows.
        r: Elapsed clock time, of either sign.
        functional: The functional l to act on.

    Returns:
        A functional of words of the same lengths.

    Raises:
        ValueError: A letter of l is above the generator's dimension m, or the ring of l does not contain the
            exponential of the matrix.
        TypeError: The generator is neither a generator nor a matrix, or l is no functional.

    Paper: Section 2; Lemma 1.

    >>> from ewsmath.generators import Jordan
    >>> from ewsmath.rings import QQ
    >>> adjoint_flow(Jordan(0, 2), -3, Functional.word(QQ, 1, 2))
    (12) + 3*(22)
    """
    ring = check_functional(functional, "an adjoint").ring
    return adjoint_homomorphism(propagator(generator, r, ring, "the adjoint flow"), functional)


def adjoint_derivation(A: Operand, functional: Functional[R]) -> Functional[R]:
    r"""The adjoint of the derivation Λ_A.

    .. math:: ⟨Λ_A^* l, a⟩ = ⟨l, Λ_A a⟩, \qquad Λ_A^*(i_1 … i_n) = \sum_k \sum_j A_{i_k j}\; i_1 … j … i_n

    A derivation of the shuffle product.

    Args:
        A: An m x m matrix, or its rows; or a generator.
        functional: The functional l to act on.

    Returns:
        A functional of words of the same lengths.

    Raises:
        ValueError: A is not square, or a letter of ``l`` is above m.

    Paper: Section 2; Appendix C.2.

    >>> from ewsmath.rings import QQ
    >>> adjoint_derivation([[0, 1], [0, 0]], Functional.word(QQ, 1, 1))
    (12) + (21)
    """
    A = Matrix.over(check_functional(functional, "an adjoint").ring, matrix_of(A))
    terms = _check_letters(functional, A.check_square("an adjoint derivation"))
    return Functional(functional.ring, derived(images_of_letters(A), terms))


def adjoint_lift(v: Sequence[Any], functional: Functional[R]) -> Functional[R]:
    r"""The adjoint of right multiplication by a vector, ρ(v): it takes off the last letter.

    .. math:: ⟨ρ(v)^* l, a⟩ = ⟨l, a ⊗ v⟩, \qquad ρ(v)^*(i_1 … i_n) = v_{i_n}\; i_1 … i_{n-1}, \qquad ρ(v)^*(∅) = 0

    So that the linear CDE reads d⟨l, S⟩ = −⟨Λ_A^* l, S⟩ dθ + ⟨ρ(B dX)^* l, S⟩.

    Args:
        v: The vector, m entries.
        functional: The functional l to act on.

    Returns:
        A functional of words one letter shorter.

    Raises:
        ValueError: A letter of l is above m.

    Paper: Prop. 1; Appendix C.3.

    >>> from ewsmath.rings import QQ
    >>> adjoint_lift([3, 5], Functional.word(QQ, 1, 2))
    5*(1)
    """
    ring = check_functional(functional, "an adjoint").ring
    vector = [ring.coerce(x) for x in entries(v, "an adjoint lift takes a vector")]
    total: dict[Word, Any] = {}
    for word, c in _check_letters(functional, len(vector)).items():
        if word:
            add_term(total, word[:-1], vector[word[-1] - 1] * c)
    return Functional(ring, total)


def _check_letters(functional: Functional[R], size: int) -> Mapping[Word, R]:
    """The coefficients of a functional on tensors over R^size; ValueError where it reads a letter above."""
    largest = max((max(word, default=0) for word in functional), default=0)
    if largest > size:
        raise ValueError(
            f"a functional that reads the letter {largest} is none on R^{size}: it needs letters 1 to {size}"
        )
    return functional.coefficients
