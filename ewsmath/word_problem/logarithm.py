"""Real logarithms of permutation matrices, for the exact flow of a word problem."""

from itertools import product
from typing import Any

from flint import arb, fmpq

from ewsmath.matrix import Matrix
from ewsmath.rings import Balls, WorkingPrecision
from ewsmath.word_problem.permutations import Permutation, cycles, is_even


def permutation_logarithm(p: Permutation, ring: Balls) -> Matrix[Any]:
    r"""A real logarithm of the matrix of an even permutation, so that A = -log P_p has the exact flow P_p^{-1}.

    On a cycle of length n, where P acts by e^{iθ} with θ = 2πk/n,

    .. math:: \log P = \sum_{j=0}^{n-1} \Big(\frac{2}{n} \sum_{0 < k < n/2} θ_k \sin(jθ_k)\Big) P^j

    but for the eigenvalue -1 of a cycle of even length. An even permutation has an even number of those; two of
    them, with unit vectors u and v, turn into each other by π(vuᵀ - uvᵀ). The angles are multiples of π, which no
    exact ring of this package holds.

    Args:
        p: An even permutation.
        ring: A ring of real balls.

    Returns:
        A skew-symmetric matrix over the balls.

    Raises:
        ValueError: The permutation is odd: then P has determinant -1, and no real logarithm.

    >>> from ewsmath import spectrum
    >>> from ewsmath.word_problem import permutation_matrix
    >>> R = Balls(prec=64)
    >>> spectrum.exponential(permutation_logarithm((1, 2, 0), R)) == permutation_matrix((1, 2, 0), R)
    True
    """
    if not is_even(p):
        raise ValueError(f"the matrix of the odd permutation {p} has determinant -1, and so no real logarithm")
    with WorkingPrecision(ring.prec):
        found = [[arb(0) for _ in p] for _ in p]
        for cycle in cycles(p):
            n = len(cycle)
            weights = [_weight(j, n) for j in range(n)]
            for (a, column), (b, row) in product(enumerate(cycle), enumerate(cycle)):
                found[row][column] += weights[(b - a) % n]  # P^{b-a} takes the a-th point of the cycle to the b-th
        even = [cycle for cycle in cycles(p) if len(cycle) % 2 == 0]
        for first, second in zip(even[::2], even[1::2], strict=True):
            size = arb.pi() / arb(len(first) * len(second)).sqrt()
            for (a, i), (b, j) in product(enumerate(first), enumerate(second)):
                turn = size * (-1) ** (a + b)
                found[j][i] += turn
                found[i][j] -= turn
        return Matrix(ring, found)


def _weight(j: int, n: int) -> arb:
    total = arb(0)
    for k in range(1, (n + 1) // 2):
        total += arb.pi() * fmpq(4 * k, n * n) * arb.sin_pi_fmpq(fmpq(2 * j * k, n))
    return total
