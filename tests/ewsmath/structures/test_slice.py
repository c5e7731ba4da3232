"""SLiCEs: recurrence, composed flows and the dense CDE agree; counts of parameters against published ones."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Matrix, PiecewiseLinearPath
from ewsmath.structures import (
    BlockDiagonal,
    Dense,
    Diagonal,
    DiagonalDense,
    DiagonalLowRank,
    SLiCE,
    Sparse,
    WalshHadamard,
)
from tests.ewsmath.structures.kinds import KINDS, integers


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_recurrence_and_composed_flows_are_those_of_the_dense_cde(kind: str, data: st.DataObject) -> None:
    model = SLiCE([data.draw(KINDS[kind]) for _ in range(2)])
    a, b, c, d, *start = data.draw(integers(8))
    path = PiecewiseLinearPath.from_increments([[a, b], [c, d]])
    assert model.solve(path, start) == model.cde.solve(path, start, model.cde.euler)
    assert model.propagator(path).matrix == model.cde.propagator(path, model.cde.euler)


def test_the_rank_of_a_flow_grows_by_channels_times_rank_in_each_step() -> None:
    u = Matrix(QQ, [[1, 0], [0, 1], [1, 1], [2, 1]])
    model = SLiCE([DiagonalLowRank([1, 2, 3, 4], u, u)] * 3)
    flow = model.euler([1, 2, 3])
    assert isinstance(flow, DiagonalLowRank)
    assert flow.rank == 3 * 2
    two = model.propagator(PiecewiseLinearPath(None, [[0, 0, 0], [1, 2, 3], [0, 0, 0]]))
    assert isinstance(two, DiagonalLowRank)
    assert two.rank == 2 * 3 * 2


def zeros(rows: int, columns: int | None = None) -> Matrix[Any]:
    return Matrix.zeros(QQ, rows, rows if columns is None else columns)


def counts(h: int) -> dict[str, int]:
    """The numbers in one matrix of each structure, with blocks of 4 (BD), 16 (D-DE) and rank 4."""
    return {
        "DE": Dense(zeros(h)).parameters,
        "D-DE": (DiagonalDense([0] * (h - 16), zeros(16)) if h > 16 else Dense(zeros(h))).parameters,
        "BD": BlockDiagonal([zeros(4)] * (h // 4)).parameters,
        "D": Diagonal(QQ, [0] * h).parameters,
        "WH": WalshHadamard(QQ, [0] * h, normalised=False).parameters,
        "DPLR": DiagonalLowRank([0] * h, zeros(h, 4), zeros(h, 4)).parameters,
    }


# Published numbers of parameters of whole models with d channels, h states and C classes.
PUBLISHED = {
    (7, 128, 5): {"DE": 116357, "D-DE": 4245, "BD": 5253, "D": 2565, "WH": 2565, "DPLR": 9733},
    (4, 64, 4): {"DE": 16964, "D-DE": 1796, "BD": 1604, "D": 836, "WH": 836, "DPLR": 2884},
    (62, 16, 2): {"DE": 16914, "D-DE": 16914, "BD": 5010, "D": 2034, "WH": 2034, "DPLR": 9970},
    (6, 64, 2): {"DE": 25154, "D-DE": 2402, "BD": 2114, "D": 962, "WH": 962, "DPLR": 4034},
}


@pytest.mark.parametrize(("d", "h", "C"), PUBLISHED)
def test_counts_of_parameters_are_the_published_ones(d: int, h: int, C: int) -> None:
    head = (d * h + h) + (h * C + C)  # the affine maps of the first state and of the read-out
    assert {kind: d * n + head for kind, n in counts(h).items()} == PUBLISHED[d, h, C]


def test_a_budget_of_512_numbers() -> None:
    assert BlockDiagonal([zeros(4)] * 32).parameters == Diagonal(QQ, [0] * 512).parameters == 512
    assert DiagonalDense([0] * 256, zeros(16)).parameters == 512
    assert DiagonalLowRank([0] * 57, zeros(57, 4), zeros(57, 4)).parameters == 513
    assert SLiCE([Sparse(QQ, 4, {(0, 1): 1, (2, 2): 0})] * 3).parameters == 6


def test_what_does_not_fit_is_refused() -> None:
    model = SLiCE([Diagonal(QQ, [1, 2])])
    with pytest.raises(ValueError, match="needs at least one matrix"):
        SLiCE([])
    with pytest.raises(TypeError, match="takes structured matrices"):
        SLiCE([Matrix.identity(QQ, 2)])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="Diagonal goes together with Diagonal"):
        SLiCE([Diagonal(QQ, [1, 2]), Dense(Matrix.identity(QQ, 2))])
    with pytest.raises(ValueError, match="increment with 2 entries does not drive 1 matrices"):
        model.field([1, 2])
    with pytest.raises(ValueError, match="one point has no flow"):
        model.propagator(PiecewiseLinearPath(None, [[0]]))
    with pytest.raises(ValueError, match="state of 1 entries does not fit matrices of size 2"):
        model.solve(PiecewiseLinearPath(None, [[0]]), [1])
    assert repr(model) == "SLiCE([Diagonal(Matrix(QQ, [[1, 0], [0, 2]]))])"
