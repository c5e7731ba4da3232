"""The tensor algebra: identities by == on draws in QQ and EE."""

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Balls, Functional, Matrix, Tensor, TensorAlgebra, homomorphism
from ewsmath.rings import Ring
from ewsmath.strategies import algebras, elements, group_likes, tensors, vectors
from ewsmath.tensor import GroupLikeDefect, LieDefect

RINGS = pytest.mark.parametrize("ring", [QQ, EE])


@RINGS
@given(data=st.data())
def test_product_is_associative_and_distributes(ring: Ring, data: st.DataObject) -> None:
    algebra = data.draw(algebras(ring))
    a, b, c = (data.draw(tensors(algebra)) for _ in range(3))
    assert (a @ b) @ c == a @ (b @ c)
    assert a @ (b + c) == a @ b + a @ c
    assert (a + b) @ c == a @ c + b @ c
    assert a @ algebra.one() == algebra.one() @ a == a
    assert (2 * a) @ b == a @ (b * 2)


def test_products_of_too_many_words_are_refused_before_they_are_computed() -> None:
    T = TensorAlgebra(QQ, 3000, 2)
    vector = T.vector([1] * 3000)
    with pytest.raises(ValueError, match=r"words of a product of tensors: 9,003,000, more than 1,000,000"):
        T.exp(vector)
    # As many letters, but few words: both factors are counted, and by their lengths.
    assert (vector @ T.letter(7))[1234, 7] == 1
    assert (T.letter(7) @ vector).bracket(vector) == T.zero()


@given(st.data())
def test_product_is_the_sum_over_all_cuts(data: st.DataObject) -> None:
    algebra = data.draw(algebras())
    a, b = data.draw(tensors(algebra)), data.draw(tensors(algebra))
    for word in algebra.words():
        total = QQ.zero
        for k in range(len(word) + 1):
            total += a[word[:k]] * b[word[k:]]
        assert (a @ b)[word] == total


@RINGS
@given(data=st.data())
def test_exp_and_log_are_inverse(ring: Ring, data: st.DataObject) -> None:
    algebra = data.draw(algebras(ring))
    a = data.draw(tensors(algebra))
    a = a - algebra.scalar(a[()])
    assert algebra.log(algebra.exp(a)) == a
    assert algebra.exp(algebra.log(algebra.one() + a)) == algebra.one() + a


@given(st.data())
def test_exp_of_a_vector_has_its_powers_over_factorials(data: st.DataObject) -> None:
    algebra = data.draw(algebras())
    v = data.draw(vectors(QQ, algebra.dim))
    power, factorial, total = algebra.one(), 1, algebra.one()
    for n in range(1, algebra.depth + 1):
        power, factorial = power @ algebra.vector(v), factorial * n
        total += power * fmpq(1, factorial)
    assert algebra.exp(algebra.vector(v)) == total


@RINGS
@given(data=st.data())
def test_inverse_is_two_sided(ring: Ring, data: st.DataObject) -> None:
    algebra = data.draw(algebras(ring))
    a = data.draw(tensors(algebra))
    a = a - algebra.scalar(a[()]) + algebra.one()
    assert algebra.inverse(a) @ a == a @ algebra.inverse(a) == algebra.one()


@given(st.data())
def test_group_likes_form_a_group_whose_inverse_is_the_antipode(data: st.DataObject) -> None:
    algebra = data.draw(algebras(max_depth=4, max_dim=2))
    g, h = data.draw(group_likes(algebra)), data.draw(group_likes(algebra))
    assert g.is_group_like()
    assert (g @ h).is_group_like()
    assert g.antipode() == algebra.inverse(g)
    assert g.antipode().is_group_like()


def test_what_is_not_group_like_is_seen() -> None:
    algebra = TensorAlgebra(QQ, 2, 2)
    g = algebra.exp(algebra.vector([1, 2]))
    assert not (g + algebra.tensor({(1, 2): 1})).is_group_like()
    assert not (g * 2).is_group_like()
    area = algebra.tensor({(1, 2): 1, (2, 1): -1})
    assert (g + area).is_group_like()


