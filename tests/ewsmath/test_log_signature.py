"""Log-signatures and logarithms of the EWS: known values, conversions, and what a re-timing leaves as it is."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, LieElement, LieStream, Matrix, PiecewiseLinearPath, generators, signature
from ewsmath.lie import COORDINATES, Bracket
from ewsmath.linear_cde import LinearCDE
from ewsmath.log_signature import log_ews, log_signature
from ewsmath.strategies import generators as drawn_generators
from ewsmath.strategies import paths, square_matrices

half = QQ.ratio(1, 2)
LETTERS = PiecewiseLinearPath(None, [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]])
CORNERS = PiecewiseLinearPath(None, [[0, 0], [1, 0], [1, 2], [3, 1]])


def test_word_and_bracket_coordinates_of_three_letters_in_turn() -> None:
    brackets = log_signature(LETTERS, 3, basis="lyndon brackets")
    words = log_signature(LETTERS, 3, basis="lyndon words")
    third, sixth = QQ.ratio(1, 3), QQ.ratio(1, 6)
    assert (brackets["[1,[2,3]]"], brackets["[[1,3],2]"]) == (third, sixth)
    assert (words[1, 2, 3], words[1, 3, 2]) == (third, -sixth)
    assert brackets == words


@pytest.mark.parametrize("basis", COORDINATES)
def test_the_exponential_gives_the_signature_back_from_every_basis(basis: str) -> None:
    found = log_signature(CORNERS, 4, basis=basis)
    assert found.exp() == signature(CORNERS, 4)
    assert LieElement.from_vector(found.algebra, basis, found.vector()).exp() == signature(CORNERS, 4)


@given(st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), min_size=1, max_size=5))
def test_level_two_is_the_signed_area(rows: list[list[int]]) -> None:
    found = log_signature(PiecewiseLinearPath(None, rows), 2, basis="hall brackets by degree")
    # Shoelace formula, about the first point.
    (x, y), area = rows[0], 0
    for (a, b), (c, d) in pairwise(rows):
        area += (a - x) * (d - y) - (c - x) * (b - y)
    assert found["[1,2]"] == QQ.ratio(area, 2)
    assert (found[1], found[2]) == (rows[-1][0] - x, rows[-1][1] - y)


def test_it_is_not_divided_by_the_length_of_the_interval() -> None:
    # Windows of lengths 1, 1/4 and 3 over the same pieces.
    retimed = PiecewiseLinearPath([0, 1, QQ.ratio(5, 4), QQ.ratio(17, 4)], CORNERS.values)
    for j in range(3):
        s, t = retimed.times[j], retimed.times[j + 1]
        found = log_signature(retimed, 3, s, t, basis="lyndon brackets")
        assert found == log_signature(CORNERS, 3, j, j + 1, basis="lyndon brackets")
        assert found.tensor() == found.algebra.vector(CORNERS.increments[j])
    assert log_signature(retimed, 3, basis="words") == log_signature(CORNERS, 3, basis="words")


@given(paths(2, min_steps=1), st.integers(1, 3))
def test_pieces_make_a_stream_with_the_signature(path: Any, depth: int) -> None:
    pieces = [
        log_signature(PiecewiseLinearPath(None, path.values[j : j + 2]), depth, basis="lyndon words")
        for j in range(path.steps)
    ]
    assert LieStream(range(path.steps + 1), pieces).signature() == signature(path, depth)


@given(square_matrices(2), square_matrices(2))
def test_brackets_act_on_fields_with_the_right_sign(A1: Matrix, A2: Matrix) -> None:
    # dh = A_i h dX^i over a closed triangle of area 1/2: the bracket [1,2] acts by A2 A1 - A1 A2.
    triangle = PiecewiseLinearPath(None, [[0, 0], [1, 0], [1, 1], [0, 0]])
    found = log_signature(triangle, 2, basis="lyndon brackets")
    assert dict(found.coefficients) == {Bracket([1, 2]): half}
    cde = LinearCDE([A1, A2])
    assert cde.represent(found.tensor()) == (A2 @ A1 - A1 @ A2) * half
    deep = log_signature(CORNERS, 3, basis="hall brackets by degree")
    total = Matrix.zeros(QQ, 2, 2)
    for bracket, x in deep.coefficients.items():
        assert isinstance(bracket, Bracket)
        total = total + bracket.fold(lambda i: (A1, A2)[i - 1], lambda u, v: v @ u - u @ v) * x
    assert total == cde.represent(deep.tensor())


@given(st.data())
def test_the_logarithm_of_an_ews_is_a_lie_element_that_gives_it_back(data: st.DataObject) -> None:
    generator = data.draw(drawn_generators(max_dim=2))
    path = data.draw(paths(generator.dim, max_steps=2))
    ews = EWS(generator, depth=2)
    found = log_ews(ews, path, basis=data.draw(st.sampled_from(list(COORDINATES))))
    assert found.exp() == ews(path)
    assert found.algebra == ews.algebra


def test_without_forgetting_it_is_the_log_signature() -> None:
    for basis in COORDINATES:
        assert log_ews(EWS(generators.Zero(2), depth=4), CORNERS, basis=basis) == log_signature(CORNERS, 4, basis=basis)


def test_the_area_of_an_ews_by_hand() -> None:
    # A = diag(0, 1), X = (u, u): Z = (u, e^{u-1} - e^{-1}), and (∫ Z1 dZ2 - ∫ Z2 dZ1) / 2 = (3 e^{-1} - 1) / 2.
    found = log_ews(
        EWS(generators.Diagonal([0, 1])), PiecewiseLinearPath([0, 1], [[0, 0], [1, 1]]), basis="lyndon words"
    )
    assert found[1, 2] == (EE.exp(-EE.one) * 3 - 1) * half
    assert found[2] == EE.one - EE.exp(-EE.one)


def test_what_does_not_fit_is_refused() -> None:
    bad: Any = 5
    with pytest.raises(TypeError, match="basis"):
        log_signature(CORNERS, 2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="basis"):
        log_ews(EWS(generators.Zero(2)), CORNERS)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="unknown basis 'lyndon'"):
        log_signature(CORNERS, 2, basis="lyndon")
    with pytest.raises(TypeError, match="the log-signature reads a path, got 5"):
        log_signature(bad, 2, basis="words")
    with pytest.raises(TypeError, match="log_ews takes an EWS, got 5"):
        log_ews(bad, CORNERS, basis="words")
    for depth in (0, -1):
        with pytest.raises(ValueError, match="depth must be at least 1"):
            log_signature(CORNERS, depth, basis="words")
    with pytest.raises(TypeError, match="depth is a whole number"):
        log_signature(CORNERS, 2.5, basis="words")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="runs forward"):
        log_signature(CORNERS, 2, 2, 1, basis="words")
