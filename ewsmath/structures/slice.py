"""SLiCE: a linear CDE whose matrices share a structure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ewsmath.linear_cde import LinearCDE
from ewsmath.paths import PiecewiseLinearPath
from ewsmath.rings.door import entries, of_kind
from ewsmath.rings.immutable import Immutable
from ewsmath.structures.structure import AbstractStructure

StructuredFlow = Callable[[Sequence[Any]], AbstractStructure]


class SLiCE(Immutable):
    r"""A structured linear CDE, one structured matrix for each channel of its driving path. Immutable.

    .. math:: dh = \sum_i A^i h\, dω^i, \qquad F_k = I + \sum_i A^i Δω^i_k, \qquad h_k = F_k h_{k-1}

    The notion is that of structured linear CDEs, and not of the paper on the EWS.

    Published models drive it by ω = ∫(1, x) with the values x of the input, or by ω = (t, x) itself: that is for
    the path to say, ``PiecewiseLinearPath.from_increments`` or ``PiecewiseLinearPath``.

    Args:
        structures: The matrices A^i, all of one structure, size and ring.

    Attributes:
        structures: The matrices.
        cde: The same linear CDE with all entries of its matrices.

    Raises:
        TypeError: One is no structure, or of another one.
        ValueError: There is none; sizes or rings differ.

    >>> from ewsmath.rings import QQ
    >>> from ewsmath.structures import Diagonal
    >>> model = SLiCE([Diagonal(QQ, [1, 2]), Diagonal(QQ, [0, 3])])
    >>> model.parameters, model.euler([2, 1]).matrix
    (4, Matrix(QQ, [[3, 0], [0, 8]]))
    """

    __slots__ = ("cde", "structures")
    structures: tuple[AbstractStructure, ...]
    cde: LinearCDE

    def __init__(self, structures: Sequence[AbstractStructure]) -> None:
        found = [
            of_kind(A, AbstractStructure, "SLiCE takes structured matrices", "such as structures.Dense(matrix)")
            for A in entries(structures, "SLiCE takes its matrices")
        ]
        if not found:
            raise ValueError("SLiCE needs at least one matrix, got none")
        for A in found:
            found[0].check_same(A)
        self._set(structures=tuple(found), cde=LinearCDE([A.matrix for A in found]))

    @property
    def parameters(self) -> int:
        """How many numbers give all matrices."""
        return sum(A.parameters for A in self.structures)

    def field(self, dx: Sequence[Any]) -> AbstractStructure:
        """The structured matrix Σ A^i Δω^i of an increment.

        Args:
            dx: The increment Δω, one number for each matrix.

        Returns:
            A matrix of the same structure; of diagonal plus low rank, the ranks have added up.

        Raises:
            ValueError: dx has another length.

        >>> from ewsmath.rings import QQ
        >>> from ewsmath.structures import Diagonal
        >>> model = SLiCE([Diagonal(QQ, [1, 2]), Diagonal(QQ, [0, 3])])
        >>> model.field([2, 1]).matrix
        Matrix(QQ, [[2, 0], [0, 7]])
        """
        numbers = [self.cde.ring.coerce(x) for x in entries(dx, "SLiCE takes an increment")]
        if len(numbers) != len(self.structures):
            raise ValueError(f"an increment with {len(numbers)} entries does not drive {len(self.structures)} matrices")
        terms = [A.scaled(x) for x, A in zip(numbers, self.structures, strict=True)]
        total = terms[0]
        for term in terms[1:]:
            total = total + term
        return total

    def euler(self, dx: Sequence[Any]) -> AbstractStructure:
        """The Euler flow I + Σ A^i Δω^i, structured where the structure holds the identity.

        Args:
            dx: The increment Δω.

        Returns:
            A structured matrix; dense for Walsh–Hadamard.

        >>> from ewsmath.rings import QQ
        >>> from ewsmath.structures import Diagonal
        >>> model = SLiCE([Diagonal(QQ, [1, 2]), Diagonal(QQ, [0, 3])])
        >>> model.euler([2, 1]).matrix
        Matrix(QQ, [[3, 0], [0, 8]])
        """
        return self.field(dx).plus_identity()

    def propagator(self, path: PiecewiseLinearPath[Any]) -> AbstractStructure:
        """The product F_J ⋯ F_1 of the Euler flows of a path, the latest on the left, composed as structures.

        Args:
            path: The driving path ω.

        Returns:
            A structured matrix.

        Raises:
            ValueError: The path has no piece, or another number of channels.

        >>> from ewsmath.rings import QQ
        >>> from ewsmath.structures import Diagonal
        >>> model = SLiCE([Diagonal(QQ, [1, 2]), Diagonal(QQ, [0, 3])])
        >>> X = PiecewiseLinearPath(None, [[0, 0], [1, 0], [1, 1]])
        >>> model.propagator(X).matrix
        Matrix(QQ, [[2, 0], [0, 12]])
        """
        flows = [self.euler(dx) for dx in self.cde.increments(path)]
        if not flows:
            raise ValueError("a path of one point has no flow to compose: its propagator is the identity")
        total = flows[0]
        for F in flows[1:]:
            total = F @ total
        return total

    def solve(self, path: PiecewiseLinearPath[Any], start: Sequence[Any]) -> list[tuple[Any, ...]]:
        """The states at the knots by the Euler recurrence h_k = h_{k-1} + (Σ A^i Δω^i_k) h_{k-1}.

        No flow is formed: each structure acts on the state in its own way.

        Args:
            path: The driving path ω.
            start: The state h_0.

        Returns:
            J + 1 states, the first of which is the start.

        Raises:
            ValueError: The start has another number of entries than the matrices have rows.

        >>> from ewsmath.rings import QQ
        >>> from ewsmath.structures import Diagonal
        >>> model = SLiCE([Diagonal(QQ, [1, 2]), Diagonal(QQ, [0, 3])])
        >>> X = PiecewiseLinearPath(None, [[0, 0], [1, 0], [1, 1]])
        >>> model.solve(X, [1, 1])
        [(1, 1), (2, 3), (2, 12)]
        """
        state = [self.cde.ring.coerce(x) for x in entries(start, "SLiCE takes a start")]
        if len(state) != self.cde.size:
            raise ValueError(f"a state of {len(state)} entries does not fit matrices of size {self.cde.size}")
        found = [tuple(state)]
        for dx in self.cde.increments(path):
            state = [x + y for x, y in zip(state, self.field(dx).apply(state), strict=True)]
            found.append(tuple(state))
        return found

    def __repr__(self) -> str:
        return f"SLiCE({list(self.structures)})"