def test_the_pair_of_words_that_fails_is_named() -> None:
    algebra = TensorAlgebra(QQ, 12, 3)
    v = [1, 2, *[0] * 9, 1]
    g = algebra.exp(algebra.vector(v))
    assert g.group_like_defect() is None
    assert g.check_group_like() is g
    defect = (g + algebra.tensor({(1, 1, 2): 5})).group_like_defect()
    # Of the shuffles that hold 112, which are 1 ⧢ 12 (twice) and 2 ⧢ 11 (once), the first.
    assert defect == GroupLikeDefect((1,), (1, 2), fmpq(1), fmpq(11))
    assert str(defect) == "⟨(1), a⟩⟨(12), a⟩ = 1, but ⟨(1) ⧢ (12), a⟩ = 11"
    lower = (g + algebra.tensor({(1, 1, 2): 5, (12, 1): 1})).group_like_defect()
    assert str(lower) == "⟨(1), a⟩⟨(12,), a⟩ = 1, but ⟨(1) ⧢ (12,), a⟩ = 2"
    with pytest.raises(ValueError, match=r"the element is not group-like: the constant term is 2, not 1"):
        (g * 2).check_group_like()


@given(st.data())
def test_defects_hold_what_the_pairing_says(data: st.DataObject) -> None:
    algebra = data.draw(algebras(max_dim=2, max_depth=4))
    a = data.draw(tensors(algebra))
    a = a - algebra.scalar(a[()])
    for element, kind in ((a + algebra.one(), GroupLikeDefect), (a, LieDefect)):
        defect = element.group_like_defect() if kind is GroupLikeDefect else element.lie_defect()
        words = [word for word in algebra.words() if word]
        broken = []
        for u in words:
            for w in words:
                if len(u) + len(w) <= algebra.depth:
                    product = element[u] * element[w] if kind is GroupLikeDefect else QQ.zero
                    shuffled = Functional.word(QQ, *u).shuffle(Functional.word(QQ, *w))(element)
                    if product != shuffled:
                        broken.append((u, w))
        assert (defect is None) == (not broken)
        if defect is not None:
            assert (defect.u, defect.w) in broken
            assert len(defect.u + defect.w) == min(len(u + w) for u, w in broken)
            assert defect.shuffle == Functional.word(QQ, *defect.u).shuffle(Functional.word(QQ, *defect.w))(element)


@RINGS
@given(data=st.data())
def test_brackets_of_vectors_are_lie_and_their_exponentials_group_like(ring: Ring, data: st.DataObject) -> None:
    algebra = data.draw(algebras(ring, max_dim=2, max_depth=4))
    x, y = (algebra.vector(data.draw(vectors(ring, algebra.dim))) for _ in range(2))
    z = x + x.bracket(y.bracket(x)) + y.bracket(x)
    assert z.is_lie()
    assert z.check_lie() is z
    assert algebra.exp(z).is_group_like()
    assert algebra.log(algebra.exp(x) @ algebra.exp(y)).is_lie()
    assert x.bracket(y) == x @ y - y @ x == -y.bracket(x)
    assert x.bracket(y.bracket(z)) + y.bracket(z.bracket(x)) + z.bracket(x.bracket(y)) == algebra.zero()


def test_what_is_no_lie_element_is_named() -> None:
    algebra = TensorAlgebra(QQ, 2, 2)
    with pytest.raises(ValueError, match=r"the element is no Lie element: ⟨\(1\) ⧢ \(2\), a⟩ = 3, not 0"):
        algebra.tensor({(1,): 1, (1, 2): 3}).check_lie()
    with pytest.raises(ValueError, match=r"no Lie element: the constant term is 1, not 0"):
        algebra.one().check_lie()
    assert not algebra.tensor({(1, 1): 1}).is_lie()
    assert algebra.tensor({(1, 2): 1, (2, 1): -1}).is_lie()


def test_defects_that_no_single_letter_shows_are_found() -> None:
    # The square of x = [e1, e2] is orthogonal to every i ⧢ w, since Δ(x²) = x² ⊗ 1 + 2 x ⊗ x + 1 ⊗ x².
    algebra = TensorAlgebra(QQ, 2, 4)
    x = algebra.letter(1).bracket(algebra.letter(2))
    assert (x @ x).lie_defect() == LieDefect((1, 2), (1, 2), QQ.coerce(2))
    assert (algebra.one() + x @ x).group_like_defect() == GroupLikeDefect((1, 2), (1, 2), QQ.zero, QQ.coerce(2))


def test_relations_of_a_letter_among_a_thousand_are_few() -> None:
    algebra = TensorAlgebra(QQ, dim=1000, depth=2)
    assert str(algebra.letter(7).group_like_defect()) == "the constant term is 0, not 1"
    assert algebra.letter(7).is_lie()
    assert algebra.exp(algebra.letter(7)).is_group_like()
    assert len((algebra.letter(7) @ algebra.letter(1000)).coefficients) == 1


