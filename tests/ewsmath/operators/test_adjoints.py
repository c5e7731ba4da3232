"""Adjoints of the operators: the duality, and what it makes of automorphisms and derivations, by == on draws."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, Functional, Matrix, PiecewiseLinearPath, TensorAlgebra
from ewsmath.generators import Diagonal, Jordan
from ewsmath.hopf import deshuffle
from ewsmath.operators import (
    adjoint_derivation,
    adjoint_flow,
    adjoint_homomorphism,
    adjoint_lift,
    derivation,
    flow,
    homomorphism,
)
from ewsmath.strategies import functionals, generators, group_likes, rationals, square_matrices, tensors, vectors
from ewsmath.tensor import Tensor
from ewsmath.words import Word

ALGEBRA = TensorAlgebra(QQ, 2, 4)
short = functionals(max_length=2, max_terms=2)


@given(st.data())
def test_they_are_dual_to_the_operators(data: st.DataObject) -> None:
    A, v = data.draw(square_matrices(2)), data.draw(vectors(QQ, 2))
    a, l = data.draw(group_likes(ALGEBRA, max_factors=2)), data.draw(functionals(max_length=4))  # noqa: E741
    assert adjoint_derivation(A, l)(a) == l(derivation(A, a))
    assert adjoint_homomorphism(A, l)(a) == l(homomorphism(A, a))
    assert adjoint_lift(v, l)(a) == l(a @ ALGEBRA.vector(v))


@given(st.data())
def test_the_adjoint_flow_is_dual_to_the_flow(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2))
    algebra = TensorAlgebra(generator.ring, generator.dim, 2)
    r, a = data.draw(rationals()), data.draw(group_likes(algebra, max_factors=2))
    l = data.draw(functionals(generator.ring, dim=generator.dim, max_length=2, max_terms=2))  # noqa: E741
    assert adjoint_flow(generator, r, l)(a) == l(flow(generator, r, a))
    if generator.ring == EE:
        assert adjoint_flow(generator.matrix, r, l) == adjoint_flow(generator, r, l)
    assert adjoint_derivation(generator, l) == adjoint_derivation(generator.matrix, l)


@given(square_matrices(2), short, short)
def test_the_adjoint_derivation_is_a_derivation_of_the_shuffle(A: Matrix, l: Functional, k: Functional) -> None:  # noqa: E741
    product = adjoint_derivation(A, l).shuffle(k) + l.shuffle(adjoint_derivation(A, k))
    assert adjoint_derivation(A, l.shuffle(k)) == product


@given(square_matrices(2), short, short)
def test_the_adjoint_homomorphism_respects_the_shuffle(A: Matrix, l: Functional, k: Functional) -> None:  # noqa: E741
    assert adjoint_homomorphism(A, l.shuffle(k)) == adjoint_homomorphism(A, l).shuffle(adjoint_homomorphism(A, k))
    assert adjoint_homomorphism(A, l.antipode()) == adjoint_homomorphism(A, l).antipode()


@given(square_matrices(2), tensors(ALGEBRA, max_terms=3))
def test_the_derivation_is_a_coderivation_of_the_deshuffle(A: Matrix, a: Tensor) -> None:
    # Δ(Λa) = (Λ ⊗ 1 + 1 ⊗ Λ) Δa, pair by pair.
    total: dict[tuple[Word, Word], Any] = {}
    for (u, w), c in deshuffle(a).items():
        left, right = (derivation(A, ALGEBRA.tensor({word: c})).coefficients for word in (u, w))
        for pair, x in [((v, w), x) for v, x in left.items()] + [((u, v), x) for v, x in right.items()]:
            total[pair] = total.get(pair, QQ.zero) + x
    assert dict(deshuffle(derivation(A, a))) == {pair: x for pair, x in total.items() if x}


@given(st.lists(vectors(QQ, 2), min_size=3, max_size=3), functionals(dim=3, max_length=2), group_likes(ALGEBRA))
def test_a_map_between_spaces_pulls_functionals_back(rows: list, l: Functional, g: Tensor) -> None:  # noqa: E741
    assert adjoint_homomorphism(rows, l)(g) == l(homomorphism(rows, g))


def test_the_linear_cde_in_functionals() -> None:
    # d/du ⟨l, S⟩ = -⟨Λ* l, S⟩ θ' + ⟨ρ(v)* l, S⟩ along one linear piece, in closed form in u by a nilpotent generator.
    generator, v, r = Jordan(0, 2), [QQ.coerce(1), QQ.coerce(2)], QQ.coerce(3)
    ews = EWS(generator, depth=3)
    l = Functional(QQ, {(1, 2, 1): 1, (2,): 5, (1, 1): -1})  # noqa: E741

    def at(u: Any, k: Functional) -> Any:
        return k(ews.local(r * u, [x * u for x in v]))

    speed = adjoint_lift(v, l) - adjoint_derivation(generator.matrix, l) * r
    # Both sides are polynomials in u of degree at most 6, which nine nodes differentiate exactly.
    nodes = [QQ.coerce(k) for k in range(-4, 5)]
    for u0 in (QQ.zero, QQ.ratio(1, 2)):
        slope = QQ.zero
        for i, x in enumerate(nodes):
            slope = slope + at(u0 + x, l) * derivative_weight(nodes, i)
        assert slope == at(u0, speed)


def derivative_weight(nodes: list, i: int) -> Any:
    """The weight at node i of the formula for a derivative at 0 that is exact for polynomials."""
    total = QQ.zero
    for j, y in enumerate(nodes):
        if j != i:
            term = QQ.one / (nodes[i] - y)
            for k, z in enumerate(nodes):
                if k not in (i, j):
                    term = term * (-z) / (nodes[i] - z)
            total = total + term
    return total


def test_the_flow_of_a_functional_by_hand() -> None:
    l = Functional.word(EE, 1, 2)  # noqa: E741
    assert adjoint_flow(Diagonal([1, 2]), 1, l) == l * EE.exp(EE.ratio(-3, 1))
    X = PiecewiseLinearPath([0, 1, 2], [[0, 0], [1, 2], [1, 2]])
    ews = EWS(Diagonal([1, 2]), depth=2)
    assert l(ews(X)) == adjoint_flow(Diagonal([1, 2]), 1, l)(ews(X, 0, 1))


def test_what_does_not_fit_is_refused() -> None:
    l, bad = Functional.word(QQ, 3, 1), Functional.word  # noqa: E741
    for wrong in (
        lambda: adjoint_derivation([[1, 0], [0, 1]], l),
        lambda: adjoint_homomorphism([[1], [0]], l),
        lambda: adjoint_lift([1, 2], l),
        lambda: adjoint_flow(Jordan(0, 2), 1, l),
    ):
        with pytest.raises(ValueError, match=r"reads the letter 3 is none on R\^2: it needs letters 1 to 2"):
            wrong()
    with pytest.raises(ValueError, match="an adjoint derivation needs a square matrix"):
        adjoint_derivation([[1, 2]], l)
    with pytest.raises(TypeError, match="an adjoint lift takes a vector as a sequence, got 1"):
        adjoint_lift(1, l)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the adjoint flow takes a generator, got 1"):
        adjoint_flow(1, 1, l)  # type: ignore[arg-type]
    for take in (adjoint_derivation, adjoint_homomorphism, adjoint_lift):
        with pytest.raises(TypeError, match="an adjoint takes a functional, got"):
            take([[1]], bad)  # type: ignore[arg-type]
