"""Formulas for all parameters at once: generators, pieces and tensors in named parameters, over the ring SR.

An equation in SR holds for all values of its parameters at which no denominator vanishes, such as the difference
of two rates; there both sides are continuous in the parameters, so that it holds everywhere.
"""

from ewsmath import SR, Matrix, Tensor, TensorAlgebra
from ewsmath.generators import AbstractGenerator, Conjugated, Diagonal, Jordan, Rotation
from proofs_checks.draws import Piece

M = 2
"""The width of all formulas."""


def any_matrix() -> AbstractGenerator:
    """The 2 x 2 generator with two named rates and two named eigenvectors, which may be complex.

    That is every diagonalisable matrix: of two independent vectors one has a first entry that is not 0, and the other
    a second one.

    .. math:: A = P diag(λ, μ) P^{-1}, P = [[1, p], [q, 1]]
    """
    p, q, first, second = SR.symbols("p q lambda mu")
    return Conjugated([[1, p], [q, 1]], Diagonal([first, second]))


def diagonal() -> AbstractGenerator:
    """diag(λ, μ)."""
    return Diagonal(SR.symbols("lambda mu"))


def rotation() -> AbstractGenerator:
    """The damped rotation with damping a and frequency ω."""
    return Rotation(*SR.symbols("a omega"))


def jordan() -> AbstractGenerator:
    """The Jordan block of size 2 with rate λ, which no formula in distinct rates contains."""
    return Jordan(SR.symbol("lambda"), M)


def families() -> list[AbstractGenerator]:
    """All of these, the most special first."""
    return [diagonal(), jordan(), rotation(), any_matrix()]


def all_matrices() -> list[AbstractGenerator]:
    """Every diagonalisable 2 x 2 matrix; the others are limits of these, and a Jordan block stands for them too."""
    return [jordan(), any_matrix()]


def entries(names: str) -> Matrix:
    """The 2 x 2 matrix with four named entries, row by row: any matrix whatever."""
    return Matrix.flat(SR, SR.symbols(names), M)


def piece(j: int) -> Piece:
    """Piece number j of a path: r_j is what elapses, (x_j, y_j) the increment of the lifted path."""
    r, x, y = SR.symbols(f"r_{j} x_{j} y_{j}")
    return Piece(r, [x, y])


def tensor(name: str, depth: int) -> Tensor:
    """Any tensor over R^2: a parameter at each word, such as a_12."""
    algebra = TensorAlgebra(SR, M, depth)
    return algebra.tensor({word: SR.symbol(f"{name}_{''.join(map(str, word))}") for word in algebra.words()})
