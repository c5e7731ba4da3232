"""Parity: three models that solve it on every string, and the diagonal ones, which all fail by m + 1 ones."""

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, Matrix
from ewsmath.linear_cde import MatrixLieAlgebra
from ewsmath.strategies import rationals
from ewsmath.word_problem import ParityModel, first_failure, rotation_parity, sign_parity, swap_parity

MODELS = [swap_parity(), sign_parity(), rotation_parity(Balls(128))]


def parities(bits: list[int]) -> list[int]:
    return [sum(bits[: k + 1]) % 2 for k in range(len(bits))]


@pytest.mark.parametrize("model", MODELS, ids=["swap", "sign", "rotation"])
def test_all_short_strings_come_out(model: ParityModel) -> None:
    for length in range(1, 7):
        for bits in product((0, 1), repeat=length):
            assert model.answers(bits) == parities(list(bits))


@pytest.mark.parametrize("model", MODELS, ids=["swap", "sign", "rotation"])
def test_a_string_of_a_thousand_bits_comes_out(model: ParityModel) -> None:
    bits = [(k * k // 7 + k // 3) % 2 for k in range(1000)]
    assert model.answers(bits) == parities(bits)
    assert MatrixLieAlgebra(sign_parity().cde.matrices).is_abelian


def test_the_rotation_needs_precision_for_its_sign() -> None:
    with pytest.raises(ValueError, match=r"sign of .* is not certain: raise the precision of Balls\(prec=10\)"):
        rotation_parity(Balls(10)).answers([1] * 400)


@given(st.data())
def test_a_diagonal_model_with_exact_flow_fails_soon(data: st.DataObject) -> None:
    m = data.draw(st.integers(0, 3))
    rates, weights = (data.draw(st.lists(rationals(), min_size=m, max_size=m)) for _ in range(2))
    assert 0 <= first_failure(rates, weights, data.draw(rationals())) <= m + 1


@pytest.mark.parametrize("rates", [[1], [1, -1], [-1, 2, QQ.ratio(1, 2)]])
def test_that_many_rates_can_hold_out_until_then(rates: list[Any]) -> None:
    """Weights by Cramer's rule: f(S) - τ = -(-1)^S times a determinant at S = 0, …, m, so the failure is at m + 1."""
    m = len(rates)
    V = [[EE.exp(EE.coerce(rate * S)) for rate in rates] + [EE.coerce(-1)] for S in range(m + 1)]
    wanted = [EE.coerce(-((-1) ** S)) for S in range(m + 1)]
    solution = [
        determinant([[*row[:j], y, *row[j + 1 :]] for row, y in zip(V, wanted, strict=True)]) for j in range(m + 1)
    ]
    if EE.maximum(determinant(V), EE.zero) == 0:
        solution = [-x for x in solution]
    assert first_failure(rates, solution[:m], solution[m]) == m + 1


def determinant(rows: list[list[Any]]) -> Any:
    if not rows:
        return EE.one
    total = EE.zero
    for j, x in enumerate(rows[0]):
        total = total + x * (-1) ** j * determinant([[*row[:j], *row[j + 1 :]] for row in rows[1:]])
    return total


def test_the_euler_flow_escapes_it() -> None:
    model = sign_parity()
    assert model.cde.matrices == (Matrix(QQ, [[-2]]),)
    assert model.answers([1] * 9) == [1, 0] * 4 + [1]
    assert first_failure([-2], [1], 0) == 0  # e^{-2S} stays positive


def test_bad_arguments_are_refused() -> None:
    refused: list[Any] = [[], [2], [0.0]]
    for bits in refused:
        with pytest.raises(ValueError, match="zeros and ones"):
            swap_parity().answers(bits)
    with pytest.raises(ValueError, match="a weight for each rate, got 1 for 2"):
        first_failure([1, 2], [1], 0)
    with pytest.raises(ValueError, match="real numbers only"):
        first_failure([1], [1], EE.coerce(QQ_I.i))
