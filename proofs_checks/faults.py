"""Faults that mutants of several statements have."""

from collections.abc import Sequence
from typing import Any

from ewsmath import Functional, Matrix, Tensor, homomorphism
from ewsmath.generators import AbstractGenerator
from ewsmath.rings import Ring
from ewsmath.words import Word, shuffle, size


def on_the_last_letter(matrix: Matrix[Any] | Sequence[Sequence[Any]], a: Tensor[Any]) -> Tensor[Any]:
    """A matrix acts on the last letter of each word alone, where it should act on every letter."""
    algebra = a.algebra
    transposed = Matrix.over(algebra.ring, matrix).transpose()
    levels = [a.level(0)]
    for n in range(1, algebra.depth + 1):
        levels.append(list((Matrix.flat(algebra.ring, a.level(n), algebra.dim) @ transposed).entries))
    return algebra.from_levels(levels)


def flow_of_the_last_letter(generator: AbstractGenerator, r: Any, a: Tensor[Any]) -> Tensor[Any]:
    """e^{-rA} acts on the last letter of each word alone."""
    return on_the_last_letter(generator.exponential(r), a)


def no_flow(generator: AbstractGenerator, r: Any, a: Tensor[Any]) -> Tensor[Any]:
    """Nothing flows."""
    return a


def derivation_of_the_last_letter(A: Matrix[Any] | Sequence[Sequence[Any]], a: Tensor[Any]) -> Tensor[Any]:
    """A acts on the last letter of each word alone, and kills level 0."""
    return on_the_last_letter(A, a - a.algebra.scalar(a[()]))


def turned_round(a: Tensor[Any]) -> Tensor[Any]:
    """Every word in reverse."""
    return a.algebra.tensor({word[::-1]: c for word, c in a.coefficients.items()})


def swapped_lift_matrix(ring: Ring[Any], v: list[Any], depth: int) -> Matrix[Any]:
    """The blocks v ⊗ I_{m^{n-1}} where I_{m^{n-1}} ⊗ v belong."""
    m = len(v)
    rows = [[ring.zero] * size(m, depth) for _ in range(size(m, depth))]
    for n in range(1, depth + 1):
        below, left = size(m, n - 1), size(m, n - 1) - m ** (n - 1)
        block = Matrix.column(ring, v).kronecker(Matrix.identity(ring, m ** (n - 1)))
        for i, row in enumerate(block.rows):
            rows[below + i][left : left + len(row)] = row
    return Matrix(ring, rows)


def level_product(A: Matrix[Any], n: int) -> Matrix[Any]:
    """A ⊗ … ⊗ A where the Kronecker sum belongs."""
    L = A if n else Matrix.zeros(A.ring, 1, 1)
    for _ in range(n - 1):
        L = L.kronecker(A)
    return L


def shuffle_without_repetition(u: Word, w: Word) -> dict[Word, int]:
    """Each word of the shuffle once, however often it occurs."""
    return dict.fromkeys(shuffle(u, w), 1)


def concatenated(self: Functional[Any], other: Functional[Any]) -> Functional[Any]:
    """The concatenation of words where their shuffle belongs."""
    total: dict[Word, Any] = {}
    for u, a in self.coefficients.items():
        for w, b in other.coefficients.items():
            total[u + w] = total.get(u + w, self.ring.zero) + a * b
    return Functional(self.ring, total)


def backward_flow(generator: AbstractGenerator, r: Any, a: Tensor[Any]) -> Tensor[Any]:
    """D_A^{-r} where D_A^r belongs."""
    return homomorphism(generator.exponential(-r), a)