@RINGS
@given(data=st.data())
def test_powers_are_products_and_negative_ones_undo_them(ring: Ring, data: st.DataObject) -> None:
    algebra = data.draw(algebras(ring))
    a = data.draw(tensors(algebra))
    assert a**0 == algebra.one()
    assert a**1 == a
    assert a**5 == a @ a @ a @ a @ a
    g = a - algebra.scalar(a[()]) + algebra.one()
    assert g**-3 @ g**3 == algebra.one()
    if ring == QQ and a[()]:
        assert a**-2 @ a @ a == a @ a**-1 == algebra.one()


def test_powers_that_do_not_exist_are_refused() -> None:
    algebra = TensorAlgebra(EE, 2, 2)
    for n in (0.5, True, "2"):
        with pytest.raises(TypeError, match=r"a power a \*\* n of a tensor needs a whole number n, got"):
            _ = algebra.one() ** n  # type: ignore[operator]
    with pytest.raises(ValueError, match=r"a \*\* -1 needs a tensor with constant term 1.*EE is no field; got 2"):
        _ = algebra.scalar(2) ** -1
    with pytest.raises(ValueError, match=r"a \*\* -2 needs a tensor with constant term 1, or one that is not 0; got 0"):
        _ = TensorAlgebra(QQ, 2, 2).letter(1) ** -2
    with pytest.raises(ZeroDivisionError, match="may be zero"):
        _ = TensorAlgebra(Balls(64), 2, 2).scalar(Balls(64).coerce(arb(0, 1))) ** -1


@RINGS
@given(data=st.data())
def test_dilation_is_the_homomorphism_of_a_multiple_of_the_identity(ring: Ring, data: st.DataObject) -> None:
    algebra = data.draw(algebras(ring))
    a, b = data.draw(tensors(algebra)), data.draw(tensors(algebra))
    c, k = data.draw(elements(ring)), data.draw(elements(ring))
    assert a.dilated(c) == homomorphism(Matrix.identity(ring, algebra.dim) * c, a)
    assert (a @ b).dilated(c) == a.dilated(c) @ b.dilated(c)
    assert a.dilated(c).dilated(k) == a.dilated(c * k)
    assert a.dilated(-1).antipode() == a.antipode().dilated(-1)
    assert a.dilated(0) == algebra.scalar(a[()])


@given(st.data())
def test_projections_sum_up_and_truncation_is_a_homomorphism(data: st.DataObject) -> None:
    algebra = data.draw(algebras())
    a, b = data.draw(tensors(algebra)), data.draw(tensors(algebra))
    total = algebra.zero()
    for n in range(algebra.depth + 1):
        total = total + a.projected(n)
        assert a.projected_up_to(n) == total
        assert a.projected(n).level(n) == a.level(n)
        if n:
            small = TensorAlgebra(QQ, algebra.dim, n)
            assert a.truncated(n).algebra == small
            assert (a @ b).truncated(n) == a.truncated(n) @ b.truncated(n)
            assert a.truncated(n).vector() == a.vector()[: small.size]
    assert total == a
    deeper = a.truncated(algebra.depth + 2)
    assert deeper.algebra.depth == algebra.depth + 2
    assert deeper.coefficients == a.coefficients
    assert deeper.truncated(algebra.depth) == a


def test_levels_and_depths_that_do_not_exist_are_refused() -> None:
    one = TensorAlgebra(QQ, 2, 2).one()
    for project in (one.projected, one.projected_up_to):
        for n in (-1, 3):
            with pytest.raises(ValueError, match=f"levels 0 to 2, got {n}"):
                project(n)
    with pytest.raises(ValueError, match="depth must be at least 1, got 0"):
        one.truncated(0)
    with pytest.raises(TypeError, match=r"depth is a whole number, got 1.5"):
        one.truncated(1.5)  # type: ignore[arg-type]


def test_the_antipode_reverses_and_nothing_commutes() -> None:
    algebra = TensorAlgebra(QQ, 3, 3)
    e1, e2, e3 = (algebra.letter(j) for j in (1, 2, 3))
    assert (e1 @ e2 @ e3).antipode() == -(e3 @ e2 @ e1)
    assert dict((e2 @ e1 - e1 @ e2).coefficients) == {(2, 1): 1, (1, 2): -1}


@given(st.data())
def test_vectors_and_levels_hold_the_words_in_order(data: st.DataObject) -> None:
    algebra = data.draw(algebras())
    a = data.draw(tensors(algebra))
    assert a.vector() == [a[word] for word in algebra.words()]
    assert algebra.from_vector(a.vector()) == a
    assert algebra.from_levels([a.level(n) for n in range(algebra.depth + 1)]) == a
    assert len(a.vector()) == algebra.size


