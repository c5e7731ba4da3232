"""Products of exponentials: the route by integers and the plain one agree, and textbook values."""

from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Balls, TensorAlgebra
from ewsmath.rings import Ring
from ewsmath.strategies import vectors
from ewsmath.tensor.exponentials import product_of_exponentials, times_exponential


@given(st.integers(1, 3), st.integers(1, 4), st.data())
def test_the_route_by_integers_is_horners_rule(dim: int, depth: int, data: st.DataObject) -> None:
    algebra = TensorAlgebra(QQ, dim, depth)
    moves = data.draw(st.lists(vectors(QQ, dim), max_size=4))
    plain = by_series = algebra.one()
    for v in moves:
        plain = times_exponential(plain, algebra.vector(v))
        by_series = by_series @ algebra.exp(algebra.vector(v))
    assert product_of_exponentials(algebra, moves) == plain == by_series


@pytest.mark.parametrize("ring", [EE, Balls(64)])
def test_other_rings_give_the_same_numbers(ring: Ring[Any]) -> None:
    moves = [[fmpq(1, 3), fmpq(-2)], [fmpq(0), fmpq(5, 7)], [fmpq(0), fmpq(0)]]
    exact = product_of_exponentials(TensorAlgebra(QQ, 2, 4), moves)
    taken = product_of_exponentials(TensorAlgebra(ring, 2, 4), [[ring.coerce(x) for x in v] for v in moves])
    assert taken == TensorAlgebra(ring, 2, 4).tensor(exact.coefficients)


def test_few_moves_among_many_letters_have_few_words() -> None:
    algebra = TensorAlgebra(QQ, dim=1000, depth=3)
    moves = [[QQ.coerce(int(i == j)) for i in range(1000)] for j in (700, 3)]
    S = product_of_exponentials(algebra, moves)
    assert algebra.exp(algebra.letter(701)) @ algebra.exp(algebra.letter(4)) == S
    assert len(S.coefficients) == 10
    assert product_of_exponentials(algebra, []) == algebra.one()
