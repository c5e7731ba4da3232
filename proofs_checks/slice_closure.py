"""Which SLiCE structures are closed under composition: D, BD and D-DE; not WH, DPLR and S."""

from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Matrix, PiecewiseLinearPath
from ewsmath.linear_cde import commutator
from ewsmath.strategies import square_matrices
from ewsmath.structures import (
    AbstractStructure,
    BlockDiagonal,
    Diagonal,
    DiagonalDense,
    DiagonalLowRank,
    SLiCE,
    Sparse,
    WalshHadamard,
    hadamard,
)
from proofs_checks.agreement import agree, at_most, differ
from proofs_checks.recurrences import arrays, small
from proofs_checks.statement import Mutant, Statement

BLOCKS = {"D": (1, 1, 1, 1), "BD": (2, 2), "D-DE": (1, 1, 2)}
"""The sizes of the blocks of three structures of size 4."""


def outside(M: Matrix[Any], sizes: tuple[int, ...]) -> list[Any]:
    """The entries of a matrix that belong to no block."""
    owner = [k for k, size in enumerate(sizes) for _ in range(size)]
    h = len(owner)
    return [M[i, j] for i in range(h) for j in range(h) if owner[i] != owner[j]]


def made(kind: str, data: st.DataObject) -> AbstractStructure:
    """A drawn matrix of a structure."""
    if kind == "D":
        return Diagonal(QQ, data.draw(arrays(small, 4)))
    if kind == "BD":
        return BlockDiagonal([data.draw(square_matrices(2)), data.draw(square_matrices(2))])
    return DiagonalDense(data.draw(arrays(small, 2)), data.draw(square_matrices(2)))


@given(st.data())
def check_closed_structures(data: st.DataObject) -> None:
    """Products of D, BD and D-DE are those of the dense matrices, and nothing leaves the blocks; nor do commutators."""
    kind = data.draw(st.sampled_from(sorted(BLOCKS)))
    A, B = made(kind, data), made(kind, data)
    agree((A @ B).matrix, A.matrix @ B.matrix, f"the product of two {kind} and that of their dense matrices")
    agree(type(A @ B) is type(A), True, "whether the product is of the structure, and True")
    zeros = [QQ.zero] * len(outside(A.matrix, BLOCKS[kind]))
    agree(
        outside(A.matrix @ B.matrix, BLOCKS[kind]), zeros, f"what of a product of {kind} is outside the blocks, and 0"
    )
    bracket = commutator(A.matrix, B.matrix)
    agree(outside(bracket, BLOCKS[kind]), zeros, f"what of a commutator of {kind} is outside the blocks, and 0")
    if kind == "D":
        agree(bracket, Matrix.zeros(QQ, 4, 4), "a commutator of D and 0")


@given(st.data())
def check_parallel_and_recurrent(data: st.DataObject) -> None:
    """The Euler flows of a path, composed as structures, take the start where the recurrence takes it."""
    kind = data.draw(st.sampled_from(sorted(BLOCKS)))
    model = SLiCE([made(kind, data), made(kind, data)])
    path = PiecewiseLinearPath.from_increments(data.draw(arrays(small, 3, 2)))
    start = data.draw(arrays(small, 4))
    composed = model.propagator(path).apply([QQ.coerce(x) for x in start])
    agree(list(model.solve(path, start)[-1]), composed, "the last state of the recurrence, and the composed flow")


def off_diagonal_rank_above(M: Matrix[Any], r: int) -> bool:
    """Whether some minor of size r + 1 with no entry of the diagonal is not 0: then M - D has rank > r for every D."""
    h, k = M.shape[0], r + 1
    for rows in combinations(range(h), k):
        for columns in combinations([j for j in range(h) if j not in rows], k):
            minor = Matrix(QQ, [[M[i, j] for j in columns] for i in rows])
            if (minor[0, 0] if k == 1 else minor[0, 0] * minor[1, 1] - minor[0, 1] * minor[1, 0]) != 0:
                return True
    return False


