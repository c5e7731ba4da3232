"""Functionals: the shuffle Hopf algebra by == on draws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Functional, PiecewiseLinearPath, TensorAlgebra, signature
from ewsmath.strategies import functionals, group_likes, rationals, tensors

ALGEBRA = TensorAlgebra(QQ, 2, 4)


def word(*letters: int) -> Functional:
    return Functional.word(QQ, *letters)


@given(functionals(max_length=2), functionals(max_length=2), functionals(max_length=2))
def test_shuffle_is_commutative_and_associative(u: Functional, v: Functional, w: Functional) -> None:
    assert u.shuffle(v) == v.shuffle(u)
    assert u.shuffle(v).shuffle(w) == u.shuffle(v.shuffle(w))
    assert u.shuffle(v + w) == u.shuffle(v) + u.shuffle(w)
    assert word().shuffle(u) == u


@given(functionals(max_length=2), functionals(max_length=2), group_likes(ALGEBRA))
def test_group_likes_turn_shuffles_into_products(u: Functional, w: Functional, g) -> None:
    assert u.shuffle(w)(g) == u(g) * w(g)


@given(*[functionals(min_length=1, max_length=2) for _ in range(3)])
def test_half_shuffles_obey_the_zinbiel_law(u: Functional, w: Functional, z: Functional) -> None:
    assert u.right_half_shuffle(w.right_half_shuffle(z)) == u.shuffle(w).right_half_shuffle(z)
    assert u.right_half_shuffle(w) + u.left_half_shuffle(w) == u.shuffle(w)


def test_half_shuffles_with_the_empty_word() -> None:
    u = word(1, 2)
    assert word().right_half_shuffle(u) == u
    assert u.right_half_shuffle(word()) == u - u
    assert u.left_half_shuffle(word()) == u
    assert word(2).right_half_shuffle(word(1)) == word(2, 1)
    with pytest.raises(ValueError, match="undefined"):
        word().right_half_shuffle(word())


@given(functionals(), tensors(ALGEBRA), tensors(ALGEBRA))
def test_deconcatenation_is_dual_to_the_product(l: Functional, a, b) -> None:  # noqa: E741
    total = QQ.zero
    for (u, w), c in l.deconcatenation().items():
        total += c * a[u] * b[w]
    assert l(a @ b) == total


@given(functionals(), tensors(ALGEBRA))
def test_antipode_is_dual_to_the_antipode_of_tensors(l: Functional, a) -> None:  # noqa: E741
    assert l.antipode()(a) == l(a.antipode())
    assert l.antipode().antipode() == l


@given(functionals())
def test_the_antipode_is_the_convolution_inverse(l: Functional) -> None:  # noqa: E741
    total = Functional(QQ, {})
    for (u, w), c in l.deconcatenation().items():
        total += c * word(*u).antipode().shuffle(word(*w))
    assert total == word() * l.coefficients.get((), 0)


def test_letters_count_from_one() -> None:
    for letters in [(0,), (1, -1), ("1",), (True,)]:
        with pytest.raises(ValueError, match="letters are the whole numbers from 1 up"):
            word(*letters)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="each from 1 to 2"):
        word(3)(ALGEBRA.one())
    with pytest.raises(ValueError, match="at most 4 letters"):
        word(1, 1, 1, 1, 1)(ALGEBRA.one())


def test_rings_are_not_mixed() -> None:
    with pytest.raises(ValueError, match="does not pair"):
        word(1)(TensorAlgebra(EE, 2, 2).one())
    with pytest.raises(ValueError, match="not mixed"):
        _ = word(1) + Functional.word(EE, 1)
    with pytest.raises(TypeError, match=r"l\.shuffle\(k\)"):
        _ = word(1) * word(2)
    assert word(1) != Functional.word(EE, 1)


def test_it_is_immutable_and_reads_as_written() -> None:
    l = 2 * word(1, 2) + word() - word(11, 1)  # noqa: E741
    assert str(l) == "() + 2*(12) + -1*(11,1)"
    assert list(l) == [(1, 2), (), (11, 1)]
    assert str(l - l) == "0"
    assert str(Functional(QQ_I, {(1,): QQ_I.number(1, -1)})) == "(1-i)*(1)"
    with pytest.raises(AttributeError):
        l.ring = EE


def iterated_sums(rows: list[list], depth: int, dim: int):
    """Σ_{i<j<⋯} of products of powers: one factor 1 + Σ_k (letter k) for each time, letters as their values."""
    algebra = TensorAlgebra(QQ, dim, depth)
    total = algebra.one()
    for row in rows:
        total = total @ (algebra.one() + algebra.vector(row))
    return total


@given(functionals(max_length=2), functionals(max_length=2), st.lists(rationals(), max_size=4))
def test_iterated_sums_turn_quasi_shuffles_into_products(u: Functional, w: Functional, x: list) -> None:
    # Letter k is the k-th power of one channel, so that letters i and j meet in i + j.
    sums = iterated_sums([[a**k for k in range(1, 9)] for a in x], 4, 8)
    assert u.quasi_shuffle(w, lambda i, j: i + j)(sums) == u(sums) * w(sums)


@given(*[functionals(max_length=2, max_terms=2) for _ in range(3)])
def test_quasi_shuffle_is_commutative_and_associative(u: Functional, v: Functional, w: Functional) -> None:
    def product(a: Functional, b: Functional) -> Functional:
        return a.quasi_shuffle(b, max)

    assert product(u, v) == product(v, u)
    assert product(product(u, v), w) == product(u, product(v, w))
    assert product(word(), u) == u


def test_sums_are_not_integrals() -> None:
    # One step by (1, 1): the integral of word 11 is 1/2, the sum over i < j is empty, and the diagonal is between.
    S = signature(PiecewiseLinearPath(None, [[0, 0], [1, 1]]), 2)
    sums = iterated_sums([[1, 1]], 2, 2)
    assert (S[1, 1], sums[1, 1]) == (QQ.ratio(1, 2), 0)
    square = word(1).quasi_shuffle(word(1), lambda i, j: 2)
    assert square(sums) == sums[1] * sums[1] == 1
    assert word(1).shuffle(word(1))(S) == 1


def test_coefficients_are_read_by_word() -> None:
    l = 2 * word(1, 2) + word() * QQ.ratio(1, 3)  # noqa: E741
    assert (l[1, 2], l[()], l[2], l[(7,)]) == (2, QQ.ratio(1, 3), 0, 0)
    with pytest.raises(ValueError, match="letters are the whole numbers from 1 up"):
        l[0]
