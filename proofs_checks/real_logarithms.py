"""Culver's condition: a real logarithm exists exactly when negative Jordan blocks come in pairs of one size."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Balls, Matrix
from ewsmath.spectrum import exponential
from ewsmath.ssm import LinearSSM, culver, match
from proofs_checks.agreement import agree, differ
from proofs_checks.recurrences import R, is_close, pi
from proofs_checks.statement import Mutant, Statement

PRECISE = 512
"""Bits where up to four eigenvalues coincide."""

Blocks = list[tuple[int, int]]
"""Jordan blocks: eigenvalue and size."""


def nilpotent(size: int) -> Matrix[Any]:
    """N with ones above the diagonal."""
    return Matrix(QQ, [[int(j == i + 1) for j in range(size)] for i in range(size)])


def assembled(blocks: Blocks) -> Matrix[Any]:
    """A direct sum of Jordan blocks, in a basis that hides them."""
    parts = [Matrix.identity(QQ, size) * x + nilpotent(size) for x, size in blocks]
    return hidden(Matrix.block_diagonal(QQ, parts))


def hidden(J: Matrix[Any]) -> Matrix[Any]:
    """P J P^{-1} for a fixed P."""
    n = J.shape[0]
    P = Matrix(QQ, [[1 if i == j else (i + 2 * j) % 3 - 1 if j < i else 0 for j in range(n)] for i in range(n)])
    return P @ J @ P.inverse()


def rank(M: Matrix[Any]) -> int:
    """The rank of a rational matrix."""
    rows, found = [list(row) for row in M.rows], 0
    for j in range(M.shape[1]):
        pivot = next((i for i in range(found, len(rows)) if rows[i][j]), None)
        if pivot is not None:
            rows[found], rows[pivot] = rows[pivot], rows[found]
            for i in range(found + 1, len(rows)):
                c = rows[i][j] / rows[found][j]
                rows[i] = [x - c * y for x, y in zip(rows[i], rows[found], strict=True)]
            found += 1
    return found


def block_counts(M: Matrix[Any], eigenvalue: int) -> list[int]:
    """How many Jordan blocks of size 1, 2, … an eigenvalue has: rank P^{k-1} - 2 rank P^k + rank P^{k+1}, P = M - λ.

    That is the dimension of Q_k = ker P^k / (ker P^{k-1} + P ker P^{k+1}), on which M acts as λ.
    """
    n = M.shape[0]
    P = M - Matrix.identity(QQ, n) * eigenvalue
    power, ranks = Matrix.identity(QQ, n), [n]
    for _ in range(n + 1):
        power = power @ P
        ranks.append(rank(power))
    drops = [a - b for a, b in pairwise(ranks)]
    return [a - b for a, b in pairwise(drops)]


def has_real_logarithm(M: Matrix[Any], eigenvalues: Sequence[int]) -> bool:
    """Whether det(λI) > 0 on Q_k for each size k and each eigenvalue λ: of a real X with e^X = M it is e^{tr X|Q_k}.

    X commutes with M, and so acts on Q_k, where M acts as λ.
    """
    return all(x**count > 0 for x in eigenvalues for count in block_counts(M, x))


jordan_blocks = st.one_of(
    st.lists(st.tuples(st.sampled_from([-1, -2, 1]), st.integers(1, 2)), min_size=1, max_size=3),
    # Sizes above one are to be told from one another: 2 and 3 of one eigenvalue are no pair, 3 and 3 are.
    st.lists(st.tuples(st.just(-1), st.integers(2, 3)), min_size=2, max_size=2),
)


@given(st.data())
def check_decision(data: st.DataObject) -> None:
    """What the library decides, and the sign of det(λI) on the spaces Q_k, for any Jordan blocks."""
    blocks = data.draw(jordan_blocks)
    M = assembled(blocks)
    expected = has_real_logarithm(M, sorted({x for x, _ in blocks}))
    model = LinearSSM(M, [[1]] * M.shape[0], form="real")
    agree(model.obstacle() is None, expected, "whether a real logarithm is found to exist, and whether det λI > 0")


@given(st.data())
def check_existence(data: st.DataObject) -> None:
    """Where negative blocks come in pairs, a real A is found with e^{-A} = Abar; a rotation may stand beside."""
    pair = data.draw(st.sampled_from([[(-1, 1)], [(-2, 1)], [(-1, 2)]])) * 2
    positive = data.draw(st.sampled_from([[], [(1, 1)]]))
    M = assembled(pair + positive)
    if data.draw(st.booleans()) and M.shape[0] < 4:
        M = Matrix.block_diagonal(QQ, [M, Matrix(QQ, [[0, -1], [1, 0]])])
    [layer] = match(M, [[1]] * M.shape[0], Balls(PRECISE), form="real").layers
    agree(layer.generator.dim, M.shape[0], "the width of the generator and that of Abar")
    is_close(exponential(-Matrix.over(R, layer.generator.matrix)), Matrix.over(R, M), "e^(-A) and Abar")


@given(st.data())
def check_necessity(data: st.DataObject) -> None:
    """What real matrices with eigenvalues ±iπ have as exponential: blocks of -1 in pairs, whatever the sizes.

    X = [[N, -πI], [πI, N]] has the blocks of N at iπ and again at -iπ, and e^X = -(e^N ⊕ e^N), which is rational.
    """
    sizes = data.draw(st.lists(st.integers(1, 2), min_size=1, max_size=2))
    N = Matrix.block_diagonal(QQ, [nilpotent(n) for n in sizes])
    turn = Matrix(R, [[R.zero, -pi()], [pi(), R.zero]]).kronecker(Matrix.identity(R, N.shape[0]))
    X = Matrix.identity(R, 2).kronecker(Matrix.over(R, N)) + turn
    M = -Matrix.identity(QQ, 2).kronecker(exponential(N))
    is_close(exponential(X), Matrix.over(R, M), "e^X, and -(e^N ⊕ e^N)")
    counts = block_counts(M, -1)
    agree([count % 2 for count in counts], [0] * len(counts), "numbers of blocks of -1 modulo 2, and 0")
    agree(counts, [2 * sizes.count(k + 1) for k in range(len(counts))], "these numbers, and twice those of N")


def check_irrational_eigenvalues() -> None:
    """x² - 2 has the simple root -√2, so that its companion has no real logarithm; two copies of it have one."""
    companion = Matrix(QQ, [[0, 2], [1, 0]])
    twice = Matrix.block_diagonal(QQ, [companion, companion])
    for M, exists in ((companion, False), (twice, True), (Matrix(QQ, [[0, -1], [1, 0]]), True)):
        model = LinearSSM(M, [[1]] * M.shape[0], form="real")
        agree(model.obstacle() is None, exists, "whether a real logarithm exists, decided and known")
    [layer] = match(twice, [[1]] * 4, Balls(PRECISE), form="real").layers
    is_close(exponential(-Matrix.over(R, layer.generator.matrix)), Matrix.over(R, twice), "e^(-A) and Abar")


def check_determinant_is_not_enough() -> None:
    """The block of size 2 of -1 has determinant 1, and no real logarithm; nor have diag(-1, -2) and 0."""
    for rows in ([[-1, 1], [0, -1]], [[-1, 0], [0, -2]], [[0, 1], [0, 0]]):
        reason = LinearSSM(rows, [[1], [1]], form="real").obstacle()
        differ(str(reason), str(None), "the reason, and none")


def whatever_the_sizes(factor: culver.Factor) -> bool:
    """An even number of blocks, of whatever sizes."""
    return len(factor.sizes) % 2 == 0


def one_or_larger(factor: culver.Factor) -> bool:
    """Even numbers of blocks of size 1 and of blocks of all larger sizes together."""
    return len(factor.sizes) % 2 == 0 and factor.sizes.count(1) % 2 == 0


def even_multiplicity(factor: culver.Factor) -> bool:
    """An even algebraic multiplicity."""
    return sum(factor.sizes) % 2 == 0


def no_negative_block(factor: culver.Factor) -> bool:
    """Negative eigenvalues not at all."""
    return False


def no_rotation(A: Matrix[Any]) -> Matrix[Any]:
    """J = 0: the logarithm of |λ| alone."""
    return Matrix.zeros(QQ, *A.shape)


def structure_for_one_block(M: Matrix[Any], eigenvalue: int) -> list[int]:
    """One block of the full multiplicity: the sizes not told from one another."""
    counts = true_counts(M, eigenvalue)
    return [0] * (sum((k + 1) * c for k, c in enumerate(counts)) - 1) + [1]


true_counts = block_counts
HERE = "proofs_checks.real_logarithms"
PAIRED = "ewsmath.ssm.culver:_is_paired"

STATEMENT = Statement(
    title="Culver's condition for a real logarithm",
    claim=r"\exists X \in \mathbb R^{n\times n}: e^X = \bar A \iff \det\bar A \ne 0 \text{ and, for each } \lambda < 0"
    r" \text{ and each } k, \text{ the number of Jordan blocks of size } k \text{ of } \lambda \text{ is even}",
    section="Appendix E",
    method="exact on draws",
    leaves_out="Existence is shown by a logarithm whose exponential is certified in balls, to 10^-25. Non-existence is "
    "the argument in has_real_logarithm, whose signs are exact, and no search. Rational matrices of at most six rows, "
    "with up to three blocks, of sizes up to three (up to two beside other eigenvalues, and where it exists).",
    covers=("Culver's condition: when a real logarithm exists",),
    code=("ewsmath.ssm.LinearSSM", "ewsmath.ssm.match"),
    no_depth="It is about the generator of a recurrence, which is depth one.",
    mutants=(
        Mutant("an even number of blocks, of any sizes", PAIRED, whatever_the_sizes, False),
        Mutant("all sizes above 1 read as one size", PAIRED, one_or_larger, False),
        Mutant("an even multiplicity", PAIRED, even_multiplicity, False),
        Mutant("no negative eigenvalue at all", PAIRED, no_negative_block, False),
        Mutant("blocks of one eigenvalue counted as one", f"{HERE}:block_counts", structure_for_one_block, False),
        Mutant("logarithm of |λ|", "ewsmath.ssm.culver:complex_structure", no_rotation, False),
    ),
)