def check_low_rank_adds_up() -> None:
    """DPLR of rank 1 and size 4: the product leaves every D + UVᵀ of rank 1, and so does the commutator.

    Within the bound 2r: the structured product is the dense one.
    """
    A = DiagonalLowRank([1, 2, 3, 4], Matrix.column(QQ, [1, 0, 1, 0]), Matrix.column(QQ, [0, 1, 1, 2]))
    B = DiagonalLowRank([0, 1, 0, 2], Matrix.column(QQ, [0, 1, 1, 1]), Matrix.column(QQ, [1, 1, 0, 1]))
    for factor in (A, B):
        agree(off_diagonal_rank_above(factor.matrix, 1), False, "whether a factor leaves rank 1, and False")
    agree((A @ B).matrix, A.matrix @ B.matrix, "the structured product and the dense one")
    agree(off_diagonal_rank_above(A.matrix @ B.matrix, 1), True, "whether the product leaves rank 1, and True")
    agree(
        off_diagonal_rank_above(commutator(A.matrix, B.matrix), 1), True, "whether the commutator leaves it, and True"
    )
    product = A @ B
    at_most(product.rank if isinstance(product, DiagonalLowRank) else 5, 2, "the rank of the product, and 2r")


@given(st.data())
def check_low_rank_products(data: st.DataObject) -> None:
    """The product of any two DPLR of rank 1 is the dense one."""
    A, B = (
        DiagonalLowRank(
            data.draw(arrays(small, 3)), *(Matrix.column(QQ, data.draw(arrays(small, 3))) for _ in range(2))
        )
        for _ in range(2)
    )
    agree((A @ B).matrix, A.matrix @ B.matrix, "the structured product and the dense one")


def check_hadamard_products_have_no_structure() -> None:
    """H D_1 H D_2 is no H D: H^{-1} times it is not diagonal. Nor is the identity, nor a commutator."""
    H = hadamard(QQ, 4)
    A, B = WalshHadamard(QQ, [1, 2, 0, -1]), WalshHadamard(QQ, [1, 0, 1, 1])
    agree(H @ H, Matrix.identity(QQ, 4), "H² and I, so that H is its inverse")
    agree((A @ B).matrix, A.matrix @ B.matrix, "the product of two WH and that of their dense matrices")
    zeros = [QQ.zero] * 12
    for M, what in ((A.matrix @ B.matrix, "the product"), (commutator(A.matrix, B.matrix), "the commutator")):
        differ(outside(H @ M, BLOCKS["D"]), zeros, f"what of H^(-1) times {what} is off the diagonal, and 0")
    differ(outside(H, BLOCKS["D"]), zeros, "what of H^(-1) I is off the diagonal, and 0")
    agree(outside(H @ A.matrix, BLOCKS["D"]), zeros, "what of H^(-1) times a factor is off the diagonal, and 0")


def check_sparse_products_fill_in() -> None:
    """A pattern with 3 places of 9: products, which are the dense ones, have entries at other places."""
    A = Sparse(QQ, 3, {(0, 1): 1, (1, 2): 2, (2, 0): 3})
    product = A @ A
    agree(product.matrix, A.matrix @ A.matrix, "the sparse product and the dense one")
    places = sorted((i, j) for i in range(3) for j in range(3) if product.matrix[i, j])
    agree(places, [(0, 2), (1, 0), (2, 1)], "where the product is not 0, and what is outside the pattern")
    B = Sparse(QQ, 3, {(0, 1): 1, (1, 2): 0, (2, 0): 0})
    differ(commutator(A.matrix, B.matrix)[2, 1], QQ.zero, "an entry of the commutator outside the pattern, and 0")


