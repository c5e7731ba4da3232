"""Brackets: trees that print, parse and expand."""

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Matrix, Tensor, TensorAlgebra, latex
from ewsmath.lie import Bracket
from ewsmath.strategies import square_matrices

ALGEBRA = TensorAlgebra(QQ, 3, 4)
trees = st.recursive(st.integers(1, 3), lambda part: st.tuples(part, part), max_leaves=5)


@given(trees)
def test_it_reads_what_it_prints(tree: Any) -> None:
    b = Bracket(tree)
    assert Bracket(str(b)) == b == Bracket(b) == Bracket(b.nested())
    assert b.nested() == tree
    assert hash(Bracket(str(b))) == hash(b)
    assert len(b) == len(b.word) == b.fold(lambda i: 1, lambda x, y: x + y)
    assert pickle.loads(pickle.dumps(b)) == b
    assert copy.deepcopy(b) is b


@given(trees)
def test_it_expands_to_the_commutator_of_its_parts(tree: Any) -> None:
    b = Bracket(tree)
    assert b.tensor(ALGEBRA) == b.fold(ALGEBRA.letter, Tensor.bracket)
    assert all(b.expansion().values())


@given(trees)
def test_it_vanishes_beyond_the_depth(tree: Any) -> None:
    shallow = TensorAlgebra(QQ, 3, 2)
    b = Bracket(tree)
    assert (b.tensor(shallow) == shallow.zero()) == (len(b) > 2 or not b.expansion())


@given(trees, st.lists(square_matrices(2), min_size=3, max_size=3))
def test_fold_represents_the_free_lie_algebra_by_matrices(tree: Any, M: list[Matrix]) -> None:
    # The same value by words: the bracket expanded, each word a product of matrices.
    b = Bracket(tree)
    total = Matrix.zeros(QQ, 2, 2)
    for word, n in b.expansion().items():
        product = Matrix.identity(QQ, 2)
        for i in word:
            product = product @ M[i - 1]
        total = total + product * n
    assert b.fold(lambda i: M[i - 1], lambda x, y: x @ y - y @ x) == total


def test_known_expansions() -> None:
    assert dict(Bracket("[[1,2],2]").expansion()) == {(1, 2, 2): 1, (2, 1, 2): -2, (2, 2, 1): 1}
    assert dict(Bracket([1, [2, 3]]).expansion()) == {(1, 2, 3): 1, (1, 3, 2): -1, (2, 3, 1): -1, (3, 2, 1): 1}
    assert dict(Bracket([2, 2]).expansion()) == {}


def test_brackets_differ_when_their_trees_do() -> None:
    assert Bracket([1, [2, 3]]) != Bracket([[1, 2], 3])
    assert Bracket([1, 2]) != (1, 2)
    assert len({Bracket([1, 2]), Bracket("[1, 2]"), Bracket([2, 1])}) == 2


def test_it_reads_as_latex() -> None:
    b = Bracket([1, [1, 12]])
    assert latex(b) == "[e_{1}, [e_{1}, e_{12,}]]"  # e_{12} is a word of two letters, as in tensors
    assert b._repr_latex_() == r"$\displaystyle [e_{1}, [e_{1}, e_{12,}]]$"


@pytest.mark.parametrize("tree", [0, -1, [1, 0], "[1,[0,2]]"])
def test_letters_count_from_one(tree: Any) -> None:
    with pytest.raises(ValueError, match="made of letters 1, 2"):
        Bracket(tree)


@pytest.mark.parametrize("tree", [True, 1.0, None, [1], [1, 2, 3], "[1,2,3]", "[1.0,2]", [1, [2]], "true", {1: 2}])
def test_a_bracket_is_a_letter_or_a_pair(tree: Any) -> None:
    with pytest.raises(TypeError, match=r"a letter or a pair of brackets, got .*: write \[1, \[1, 2\]\]"):
        Bracket(tree)


@pytest.mark.parametrize("text", ["", "[1,2", "1 2", "[a,b]", "[1,]"])
def test_other_texts_are_no_brackets(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no bracket: write '\[1,\[1,2\]\]'"):
        Bracket(text)


def test_a_letter_beyond_the_algebra_is_refused() -> None:
    with pytest.raises(ValueError, match="it needs letters from 1 to 3"):
        Bracket([1, 4]).tensor(ALGEBRA)
    with pytest.raises(AttributeError, match="immutable"):
        Bracket(1).word = (2,)
