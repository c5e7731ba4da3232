"""Homomorphism, flow and derivation: identities by == on draws in QQ and EE."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Balls, Matrix, TensorAlgebra, derivation, flow, homomorphism
from ewsmath.generators import Jordan
from ewsmath.rings import Ring
from ewsmath.strategies import algebras, generators, group_likes, rationals, square_matrices, tensors

RINGS = pytest.mark.parametrize("ring", [QQ, EE])


@RINGS
@given(data=st.data())
def test_derivation_obeys_the_product_rule(ring: Ring, data: st.DataObject) -> None:
    algebra = data.draw(algebras(ring))
    A = data.draw(square_matrices(algebra.dim, ring))
    a, b = data.draw(tensors(algebra)), data.draw(tensors(algebra))
    assert derivation(A, a @ b) == derivation(A, a) @ b + a @ derivation(A, b)
    assert derivation(A, algebra.one()) == algebra.zero()


@given(st.data())
def test_derivations_have_the_brackets_of_their_matrices(data: st.DataObject) -> None:
    algebra = data.draw(algebras())
    A, B = data.draw(square_matrices(algebra.dim)), data.draw(square_matrices(algebra.dim))
    a = data.draw(tensors(algebra))
    bracket = derivation(A, derivation(B, a)) - derivation(B, derivation(A, a))
    assert bracket == derivation(A @ B - B @ A, a)


@RINGS
@given(data=st.data())
def test_homomorphism_respects_products_and_composition(ring: Ring, data: st.DataObject) -> None:
    algebra = data.draw(algebras(ring))
    P, Q = (data.draw(square_matrices(algebra.dim, ring)) for _ in range(2))
    a, b = data.draw(tensors(algebra)), data.draw(tensors(algebra))
    assert homomorphism(P, a @ b) == homomorphism(P, a) @ homomorphism(P, b)
    assert homomorphism(P, homomorphism(Q, a)) == homomorphism(P @ Q, a)


@given(st.data())
def test_homomorphism_acts_on_every_slot(data: st.DataObject) -> None:
    algebra = data.draw(algebras())
    P = data.draw(square_matrices(algebra.dim))
    word = data.draw(st.sampled_from(list(algebra.words())))
    product = algebra.one()
    for j in word:
        product = product @ algebra.vector([P[i, j - 1] for i in range(algebra.dim)])
    assert homomorphism(P, algebra.tensor({word: 1})) == product


@given(st.data())
def test_flow_is_a_one_parameter_group_of_automorphisms(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2))
    algebra = TensorAlgebra(generator.ring, generator.dim, 2)
    r, q = data.draw(rationals()), data.draw(rationals())
    a, b = data.draw(tensors(algebra)), data.draw(tensors(algebra))
    assert flow(generator, r, flow(generator, q, a)) == flow(generator, r + q, a)
    assert flow(generator, r, a @ b) == flow(generator, r, a) @ flow(generator, r, b)
    assert flow(generator, 0, a) == a


@given(st.data())
def test_flow_and_derivation_take_generators_and_matrices(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2)).over(EE)
    a = data.draw(tensors(TensorAlgebra(EE, generator.dim, 2)))
    r, rows = data.draw(rationals()), [list(row) for row in generator.matrix.rows]
    assert flow(generator.matrix, r, a) == flow(rows, r, a) == flow(generator, r, a)
    assert derivation(generator, a) == derivation(rows, a) == derivation(generator.matrix, a)


def test_a_matrix_flows_where_the_ring_has_its_exponential() -> None:
    a = TensorAlgebra(QQ, 1, 1).letter(1)
    with pytest.raises(ValueError, match="take the matrix over EE"):
        flow([[1]], 1, a)
    assert flow([[1]], 0, a) == a


@given(st.data())
def test_flow_keeps_the_group_like(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2))
    g = data.draw(group_likes(TensorAlgebra(generator.ring, generator.dim, 3)))
    assert flow(generator, data.draw(rationals()), g).is_group_like()


@given(st.data())
def test_the_derivation_is_minus_the_speed_of_the_flow(data: st.DataObject) -> None:
    # d/dr D^r at 0, term by term of the closed form: the kernel is a matrix of exponential polynomials in r.
    generator = data.draw(generators(max_dim=2))
    kernel = generator.kernel()
    algebra = TensorAlgebra(kernel.ring, generator.dim, 2)
    at_zero = TensorAlgebra(generator.ring, generator.dim, 2)
    a = data.draw(tensors(at_zero))
    moved = homomorphism(kernel, algebra.tensor(a.coefficients))
    speed = at_zero.tensor({word: f.derivative()(0) for word, f in moved.coefficients.items()})
    assert speed == -derivation(generator.matrix, a)


def test_a_map_to_another_dimension_changes_the_algebra() -> None:
    a = TensorAlgebra(QQ, 1, 2).tensor({(1,): 1, (1, 1): 1})
    assert homomorphism([[1], [2]], a) == TensorAlgebra(QQ, 2, 2).tensor(
        {(1,): 1, (2,): 2, (1, 1): 1, (1, 2): 2, (2, 1): 2, (2, 2): 4}
    )


def test_flow_in_balls_encloses_the_exact_flow() -> None:
    exact, ring = Jordan(1, 3), Balls(96)
    algebra = TensorAlgebra(EE, 3, 3)
    a = algebra.exp(algebra.vector([1, -2, 3]))
    balls = TensorAlgebra(ring, 3, 3)
    found = flow(exact.over(ring), 2, balls.tensor(a.coefficients))
    assert found == balls.tensor(flow(exact, 2, a).coefficients)
    assert max(c.radius for c in found.vector()) < QQ.ratio(1, 2**80)


def test_matrices_of_the_wrong_shape_are_refused() -> None:
    one = TensorAlgebra(QQ, 2, 2).one()
    with pytest.raises(ValueError, match="it needs 2 columns"):
        homomorphism([[1]], one)
    with pytest.raises(ValueError, match="needs a 2 x 2 matrix"):
        derivation(Matrix.zeros(QQ, 2, 3), one)