def entrywise(A: Any, B: Any) -> Any:
    """The product of the entries."""
    pairs = zip(A.blocks, B.blocks, strict=True)
    return A._like(
        Matrix.flat(QQ, [x * y for x, y in zip(a.entries, b.entries, strict=True)], a.shape[1]) for a, b in pairs
    )


def in_reverse(A: Any, B: Any) -> Any:
    """BA where AB belongs."""
    return A._like(b @ a for a, b in zip(A.blocks, B.blocks, strict=True))


def ranks_without_cross_term(A: DiagonalLowRank, B: DiagonalLowRank) -> DiagonalLowRank:
    """D_1 D_2 + U_1 (D_2 V_1)ᵀ + D_1 U_2 V_2ᵀ, without U_1 (V_1ᵀ U_2) V_2ᵀ."""
    D1, D2 = (Matrix.diagonal(QQ, d) for d in (A.diagonal, B.diagonal))
    U, V = (
        Matrix(QQ, [[*x, *y] for x, y in zip(first.rows, second.rows, strict=True)])
        for first, second in ((A.U, D1 @ B.U), (D2 @ A.V, B.V))
    )
    return DiagonalLowRank([x * y for x, y in zip(A.diagonal, B.diagonal, strict=True)], U, V)


def kept_pattern(A: Sparse, B: Sparse) -> Sparse:
    """The product, cut back to the pattern."""
    M = A.matrix @ B.matrix
    return Sparse(QQ, A.size, {(i, j): M[i, j] for i, j in A.entries})


def product_of_diagonals(A: WalshHadamard, B: WalshHadamard) -> WalshHadamard:
    """H D_1 D_2."""
    return WalshHadamard(QQ, [x * y for x, y in zip(A.diagonal, B.diagonal, strict=True)])


def scan_in_reverse(model: SLiCE, path: PiecewiseLinearPath[Any]) -> AbstractStructure:
    """F_1 ⋯ F_J: the latest on the right."""
    flows = [model.euler(dx) for dx in model.cde.increments(path)]
    total = flows[0]
    for F in flows[1:]:
        total = total @ F
    return total


STATEMENT = Statement(
    title="Which structures are closed under composition",
    claim=r"\text{D, BD and D-DE are closed under products and commutators, and D commutes; } HD_1HD_2 \ne HD,"
    r" \quad \mathrm{rank}(\text{DPLR}\cdot\text{DPLR} - D) > r \text{ for every diagonal } D,"
    r" \quad \text{and sparse products fill in}",
    section="SLiCE (NeurIPS 2025)",
    method="exact on draws",
    leaves_out="Closure is drawn at size 4, with blocks of sizes 1 and 2; larger sizes go block by block alike. The "
    "counter-examples are exact, at sizes 3 and 4; a rank is bounded from below by a minor off the diagonal.",
    covers=("SLiCE: which structures are closed under composition",),
    code=(
        "ewsmath.structures.BlockDiagonal",
        "ewsmath.structures.DiagonalDense",
        "ewsmath.structures.DiagonalLowRank",
        "ewsmath.structures.WalshHadamard",
        "ewsmath.structures.Sparse",
        "ewsmath.structures.SLiCE",
    ),
    no_depth="It is about matrices; there are no levels.",
    mutants=(
        Mutant("entrywise products of blocks", "ewsmath.structures:AbstractBlocks._product", entrywise, False),
        Mutant("products in reverse", "ewsmath.structures:AbstractBlocks._product", in_reverse, False),
        Mutant(
            "low rank without its cross term",
            "ewsmath.structures:DiagonalLowRank._product",
            ranks_without_cross_term,
            False,
        ),
        Mutant("sparse products cut back", "ewsmath.structures:Sparse._product", kept_pattern, False),
        Mutant("H D_1 D_2 for H D_1 H D_2", "ewsmath.structures:WalshHadamard._product", product_of_diagonals, False),
        Mutant("scan in reverse", "ewsmath.structures:SLiCE.propagator", scan_in_reverse, False),
    ),
)
