"""Every structure as a strategy for 4 x 4 matrices of small integers; a new one joins all tests by one line here."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from ewsmath import QQ, Matrix
from ewsmath.structures import BlockDiagonal, Dense, Diagonal, DiagonalDense, DiagonalLowRank, Sparse, WalshHadamard

PATTERN = [(0, 0), (0, 2), (1, 3), (2, 1), (3, 0)]


def block(numbers: list[int], columns: int) -> Matrix[Any]:
    return Matrix.flat(QQ, [QQ.coerce(x) for x in numbers], columns)


def integers(count: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(-3, 3), min_size=count, max_size=count)


def drawn(count: int, build: Callable[[list[int]], Any]) -> st.SearchStrategy[Any]:
    return integers(count).map(build)


KINDS: dict[str, st.SearchStrategy[Any]] = {
    "DE": drawn(16, lambda x: Dense(block(x, 4))),
    "D": drawn(4, lambda x: Diagonal(QQ, x)),
    "BD": drawn(8, lambda x: BlockDiagonal([block(x[:4], 2), block(x[4:], 2)])),
    "D-DE": drawn(6, lambda x: DiagonalDense(x[:2], block(x[2:], 2))),
    "S": drawn(5, lambda x: Sparse(QQ, 4, dict(zip(PATTERN, x, strict=True)))),
    "WH": drawn(4, lambda x: WalshHadamard(QQ, x)),
    "DPLR": drawn(12, lambda x: DiagonalLowRank(x[:4], block(x[4:8], 1), block(x[8:], 1))),
}
PARAMETERS = {"DE": 16, "D": 4, "BD": 8, "D-DE": 6, "S": 5, "WH": 4, "DPLR": 12}
CLOSED = {"DE", "D", "BD", "D-DE"}
