"""The laws on this package itself, in exact rings and in balls: every side is computed, and compared with ``==``."""

from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import (
    EE,
    EWS,
    QQ,
    SR,
    Balls,
    Matrix,
    PiecewiseLinearPath,
    TensorAlgebra,
    clocks,
    generators,
    laws,
    signature,
    strategies,
)
from ewsmath.ews import Segment, chen, inverse, unit
from ewsmath.functional import Functional
from ewsmath.operators import derivation, flow

DEPTH = 3
PATHS = strategies.paths(2, min_steps=1)
GENERATORS = {
    "diagonal": generators.Diagonal([1, fmpq(1, 2)]),
    "jordan": generators.Jordan(1, 2),
    "rotation": generators.Rotation([fmpq(1, 2)], [2]),
    "nilpotent": generators.Jordan(0, 2),
    "balls": generators.Rotation([fmpq(1, 2)], [2]).over(Balls(128)),
}


def plain(path: Any) -> Any:
    return signature(path, DEPTH)


@given(PATHS, st.fractions(0, 3), strategies.reparametrisations())
def test_the_signature_obeys_all_laws(X: Any, split: Any, phi: Any) -> None:
    laws.chen(plain, X, split)
    laws.chen(plain, X, product=lambda a, b: a @ b, depth=DEPTH)
    laws.shuffle(plain, X, product=lambda u, w: Functional.word(QQ, *u).shuffle(Functional.word(QQ, *w)).coefficients)
    laws.reparametrisation(plain, X, phi)
    laws.reparametrisation(plain, X)
    laws.scaling(plain, X, fmpq(-1, 3))
    laws.time_reversal(plain, X)


@given(st.sampled_from(sorted(GENERATORS)), st.data())
def test_the_ews_obeys_all_laws(family: str, data: st.DataObject) -> None:
    A = GENERATORS[family]
    X = data.draw(strategies.paths(2, min_steps=1, max_steps=2))
    dtheta = data.draw(strategies.clock_increments(X.steps))

    def ews(path: Any, increments: Any) -> Any:
        return EWS(A, clock=clocks.Given(increments), depth=2)(path)

    law = data.draw(st.sampled_from([laws.shuffle, laws.scaling, laws.time_reversal, laws.reparametrisation]))
    law(ews, X, dtheta=dtheta, generator=A)
    laws.modified_chen(ews, X, dtheta, A, data.draw(st.fractions(0, 2)))


@given(st.data())
def test_segments_are_a_group(data: st.DataObject) -> None:
    A = GENERATORS["jordan"]
    ews = EWS(A, depth=2)
    pieces = st.tuples(strategies.rationals(), strategies.vectors(QQ, 2))
    a, b, c = ((r, ews.local(r, v)) for r, v in (data.draw(pieces) for _ in range(3)))
    nothing = unit(A, 2)

    def product(x: Any, y: Any) -> Any:
        together = chen(Segment(A, *x), Segment(A, *y))
        return together.elapsed, together.ews

    def back(x: Any) -> Any:
        found = inverse(Segment(A, *x))
        return found.elapsed, found.ews

    laws.group_law(product, a, b, c, unit=(nothing.elapsed, nothing.ews), inverse=back)


@given(st.data())
def test_the_derivation_of_this_package_is_one(data: st.DataObject) -> None:
    algebra = TensorAlgebra(QQ, 2, 3)
    matrix = data.draw(strategies.square_matrices(2))
    a, b = data.draw(strategies.tensors(algebra)), data.draw(strategies.tensors(algebra))
    laws.derivation(lambda x: derivation(matrix, x), matrix, a, b)


def test_an_exact_failure_shows_both_values() -> None:
    X = PiecewiseLinearPath(None, [[0], [1]])
    with pytest.raises(AssertionError) as found:
        laws.shuffle(lambda path: TensorAlgebra(QQ, 1, 2).tensor({(): 1, (1,): 1, (1, 1): 1}), X)
    assert str(found.value) == (
        "shuffle fails at word 1 and word 1 (1 of 2 comparisons fail)\n"
        "  S^u S^w         = 1\n"
        "  Σ (u ⧢ w)_v S^v = 2\n"
        "  error 1; no error is allowed: both values are exact, or in balls that do not meet"
    )