@pytest.mark.parametrize("word", [(0,), (3,), (1, 3), (1, 1, 1, 1), ("1",), (True,), (1.0,)])
def test_words_outside_the_algebra_are_refused(word: tuple) -> None:
    algebra = TensorAlgebra(QQ, dim=2, depth=3)
    with pytest.raises(ValueError, match=r"is no word of TensorAlgebra\(ring=QQ, dim=2, depth=3\).*each from 1 to 2"):
        algebra.tensor({word: 1})
    with pytest.raises(ValueError, match="at most 3 letters"):
        algebra.one()[word]


@pytest.mark.parametrize(
    ("dim", "depth", "error", "name"),
    [
        (2, 0, ValueError, "depth"),
        (2, -1, ValueError, "depth"),
        (2, 2.5, TypeError, "depth"),
        (0, 2, ValueError, "dim"),
    ],
)
def test_bad_sizes_are_refused(dim: int, depth: int, error: type[Exception], name: str) -> None:
    with pytest.raises(error, match=f"TensorAlgebra: {name}"):
        TensorAlgebra(QQ, dim, depth)


@pytest.mark.parametrize("levels", [[[1], [0, 1], [0] * 4, [0] * 8], [[1], [0]], [[1], [0, 1, 2]], [[]]])
def test_levels_that_do_not_fit_are_refused(levels: list) -> None:
    with pytest.raises(ValueError, match=r"levels 0 to 2, level n of 2\^n coefficients; got [0138] for level [013]"):
        TensorAlgebra(QQ, dim=2, depth=2).from_levels([[QQ.coerce(x) for x in level] for level in levels])


def test_algebras_and_rings_are_not_mixed() -> None:
    a, b = TensorAlgebra(QQ, 2, 2).one(), TensorAlgebra(QQ, 2, 3).one()
    for operation in (lambda: a + b, lambda: a @ b, lambda: a - b):
        with pytest.raises(ValueError, match="not mixed"):
            operation()
    with pytest.raises(TypeError, match=r"a @ b"):
        _ = a * a
    with pytest.raises(TypeError):
        a + 1  # type: ignore[operator]
    with pytest.raises(TypeError):
        a - 1  # type: ignore[operator]
    assert a != b
    assert a != 1
    assert a.algebra != 1


def test_wrong_constant_terms_and_lengths_are_refused() -> None:
    algebra = TensorAlgebra(QQ, 2, 2)
    with pytest.raises(ValueError, match="exp needs a tensor with constant term 0, got 1"):
        algebra.exp(algebra.one())
    with pytest.raises(ValueError, match="log needs a tensor with constant term 1, got 0"):
        algebra.log(algebra.zero())
    with pytest.raises(ValueError, match="inverse needs"):
        algebra.inverse(algebra.zero())
    with pytest.raises(ValueError, match="has 7 words, got 3"):
        algebra.from_vector([1, 2, 3])
    with pytest.raises(ValueError, match="has 2 entries, got 1"):
        algebra.vector([1])
    with pytest.raises(ValueError, match="levels 0 to 2, got 3"):
        algebra.one().level(3)


def test_floats_are_refused_as_coefficients() -> None:
    with pytest.raises(TypeError, match="A float is not exact"):
        TensorAlgebra(QQ, 2, 2).vector([0.5, 1])
    with pytest.raises(TypeError, match="A float is not exact"):
        _ = TensorAlgebra(EE, 2, 2).one() * 0.5


def test_tensors_over_balls_are_equal_when_they_overlap() -> None:
    algebra = TensorAlgebra(Balls(64), 1, 2)
    third = algebra.vector([fmpq(1, 3)])
    assert third + third + third == algebra.vector([1])
    assert third != algebra.vector([1])
    assert algebra.exp(third).is_group_like()


def test_it_is_immutable_and_reads_as_written() -> None:
    algebra = TensorAlgebra(QQ, 12, 2)
    a = algebra.tensor({(): 2, (3,): -1, (12, 1): fmpq(1, 2)})
    assert str(a) == "2 - e3 + 1/2*e12,1"
    assert str(algebra.letter(12) + algebra.tensor({(1, 2): 1})) == "e12, + e12"
    assert str(algebra.zero()) == "0"
    assert a[3] == -1
    with pytest.raises(AttributeError):
        a.algebra = algebra
    with pytest.raises(AttributeError):
        algebra.dim = 3
    with pytest.raises(TypeError):
        a.coefficients[()] = 1  # type: ignore[index]
    assert isinstance(a, Tensor)
    assert hash(algebra) == hash(TensorAlgebra(QQ, 12, 2))
