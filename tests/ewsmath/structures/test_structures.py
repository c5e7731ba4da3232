"""Structures against their dense matrices, their closure laws, and exact counter-examples to those that have none."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Balls, Matrix
from ewsmath.linear_cde import MatrixLieAlgebra, commutator
from ewsmath.matrix_norms import spectral_norm
from ewsmath.structures import (
    AbstractStructure,
    BlockDiagonal,
    Dense,
    Diagonal,
    DiagonalDense,
    DiagonalLowRank,
    Sparse,
    WalshHadamard,
    hadamard,
    walsh_transform,
)
from tests.ewsmath.structures.kinds import CLOSED, KINDS, PARAMETERS, PATTERN, integers


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_they_are_their_matrices(kind: str, data: st.DataObject) -> None:
    A, B = data.draw(KINDS[kind]), data.draw(KINDS[kind])
    c, *h = (QQ.coerce(x) for x in data.draw(integers(5)))
    assert (A + B).matrix == A.matrix + B.matrix
    assert (A @ B).matrix == A.matrix @ B.matrix
    assert A.scaled(c).matrix == A.matrix * c
    assert A.plus_identity().matrix == A.matrix + Matrix.identity(QQ, 4)
    assert A.apply(h) == A.matrix.apply(h)
    assert A.parameters == PARAMETERS[kind]
    assert A.is_closed == (kind in CLOSED)
    if A.is_closed:
        assert type(A @ B) is type(A)
        assert (A @ B).parameters == A.parameters


def off_block_zero(M: Matrix[Any], blocks: list[range]) -> bool:
    inside = {(i, j) for block in blocks for i in block for j in block}
    return all(not M[i, j] for i in range(4) for j in range(4) if (i, j) not in inside)


BLOCKS = {
    "D": [range(k, k + 1) for k in range(4)],
    "BD": [range(2), range(2, 4)],
    "D-DE": [range(1), range(1, 2), range(2, 4)],
}


@pytest.mark.parametrize("kind", BLOCKS)
@given(data=st.data())
def test_closed_structures_hold_the_lie_algebra_they_generate(kind: str, data: st.DataObject) -> None:
    A, B = data.draw(KINDS[kind]).matrix, data.draw(KINDS[kind]).matrix
    for X in [A @ B, *MatrixLieAlgebra([A, B]).basis]:
        assert off_block_zero(X, BLOCKS[kind])
    if kind == "D":
        assert commutator(A, B) == Matrix.zeros(QQ, 4, 4)


def is_walsh_hadamard(M: Matrix[Any]) -> bool:
    D = hadamard(QQ, 4) @ M  # H² = I
    return Matrix.diagonal(QQ, [D[i, i] for i in range(4)]) == D


def test_walsh_hadamard_is_not_closed() -> None:
    A, B = WalshHadamard(QQ, [1, 2, 3, 4]), WalshHadamard(QQ, [1, 0, 0, 1])
    assert is_walsh_hadamard(A.matrix)
    assert is_walsh_hadamard((A + B).matrix)
    assert not is_walsh_hadamard((A @ B).matrix)
    assert not is_walsh_hadamard(commutator(A.matrix, B.matrix))
    assert not is_walsh_hadamard(A.plus_identity().matrix)
    assert isinstance(A @ B, Dense)


def test_sparse_patterns_fill_in() -> None:
    A = Sparse(QQ, 4, dict.fromkeys(PATTERN, 1))
    B = Sparse(QQ, 4, {(0, 2): 1, (2, 1): 1})
    product = A @ A
    assert isinstance(product, Sparse)
    assert not set(product.entries) <= set(PATTERN)
    assert any(commutator(A.matrix, B.matrix)[i, j] for i in range(4) for j in range(4)
               if (i, j) not in PATTERN)  # fmt: skip


def minor(M: Matrix[Any], rows: tuple[int, int], columns: tuple[int, int]) -> Any:
    (i, k), (j, n) = rows, columns
    return M[i, j] * M[k, n] - M[i, n] * M[k, j]


def test_ranks_add_up_and_no_rank_is_closed() -> None:
    A = DiagonalLowRank([1, 2, 3, 4], Matrix.column(QQ, [1, 1, 0, 0]), Matrix.column(QQ, [0, 0, 1, 2]))
    B = DiagonalLowRank([0, 1, 0, 1], Matrix.column(QQ, [1, 2, 1, 0]), Matrix.column(QQ, [0, 0, 1, 1]))
    # A minor off the diagonal: whatever diagonal matrix is taken away, it stays, so the rest has rank two.
    assert minor(A.matrix, (0, 1), (2, 3)) == minor(B.matrix, (0, 1), (2, 3)) == 0
    assert minor((A @ B).matrix, (0, 1), (2, 3)) != 0
    assert minor((A + B).matrix, (0, 1), (2, 3)) != 0
    assert minor(commutator(A.matrix, B.matrix), (0, 1), (2, 3)) != 0
    for flow in (A + B, A @ B):
        assert isinstance(flow, DiagonalLowRank)
        assert flow.rank == A.rank + B.rank == 2


@pytest.mark.parametrize("kind", ["DE", "D", "BD", "D-DE"])
def test_exponentials_keep_the_blocks(kind: str) -> None:
    R = EE
    rotation = Matrix(R, [[0, -1], [1, 0]])
    A: Any = {
        "DE": Dense(rotation),
        "D": Diagonal(R, [1, -2]),
        "BD": BlockDiagonal([rotation, rotation * 2]),
        "D-DE": DiagonalDense([1], rotation),
    }[kind]
    assert type(A.structured_exponential()) is type(A)
    dense = Matrix.over(Balls(64), Dense(A.matrix).exponential())
    assert Matrix.over(Balls(64), A.exponential()) == dense


def test_other_exponentials_are_dense() -> None:
    A = Sparse(QQ, 2, {(0, 1): 3})
    assert A.exponential() == Matrix(QQ, [[1, 3], [0, 1]])


@given(integers(8))
def test_the_fast_transform_is_the_hadamard_matrix(numbers: list[int]) -> None:
    x = [QQ.coerce(n) for n in numbers]
    H = hadamard(QQ, 8, normalised=False)
    assert walsh_transform(x) == H.apply(x)
    assert walsh_transform(walsh_transform(x)) == [8 * y for y in x]


@pytest.mark.parametrize("h", [1, 2, 4, 8, 16])
def test_hadamard_matrices_are_symmetric_and_orthogonal(h: int) -> None:
    R = QQ if h in (1, 4, 16) else Balls(128)
    H = hadamard(R, h)
    assert H.transpose() == H
    assert Matrix.identity(R, h) == H @ H
    plain = hadamard(QQ, h, normalised=False)
    assert plain @ plain == Matrix.identity(QQ, h) * h
    if h > 1:  # Sylvester: H_2h is the Kronecker product of H_2 and H_h
        half = hadamard(QQ, h // 2, normalised=False)
        assert Matrix(QQ, [[1, 1], [1, -1]]).kronecker(half) == plain


def test_a_walsh_hadamard_matrix_with_entries_in_the_unit_interval_is_a_contraction() -> None:
    bound = spectral_norm(WalshHadamard(QQ, [1, QQ.ratio(-1, 2), QQ.ratio(1, 3), 0]).matrix)
    assert bound == 1
    plain = WalshHadamard(QQ, [1, 1], normalised=False)
    assert (plain @ plain).matrix == Matrix.identity(QQ, 2) * 2
    R = Balls(64)
    assert WalshHadamard(R, [1, 1]).apply([R.one, R.zero]) == [R.inverse(R.square_root(R.coerce(2)))] * 2


REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: hadamard(QQ, 3), ValueError, "power of two as size, got 3"),
    (lambda: hadamard(QQ, 2), ValueError, "QQ does not contain 1/√2: take a power of four"),
    (lambda: hadamard(EE, 8), ValueError, "EE does not contain 1/√8"),
    (lambda: Diagonal(QQ, []), ValueError, "at least one number"),
    (lambda: BlockDiagonal([]), ValueError, "at least one block"),
    (lambda: BlockDiagonal([Matrix.zeros(QQ, 1, 2)]), ValueError, "square"),
    (lambda: BlockDiagonal([Matrix.zeros(QQ, 1, 1), Matrix.zeros(EE, 1, 1)]), ValueError, "QQ and EE are not mixed"),
    (lambda: Dense([[1]]), TypeError, "takes matrices"),  # type: ignore[arg-type]
    (lambda: Sparse(QQ, 2, {(0, 2): 1}), ValueError, r"\(0, 2\) is no place in a 2 x 2 matrix"),
    (lambda: Sparse(QQ, 2, {0: 1}), ValueError, "0 is no place"),  # type: ignore[dict-item]
    (lambda: DiagonalLowRank([1], Matrix.zeros(QQ, 2, 1), Matrix.zeros(QQ, 2, 1)), ValueError, "do not fit"),
    (lambda: DiagonalLowRank([1], [[1]], [[1]]), TypeError, "takes its factors"),  # type: ignore[arg-type]
    (lambda: Diagonal(QQ, [1]) + Dense(Matrix.identity(QQ, 1)), TypeError, "Diagonal goes together with Diagonal"),
    (lambda: Diagonal(QQ, [1]) @ Diagonal(QQ, [1, 2]), ValueError, "size 1 over QQ does not go together"),
    (
        lambda: (
            BlockDiagonal([Matrix.identity(QQ, k) for k in (1, 2)])
            + BlockDiagonal([Matrix.identity(QQ, k) for k in (2, 1)])
        ),
        ValueError,
        "same sizes, in the same order",
    ),
    (lambda: WalshHadamard(QQ, [1]) + WalshHadamard(QQ, [1], normalised=False), ValueError, "both are normalised"),
]


@pytest.mark.parametrize(("build", "error", "text"), REFUSED)
def test_what_does_not_fit_is_refused(build: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        build()


def test_equality_and_names() -> None:
    A: AbstractStructure = Diagonal(QQ, [1, 2])
    assert Dense(Matrix(QQ, [[1, 0], [0, 2]])) == A
    assert A != 1
    assert repr(A) == "Diagonal(Matrix(QQ, [[1, 0], [0, 2]]))"