def test_a_missing_flow_is_seen_in_exact_numbers() -> None:
    A = generators.Diagonal(1)
    X = PiecewiseLinearPath(None, [[0], [1], [1]])

    def frozen(path: Any, dtheta: Any) -> Any:
        return EWS(A, clock=clocks.Given([0] * path.steps), depth=1)(path)

    with pytest.raises(
        AssertionError, match=r"(?s)word 1, cut at 1 of 2.*S\(X\) .* = 1\n.*second\) = e\^\(-1\)\n.*0\.632"
    ):
        laws.modified_chen(frozen, X, [0, 1], A)


def test_balls_disagree_only_when_they_do_not_meet() -> None:
    A, ring = GENERATORS["balls"], Balls(128)
    X = PiecewiseLinearPath(None, [[0, 0], [1, 2]])
    off = ring.ratio(1, 10**20)

    def wrong(path: Any, dtheta: Any) -> Any:
        S: Any = EWS(A, clock=clocks.Given(dtheta), depth=2)(path)
        return S + S.algebra.tensor({(1, 2): off})

    with pytest.raises(
        AssertionError, match=r"(?s)at word [12]{2}, cut at .* = -?0\.\d+\n.*e-2\d; no error is allowed"
    ):
        laws.modified_chen(wrong, X, [1], A)
    flowed = flow(A, ring.one, wrong(X, [1]))
    assert flowed.algebra.ring == ring


def test_exact_elements_of_ee_differ_by_their_terms() -> None:
    with pytest.raises(AssertionError, match=r"entry 0 \(1 of 1 comparisons fail\)"):
        laws.group_law(lambda x, y: x - y, EE.one, EE.exp(EE.one), EE.one)


def test_formulas_without_a_size_are_refuted_all_the_same() -> None:
    a, b = SR.symbols("a b")
    X = PiecewiseLinearPath(None, [[SR.zero, SR.zero], [a, b], [b * b, a + b]], SR)

    def plain_of_formulas(path: Any) -> Any:
        return signature(path, 2)

    def wrong(path: Any) -> Any:
        S = signature(path, 2)
        return S.algebra.from_levels([S.level(0), [b * x for x in S.level(1)], S.level(2)])

    for law in (laws.chen, laws.shuffle, laws.level_one, laws.time_reversal):
        law(plain_of_formulas, X)
        with pytest.raises(
            AssertionError, match=rf"{law.__name__} fails at word .*\n.*\n.*\n  no error is allowed: both"
        ):
            law(wrong, X)
    with pytest.raises(
        AssertionError, match=r"chen fails at word 11, cut at 1 of .*\n  S\(X\) .* = b\*\*4/2\n.* = -a\*\*2\*b\*\*2"
    ):
        laws.chen(wrong, X)
    with pytest.raises(AssertionError, match=r"entry 0 .*\n.* = a - 2\*b\n.* = a\n  no error"):
        laws.group_law(lambda x, y: x - y, a, b, b)


def test_a_lift_may_be_of_formulas() -> None:
    a, b = SR.symbols("a b")
    B = Matrix(SR, [[a], [b + 1]])
    X = PiecewiseLinearPath(None, [[0], [1], [3]], SR)

    def lifted(path: Any) -> Any:
        return signature(PiecewiseLinearPath(None, [B.apply(point) for point in path.values], SR), 2)

    laws.chen(lifted, X, lift=B)
    laws.level_one(lifted, X, lift=B)
    with pytest.raises(AssertionError, match=r"on level one .*\n  S\(X\) .* = 3\*b \+ 3\n  B \(X_t - X_s\) = 3\*b\n"):
        laws.chen(lifted, X, lift=Matrix(SR, [[a], [b]]))
