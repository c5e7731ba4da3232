"""Jordan forms A = P J P^{-1}, and what they make of r ↦ e^{-rA}."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import factorial
from typing import Any, NamedTuple

from ewsmath.matrix import Matrix
from ewsmath.rings import Ring


class Mode(NamedTuple):
    """One term r^ℓ e^{αr} C of r ↦ e^{-rA}.

    Attributes:
        power: The power ℓ.
        exponent: The exponent α, which is minus an eigenvalue.
        matrix: The m x m matrix C.

    >>> from ewsmath.rings import QQ
    >>> list(jordan_form(Matrix(QQ, [[2]]), [2]).modes())
    [Mode(power=0, exponent=-2, matrix=Matrix(QQ, [[1]]))]
    """

    power: int
    exponent: Any
    matrix: Matrix[Any]


@dataclass(frozen=True)
class JordanForm:
    r"""A matrix in its Jordan form.

    .. math:: A = P J P^{-1}, \qquad J = \operatorname{diag}(λ_b I + N)_b, \qquad N e_{k+1} = e_k

    Attributes:
        basis: The matrix P, over a ring that contains the eigenvalues; its columns are chains of generalised
            eigenvectors.
        inverse: The matrix P^{-1}.
        blocks: The eigenvalue and the size of each block, in the order of the columns of P.

    >>> from ewsmath.rings import QQ_I
    >>> form = jordan_form(Matrix(QQ_I, [[3, 1], [-1, 1]]), [2, 2])
    >>> form.matrix(), [(mode.power, mode.exponent) for mode in form.modes()]
    (Matrix(QQ_I, [[2, 1], [0, 2]]), [(0, -2), (1, -2)])
    """

    basis: Matrix[Any]
    inverse: Matrix[Any]
    blocks: tuple[tuple[Any, int], ...]

    @property
    def ring(self) -> Ring[Any]:
        """The ring of P."""
        return self.basis.ring

    def matrix(self) -> Matrix[Any]:
        """The matrix J.

        Returns:
            The matrix, over the ring of P.

        >>> from ewsmath.rings import QQ_I
        >>> form = jordan_form(Matrix(QQ_I, [[3, 1], [-1, 1]]), [2, 2])
        >>> form.matrix()
        Matrix(QQ_I, [[2, 1], [0, 2]])
        """
        entries = self.ring
        blocks = [
            Matrix.identity(entries, size) * entries.coerce(rate) + Matrix(entries, nilpotent(size))
            for rate, size in self.blocks
        ]
        return Matrix.block_diagonal(entries, blocks)

    def conjugated(self, basis: Matrix[Any], inverse: Matrix[Any]) -> JordanForm:
        """The Jordan form of Q A Q^{-1}: the same blocks in the basis QP.

        Args:
            basis: The matrix Q.
            inverse: Its inverse.

        Returns:
            The form.

        >>> from ewsmath.rings import QQ_I
        >>> form = jordan_form(Matrix(QQ_I, [[3, 1], [-1, 1]]), [2, 2])
        >>> Q = Matrix(QQ_I, [[1, 1], [0, 1]])
        >>> form.conjugated(Q, Q.inverse()).blocks == form.blocks
        True
        """
        return JordanForm(basis @ self.basis, self.inverse @ inverse, self.blocks)

    def modes(self) -> Iterator[Mode]:
        r"""The terms of the exponential, block by block.

        .. math:: e^{-rA} = \sum_b \sum_ℓ r^ℓ e^{-λ_b r}\, \frac{(-1)^ℓ}{ℓ!} P_b N^ℓ Q_b

        with P_b the columns of P and Q_b the rows of P^{-1} that belong to the block.

        Returns:
            One mode for each block and each power below its size.

        >>> from ewsmath.rings import QQ_I
        >>> form = jordan_form(Matrix(QQ_I, [[3, 1], [-1, 1]]), [2, 2])
        >>> [(mode.power, mode.exponent, mode.matrix) for mode in form.modes()]
        [(0, -2, Matrix(QQ_I, [[1, 0], [0, 1]])), (1, -2, Matrix(QQ_I, [[-1, -1], [1, 1]]))]
        """
        columns, rows, start = self.basis.transpose().rows, self.inverse.rows, 0
        for rate, size in self.blocks:
            ours = slice(start, start + size)
            start += size
            for power in range(size):
                # P_b N^ℓ Q_b: column k of P_b meets row k + ℓ of Q_b.
                left = Matrix(self.ring, columns[ours][: size - power]).transpose()
                right = Matrix(self.ring, rows[ours][power:])
                yield Mode(power, -rate, (left @ right) * self.ring.ratio((-1) ** power, factorial(power)))


def nilpotent(size: int) -> list[list[int]]:
    """The rows of N, with N e_{k+1} = e_k: ones on the superdiagonal.

    Args:
        size: The number of rows.

    Returns:
        The rows, each a list of whole numbers.

    >>> nilpotent(3)
    [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    """
    return [[int(j == i + 1) for j in range(size)] for i in range(size)]


def direct_sum(ring: Ring[Any], forms: Sequence[JordanForm]) -> JordanForm:
    """The Jordan form of a block-diagonal matrix from those of its blocks.

    Args:
        ring: The ring of the bases.
        forms: The forms of the blocks.

    Returns:
        The form, with the blocks in the order of the forms.

    >>> from ewsmath.rings import QQ_I
    >>> direct_sum(QQ_I, [jordan_form(Matrix(QQ_I, [[x]]), [x]) for x in (2, 3)]).matrix()
    Matrix(QQ_I, [[2, 0], [0, 3]])
    """
    return JordanForm(
        Matrix.block_diagonal(ring, [form.basis for form in forms]),
        Matrix.block_diagonal(ring, [form.inverse for form in forms]),
        tuple(block for form in forms for block in form.blocks),
    )


def jordan_form(matrix: Matrix[Any], eigenvalues: Sequence[Any]) -> JordanForm:
    """The Jordan form of a matrix over a field, by chains of generalised eigenvectors.

    Args:
        matrix: A square matrix over QQ_I or RF.
        eigenvalues: Its eigenvalues with multiplicity, elements of the field.

    Returns:
        The form, over the field; the largest block of each eigenvalue first.

    Raises:
        ValueError: These are not the eigenvalues, or the matrix is not square.

    >>> from ewsmath.rings import QQ_I
    >>> form = jordan_form(Matrix(QQ_I, [[3, 1], [-1, 1]]), [2, 2])
    >>> form.blocks, form.basis @ form.matrix() @ form.inverse
    (((2, 2),), Matrix(QQ_I, [[3, 1], [-1, 1]]))
    """
    field, size = matrix.ring, matrix.check_square("the Jordan form")
    columns: list[Sequence[Any]] = []
    blocks = []
    for rate, multiplicity in Counter(map(field.coerce, eigenvalues)).items():
        N = matrix - Matrix.identity(field, size) * rate
        for chain in _chains(N, multiplicity):
            columns += chain
            blocks.append((rate, len(chain)))
    basis = Matrix(field, columns).transpose()
    return JordanForm(basis, basis.inverse(), tuple(blocks))


def _chains(N: Matrix[Any], multiplicity: int) -> list[list[Sequence[Any]]]:
    """Chains [N^{k-1} h, …, N h, h] that together are a basis of the vectors that powers of N kill."""
    kernels: list[list[list[Any]]] = [[]]
    power = Matrix.identity(N.ring, N.shape[0])
    while len(kernels[-1]) < multiplicity:
        power = N @ power
        kernels.append(_kernel(power))
        if len(kernels[-1]) == len(kernels[-2]):
            raise ValueError("the Jordan form needs the eigenvalues of the matrix, each as often as it occurs")
    chains: list[list[Sequence[Any]]] = []
    for k in range(len(kernels) - 1, 0, -1):
        known = _Span(N.ring)
        for vector in [*kernels[k - 1], *(chain[k - 1] for chain in chains)]:
            known.add(vector)
        for head in kernels[k]:
            if known.add(head):
                chain: list[Sequence[Any]] = [head]
                for _ in range(k - 1):
                    chain.insert(0, N.apply(chain[0]))
                chains.append(chain)
    return chains


class _Span:
    """A growing space of vectors, each kept with a leading one and reduced by those before it."""

    def __init__(self, field: Any) -> None:
        self._field = field
        self._rows: list[tuple[int, list[Any]]] = []

    def add(self, vector: Sequence[Any]) -> bool:
        """Whether the vector was not in the space; it is afterwards."""
        rest = list(vector)
        for pivot, row in self._rows:
            if rest[pivot]:
                c = rest[pivot]
                rest = [x - c * y for x, y in zip(rest, row, strict=True)]
        pivot = next((j for j, x in enumerate(rest) if x), None)
        if pivot is None:
            return False
        scale = self._field.inverse(rest[pivot])
        self._rows.append((pivot, [scale * x for x in rest]))
        return True

    def reduced(self) -> dict[int, list[Any]]:
        """The rows by their pivots, each with zeros at the pivots of the others."""
        found: dict[int, list[Any]] = {}
        for pivot, row in reversed(self._rows):  # a row has zeros at the pivots before its own already
            for other, done in found.items():
                c = row[other]
                row = [x - c * y for x, y in zip(row, done, strict=True)]
            found[pivot] = row
        return found


def _kernel(matrix: Matrix[Any]) -> list[list[Any]]:
    """A basis of the vectors that a matrix kills."""
    field, size = matrix.ring, matrix.shape[1]
    span = _Span(field)
    for row in matrix.rows:
        span.add(row)
    rows = span.reduced()
    basis = []
    for free in range(size):
        if free not in rows:
            vector = [field.zero] * size
            vector[free] = field.one
            for pivot, row in rows.items():
                vector[pivot] = -row[free]
            basis.append(vector)
    return basis
