"""Linear CDEs: exact flows against the recurrence, the EWS as one, and how tensors act."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, Balls, Matrix, PiecewiseLinearPath, TensorAlgebra, signature
from ewsmath.clocks import Time
from ewsmath.generators import Diagonal, Jordan, Rotation
from ewsmath.linear_cde import LinearCDE, clock_path, commutator, matrices
from ewsmath.strategies import clocks, paths, square_matrices, tensors, vectors

E12, E21 = Matrix(QQ, [[0, 1], [0, 0]]), Matrix(QQ, [[0, 0], [1, 0]])


@given(paths(2, max_steps=2), st.data())
def test_the_ews_is_the_solution_from_the_unit(X: Any, data: st.DataObject) -> None:
    clock = data.draw(clocks(2, X.steps))
    ews = EWS(Jordan(0, 2), clock=clock, depth=2)
    cde = LinearCDE(matrices(ews.generator.matrix, ews.lift, 2))
    states = cde.solve(clock_path(clock, X), ews.algebra.one().vector())
    assert [list(state) for state in states] == [S.vector() for S in ews.stream(X)]


def test_so_it_is_in_ee() -> None:
    X = PiecewiseLinearPath([0, 1, 3], [[0, 0], [1, -1], [2, 5]])
    ews = EWS(Rotation(1, 2), depth=2)
    cde = LinearCDE(matrices(ews.generator.matrix, ews.lift, 2))
    start = [EE.coerce(x) for x in ews.algebra.one().vector()]
    assert cde.propagator(clock_path(Time(), X)).apply(start) == ews(X).vector()


@given(st.lists(square_matrices(2), min_size=2, max_size=2), paths(2), vectors(QQ, 2))
def test_the_recurrence_multiplies_euler_flows_from_the_left(found: list, path: Any, start: list) -> None:
    cde = LinearCDE(found)
    unit = Matrix.identity(QQ, 2)
    state = start
    for dx in path.increments:
        state = (unit + found[0] * dx[0] + found[1] * dx[1]).apply(state)
    assert list(cde.solve(path, start, cde.euler)[-1]) == state == cde.propagator(path, cde.euler).apply(start)
    assert len(cde.flows(path, cde.euler)) == path.steps


TENSORS = tensors(TensorAlgebra(QQ, 2, 2), max_terms=3)
MATRICES = st.lists(st.integers(-2, 2), min_size=8, max_size=8).map(
    lambda x: [Matrix(QQ, [x[0:2], x[2:4]]), Matrix(QQ, [x[4:6], x[6:8]])]
)


@given(MATRICES, TENSORS, TENSORS)
def test_tensors_act_by_an_antihomomorphism(found: list[Matrix[Any]], a: Any, b: Any) -> None:
    cde, deep = LinearCDE(found), TensorAlgebra(QQ, 2, 4)  # nothing of a product is cut off
    a, b = (deep.tensor(x.coefficients) for x in (a, b))
    assert cde.represent(a @ b) == cde.represent(b) @ cde.represent(a)
    assert cde.represent(a + b) == cde.represent(a) + cde.represent(b)
    assert cde.represent(deep.one()) == Matrix.identity(QQ, 2)


@given(MATRICES)
def test_a_bracket_turns_the_commutator_round(found: list[Matrix[Any]]) -> None:
    cde, algebra = LinearCDE(found), TensorAlgebra(QQ, 2, 3)
    e1, e2 = algebra.letter(1), algebra.letter(2)
    plane = e1 @ e2 - e2 @ e1
    assert cde.bracket((1, 2)) == cde.represent(plane) == -commutator(*found)
    assert cde.bracket((1, (1, 2))) == cde.represent(e1 @ plane - plane @ e1)
    assert cde.bracket([[1, 2], 2]) == cde.represent(plane @ e2 - e2 @ plane)
    assert cde.bracket(2) == found[1]


def test_the_first_letter_is_the_factor_on_the_right() -> None:
    cde, algebra = LinearCDE([E12, E21]), TensorAlgebra(QQ, 2, 2)
    assert cde.represent(algebra.tensor({(1, 2): 1})) == E21 @ E12 == Matrix(QQ, [[0, 0], [0, 1]])


def test_a_rotation_turns_in_ee_and_in_balls() -> None:
    J = Rotation(None, 1).matrix
    cde = LinearCDE([J])
    assert cde.flow([2]) == Rotation(None, 1).exponential(-2)
    assert cde.over(Balls(64)).flow([2]) == Matrix.over(Balls(64), cde.flow([2]))
    with pytest.raises(ValueError, match="take the matrix over EE"):
        LinearCDE([Matrix(QQ, [[1]])]).flow([1])


def test_the_clock_is_the_first_channel() -> None:
    X = PiecewiseLinearPath([3, 5, 6], [[1], [4], [4]])
    assert clock_path(Time(), X) == PiecewiseLinearPath([3, 5, 6], [[0, 1], [2, 4], [3, 4]])
    decay = LinearCDE(matrices(Matrix.over(EE, Diagonal(1).matrix), Matrix(EE, [[1]]), 1))
    assert decay.propagator(clock_path(Time(), X))[1, 0] == EWS(Diagonal(1), depth=1)(X)[1]


def test_what_does_not_fit_is_refused() -> None:
    cde = LinearCDE([E12, E21])
    X = PiecewiseLinearPath(None, [[0], [1]])
    with pytest.raises(ValueError, match=r"increment with 1 entries does not drive a CDE of 2 matrices"):
        cde.field([1])
    with pytest.raises(ValueError, match=r"path in R\^1 does not drive a CDE of 2 matrices"):
        cde.flows(X)
    with pytest.raises(ValueError, match="state of 3 entries does not fit a CDE of size 2"):
        cde.solve(PiecewiseLinearPath(None, [[0, 0]]), [1, 2, 3])
    with pytest.raises(ValueError, match="does not act by 2 matrices"):
        cde.represent(signature(X, 2))
    with pytest.raises(ValueError, match="over QQ and EE are not mixed"):
        LinearCDE([E12, Matrix.over(EE, E21)])
    with pytest.raises(ValueError, match="no letter 3 for 2 matrices"):
        cde.bracket([1, 3])
    with pytest.raises(TypeError, match="takes a clock"):
        clock_path(1, X)  # type: ignore[arg-type]
    assert cde == LinearCDE([E12, E21]) != LinearCDE([E12])
    assert cde != 1
    assert repr(LinearCDE([E12])) == "LinearCDE([Matrix(QQ, [[0, 1], [0, 0]])])"
