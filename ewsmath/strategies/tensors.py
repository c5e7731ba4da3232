"""Strategies for words, tensors and their dual: group-like and Lie elements, functionals, matrices."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from ewsmath.functional import Functional
from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, Ring, check_ring
from ewsmath.rings.door import of_kind, whole
from ewsmath.strategies.built import built
from ewsmath.strategies.numbers import bytes_of, elements, vectors
from ewsmath.strategies.sizes import check_drawable, limits
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.words import Word


def words(dim: int, *, min_length: int = 0, max_length: int = 4) -> st.SearchStrategy[Word]:
    """Words over the letters 1 … dim.

    Args:
        dim: Number of letters m.
        min_length: The smallest length.
        max_length: The largest length.

    Returns:
        The strategy. Shrinks to the shortest word with letters 1.

    Raises:
        ValueError: ``dim`` is below 1, ``min_length`` below 0 or above ``max_length``.
        TypeError: A size is no whole number.

    >>> from hypothesis import find
    >>> find(words(3), lambda word: len(set(word)) == 2)
    (1, 2)
    """
    min_length, max_length = limits("words", "length", min_length, max_length)
    letters = st.integers(1, whole(dim, "words: dim"))
    return st.lists(letters, min_size=min_length, max_size=max_length).map(tuple)


def algebras(ring: Ring[Any] = QQ, *, max_dim: int = 3, max_depth: int = 3) -> st.SearchStrategy[TensorAlgebra[Any]]:
    """Tensor algebras over a ring.

    Args:
        ring: The ring.
        max_dim: The largest number of letters m.
        max_depth: The largest depth N.

    Returns:
        The strategy. Shrinks to dimension 1 and depth 1.

    Raises:
        ValueError: A size is below 1.
        TypeError: A size is no whole number, or the ring is none.

    >>> from hypothesis import find
    >>> find(algebras(), lambda algebra: algebra.size > 10)
    TensorAlgebra(ring=QQ, dim=2, depth=3)
    """
    check_ring(ring)
    sizes = (
        st.integers(1, whole(max_dim, "algebras: max_dim")),
        st.integers(1, whole(max_depth, "algebras: max_depth")),
    )
    return built(lambda dim, depth: TensorAlgebra(ring, dim, depth), *sizes)


def tensors(algebra: TensorAlgebra[Any], *, max_terms: int = 5) -> st.SearchStrategy[Tensor[Any]]:
    """Sparse tensors of an algebra.

    Args:
        algebra: The algebra.
        max_terms: The largest number of words whose coefficient is not 0.

    Returns:
        The strategy. Shrinks to 0, then to one short word.

    Raises:
        ValueError: ``max_terms`` is below 0.
        TypeError: A size is no whole number, or the algebra is none.

    >>> from hypothesis import find
    >>> find(tensors(TensorAlgebra(QQ, dim=2, depth=3)), lambda a: a[1, 2] != a[2, 1])
    e12
    """
    max_terms = _terms("tensors", algebra, max_terms)
    keys = words(algebra.dim, max_length=algebra.depth)
    return built(algebra.tensor, st.dictionaries(keys, elements(algebra.ring), max_size=max_terms))


def group_likes(algebra: TensorAlgebra[Any], *, max_factors: int = 3) -> st.SearchStrategy[Tensor[Any]]:
    """Group-like tensors: products of exponentials of vectors.

    Args:
        algebra: The algebra.
        max_factors: The largest number of factors.

    Returns:
        The strategy. Shrinks to 1, then to one exponential.

    Raises:
        ValueError: ``max_factors`` is below 0.
        TypeError: A size is no whole number, or the algebra is none.

    >>> from hypothesis import find
    >>> find(group_likes(TensorAlgebra(QQ, dim=2, depth=2)), lambda a: a[1, 2] != a[2, 1])
    1 + e1 + e2 + 1/2*e11 + e21 + 1/2*e22
    """
    max_factors = _terms("group_likes", algebra, max_factors, "factors")

    def product(factors: Sequence[Sequence[Any]]) -> Tensor[Any]:
        total = algebra.one()
        for v in factors:
            total = total @ algebra.exp(algebra.vector(v))
        return total

    return built(product, st.lists(vectors(algebra.ring, algebra.dim), max_size=max_factors))


def lie_elements(algebra: TensorAlgebra[Any], *, max_terms: int = 3) -> st.SearchStrategy[Tensor[Any]]:
    r"""Lie elements: sums of multiples of nested brackets of letters, [i_1, [i_2, … i_n]].

    Args:
        algebra: The algebra.
        max_terms: The largest number of brackets.

    Returns:
        The strategy. Shrinks to 0, then to one letter.

    Raises:
        ValueError: ``max_terms`` is below 0.
        TypeError: A size is no whole number, or the algebra is none.

    >>> from hypothesis import find
    >>> find(lie_elements(TensorAlgebra(QQ, dim=2, depth=3)), lambda a: any(a.level(3)))
    e112 - 2*e121 + e211
    """
    max_terms = _terms("lie_elements", algebra, max_terms)

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
    """Functionals on words over 1 … dim.

    Args:
        ring: The ring of the coefficients.
        dim: Number of letters m.
        min_length: The smallest length of a word.
        max_length: The largest length of a word.
        max_terms: The largest number of words whose coefficient is not 0.

    Returns:
        The strategy. Shrinks to 0, then to one short word.

    Raises:
        ValueError: ``dim`` is below 1, ``max_terms`` below 0, ``min_length`` below 0 or above ``max_length``.
        TypeError: A size is no whole number, or the ring is none.

    >>> from hypothesis import find
    >>> find(functionals(), lambda f: len(f.coefficients) > 1)
    () + (1)
    """
    max_terms = whole(max_terms, "functionals: max_terms", at_least=0)
    min_length, max_length = limits("functionals", "length", min_length, max_length)
    keys = words(whole(dim, "functionals: dim"), min_length=min_length, max_length=max_length)
    found = st.dictionaries(keys, elements(ring), max_size=max_terms)
    return built(lambda coefficients: Functional(ring, coefficients), found)


def square_matrices(dim: int, ring: Ring[Any] = QQ) -> st.SearchStrategy[Matrix[Any]]:
    """Matrices of size dim x dim.

    Args:
        dim: The size.
        ring: The ring of the entries.

    Returns:
        The strategy. Shrinks to the zero matrix.

    Raises:
        ValueError: ``dim`` is below 1, or the matrix has more entries than :func:`vectors` may have.
        TypeError: A size is no whole number, or the ring is none.

    >>> from hypothesis import find
    >>> find(square_matrices(2), lambda A: A != A.transpose())
    Matrix(QQ, [[0, 0], [1, 0]])
    """
    dim = whole(dim, "square_matrices: dim")
    check_drawable("square_matrices", dim * dim, bytes_of(ring))
    rows = st.lists(vectors(ring, dim), min_size=dim, max_size=dim)
    return built(lambda entries: Matrix(ring, entries), rows)


def _terms(what: str, algebra: TensorAlgebra[Any], most: object, counted: str = "terms") -> int:
    """The largest number of terms, once the algebra is known to be one."""
    of_kind(algebra, TensorAlgebra, f"{what} takes a tensor algebra", "give TensorAlgebra(QQ, dim=2, depth=3)")
    return whole(most, f"{what}: max_{counted}", at_least=0)
