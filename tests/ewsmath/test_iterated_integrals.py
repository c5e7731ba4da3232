"""Iterated integrals of functions: known values, and the exponential of a vector."""

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, ExpPolys, TensorAlgebra
from ewsmath.iterated_integrals import iterated_integrals
from ewsmath.strategies import vectors

F = ExpPolys(QQ)


@given(st.integers(1, 3), st.integers(1, 3), st.data())
def test_constant_speed_gives_the_exponential(dim: int, depth: int, data: st.DataObject) -> None:
    v = data.draw(vectors(QQ, dim))
    algebra = TensorAlgebra(QQ, dim, depth)
    assert iterated_integrals(QQ, [F.coerce(x) for x in v], depth) == algebra.exp(algebra.vector(v))


def test_the_first_letter_is_integrated_first() -> None:
    # Speeds 1 and u: ⟨12⟩ = ∫ u·u du = 1/3, ⟨21⟩ = ∫ u²/2 du = 1/6.
    S = iterated_integrals(QQ, [F.one, F.variable], 2)
    assert S.level(2) == [QQ.ratio(1, 2), QQ.ratio(1, 3), QQ.ratio(1, 6), QQ.ratio(1, 8)]


def test_an_exponential_speed() -> None:
    S = iterated_integrals(EE, [ExpPolys(EE).exponential(1)], 3)
    moved = EE.exp(EE.one) - 1
    assert S.vector() == [1, moved, moved * moved / 2, moved * moved * moved / 6]
