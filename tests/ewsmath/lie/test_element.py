"""Lie elements in named bases: conversions both ways by == on draws, and the values that libraries disagree on."""

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, Functional, TensorAlgebra, latex
from ewsmath.lie import (
    COORDINATES,
    Bracket,
    LieElement,
    bch,
    dynkin_idempotent,
    lie_size,
    lyndon_basis,
)
from ewsmath.rings import Ring
from ewsmath.strategies import elements, group_likes, tensors

T = TensorAlgebra(QQ, 2, 4)
BASES = st.sampled_from(list(COORDINATES))
RINGS = pytest.mark.parametrize("ring", [QQ, EE])


def lie_elements(algebra: TensorAlgebra[Any], basis: str) -> st.SearchStrategy[LieElement[Any]]:
    """Lie elements by coordinates in the Lyndon basis, taken to another."""
    n = lie_size(algebra.dim, algebra.depth)
    numbers = st.one_of(st.just(algebra.ring.zero), elements(algebra.ring, max_terms=1))
    values = st.lists(numbers, min_size=n, max_size=n)
    return values.map(lambda xs: LieElement.from_vector(algebra, "lyndon brackets", xs).to(basis))


@RINGS
@given(data=st.data(), basis=BASES)
def test_conversions_go_both_ways(ring: Ring, basis: str, data: st.DataObject) -> None:
    algebra = TensorAlgebra(ring, 2, 4 if ring == QQ else 3)
    x = data.draw(lie_elements(algebra, basis))
    y = x.to(data.draw(BASES))
    assert y == x
    assert y.tensor() == x.tensor()
    assert y.to(basis).basis == x.basis == basis
    assert dict(y.to(basis).coefficients) == dict(x.coefficients)
    assert dict(LieElement.from_vector(algebra, basis, x.vector()).coefficients) == dict(x.coefficients)
    assert dict(LieElement(algebra, basis, x.coefficients).coefficients) == dict(x.coefficients)


@given(data=st.data(), basis=BASES)
def test_the_operations_are_those_of_tensors(basis: str, data: st.DataObject) -> None:
    x, y = (data.draw(lie_elements(T, basis)) for _ in range(2))
    c = data.draw(elements(QQ))
    assert (x + y).tensor() == x.tensor() + y.tensor()
    assert (x - y * c).tensor() == x.tensor() - y.tensor() * c
    assert (-x).tensor() == -x.tensor()
    assert x.bracket(y).tensor() == x.tensor().bracket(y.tensor())
    assert (x == y) == (x.tensor() == y.tensor())


@RINGS
@given(data=st.data(), basis=BASES)
def test_exponential_and_logarithm_are_inverse(ring: Ring, basis: str, data: st.DataObject) -> None:
    algebra = TensorAlgebra(ring, 2, 3 if ring == QQ else 2)
    g = data.draw(group_likes(algebra, max_factors=2))
    assert LieElement.log(g, basis).exp() == g
    x = data.draw(lie_elements(algebra, basis))
    assert x.exp().is_group_like()
    assert dict(LieElement.log(x.exp(), basis).coefficients) == dict(x.coefficients)


@given(st.data())
def test_lyndon_words_read_the_tensor(data: st.DataObject) -> None:
    x = data.draw(lie_elements(T, "hall brackets by degree"))
    a = x.tensor()
    read = x.to("lyndon words")
    assert [read[w] for w in LieElement.labels(T, "lyndon words")] == [a[b.word] for b in lyndon_basis(2, 4)]
    assert x.to("words").coefficients == a.coefficients


@given(tensors(T))
def test_a_tensor_enters_when_it_is_lie_alone(a: Any) -> None:
    # Second route: Lie elements are those on which every shuffle of two words with letters vanishes.
    words = list(T.words())[1:]
    shuffles_vanish = not a[()] and all(
        not Functional.word(QQ, *u).shuffle(Functional.word(QQ, *w))(a)
        for u in words
        for w in words
        if len(u + w) <= T.depth
    )
    if shuffles_vanish:
        assert LieElement.from_tensor(a, "hall brackets by foliage").tensor() == a
    else:
        with pytest.raises(ValueError, match=r"no Lie element: .*, not 0"):
            LieElement.from_tensor(a, "lyndon words")
    x = dynkin_idempotent(a)
    assert LieElement.from_tensor(x, "lyndon words").tensor() == x


