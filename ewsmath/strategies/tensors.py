"""Strategies for words, tensors and their dual: group-like and Lie elements, functionals, matrices."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from ewsmath.functional import Functional
from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, Ring
from ewsmath.strategies.built import built
from ewsmath.strategies.numbers import elements, vectors
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.words import Word


def words(dim: int, *, min_length: int = 0, max_length: int = 4) -> st.SearchStrategy[Word]:
    """Words over the letters 1 … dim. Shrinks to the shortest word with letters 1."""
    letters = st.integers(1, dim)
    return st.lists(letters, min_size=min_length, max_size=max_length).map(tuple)


def algebras(ring: Ring[Any] = QQ, *, max_dim: int = 3, max_depth: int = 3) -> st.SearchStrategy[TensorAlgebra[Any]]:
    """Tensor algebras over a ring. Shrinks to dimension 1 and depth 1."""
    sizes = st.integers(1, max_dim), st.integers(1, max_depth)
    return built(lambda dim, depth: TensorAlgebra(ring, dim, depth), *sizes)


def tensors(algebra: TensorAlgebra[Any], *, max_terms: int = 5) -> st.SearchStrategy[Tensor[Any]]:
    """Sparse tensors of an algebra. Shrinks to 0, then to one short word."""
    keys = words(algebra.dim, max_length=algebra.depth)
    return built(algebra.tensor, st.dictionaries(keys, elements(algebra.ring), max_size=max_terms))


def group_likes(algebra: TensorAlgebra[Any], *, max_factors: int = 3) -> st.SearchStrategy[Tensor[Any]]:
    """Group-like tensors: products of exponentials of vectors. Shrinks to 1, then to one exponential."""

    def product(factors: Sequence[Sequence[Any]]) -> Tensor[Any]:
        total = algebra.one()
        for v in factors:
            total = total @ algebra.exp(algebra.vector(v))
        return total

    return built(product, st.lists(vectors(algebra.ring, algebra.dim), max_size=max_factors))


def lie_elements(algebra: TensorAlgebra[Any], *, max_terms: int = 3) -> st.SearchStrategy[Tensor[Any]]:
    r"""Lie elements: sums of multiples of nested brackets of letters, [i_1, [i_2, … i_n]].

    Shrinks to 0, then to one letter.
    """

    def bracket(word: Word) -> Tensor[Any]:
        total = algebra.letter(word[-1])
        for letter in reversed(word[:-1]):
            e = algebra.letter(letter)
            total = e @ total - total @ e
        return total

    def combination(terms: dict[Word, Any]) -> Tensor[Any]:
        total = algebra.zero()
        for word, c in terms.items():
            total = total + bracket(word).scaled(c)
        return total

    keys = words(algebra.dim, min_length=1, max_length=algebra.depth)
    return built(combination, st.dictionaries(keys, elements(algebra.ring), max_size=max_terms))


def functionals(
    ring: Ring[Any] = QQ, *, dim: int = 2, min_length: int = 0, max_length: int = 3, max_terms: int = 3
) -> st.SearchStrategy[Functional[Any]]:
    """Functionals on words over 1 … dim. Shrinks to 0, then to one short word."""
    keys = words(dim, min_length=min_length, max_length=max_length)
    found = st.dictionaries(keys, elements(ring), max_size=max_terms)
    return built(lambda coefficients: Functional(ring, coefficients), found)


def square_matrices(dim: int, ring: Ring[Any] = QQ) -> st.SearchStrategy[Matrix[Any]]:
    """Matrices of size dim x dim. Shrinks to the zero matrix."""
    rows = st.lists(vectors(ring, dim), min_size=dim, max_size=dim)
    return built(lambda entries: Matrix(ring, entries), rows)
