"""The Lie algebra that matrices generate: a basis, its two series, whether it is solvable, decided exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import Any

from ewsmath.linear_cde.span import Span, closure, exact_matrices
from ewsmath.matrix import Matrix
from ewsmath.rings.immutable import Immutable


def commutator(X: Matrix[Any], Y: Matrix[Any]) -> Matrix[Any]:
    """The commutator [X, Y] = XY - YX of two square matrices of one size.

    Args:
        X: A matrix.
        Y: A matrix.

    Returns:
        XY - YX.

    >>> from ewsmath.rings import QQ
    >>> commutator(Matrix(QQ, [[0, 1], [0, 0]]), Matrix(QQ, [[0, 0], [1, 0]]))
    Matrix(QQ, [[1, 0], [0, -1]])
    """
    return X @ Y - Y @ X


class MatrixLieAlgebra(Immutable):
    r"""The Lie algebra that square matrices generate. Immutable.

    It is the smallest subspace that holds the matrices and the commutators of its elements, over QQ, or over
    QQ_I where an entry is not real. Whether it is abelian, nilpotent or solvable is the same over the real
    and over the complex numbers.

    Args:
        generators: Square matrices of one size whose entries are rationals or Gaussian rationals.

    Attributes:
        generators: The matrices that were given.

    Raises:
        TypeError: A generator is no matrix.
        ValueError: There is none; the sizes differ; an entry is of another kind, as balls are.

    Paper: Appendix C.3.

    >>> from ewsmath.linear_cde import matrices
    >>> from ewsmath.rings import QQ
    >>> g = MatrixLieAlgebra(matrices(Matrix(QQ, [[1, 2], [0, 3]]), Matrix.identity(QQ, 2), depth=3))
    >>> [ideal.dimension for ideal in g.derived_series], g.is_solvable, g.is_nilpotent
    ([6, 5, 3, 0], True, False)
    """

    __slots__ = ("_span", "generators")
    generators: tuple[Matrix[Any], ...]
    _span: Span

    def __init__(self, generators: Sequence[Matrix[Any]]) -> None:
        exact = exact_matrices(generators, "a Lie algebra")
        # Brackets with the generators alone are enough: by Jacobi's identity the nested ones span all.
        self._set(generators=tuple(exact), _span=closure(exact, lambda X: [commutator(G, X) for G in exact]))

    @property
    def basis(self) -> tuple[Matrix[Any], ...]:
        """A basis."""
        return self._span.basis

    @property
    def dimension(self) -> int:
        """The dimension."""
        return self._span.dimension

    def __contains__(self, X: Matrix[Any]) -> bool:
        return X in self._span

    @property
    def derived_series(self) -> list[Span]:
        r"""The derived series, down to the first term that would repeat.

        .. math:: 𝔤^{(0)} = 𝔤, \qquad 𝔤^{(k+1)} = [𝔤^{(k)}, 𝔤^{(k)}]
        """
        return self._series(lambda ideal: (commutator(X, Y) for X, Y in combinations(ideal.basis, 2)))

    @property
    def lower_central_series(self) -> list[Span]:
        r"""The lower central series, down to the first term that would repeat.

        .. math:: 𝔤_1 = 𝔤, \qquad 𝔤_{k+1} = [𝔤, 𝔤_k]
        """
        return self._series(lambda ideal: (commutator(X, Y) for X in self.basis for Y in ideal.basis))

    def _series(self, brackets: Callable[[Span], Iterable[Matrix[Any]]]) -> list[Span]:
        found = [self._span]
        while (ideal := Span(brackets(found[-1]))).dimension < found[-1].dimension:
            found.append(ideal)
        return found

    @property
    def is_abelian(self) -> bool:
        """Whether all elements commute."""
        return all(X @ Y == Y @ X for X, Y in combinations(self.generators, 2))

    @property
    def is_solvable(self) -> bool:
        """Whether the derived series reaches zero."""
        return not self.derived_series[-1].dimension

    @property
    def is_nilpotent(self) -> bool:
        """Whether the lower central series reaches zero."""
        return not self.lower_central_series[-1].dimension

    def __repr__(self) -> str:
        return f"MatrixLieAlgebra(dimension={self.dimension}, size={self.generators[0].shape[0]})"


def nilpotency_index(matrices: Sequence[Matrix[Any]]) -> int | None:
    """The least n for which every product of n of these matrices vanishes; None if there is no such n.

    Then the solution series of the linear CDE with these matrices ends before level n.

    Args:
        matrices: Square matrices of one size whose entries are rationals or Gaussian rationals.

    Returns:
        The index; never more than the size of the matrices.

    Raises:
        TypeError: One is no matrix.
        ValueError: There is none; the sizes differ; an entry is of another kind, as balls are.

    >>> from ewsmath.rings import QQ
    >>> nilpotency_index([Matrix(QQ, [[0, 1], [0, 0]])]), nilpotency_index([Matrix(QQ, [[0, 1], [1, 0]])])
    (2, None)
    """
    exact = exact_matrices(matrices, "nilpotency")
    products = Span(exact)
    for n in range(1, exact[0].shape[0] + 1):
        if not products.dimension:
            return n
        products = Span(X @ Y for X in exact for Y in products.basis)
    return None  # an algebra of nilpotent h x h matrices is triangular in some basis: h factors would do
