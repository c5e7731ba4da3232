"""The word problem of A5 solved exactly, cycle navigation, and what order and abelian structures have to do with it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Balls, Matrix
from ewsmath.linear_cde import LinearCDE, MatrixLieAlgebra
from ewsmath.structures import BlockDiagonal, SLiCE
from ewsmath.word_problem import (
    WordProblem,
    alternating_group,
    compose,
    cyclic_group,
    cyclotomic_representation,
    permutation_logarithm,
    permutation_matrix,
    standard_representation,
)

A5 = WordProblem(alternating_group(5), standard_representation, [1, 2, 3, 4])
WIDE = WordProblem(alternating_group(5), permutation_matrix, [1, 2, 3, 4, 5])
CYCLE = WordProblem([cyclic_group(5)[k] for k in (0, 1, 4)], cyclotomic_representation(5), [1, 0, 0, 0])
SHIFTS = WordProblem(CYCLE.alphabet, permutation_matrix, [1, 0, 0, 0, 0])


@pytest.mark.parametrize("problem", [A5, WIDE], ids=["standard", "permutations"])
def test_all_pairs_of_a5_come_out(problem: WordProblem) -> None:
    flows = [problem.cde.euler([int(j == x) for j in range(60)]) for x in range(60)]
    after_one = [F.apply(problem.start) for F in flows]
    place = {g: j for j, g in enumerate(problem.elements)}
    for x in range(60):
        for y in range(60):
            true = place[compose(problem.alphabet[x], problem.alphabet[y])]
            assert problem.read(flows[y].apply(after_one[x])) == true


@given(st.lists(st.integers(0, 59), max_size=40))
def test_words_of_a5_come_out_token_by_token(word: list[int]) -> None:
    assert A5.answers(word) == A5.products(word)


def test_a_long_word_comes_out() -> None:
    word = [(17 * k * k + 5 * k) % 60 for k in range(400)]
    assert A5.answers(word) == WIDE.answers(word) == A5.products(word)
    assert len(set(A5.products(word))) == 60


@pytest.mark.parametrize("problem", [CYCLE, SHIFTS], ids=["cyclotomic", "shifts"])
@given(word=st.lists(st.integers(0, 2), max_size=40))
def test_navigation_on_a_cycle(problem: WordProblem, word: list[int]) -> None:
    position, expected = 0, []
    for token in word:
        position = (position + (0, 1, -1)[token]) % 5
        expected.append(position)
    assert problem.answers(word) == problem.products(word) == expected


def test_without_the_inverse_the_order_is_wrong() -> None:
    x, y = (1, 2, 0, 3, 4), (1, 2, 3, 4, 0)
    naive = permutation_matrix(y) @ permutation_matrix(x)
    assert naive == permutation_matrix(compose(y, x)) != permutation_matrix(compose(x, y))


def test_only_a5_needs_an_algebra_that_is_not_solvable() -> None:
    assert not MatrixLieAlgebra(A5.cde.matrices).is_solvable
    assert MatrixLieAlgebra(CYCLE.cde.matrices).is_abelian
    assert MatrixLieAlgebra(SHIFTS.cde.matrices).is_abelian


def test_a_block_diagonal_slice_holds_it() -> None:
    model = SLiCE([BlockDiagonal([M, N]) for M, N in zip(A5.cde.matrices, WIDE.cde.matrices, strict=True)])
    word = [3, 50, 12, 7]
    end = model.solve(A5.path(word), [*A5.start, *WIDE.start])[-1]
    assert A5.read(end[:4]) == WIDE.read(end[4:]) == A5.products(word)[-1]
    assert model.parameters == 60 * (16 + 25)


def test_the_exact_flow_of_minus_the_logarithm_does_the_same() -> None:
    R, word = Balls(128), [3, 50, 12, 7, 59]
    cde = LinearCDE([-permutation_logarithm(p, R) for p in WIDE.alphabet])
    states = cde.solve(WIDE.path(word).over(R), WIDE.start)
    for exact, ball in zip(WIDE.states(word), states, strict=True):
        assert all(R.equal(R.coerce(x), y) for x, y in zip(exact, ball, strict=True))
        assert all(y.radius < QQ.ratio(1, 2**100) for y in ball)


def identity(p: Sequence[int]) -> Matrix[Any]:
    return Matrix.identity(QQ, 1)


REFUSED: list[tuple[Callable[[], Any], str]] = [
    (lambda: WordProblem([], permutation_matrix, []), "permutations of the same points"),
    (lambda: WordProblem([(0,), (1, 0)], permutation_matrix, [1]), "permutations of the same points"),
    (lambda: WordProblem([(1, 1)], permutation_matrix, [1, 2]), "is no permutation"),
    (lambda: WordProblem([(1, 0)], permutation_matrix, [1]), "1 entries does not fit a representation of dimension 2"),
    (lambda: WordProblem([(1, 0)], permutation_matrix, [1, 1]), "fixed by more than the identity"),
    (lambda: WordProblem([(1, 0)], identity, [1]), "or a faithful representation"),
    (lambda: A5.states([60]), r"from 0 to 59, got \[60\]"),
    (lambda: A5.products([0.5]), "from 0 to 59"),  # type: ignore[list-item]
]


@pytest.mark.parametrize(("ask", "text"), REFUSED)
def test_what_does_not_fit_is_refused(ask: Callable[[], Any], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        ask()


def test_its_name() -> None:
    assert repr(A5) == "WordProblem(tokens=60, elements=60, size=4)"