def test_word_and_bracket_coordinates_part_where_they_are_known_to() -> None:
    # Two letters: equal up to depth 4; at depth 5 two brackets reach into another Lyndon word each.
    algebra = TensorAlgebra(QQ, 2, 5)
    parted = {}
    for b in lyndon_basis(2, 5):
        read = dict(LieElement(algebra, "lyndon brackets", {b: 1}).to("lyndon words").coefficients)
        assert read.pop(b.word) == 1
        if read:
            parted[b.word] = read
    assert {word: set(read) for word, read in parted.items()} == {
        (1, 1, 1, 2, 2): {(1, 1, 2, 1, 2)},
        (1, 1, 2, 2, 2): {(1, 2, 1, 2, 2)},
    }
    three = LieElement(TensorAlgebra(QQ, 3, 3), "lyndon brackets", {"[1,[2,3]]": 1})
    assert dict(three.to("lyndon words").coefficients) == {(1, 2, 3): 1, (1, 3, 2): -1}


def test_the_known_value_in_three_letters() -> None:
    algebra = TensorAlgebra(QQ, 3, 3)
    e1, e2, e3 = map(algebra.letter, (1, 2, 3))
    x = LieElement.log(algebra.exp(e1) @ algebra.exp(e2) @ algebra.exp(e3), "lyndon brackets")
    third, sixth = QQ.ratio(1, 3), QQ.ratio(1, 6)
    assert (x["[1,[2,3]]"], x[[1, 3], 2]) == (third, sixth)
    assert (x.to("lyndon words")[1, 2, 3], x.to("lyndon words")[1, 3, 2]) == (third, -sixth)
    assert (x.to("words")[1, 2, 3], x.to("words")[1, 3, 2], x.to("words")[3, 2, 1]) == (third, -sixth, third)
    assert x == bch(e1, e2, e3, basis="hall brackets by degree")
    # In Hall's basis [1,[2,3]] = [2,[1,3]] - [3,[1,2]] by Jacobi's identity, and [[1,3],2] = -[2,[1,3]].
    hall = x.to("hall brackets by degree")
    assert (hall["[2,[1,3]]"], hall["[3,[1,2]]"]) == (sixth, -third)


@pytest.mark.parametrize("ring", [QQ_I, Balls(96)])
def test_any_ring_that_has_the_rationals_will_do(ring: Ring) -> None:
    algebra = TensorAlgebra(ring, 2, 4)
    g = algebra.exp(algebra.vector([1, 2])) @ algebra.exp(algebra.vector([ring.ratio(1, 3), -1]))
    exact = LieElement.log(T.exp(T.vector([1, 2])) @ T.exp(T.vector([QQ.ratio(1, 3), -1])), "lyndon brackets")
    for basis in COORDINATES:
        x = LieElement.log(g, basis)
        assert x.exp() == g
        assert all(ring.equal(x[label], ring.coerce(exact.to(basis)[label])) for label in exact.to(basis).coefficients)


def test_it_reads_as_written() -> None:
    half = QQ.ratio(1, 2)
    x = LieElement(T, "lyndon brackets", {"[1,2]": -half, 1: 1, (1, (1, 2)): -1})
    assert str(x) == "e1 - 1/2*[1,2] - [1,[1,2]]"
    assert str(x.to("lyndon words")) == "(1) - 1/2*(12) - (112)"
    assert str(x - x) == "0"
    assert latex(x) == r"e_{1} - \frac{1}{2} [e_{1}, e_{2}] - [e_{1}, [e_{1}, e_{2}]]"
    assert x.to("lyndon words")._repr_latex_() == r"$\displaystyle \mathtt{1} - \frac{1}{2} \mathtt{12} - \mathtt{112}$"
    wide = TensorAlgebra(EE, 12, 2)
    c = EE.exp(EE.one) + 1
    assert str(LieElement(wide, "lyndon words", {(1, 12): c})) == f"({c})*(1,12)"


def test_copies_are_equal() -> None:
    x = LieElement(T, "lyndon brackets", {"[1,2]": 3, 1: 1})
    assert copy.copy(x) is x
    assert pickle.loads(pickle.dumps(x)) == x
    with pytest.raises(AttributeError, match="immutable"):
        x.basis = "words"


