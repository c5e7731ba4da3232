"""Operators on the tensor algebra that a matrix induces: homomorphism, flow D_A^r and derivation Λ_A."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar, runtime_checkable

from ewsmath.matrix import Matrix
from ewsmath.rings import Ring, RingElement
from ewsmath.rings.door import of_kind
from ewsmath.spectrum import exponential
from ewsmath.tensor import Tensor, TensorAlgebra, check_tensor
from ewsmath.words import Word

R = TypeVar("R", bound=RingElement)


@runtime_checkable
class Exponentiable(Protocol):
    """What operators need of a generator: its matrix and its exponentials.

    >>> from ewsmath.generators import Diagonal
    >>> isinstance(Diagonal(1), Exponentiable), isinstance(Diagonal(1).matrix, Exponentiable)
    (True, False)
    """

    @property
    def matrix(self) -> Matrix[Any]:
        """The matrix A."""
        ...

    def exponential(self, r: Any) -> Matrix[Any]:
        """The matrix e^{-rA}.

        Args:
            r: The elapsed clock time.

        Returns:
            An m x m matrix.

        >>> from ewsmath.generators import Jordan
        >>> Jordan(0, 2).exponential(3)
        Matrix(QQ, [[1, -3], [0, 1]])
        """
        ...


Operand: TypeAlias = Exponentiable | Matrix[Any] | Sequence[Sequence[Any]]
"""A generator, or a matrix, or its rows."""


def homomorphism(matrix: Matrix[Any] | Sequence[Sequence[Any]], a: Tensor[R]) -> Tensor[R]:
    r"""The homomorphism of tensor algebras that a linear map P induces.

    .. math:: v_1 ⊗ ⋯ ⊗ v_n \mapsto P v_1 ⊗ ⋯ ⊗ P v_n

    Args:
        matrix: A p x m matrix P, or its rows; m is the dimension of the algebra of ``a``.
        a: The tensor to act on.

    Returns:
        A tensor over R^p of the same depth. Level 0 is fixed.

    Raises:
        ValueError: P has not m columns.

    Paper: Section 2.

    >>> from ewsmath.rings import QQ, RingElement
    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> homomorphism([[1, 1]], T.tensor({(): 5, (1, 2): 1, (2, 2): 3}))
    5 + 4*e11
    """
    algebra = check_tensor(a, "a homomorphism").algebra
    P = Matrix.over(algebra.ring, matrix)
    if P.shape[1] != algebra.dim:
        raise ValueError(f"a matrix of shape {P.shape} does not act on {algebra}: it needs {algebra.dim} columns")
    target = algebra if P.shape[0] == algebra.dim else TensorAlgebra(algebra.ring, P.shape[0], algebra.depth)
    transposed = P.transpose()
    depth = max(map(len, a.coefficients), default=0)
    levels = [a.level(n) for n in range(depth + 1)]
    for n in range(1, depth + 1):
        for _ in range(n):
            # Each round acts on the last slot and turns it to the front: after n rounds all are done, in
            # their order.
            moved = Matrix._flat(algebra.ring, levels[n], algebra.dim) @ transposed
            levels[n] = list(moved.transpose().entries)
    return target._from_levels(levels)


def flow(generator: Operand, r: Any, a: Tensor[R]) -> Tensor[R]:
    r"""The flow operator of a generator A over elapsed clock time r.

    .. math:: D_A^r(v_1 ⊗ ⋯ ⊗ v_n) = e^{-rA} v_1 ⊗ ⋯ ⊗ e^{-rA} v_n

    An automorphism of the algebra, with D^{r1} D^{r2} = D^{r1+r2}.

    Args:
        generator: The generator A, over the ring of ``a``; or an m x m matrix, or its rows.
        r: Elapsed clock time, of either sign.
        a: The tensor to act on.

    Returns:
        A tensor of the same algebra. Level 0 is fixed.

    Raises:
        TypeError: The generator is neither a generator nor a matrix, or ``a`` is no tensor.
        ValueError: The generator has another width than ``a`` has letters, or the ring of ``a`` does not contain the
            exponential of the matrix.

    Paper: Section 2; Lemma 1.

    >>> from ewsmath.generators import Jordan
    >>> from ewsmath.rings import QQ
    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> flow(Jordan(0, 2), 3, T.tensor({(): 5, (2,): 1, (1, 2): 1}))
    5 - 3*e1 + e2 - 3*e11 + e12
    >>> flow([[0, 1], [0, 0]], 3, T.letter(2))
    -3*e1 + e2
    """
    return homomorphism(propagator(generator, r, check_tensor(a, "the flow").algebra.ring, "the flow"), a)


def derivation(A: Operand, a: Tensor[R]) -> Tensor[R]:
    r"""The derivation induced by A.

    .. math:: Λ_A(v_1 ⊗ ⋯ ⊗ v_n) = \sum_k v_1 ⊗ ⋯ ⊗ A v_k ⊗ ⋯ ⊗ v_n

    Args:
        A: An m x m matrix, or its rows; or a generator. m is the dimension of the algebra of ``a``.
        a: The tensor to act on.

    Returns:
        A tensor of the same algebra. Each level maps to itself.

    Raises:
        ValueError: A is not m x m.

    Paper: Section 2; Appendix C.2.

    >>> from ewsmath.rings import QQ
    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> derivation([[0, 1], [0, 0]], T.tensor({(2, 2): 1}))
    e12 + e21
    """
    algebra = check_tensor(a, "a derivation").algebra
    A = Matrix.over(algebra.ring, matrix_of(A))
    if A.shape != (algebra.dim, algebra.dim):
        raise ValueError(f"a derivation of {algebra} needs a {algebra.dim} x {algebra.dim} matrix, got shape {A.shape}")
    return Tensor._of(algebra, derived(images_of_letters(A.transpose()), a.coefficients))


def matrix_of(A: Operand) -> Matrix[Any] | Sequence[Sequence[Any]]:
    """The matrix of a generator; a matrix, or rows, as they are.

    Args:
        A: The generator, matrix or rows.

    Returns:
        What is coerced into a ring by ``Matrix.over``.

    >>> from ewsmath.generators import Jordan
    >>> matrix_of(Jordan(0, 2)), matrix_of([[1]])
    (Matrix(QQ, [[0, 1], [0, 0]]), [[1]])
    """
    return A.matrix if isinstance(A, Exponentiable) else A


def propagator(A: Operand, r: Any, ring: Ring[Any], use: str) -> Matrix[Any]:
    """The matrix e^{-rA} of a generator, or of a matrix over a ring.

    Args:
        A: The generator; or a matrix, or its rows, that the ring takes.
        r: Elapsed clock time, of either sign.
        ring: The ring in which a matrix is exponentiated.
        use: What the matrix is for, for messages.

    Returns:
        An m x m matrix.

    Raises:
        TypeError: A is neither.
        ValueError: The ring does not contain the exponential.

    >>> from ewsmath.rings import EE
    >>> propagator([[2]], 3, EE, "a flow")
    Matrix(EE, [[e^(-6)]])
    """
    if isinstance(A, Matrix | Sequence) and not isinstance(A, str):
        return exponential(Matrix.over(ring, A) * -ring.coerce(r))
    return check_exponentiable(A, use).exponential(r)


def check_exponentiable(generator: object, use: str) -> Exponentiable:
    """The generator, if it has exponentials; else TypeError that names the use.

    Args:
        generator: What came.
        use: Who takes it, for the message.

    Returns:
        The generator itself.

    Raises:
        TypeError: It has no exponentials.

    >>> check_exponentiable(5, "the flow")
    Traceback (most recent call last):
        ...
    TypeError: the flow takes a generator, got 5 of type int: wrap a matrix, generators.Dense(matrix)
    """
    return of_kind(generator, Exponentiable, f"{use} takes a generator", "wrap a matrix, generators.Dense(matrix)")


def images_of_letters(matrix: Matrix[R]) -> dict[int, list[tuple[int, R]]]:
    """Letter i → the entries of row i that are not zero, each with the letter of its column.

    Args:
        matrix: A matrix with a row for each letter.

    Returns:
        The pairs of a letter and an entry, for each letter i.

    >>> from ewsmath.rings import QQ
    >>> images_of_letters(Matrix(QQ, [[0, 3], [5, 7]]))
    {1: [(2, 3)], 2: [(1, 5), (2, 7)]}
    """
    return {i: [(j, x) for j, x in enumerate(row, start=1) if x] for i, row in enumerate(matrix.rows, start=1)}


def derived(images: Mapping[int, Sequence[tuple[int, Any]]], terms: Mapping[Word, Any]) -> dict[Word, Any]:
    """The sum over all places of the words with the letter there replaced by its image.

    Args:
        images: For each letter its image, as pairs of a letter and a coefficient.
        terms: The words with their coefficients.

    Returns:
        The words of the sum with their coefficients.

    >>> derived({1: [(2, 3)], 2: []}, {(1, 1): 5, (1, 2): 1})
    {(2, 1): 15, (1, 2): 15, (2, 2): 3}
    """
    total: dict[Word, Any] = {}
    for word, c in terms.items():
        for k, i in enumerate(word):  # k: the place; i: the letter there
            for j, x in images[i]:
                add_term(total, (*word[:k], j, *word[k + 1 :]), x * c)
    return total


def add_term(total: dict[Word, Any], word: Word, c: Any) -> None:
    """Add a term to a combination of words.

    Args:
        total: The combination, which is changed.
        word: The word.
        c: Its coefficient.

    >>> total = {(1,): 2}
    >>> add_term(total, (1,), 3)
    >>> total
    {(1,): 5}
    """
    total[word] = total[word] + c if word in total else c
