"""Small matrices over a ring: sums, products, Kronecker products and sums, inverses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from ewsmath.capacity import check_matrix
from ewsmath.latex import displayed, latex
from ewsmath.rings import Field, MatrixRing, Ring, RingElement, check_ring, supports
from ewsmath.rings.door import entries as _entries
from ewsmath.rings.door import integer, named, operand
from ewsmath.rings.immutable import Immutable

R = TypeVar("R", bound=RingElement)
Q = TypeVar("Q", bound=RingElement)


class Matrix(Immutable, Generic[R]):
    """A matrix over a ring. Immutable.

    Args:
        ring: The ring of the entries.
        rows: The rows, sequences of numbers of one length.

    Attributes:
        ring: The ring of the entries.
        shape: Number of rows and of columns.
        entries: The entries, flat in row-major order.

    Raises:
        ValueError: The rows have different lengths.
        TypeError: They are no sequences of numbers, or a number is none of the ring.

    >>> from ewsmath.rings import QQ
    >>> A = Matrix(QQ, [[1, 2], [0, 1]])
    >>> A @ A, A[0, 1]
    (Matrix(QQ, [[1, 4], [0, 1]]), 2)
    """

    __slots__ = ("entries", "ring", "shape")
    ring: Ring[R]
    shape: tuple[int, int]
    entries: tuple[R, ...]

    def __init__(self, ring: Ring[R], rows: Sequence[Sequence[Any]]) -> None:
        check_ring(ring)
        if not hasattr(rows, "__len__"):
            raise TypeError(f"a matrix is made of rows, got {named(rows)}")
        columns = 0
        for i, row in enumerate(rows):
            if not hasattr(row, "__len__"):
                raise TypeError(f"row {i} of a matrix is a sequence of numbers, got {named(row)}: give rows, [[…], …]")
            columns = columns if i else len(row)
            if len(row) != columns:
                raise ValueError(
                    f"row {i} of a matrix has {len(row)} entries, row 0 has {columns}: give rows of equal length"
                )
        entries = tuple(ring.coerce(x) for row in rows for x in row)
        self._set(ring=ring, shape=(len(rows), columns), entries=entries)

    @classmethod
    def flat(cls, ring: Ring[R], entries: Sequence[Any], columns: int) -> Matrix[R]:
        """The matrix with these numbers in row-major order; ValueError where they do not fill rows of that length.

        Args:
            ring: The ring of the entries.
            entries: The entries, numbers that the ring takes.
            columns: The number of columns.

        Returns:
            The matrix.

        >>> from ewsmath.rings import QQ
        >>> Matrix.flat(QQ, [1, 0, 1, 1], 2)
        Matrix(QQ, [[1, 0], [1, 1]])
        """
        check_ring(ring)
        found = [ring.coerce(x) for x in _entries(entries, "Matrix.flat takes numbers")]
        if integer(columns) is None or columns < 0 or (len(found) % columns if columns else found):
            raise ValueError(f"Matrix.flat: {len(found)} numbers do not fill rows of {columns} entries")
        return cls._flat(ring, found, int(columns))

    @classmethod
    def _flat(cls, ring: Ring[R], entries: Sequence[R], columns: int) -> Matrix[R]:
        """What was computed: elements of the ring, which are not looked at again."""
        matrix = cls.__new__(cls)
        shape = (len(entries) // columns if columns else 0, columns)
        matrix._set(ring=ring, shape=shape, entries=tuple(entries))
        return matrix

    @classmethod
    def over(cls, ring: Ring[R], matrix: Matrix[Any] | Sequence[Sequence[Any]]) -> Matrix[R]:
        """A matrix, or rows of numbers, with its entries coerced into the ring.

        Args:
            ring: The ring to go to.
            matrix: A matrix over a ring that ``ring.coerce`` takes elements of, or rows.

        Returns:
            The same matrix over ``ring``.

        >>> from ewsmath.rings import EE, QQ
        >>> Matrix.over(EE, Matrix(QQ, [[1, 2]]))
        Matrix(EE, [[1, 2]])
        """
        if isinstance(matrix, Matrix):
            return matrix if matrix.ring == ring else cls.flat(ring, matrix.entries, matrix.shape[1])
        return cls(ring, matrix)

    @classmethod
    def identity(cls, ring: Ring[R], size: int) -> Matrix[R]:
        """The identity I_size; ValueError where it is too large to be held.

        Args:
            ring: The ring of the entries.
            size: The number of rows and columns.

        Returns:
            The matrix.

        >>> from ewsmath.rings import QQ
        >>> Matrix.identity(QQ, 2)
        Matrix(QQ, [[1, 0], [0, 1]])
        """
        check_matrix(size, size, "the identity")
        return cls.diagonal(ring, [check_ring(ring).one] * size)

    @classmethod
    def zeros(cls, ring: Ring[R], rows: int, columns: int) -> Matrix[R]:
        """The zero matrix; ValueError where it has more entries than can be held.

        Args:
            ring: The ring of the entries.
            rows: The number of rows.
            columns: The number of columns.

        Returns:
            The matrix.

        >>> from ewsmath.rings import QQ
        >>> Matrix.zeros(QQ, 1, 3)
        Matrix(QQ, [[0, 0, 0]])
        """
        check_matrix(rows, columns, "the zero matrix")
        return cls._flat(ring, [check_ring(ring).zero] * (rows * columns), columns)

    @classmethod
    def diagonal(cls, ring: Ring[R], entries: Sequence[Any]) -> Matrix[R]:
        """The diagonal matrix with these entries; ValueError where it is too large to be held.

        Args:
            ring: The ring of the entries.
            entries: The diagonal.

        Returns:
            A square matrix.

        >>> from ewsmath.rings import QQ
        >>> Matrix.diagonal(QQ, [2, 3])
        Matrix(QQ, [[2, 0], [0, 3]])
        """
        check_matrix(len(entries), len(entries), "a diagonal matrix")
        return cls(ring, [[x if i == j else ring.zero for j in range(len(entries))] for i, x in enumerate(entries)])

    @classmethod
    def column(cls, ring: Ring[R], entries: Sequence[Any]) -> Matrix[R]:
        """A vector as a matrix of one column.

        Args:
            ring: The ring of the entries.
            entries: The entries of the vector.

        Returns:
            A matrix with as many rows.

        >>> from ewsmath.rings import QQ
        >>> Matrix.column(QQ, [2, 3])
        Matrix(QQ, [[2], [3]])
        """
        return cls.flat(ring, entries, 1)

    @classmethod
    def block_diagonal(cls, ring: Ring[R], blocks: Sequence[Matrix[Any]]) -> Matrix[R]:
        """The direct sum of square blocks.

        Args:
            ring: The ring of the entries.
            blocks: The blocks, from the top left on.

        Returns:
            A square matrix.

        >>> from ewsmath.rings import QQ
        >>> Matrix.block_diagonal(QQ, [Matrix(QQ, [[1]]), Matrix(QQ, [[2, 3], [4, 5]])])
        Matrix(QQ, [[1, 0, 0], [0, 2, 3], [0, 4, 5]])
        """
        size = sum(block.shape[0] for block in blocks)
        check_matrix(size, size, "a block-diagonal matrix")
        rows = [[ring.zero] * size for _ in range(size)]
        start = 0
        for block in blocks:
            for i, row in enumerate(block.rows):
                rows[start + i][start : start + len(row)] = [ring.coerce(x) for x in row]
            start += block.shape[0]
        return cls(ring, rows)

    @property
    def rows(self) -> list[tuple[R, ...]]:
        """The rows."""
        n = self.shape[1]
        return [self.entries[i * n : (i + 1) * n] for i in range(self.shape[0])]

    def __getitem__(self, place: tuple[int, int]) -> R:
        i, j = place
        if not (0 <= i < self.shape[0] and 0 <= j < self.shape[1]):
            raise IndexError(f"no entry {place} in a matrix of shape {self.shape}; rows and columns count from 0")
        return self.entries[i * self.shape[1] + j]

    def map(self, ring: Ring[Q], f: Callable[[R], Any]) -> Matrix[Q]:
        """The matrix of f(x) over another ring; TypeError where that does not take f(x).

        Args:
            ring: The ring of the result.
            f: A function of an entry.

        Returns:
            A matrix of the same shape.

        >>> from ewsmath.rings import QQ
        >>> Matrix(QQ, [[1, 2]]).map(QQ, lambda x: x * x)
        Matrix(QQ, [[1, 4]])
        """
        return Matrix.flat(ring, [f(x) for x in self.entries], self.shape[1])

    def transpose(self) -> Matrix[R]:
        """The transposed matrix.

        Returns:
            The matrix with rows for columns.

        >>> from ewsmath.rings import QQ
        >>> Matrix(QQ, [[1, 2], [3, 4]]).transpose()
        Matrix(QQ, [[1, 3], [2, 4]])
        """
        rows, columns = self.shape
        entries = [self.entries[i * columns + j] for j in range(columns) for i in range(rows)]
        return Matrix._flat(self.ring, entries, rows)

    def _same_ring(self, other: Matrix[R]) -> Matrix[R]:
        return operand(self, other, "matrices", "a number scales one, A * c; rows become one by Matrix(ring, rows)")

    def __add__(self, other: Matrix[R]) -> Matrix[R]:
        if self._same_ring(other).shape != self.shape:
            raise ValueError(f"matrices of shapes {self.shape} and {other.shape} have no sum: make the shapes equal")
        pairs = zip(self.entries, other.entries, strict=True)
        return Matrix._flat(self.ring, [x + y for x, y in pairs], self.shape[1])

    def __neg__(self) -> Matrix[R]:
        return self.map(self.ring, lambda x: -x)

    def __sub__(self, other: Matrix[R]) -> Matrix[R]:
        return self + -self._same_ring(other)

    def scaled(self, c: Any) -> Matrix[R]:
        """The multiple by a number, written ``A * c`` too; TypeError where the ring does not take it.

        Args:
            c: The number.

        Returns:
            A matrix of the same shape.

        >>> from ewsmath.rings import QQ
        >>> Matrix(QQ, [[1, 2]]).scaled(QQ.ratio(1, 2))
        Matrix(QQ, [[1/2, 1]])
        """
        factor: Any = self.ring.coerce(c)
        return Matrix._flat(self.ring, [factor * x for x in self.entries], self.shape[1])

    def __mul__(self, scalar: Any) -> Matrix[R]:
        return self.scaled(scalar)

    __rmul__ = __mul__

    def __matmul__(self, other: Matrix[R]) -> Matrix[R]:
        (rows, inner), (below, columns) = self.shape, self._same_ring(other).shape
        if inner != below:
            raise ValueError(f"matrices of shapes {self.shape} and {other.shape} have no product")
        ring: Any = self.ring
        if rows and inner and columns and supports(ring, MatrixRing):
            return Matrix._flat(ring, ring.matrix_product(self.entries, other.entries, inner), columns)
        return Matrix._flat(self.ring, list(_schoolbook(self, other)), columns)

    def apply(self, vector: Sequence[Any]) -> list[R]:
        """The product with a column vector.

        Args:
            vector: As many numbers as there are columns.

        Returns:
            As many entries as there are rows.

        >>> from ewsmath.rings import QQ
        >>> Matrix(QQ, [[1, 2], [3, 4]]).apply([1, 1])
        [3, 7]
        """
        return list((self @ Matrix.flat(self.ring, vector, 1)).entries)

    def kronecker(self, other: Matrix[R]) -> Matrix[R]:
        r"""The Kronecker product A ⊗ B, with entry a_ij b_kl at row (i, k) and column (j, l).

        Args:
            other: The right factor B.

        Returns:
            The product.

        Raises:
            ValueError: It has more entries than can be held, or the rings differ.

        >>> from ewsmath.rings import QQ
        >>> Matrix(QQ, [[1, 2]]).kronecker(Matrix(QQ, [[3], [5]]))
        Matrix(QQ, [[3, 6], [5, 10]])
        """
        (p, q), (r, s) = self.shape, self._same_ring(other).shape
        check_matrix(p * r, q * s, "a Kronecker product")
        rows = [[x * y for x in a for y in b] for a in self.rows for b in other.rows]
        return Matrix(self.ring, rows)

    def kronecker_sum(self, other: Matrix[R]) -> Matrix[R]:
        r"""The Kronecker sum of two square matrices.

        .. math:: A ⊕ B = A ⊗ I + I ⊗ B

        Args:
            other: The right summand B.

        Returns:
            The sum; its exponential is e^A ⊗ e^B.

        >>> from ewsmath.rings import QQ
        >>> Matrix(QQ, [[2]]).kronecker_sum(Matrix(QQ, [[0, 1], [5, 0]]))
        Matrix(QQ, [[2, 1], [5, 2]])
        """
        left = Matrix.identity(self.ring, self._same_ring(other).shape[0])
        right = Matrix.identity(self.ring, self.shape[0])
        return self.kronecker(left) + right.kronecker(other)

    def inverse(self) -> Matrix[R]:
        """The inverse, by elimination with the first pivot that is certainly not zero.

        Returns:
            The inverse over the same ring.

        Raises:
            TypeError: The ring is no field.
            ZeroDivisionError: The matrix is singular, or in balls not certainly regular.

        >>> from ewsmath.rings import QQ
        >>> Matrix(QQ, [[0, 2], [1, 0]]).inverse()
        Matrix(QQ, [[0, 1], [1/2, 0]])
        """
        ring = self.ring
        size = self.check_square("inverse")
        if not isinstance(ring, Field):
            raise TypeError(f"a matrix over {ring.name} has no inverse there: {ring.name} is no field")
        rows = [list(row) + list(unit) for row, unit in zip(self.rows, Matrix.identity(ring, size).rows, strict=True)]
        for k in range(size):
            pivot = next((i for i in range(k, size) if not ring.equal(rows[i][k], ring.zero)), None)
            if pivot is None:
                raise ZeroDivisionError(f"the matrix has no inverse over {ring.name}: column {k} has no certain pivot")
            rows[k], rows[pivot] = rows[pivot], rows[k]
            factor = ring.inverse(rows[k][k])
            rows[k] = [factor * x for x in rows[k]]
            for i in range(size):
                if i != k and rows[i][k]:
                    c = rows[i][k]
                    rows[i] = [x - c * y for x, y in zip(rows[i], rows[k], strict=True)]
        return Matrix(ring, [row[size:] for row in rows])

    def check_square(self, use: str) -> int:
        """The size of a square matrix; ValueError, naming the use, for any other.

        Args:
            use: What the matrix is for, for the message.

        Returns:
            The number of rows.

        >>> from ewsmath.rings import QQ
        >>> Matrix(QQ, [[1, 2], [3, 4]]).check_square("the trace")
        2
        """
        if self.shape[0] != self.shape[1]:
            raise ValueError(f"{use} needs a square matrix, got shape {self.shape}")
        return self.shape[0]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matrix) or other.ring != self.ring:
            return NotImplemented
        same = self.ring.equal
        return self.shape == other.shape and all(map(same, self.entries, other.entries))

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap

    def __repr__(self) -> str:
        rows = ", ".join("[" + ", ".join(map(str, row)) + "]" for row in self.rows)
        return f"Matrix({self.ring.name}, [{rows}])"

    def _latex(self) -> str:
        rows = r" \\ ".join(" & ".join(map(latex, row)) for row in self.rows)
        return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"

    def _repr_latex_(self) -> str:
        return displayed(self._latex())


def _schoolbook(left: Matrix[R], right: Matrix[R]) -> Iterator[R]:
    """The entries of a product, row by row; zeros are skipped, since exact matrices are mostly sparse."""
    columns = range(right.shape[1])
    rows = [[(j, y) for j, y in enumerate(row) if y] for row in right.rows]
    for row in left.rows:
        total: list[Any] = [left.ring.zero for _ in columns]
        for x, below in zip(row, rows, strict=True):
            if x:
                for j, y in below:
                    total[j] = total[j] + x * y
        yield from total
