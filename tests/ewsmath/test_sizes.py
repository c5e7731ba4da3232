"""Absurd sizes are refused at once, by their number, wherever a list or a matrix grows with a power."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from ewsmath import EWS, QQ, PiecewiseLinearPath, TensorAlgebra, capacity, kernels, lie, signature, words
from ewsmath.generators import ComplexJordan, Diagonal, Jordan, Zero
from ewsmath.linear_cde import generator_matrix, level_generator, lift_matrix
from ewsmath.matrix import Matrix
from ewsmath.operators import flow_matrix, level_flow
from ewsmath.structures import hadamard
from ewsmath.word_problem import alternating_group

LONG = TensorAlgebra(QQ, 2, 40)
A = Matrix(QQ, [[1, 2], [0, 3]])
WIDE = Matrix.identity(QQ, 400)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (
            lambda: lie.lyndon_basis(100, 100),
            "lyndon_basis: brackets of 100 .* up to length 4 already: 25,335,850, more",
        ),
        (lambda: lie.hall_basis(100, 100, "degree"), "hall_basis: brackets of 100 letters at depth 100"),
        (lambda: lie.lyndon_basis(2, 40), "lyndon_basis: brackets of 2 letters at depth 40 up to length 24"),
        (lambda: lie.lyndon_basis(1345, 3), "at depth 3: 811,"),
        (lambda: lie.bch(LONG.letter(1), LONG.letter(2), basis="words"), "bch: 2 letters at depth 40 = 2,199,0"),
        (lambda: lie.LieElement.labels(LONG, "words"), "coordinates in words: 2 letters at depth 40"),
        (lambda: flow_matrix(Diagonal([1, 2]), 1, 14), "flow_matrix: a matrix of 32,767 x 32,767 = 1,073,676,289 ent"),
        (lambda: level_flow(Diagonal([1, 2]), 1, 14), "level_flow: a matrix of 16,384 x 16,384"),
        (lambda: generator_matrix(A, 14), "generator_matrix: a matrix of 32,767 x 32,767"),
        (lambda: level_generator(A, 14), "level_generator: a matrix of 16,384"),
        (lambda: lift_matrix(QQ, [1, 2], 14), "lift_matrix: a matrix of 32,767"),
        (lambda: TensorAlgebra(QQ, 10, 8).letter(1).vector(), "as a vector: 10 letters at depth 8 = 111,111,110 fea"),
        (lambda: hadamard(QQ, 2**14), "Hadamard matrix: a matrix of 16,384 x 16,384 = 268,435,456 entries, more than"),
        (lambda: kernels.gamma_kernel(10**6, 1), "power of a kernel is at most 100,000, got 1,000,000"),
        (lambda: Jordan(1, 10**4), "Jordan: a matrix of 10,000 x 10,000 = 100,000,000 entries, more than 25,000,000"),
        (lambda: ComplexJordan(0, 1, 10**4), "ComplexJordan: a matrix of 20,000"),
        (lambda: Zero(10**6), r"Zero, which signature\(path, depth\) does without: a matrix of 1,000,000 x 1,000,000"),
        (lambda: Diagonal([1] * 6000), "a diagonal matrix: a matrix of 6,000"),
        (lambda: WIDE.kronecker(WIDE), "a Kronecker product: a matrix of 160,000"),
        (lambda: Matrix.block_diagonal(QQ, [WIDE] * 13), "a block-diagonal matrix: a matrix of 5,200"),
        (lambda: Matrix.identity(QQ, 10**6), "the identity: a matrix of 1,000,000"),
        (lambda: alternating_group(12), "even permutations of 12 points: 239,500,800, more than 1,000,000"),
        (lambda: alternating_group(10**6), "even permutations of 1000000 points, at least"),
    ],
)
def test_absurd_sizes_are_refused_at_once(use: Callable[[], Any], message: str) -> None:
    started = time.process_time()
    with pytest.raises(ValueError, match=message):
        use()
    assert time.process_time() - started < 1  # seconds


def test_what_can_be_listed_is() -> None:
    assert len(lie.lyndon_basis(1, 10**5)) == 1
    assert len(lie.hall_basis(300, 2, "degree")) == lie.lie_size(300, 2) == 300 + 300 * 299 // 2
    assert len(alternating_group(7)) == 2520
    assert capacity.check_count(10**6, "brackets") == 10**6
    capacity.check_matrix(5000, 5000, "a matrix")


def test_the_signature_of_a_wide_path_needs_no_generator() -> None:
    path = PiecewiseLinearPath(None, [range(5001), range(1, 5002)])
    assert signature(path, 1).level(1) == [1] * 5001
    with pytest.raises(ValueError, match="5,001 x 5,001 = 25,010,001 entries"):
        EWS.signature(5001, depth=1)


def test_a_short_series_in_many_letters_is_not_refused() -> None:
    T = TensorAlgebra(QQ, 1345, 2)
    assert T.size > capacity.LARGEST_SIZE
    e1, e2 = T.letter(1), T.letter(2)
    x = lie.bch(e1, e2, basis="words")
    assert x.tensor() == e1 + e2 + e1.bracket(e2) * QQ.ratio(1, 2)
    assert x == lie.LieElement(T, "words", {(1,): 1, (2,): 1, (1, 2): QQ.ratio(1, 2), (2, 1): QQ.ratio(-1, 2)})
    with pytest.raises(ValueError, match=r"\(1346,\) is no label of the basis 'words'"):
        lie.LieElement(T, "words", {(1346,): 1})


def test_long_words_make_few_products() -> None:
    T = TensorAlgebra(QQ, 2, 24)
    x = lie.Bracket([1, 2]).tensor(T)
    for _ in range(7):
        x = T.letter(1).bracket(x)
    assert lie.bch(x, T.letter(2).bracket(x), basis="words").tensor().level(9) == x.level(9)


@pytest.mark.parametrize("dim", [1, 2, 3, 7])
def test_the_number_of_words_is_the_sum_of_powers(dim: int) -> None:
    for depth in range(6):
        assert words.size(dim, depth) == sum(dim**n for n in range(depth + 1))


def test_long_numbers_are_shown_by_their_power_of_ten() -> None:
    assert capacity.shown(10**30 - 1).startswith("999,999,")
    assert capacity.shown(10**5000) == "about 10^5000"
