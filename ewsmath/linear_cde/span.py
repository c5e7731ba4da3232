"""Subspaces of matrices over an exact field, by elimination."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, QQ_I, Ring
from ewsmath.rings.door import entries, of_kind
from ewsmath.rings.immutable import Immutable


class Span(Immutable):
    """The subspace that matrices of one shape span. Immutable.

    Args:
        matrices: Matrices over QQ or over QQ_I; those that depend on the ones before them are left out.

    Attributes:
        basis: The matrices that were kept.

    >>> plane = Span([Matrix(QQ, [[1, 0, 0]]), Matrix(QQ, [[2, 0, 0]]), Matrix(QQ, [[1, 1, 0]])])
    >>> plane.dimension, Matrix(QQ, [[0, 5, 0]]) in plane, Matrix(QQ, [[0, 0, 1]]) in plane
    (2, True, False)
    """

    __slots__ = ("_echelon", "basis")
    basis: tuple[Matrix[Any], ...]
    _echelon: _Echelon

    def __init__(self, matrices: Iterable[Matrix[Any]] = ()) -> None:
        echelon = _Echelon()
        self._set(basis=tuple(X for X in matrices if echelon.takes(X)), _echelon=echelon)

    @property
    def dimension(self) -> int:
        """The dimension."""
        return len(self.basis)

    def __contains__(self, X: Matrix[Any]) -> bool:
        return not self._echelon.reduced(X)

    def __repr__(self) -> str:
        return f"Span(dimension={self.dimension})"


def closure(start: Iterable[Matrix[Any]], step: Callable[[Matrix[Any]], Iterable[Matrix[Any]]]) -> Span:
    """The smallest subspace that holds the start and that linear maps take into itself.

    Args:
        start: Matrices of one shape over QQ or over QQ_I.
        step: For a matrix its images under the maps; it is asked once for each matrix of the basis.

    Returns:
        The subspace.

    >>> N = Matrix(QQ, [[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    >>> closure([Matrix.identity(QQ, 3)], lambda X: [N @ X]).basis[-1]
    Matrix(QQ, [[0, 0, 1], [0, 0, 0], [0, 0, 0]])
    """
    echelon = _Echelon()
    kept: list[Matrix[Any]] = []
    waiting = list(start)
    for X in waiting:  # grows while it is read
        if echelon.takes(X):
            kept.append(X)
            waiting.extend(step(X))
    return Span(kept)


class _Echelon:
    """Rows in echelon form, each a map from places to entries with a one at its pivot."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, dict[int, Any]]] = []

    def reduced(self, X: Matrix[Any]) -> dict[int, Any]:
        """What is left of a matrix: nothing exactly when the rows span it."""
        row = {i: x for i, x in enumerate(X.entries) if x}
        for pivot, other in self.rows:
            if c := row.get(pivot):
                for i, x in other.items():
                    rest = row[i] - c * x if i in row else -(c * x)
                    if rest:
                        row[i] = rest
                    else:
                        row.pop(i, None)
        return row

    def takes(self, X: Matrix[Any]) -> bool:
        """Whether a matrix is new; it is spanned from then on."""
        row = self.reduced(X)
        if not row:
            return False
        field: Any = X.ring
        pivot = min(row)
        factor = field.inverse(row[pivot])
        self.rows.append((pivot, {i: factor * x for i, x in row.items()}))
        return True


def square_matrices(matrices: Sequence[Matrix[Any]], use: str) -> list[Matrix[Any]]:
    """At least one square matrix, all of one size.

    Args:
        matrices: The matrices.
        use: Who takes them, for the message.

    Returns:
        A list of them.

    Raises:
        TypeError: One is no matrix.
        ValueError: There is none, or the sizes differ.

    >>> from ewsmath.rings import QQ
    >>> square_matrices([Matrix(QQ, [[1]]), Matrix(QQ, [[1, 2], [3, 4]])], "a Lie algebra")
    Traceback (most recent call last):
        ...
    ValueError: a Lie algebra needs matrices of one size, got shapes (1, 1) and (2, 2)
    """
    advice = "rows become one by Matrix(ring, rows)"
    found = [of_kind(X, Matrix, f"{use} takes matrices", advice) for X in entries(matrices, f"{use} takes matrices")]
    if not found:
        raise ValueError(f"{use} needs at least one matrix, got none")
    size = found[0].check_square(use)
    for X in found:
        if X.shape != (size, size):
            raise ValueError(f"{use} needs matrices of one size, got shapes {found[0].shape} and {X.shape}")
    return found


def exact_matrices(matrices: Sequence[Matrix[Any]], use: str) -> list[Matrix[Any]]:
    """Square matrices of one size over QQ, or over QQ_I where an entry is not real.

    Args:
        matrices: At least one; their entries are rationals or Gaussian rationals, of whatever ring.
        use: Who takes them, for the message.

    Returns:
        The same matrices over one field.

    Raises:
        TypeError: One is no matrix.
        ValueError: There is none, the sizes differ, or an entry is of another kind, as balls are.

    >>> found = exact_matrices([Matrix(QQ_I, [[2]]), Matrix(QQ, [[3]])], "a Lie algebra")
    >>> found[0].ring.name
    'QQ'
    """
    found = square_matrices(matrices, use)
    try:
        numbers = [QQ_I.coerce(x) for X in found for x in X.entries]
    except TypeError as error:
        raise ValueError(f"{use} is decided in exact fields only: {error}") from None
    field: Ring[Any] = QQ if all(z.is_real for z in numbers) else QQ_I
    return [Matrix.over(field, X) for X in found]
