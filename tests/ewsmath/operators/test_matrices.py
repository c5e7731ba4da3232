"""The flow as matrices: against the operator on vectors, and against the exponential of -rL."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Balls, Matrix, TensorAlgebra, flow, spectrum
from ewsmath.generators import Dense, Diagonal, Jordan, Rotation
from ewsmath.linear_cde import generator_matrix, level_generator, lift_matrix
from ewsmath.operators import flow_matrix, level_flow
from ewsmath.strategies import generators, group_likes, rationals, vectors

half = QQ.ratio(1, 2)


@given(st.data())
def test_it_is_the_flow_on_vectors(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2))
    algebra = TensorAlgebra(generator.ring, generator.dim, 2)
    r, a = data.draw(rationals()), data.draw(group_likes(algebra, max_factors=2))
    assert flow_matrix(generator, r, 2).apply(a.vector()) == flow(generator, r, a).vector()
    for n in (1, 2):
        assert level_flow(generator, r, n).apply(a.level(n)) == flow(generator, r, a).level(n)


@pytest.mark.parametrize(
    ("generator", "depth"),
    [
        (Jordan(0, 2), 3),
        (Jordan(0, 3), 2),
        (Jordan(1, 2), 2),
        (Diagonal([1, half]), 2),
        (Rotation(half, 2), 2),
        (Dense([[3, 1], [-1, 1]]), 2),
        (Rotation(half, 2, ring=Balls(96)), 3),
    ],
)
def test_it_is_the_exponential_of_minus_r_l(generator, depth: int) -> None:
    r = generator.ring.ratio(-3, 2)
    L = generator_matrix(generator.matrix, depth)
    assert flow_matrix(generator, r, depth) == spectrum.exponential(L * -r)
    one_level = level_generator(generator.matrix, depth)
    assert level_flow(generator, r, depth) == spectrum.exponential(one_level * -r)


@given(rationals(), rationals())
def test_flow_matrices_are_a_one_parameter_group(r, q) -> None:
    generator = Jordan(1, 2)
    product = flow_matrix(generator, r, 2) @ flow_matrix(generator, q, 2)
    assert product == flow_matrix(generator, r + q, 2)
    assert flow_matrix(generator, r, 2) @ flow_matrix(generator, -r, 2) == Matrix.identity(EE, 7)


@given(rationals(), vectors(QQ, 2))
def test_it_carries_right_multiplication_along(r, v: list) -> None:
    # D^r(a ⊗ v) = D^r a ⊗ e^{-rA} v; its derivative at 0 is [-L, ρ(v)] = -ρ(Av).
    generator = Jordan(0, 2)
    D, moved = flow_matrix(generator, r, 2), generator.exponential(r).apply(v)
    assert D @ lift_matrix(QQ, v, 2) == lift_matrix(QQ, moved, 2) @ D
    L, rho = generator_matrix(generator.matrix, 2), lift_matrix(QQ, v, 2)
    assert rho @ L - L @ rho == -lift_matrix(QQ, generator.matrix.apply(v), 2)


def test_the_worked_example_moves_as_its_flow() -> None:
    # L^(2) of a matrix [[α, β], [γ, δ]], and for a nilpotent one the flow 1 - rL + r²L²/2.
    a, b, c, d = 2, -4, 1, -2  # square zero
    L = level_generator(Matrix(QQ, [[a, b], [c, d]]), 2)
    assert Matrix(QQ, [[2 * a, b, b, 0], [c, a + d, 0, b], [c, 0, a + d, b], [0, c, c, 2 * d]]) == L
    found = level_flow(Dense([[a, b], [c, d]]), 3, 2)
    assert found == Matrix.identity(QQ, 4) + L * -3 + L @ L * QQ.ratio(9, 2)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(TypeError, match="the flow matrix takes a generator, got 1"):
        flow_matrix(1, 1, 2)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="flow_matrix: depth must be at least 1"):
        flow_matrix(Jordan(0, 2), 1, 0)
    with pytest.raises(TypeError, match="level_flow: the level is a whole number"):
        level_flow(Jordan(0, 2), 1, 1.5)  # type: ignore[arg-type]