def test_labels_are_listed_and_checked() -> None:
    assert LieElement.labels(TensorAlgebra(QQ, 2, 2), "lyndon brackets") == (Bracket(1), Bracket(2), Bracket([1, 2]))
    assert LieElement.labels(TensorAlgebra(QQ, 2, 2), "lyndon words") == ((1,), (2,), (1, 2))
    assert LieElement.labels(TensorAlgebra(QQ, 1, 2), "words") == ((1,), (1, 1))
    x = LieElement(T, "lyndon brackets", {1: 1})
    assert (x[1], x["[1,2]"], x[1, 2]) == (1, 0, 0)
    assert LieElement(T, "lyndon words", {1: 1})[1] == 1
    for label in ("[2,1]", 3, "[1,[1,[1,[1,2]]]]"):
        with pytest.raises(ValueError, match="is no label of the basis 'lyndon brackets' of TensorAlgebra"):
            LieElement(T, "lyndon brackets", {label: 1})
        with pytest.raises(ValueError, match="is no label of the basis 'lyndon brackets' of TensorAlgebra"):
            x[label]
    with pytest.raises(ValueError, match=r"\(2, 1\) is no label of the basis 'lyndon words'"):
        LieElement(T, "lyndon words", {(2, 1): 1})


def test_the_basis_is_named_in_every_call() -> None:
    g = T.exp(T.letter(1))
    unnamed: list[Any] = [
        lambda: LieElement.log(g),  # type: ignore[call-arg]
        lambda: LieElement.from_tensor(T.letter(1)),  # type: ignore[call-arg]
        lambda: LieElement.from_vector(T, values=[]),  # type: ignore[call-arg]
        lambda: bch(T.letter(1)),  # type: ignore[call-arg]
    ]
    for call in unnamed:
        with pytest.raises(TypeError, match="basis"):
            call()
    wrong: list[Any] = [
        lambda: LieElement.log(g, "lyndon"),
        lambda: LieElement.from_tensor(T.letter(1), "lyndon"),
        lambda: LieElement.from_vector(T, "lyndon", []),
        lambda: LieElement(T, "lyndon", {}),
        lambda: LieElement.labels(T, "lyndon"),
        lambda: LieElement(T, "words", {}).to("lyndon"),
        lambda: bch(T.letter(1), basis="lyndon"),
    ]
    for call in wrong:
        with pytest.raises(ValueError, match="unknown basis 'lyndon': name one of 'words', 'lyndon words', 'lyndon br"):
            call()


def test_what_does_not_fit_is_refused() -> None:
    x = LieElement(T, "lyndon brackets", {1: 1})
    other = LieElement(TensorAlgebra(QQ, 2, 3), "lyndon brackets", {1: 1})
    bad: Any = 5
    with pytest.raises(ValueError, match=r"of TensorAlgebra\(ring=QQ, dim=2, depth=4\) and .*depth=3\) are not mixed"):
        _ = x + other
    with pytest.raises(ValueError, match=r"'lyndon brackets' and 'words' are not mixed: .*to\('lyndon brackets'\)"):
        x.bracket(x.to("words"))
    with pytest.raises(TypeError, match="Lie elements go together with Lie elements, got 5"):
        _ = x - bad
    with pytest.raises(TypeError, match=r"x\.bracket\(y\)"):
        _ = x * x  # type: ignore[operator]
    with pytest.raises(TypeError, match="A float is not exact"):
        LieElement(T, "lyndon brackets", {1: 0.5})
    with pytest.raises(TypeError, match="lies in a tensor algebra, got 5"):
        LieElement(bad, "words", {})
    with pytest.raises(ValueError, match="has 8 labels, got 2 numbers"):
        LieElement.from_vector(T, "lyndon brackets", [1, 2])
    with pytest.raises(ValueError, match=r"at words make no Lie element: .*\(1\) ⧢ \(2\), a.* = 1, not 0"):
        LieElement(T, "words", {(1, 2): 1})
    with pytest.raises(ValueError, match=r"not group-like: its logarithm is no Lie element, .*\(1\) ⧢ \(1\), a"):
        LieElement.log(T.one() + T.letter(1), "words")
    with pytest.raises(ValueError, match="no Lie element: the constant term is 1, not 0"):
        LieElement.from_tensor(T.one(), "words")
    assert x != 5
    assert x != other


def test_letters_of_two_digits_are_written_as_in_tensors() -> None:
    a = TensorAlgebra(QQ, 12, 1).letter(12).scaled(5)
    for basis in ("lyndon brackets", "hall brackets by degree"):
        x = LieElement.from_tensor(a, basis)
        assert str(x) == str(a) == "5*e12,"
        assert latex(x) == latex(a) == "5 e_{12,}"
