"""The two Hopf algebras in duality: every axiom by == on draws, in QQ and EE."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Functional, TensorAlgebra
from ewsmath.hopf import convolution, counit, deshuffle, pairing
from ewsmath.rings import Ring
from ewsmath.strategies import functionals, group_likes, tensors
from ewsmath.tensor import Tensor
from ewsmath.words import Word

ALGEBRA = TensorAlgebra(QQ, 2, 4)
RINGS = pytest.mark.parametrize("ring", [QQ, EE])


def same(x: Any) -> Any:
    return x


def nonzero(total: Mapping[Any, Any]) -> dict[Any, Any]:
    return {key: c for key, c in total.items() if c}


def added(terms: list[tuple[Any, Any]]) -> dict[Any, Any]:
    total: dict[Any, Any] = {}
    for key, c in terms:
        total[key] = total[key] + c if key in total else c
    return nonzero(total)


def basis(w: Word) -> Tensor:
    return ALGEBRA.tensor({w: 1})


def word(*letters: int) -> Functional:
    return Functional.word(QQ, *letters)


@RINGS
@given(data=st.data())
def test_deshuffle_is_dual_to_the_shuffle(ring: Ring, data: st.DataObject) -> None:
    algebra = TensorAlgebra(ring, 2, 4)
    terms = 1 if ring == EE else 3
    j, k = (data.draw(functionals(ring, max_length=2, max_terms=terms)) for _ in range(2))
    a = data.draw(group_likes(algebra, max_factors=2)) @ data.draw(tensors(algebra, max_terms=2))
    assert pairing(deshuffle(a), j, k) == j.shuffle(k)(a)


@given(functionals(max_length=4), group_likes(ALGEBRA), tensors(ALGEBRA))
def test_deconcatenation_is_dual_to_the_product(l: Functional, g: Tensor, a: Tensor) -> None:  # noqa: E741
    # A group-like factor is full, so that the words of l meet something.
    assert pairing(l.deconcatenation(), g, a) == l(g @ a)
    assert pairing(l.deconcatenation(), a, g) == l(a @ g)
    e1, e2 = ALGEBRA.letter(1), ALGEBRA.letter(2)
    pairs = word(1, 2).deconcatenation()
    assert (pairing(pairs, e1, e2), pairing(pairs, e2, e1)) == (1, 0)


@given(tensors(ALGEBRA, max_terms=3), tensors(ALGEBRA, max_terms=3))
def test_deshuffle_is_a_homomorphism_of_algebras(a: Tensor, b: Tensor) -> None:
    product = [
        ((u + x, w + y), c * e)
        for (u, w), c in deshuffle(a).items()
        for (x, y), e in deshuffle(b).items()
        if len(u + w + x + y) <= ALGEBRA.depth
    ]
    assert nonzero(deshuffle(a @ b)) == added(product)
    assert dict(deshuffle(ALGEBRA.one())) == {((), ()): 1}


@given(functionals(max_length=2), functionals(max_length=2))
def test_deconcatenation_is_a_homomorphism_of_shuffle_algebras(j: Functional, k: Functional) -> None:
    product = [
        ((left, right), c * e * n * p)
        for (u, w), c in j.deconcatenation().items()
        for (x, y), e in k.deconcatenation().items()
        for left, n in word(*u).shuffle(word(*x)).coefficients.items()
        for right, p in word(*w).shuffle(word(*y)).coefficients.items()
    ]
    assert nonzero(j.shuffle(k).deconcatenation()) == added(product)


@given(tensors(ALGEBRA, max_terms=4))
def test_deshuffle_is_coassociative_and_cocommutative(a: Tensor) -> None:
    pairs = deshuffle(a)
    left = [((x, y, w), c * n) for (u, w), c in pairs.items() for (x, y), n in deshuffle(basis(u)).items()]
    right = [((u, x, y), c * n) for (u, w), c in pairs.items() for (x, y), n in deshuffle(basis(w)).items()]
    assert added(left) == added(right)
    assert dict(pairs) == {(w, u): c for (u, w), c in pairs.items()}


@given(functionals())
def test_deconcatenation_is_coassociative(l: Functional) -> None:  # noqa: E741
    pairs = l.deconcatenation()
    left = [((x, y, w), c) for (u, w), c in pairs.items() for x, y in word(*u).deconcatenation()]
    right = [((u, x, y), c) for (u, w), c in pairs.items() for x, y in word(*w).deconcatenation()]
    assert added(left) == added(right)


@given(tensors(ALGEBRA, max_terms=4), functionals())
def test_the_counit_is_the_unit_of_convolution(a: Tensor, l: Functional) -> None:  # noqa: E741
    for convolved in (convolution(counit, same), convolution(same, counit)):
        assert convolved(a) == a
        assert convolved(l) == l
    assert counit(a) == ALGEBRA.scalar(a[()])
    assert counit(l) == word() * l[()]


@given(tensors(ALGEBRA, max_terms=4), functionals())
def test_the_antipode_is_the_inverse_of_the_identity(a: Tensor, l: Functional) -> None:  # noqa: E741
    assert convolution(Tensor.antipode, same)(a) == counit(a) == convolution(same, Tensor.antipode)(a)
    assert convolution(Functional.antipode, same)(l) == counit(l) == convolution(same, Functional.antipode)(l)


@given(tensors(ALGEBRA, max_terms=4), tensors(ALGEBRA, max_terms=4), functionals())
def test_antipodes_are_adjoint_antihomomorphisms(a: Tensor, b: Tensor, l: Functional) -> None:  # noqa: E741
    assert (a @ b).antipode() == b.antipode() @ a.antipode()
    assert l.antipode()(a) == l(a.antipode())


@given(tensors(ALGEBRA, max_terms=2), functionals(max_length=2, max_terms=2))
def test_convolution_is_associative(a: Tensor, l: Functional) -> None:  # noqa: E741
    for f, x in ((Tensor.antipode, a), (Functional.antipode, l)):
        twice = convolution(convolution(f, f), same)(x)  # type: ignore[arg-type]
        assert twice == convolution(f, convolution(f, same))(x)  # type: ignore[arg-type]
        assert twice == f(x)  # type: ignore[arg-type]  # S ⋆ (S ⋆ id) = S


@given(group_likes(ALGEBRA))
def test_group_like_elements_go_to_their_own_square(g: Tensor) -> None:
    square = [((u, w), g[u] * g[w]) for u in ALGEBRA.words() for w in ALGEBRA.words() if len(u + w) <= 4]
    assert dict(deshuffle(g)) == added(square)
    assert g @ g.antipode() == ALGEBRA.one()


@given(group_likes(ALGEBRA))
def test_lie_elements_are_primitive(g: Tensor) -> None:
    x = ALGEBRA.log(g)
    assert all(() in pair for pair in deshuffle(x))
    assert dict(deshuffle(x)) == added([(pair, c) for w, c in x.coefficients.items() for pair in ((w, ()), ((), w))])


def test_known_coproduct() -> None:
    assert dict(deshuffle(basis((1, 1, 2)))) == {
        ((1, 1, 2), ()): 1,
        ((1, 1), (2,)): 1,
        ((1, 2), (1,)): 2,
        ((1,), (1, 2)): 2,
        ((2,), (1, 1)): 1,
        ((), (1, 1, 2)): 1,
    }
    assert dict(deshuffle(basis((1, 2)) - basis((2, 1)))) == {
        ((1, 2), ()): 1,
        ((), (1, 2)): 1,
        ((2, 1), ()): -1,
        ((), (2, 1)): -1,
    }


def test_what_is_no_element_is_refused() -> None:
    bad: Any = 5
    with pytest.raises(TypeError, match="deshuffle coproduct takes a tensor, got 5"):
        deshuffle(bad)
    with pytest.raises(TypeError, match="a pairing takes tensors or functionals, got 5"):
        pairing({}, bad, word(1))
    with pytest.raises(TypeError, match="a convolution takes a functional, got 5"):
        convolution(same, same)(bad)
    with pytest.raises(TypeError, match="the counit takes a functional, got 5"):
        counit(bad)
    with pytest.raises(ValueError, match="lie over QQ and EE"):
        pairing({}, word(1), Functional.word(EE, 1))
