"""Dynkin's and Euler's projections: idempotents by == on draws, against their definitions by convolution."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Functional, TensorAlgebra
from ewsmath.hopf import convolution
from ewsmath.lie import Bracket, dynkin, dynkin_idempotent, eulerian_idempotent, lyndon_basis
from ewsmath.strategies import group_likes, tensors
from ewsmath.tensor import Tensor

ALGEBRA = TensorAlgebra(QQ, 2, 4)


def graded(a: Tensor) -> Tensor:
    """Y: level n times n."""
    return a.algebra.tensor({word: c * len(word) for word, c in a.coefficients.items()})


@given(st.lists(st.integers(1, 3), min_size=1, max_size=4))
def test_the_dynkin_map_brackets_words_from_the_left(word: list[int]) -> None:
    algebra = TensorAlgebra(QQ, 3, 4)
    bracket = Bracket(word[0])
    for j in word[1:]:
        bracket = Bracket((bracket, j))
    assert dynkin(algebra.tensor({tuple(word): 1})) == bracket.tensor(algebra)


@given(tensors(ALGEBRA, max_terms=3))
def test_the_dynkin_map_is_the_antipode_convolved_with_the_degree(a: Tensor) -> None:
    assert dynkin(a) == convolution(Tensor.antipode, graded)(a)


@given(group_likes(ALGEBRA))
def test_on_group_like_elements_it_is_the_logarithmic_derivative(g: Tensor) -> None:
    assert g @ dynkin(g) == graded(g)


@given(*[tensors(ALGEBRA, max_terms=2).map(dynkin_idempotent) for _ in range(2)])
def test_the_dynkin_idempotent_is_a_projection_that_keeps_brackets(a: Tensor, b: Tensor) -> None:
    assert dynkin_idempotent(a) == a
    assert dynkin_idempotent(a.bracket(b)) == a.bracket(b)
    assert eulerian_idempotent(a, 1) == a


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_its_image_is_the_free_lie_algebra(length: int) -> None:
    # Second route: brackets, one by one; and the rank, which is the trace of a projection.
    for b in lyndon_basis(2, length):
        assert dynkin_idempotent(b.tensor(ALGEBRA)) == b.tensor(ALGEBRA)
    images = (dynkin_idempotent(ALGEBRA.tensor({w: 1}))[w] for w in ALGEBRA.words(length))
    assert sum(images, QQ.zero) == sum(len(b) == length for b in lyndon_basis(2, length))


@given(st.data())
def test_eulerian_idempotents_are_orthogonal_and_complete(data: st.DataObject) -> None:
    a = data.draw(tensors(ALGEBRA, max_terms=3))
    parts = [eulerian_idempotent(a, k) for k in range(ALGEBRA.depth + 1)]
    assert sum(parts[1:], parts[0]) == a
    assert parts[0] == ALGEBRA.scalar(a[()])
    for k, part in enumerate(parts):
        for j in range(ALGEBRA.depth + 1):
            assert eulerian_idempotent(part, j) == (part if j == k else ALGEBRA.zero())


@given(group_likes(ALGEBRA))
def test_on_group_like_elements_they_are_the_terms_of_the_exponential(g: Tensor) -> None:
    x = ALGEBRA.log(g)
    assert eulerian_idempotent(g, 1) == x
    assert eulerian_idempotent(g, 2) == x @ x * QQ.ratio(1, 2)
    assert eulerian_idempotent(g, 3) == x @ x @ x * QQ.ratio(1, 6)


@given(tensors(ALGEBRA, max_terms=3))
def test_they_are_the_eigenprojections_of_the_convolution_square(a: Tensor) -> None:
    def same(x: Tensor) -> Tensor:
        return x

    total = ALGEBRA.zero()
    for k in range(ALGEBRA.depth + 1):
        total = total + eulerian_idempotent(a, k) * 2**k
    assert convolution(same, same)(a) == total


def test_the_first_one_reads_descents() -> None:
    # Solomon: the coefficient at a permutation with d descents is (-1)^d / (n binom(n-1, d)).
    algebra = TensorAlgebra(QQ, 3, 3)
    found = eulerian_idempotent(algebra.tensor({(1, 2, 3): 1}), 1)
    third, sixth = QQ.ratio(1, 3), QQ.ratio(-1, 6)
    assert [found[w] for w in [(1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1)]] == [
        *(third, sixth, sixth, sixth, sixth, third)
    ]
    # Its dual, log of the identity under the other convolution: the same number from shuffles.
    assert eulerian_idempotent(algebra.one(), 1) == algebra.zero()


@given(st.data())
def test_dual_of_the_first_one_is_the_logarithm_by_shuffles(data: st.DataObject) -> None:
    a = data.draw(tensors(TensorAlgebra(QQ, 2, 3), max_terms=3))
    for word in [(1, 2), (1, 2, 1), (2, 2, 1)]:
        total = Functional(QQ, {})
        for j in range(1, len(word) + 1):
            for cut in cuts(word, j):
                product = Functional.word(QQ)
                for part in cut:
                    product = product.shuffle(Functional.word(QQ, *part))
                total = total + product * QQ.ratio((-1) ** (j + 1), j)
        assert eulerian_idempotent(a, 1)[word] == total(a)


def cuts(word: tuple[int, ...], parts: int) -> list[list[tuple[int, ...]]]:
    """All ways to cut a word into a number of parts, none of which is empty."""
    if parts == 1:
        return [[word]]
    return [[word[:k], *rest] for k in range(1, len(word)) for rest in cuts(word[k:], parts - 1)]


def test_wrong_numbers_are_refused() -> None:
    bad: Any = 1.5
    with pytest.raises(TypeError, match=r"has a whole number, got 1\.5"):
        eulerian_idempotent(ALGEBRA.one(), bad)
    with pytest.raises(ValueError, match="numbered from 0, got -1"):
        eulerian_idempotent(ALGEBRA.one(), -1)
    for projection in (dynkin, dynkin_idempotent, lambda x: eulerian_idempotent(x, 1)):
        with pytest.raises(TypeError, match=r"takes a tensor, got 1\.5"):
            projection(bad)
