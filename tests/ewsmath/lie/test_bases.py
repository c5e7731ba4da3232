"""Lyndon and Hall bases: counted by Witt, independent over the integers, and of the shape their order says."""

from collections.abc import Callable
from functools import partial

import pytest
from flint import fmpz_mat

from ewsmath.lie import ORDERS, Bracket, hall_basis, lyndon_basis, lyndon_bracket, lyndon_words, witt

Basis = Callable[[int, int], tuple[Bracket, ...]]
BASES: dict[str, Basis] = {"lyndon": lyndon_basis} | {o: partial(hall_basis, order=o) for o in ORDERS}
NAMES = pytest.mark.parametrize("name", BASES)


@NAMES
@pytest.mark.parametrize(("dim", "depth"), [(1, 3), (2, 8), (3, 5), (5, 3)])
def test_witts_formula_counts_each_degree(name: str, dim: int, depth: int) -> None:
    basis = BASES[name](dim, depth)
    assert [sum(len(b) == n for b in basis) for n in range(1, depth + 1)] == [witt(dim, n) for n in range(1, depth + 1)]
    assert [len(b) for b in basis] == sorted(len(b) for b in basis)
    assert len(set(basis)) == len(basis)


@NAMES
@pytest.mark.parametrize(("dim", "length"), [(2, 6), (3, 4)])
def test_they_are_bases_over_the_integers(name: str, dim: int, length: int) -> None:
    # The coefficients at the Lyndon words are free and determine a Lie element: the matrix is unimodular.
    brackets = [b for b in BASES[name](dim, length) if len(b) == length]
    words = [w for w in lyndon_words(dim, length) if len(w) == length]
    assert abs(fmpz_mat([[b.expansion().get(w, 0) for b in brackets] for w in words]).det()) == 1


def test_lyndon_brackets_are_their_words_plus_larger_ones() -> None:
    for word in lyndon_words(3, 5):
        expansion = lyndon_bracket(word).expansion()
        assert min(expansion) == word == lyndon_bracket(word).word
        assert expansion[word] == 1
        assert {tuple(sorted(w)) for w in expansion} == {tuple(sorted(word))}


def test_known_bases() -> None:
    def shown(basis: tuple[Bracket, ...], length: int) -> list[str]:
        return [str(b) for b in basis if len(b) == length]

    assert shown(lyndon_basis(3, 3), 3) == [
        *("[1,[1,2]]", "[1,[1,3]]", "[[1,2],2]", "[1,[2,3]]"),
        *("[[1,3],2]", "[[1,3],3]", "[2,[2,3]]", "[[2,3],3]"),
    ]
    assert shown(lyndon_basis(2, 5), 5) == [
        *("[1,[1,[1,[1,2]]]]", "[1,[1,[[1,2],2]]]", "[[1,[1,2]],[1,2]]"),
        *("[1,[[[1,2],2],2]]", "[[1,2],[[1,2],2]]", "[[[[1,2],2],2],2]"),
    ]
    assert shown(hall_basis(2, 5, "degree"), 5) == [
        *("[1,[1,[1,[1,2]]]]", "[2,[1,[1,[1,2]]]]", "[2,[2,[1,[1,2]]]]"),
        *("[2,[2,[2,[1,2]]]]", "[[1,2],[1,[1,2]]]", "[[1,2],[2,[1,2]]]"),
    ]
    assert shown(hall_basis(3, 3, "degree"), 3) == [
        *("[1,[1,2]]", "[1,[1,3]]", "[2,[1,2]]", "[2,[1,3]]"),
        *("[2,[2,3]]", "[3,[1,2]]", "[3,[1,3]]", "[3,[2,3]]"),
    ]


def test_brackets_by_foliage_spell_the_lyndon_words_cut_at_the_longest_prefix() -> None:
    basis = hall_basis(3, 5, "foliage")
    assert [b.word for b in basis] == [b.word for b in lyndon_basis(3, 5)]
    lyndon = set(lyndon_words(3, 5))
    for b in basis:
        if b.parts:
            assert b.parts[0].word == next(b.word[:k] for k in range(len(b) - 1, 0, -1) if b.word[:k] in lyndon)
    assert basis != lyndon_basis(3, 5)


@pytest.mark.parametrize("order", ORDERS)
def test_a_hall_basis_obeys_its_order(order: str) -> None:
    key, basis = ORDERS[order], hall_basis(2, 6, order)
    for b in basis:
        if b.parts:
            left, right = b.parts
            assert key(left) < key(right)
            assert key(left) < key(b)
            assert right.parts is None or key(right.parts[0]) <= key(left)
            assert {left, right} <= set(basis)


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown Hall order 'length': choose one of 'degree', 'foliage'"):
        hall_basis(2, 2, "length")
    with pytest.raises(ValueError, match="hall_basis: depth must be at least 1"):
        hall_basis(2, 0, "degree")
    with pytest.raises(ValueError, match="needs a Lyndon word"):
        lyndon_bracket((2, 1))
