"""Everything immutable stays so, and goes through copy and pickle unchanged."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import (
    EE,
    EWS,
    MP,
    QQ,
    SR,
    Balls,
    ComplexBalls,
    ExpPoly,
    ExpPolys,
    Functional,
    Matrix,
    PiecewiseLinearPath,
    Segment,
    TensorAlgebra,
    clocks,
    generators,
)
from ewsmath.rings import QQ_I, RF, Ball

T = TensorAlgebra(EE, dim=2, depth=2)
u = ExpPolys(EE).variable
ews = EWS(generators.Rotation(1, 2), depth=2)
OBJECTS = {
    "Gaussian": QQ_I.number(1, QQ.ratio(1, 2)),
    "Exponential": EE.exp(EE.ratio(1, 2)) + 1,
    "TensorAlgebra": T,
    "Tensor": T.exp(T.vector([1, EE.exp(EE.one)])),
    "Functional": Functional(EE, {(1, 2): EE.exp(EE.one), (): 2}),
    "PiecewiseLinearPath": PiecewiseLinearPath([0, QQ.ratio(1, 3)], [[0, 1], [2, 3]]),
    "Matrix": Matrix(QQ, [[1, 2], [3, QQ.ratio(1, 7)]]),
    "ExpPoly": u * ExpPolys(EE).exponential(-1),
    "Segment": Segment(ews.generator, QQ.ratio(1, 2), ews.local(QQ.ratio(1, 2), [1, 2])),
    "Zero": generators.Zero(2),
    "Diagonal": generators.Diagonal([1, 2]),
    "Rotation": generators.Rotation(1, 2),
    "Jordan": generators.Jordan(1, 2),
    "ComplexJordan": generators.ComplexJordan(1, 2, 2),
    "Skew": generators.Skew([3]),
    "Dense": generators.Dense([[0, 1], [-2, 3]]),
    "DirectSum": generators.DirectSum(generators.Zero(1), generators.Diagonal(1)),
    "Conjugated": generators.Conjugated([[1, 1], [0, 1]], generators.Jordan(1, 2)),
    "RationalFunction": 1 / RF.symbol("x"),
    "Symbolic": SR.exp(SR.symbol("x")),
    "MPNumber": MP(20).ratio(1, 3),
    "Time": clocks.Time(),
    "Blended": clocks.Blended(QQ.ratio(1, 2)),
    "Gated": clocks.Gated([1, QQ.ratio(1, 2)], 1),
    "Clamped": clocks.Clamped([[1, 2]]),
    "Given": clocks.Given([1, EE.exp(EE.one)]),
}
WAYS: list[Callable[[Any], Any]] = [copy.copy, copy.deepcopy] + [
    lambda x, n=n: pickle.loads(pickle.dumps(x, n)) for n in range(2, pickle.HIGHEST_PROTOCOL + 1)
]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", OBJECTS)
def test_a_copy_is_equal_and_of_the_same_kind(name: str, way: Callable[[Any], Any]) -> None:
    x = OBJECTS[name]
    found = way(x)
    assert type(found) is type(x)
    assert found == x
    assert repr(found) == repr(x)


@pytest.mark.parametrize("way", WAYS)
def test_a_copied_ews_computes_the_same(way: Callable[[Any], Any]) -> None:
    X = OBJECTS["PiecewiseLinearPath"]
    assert way(ews)(X) == ews(X)


@pytest.mark.parametrize("generator", [x for x in OBJECTS.values() if isinstance(x, generators.AbstractGenerator)])
def test_a_copied_generator_keeps_its_parameters(generator: generators.AbstractGenerator) -> None:
    found = pickle.loads(pickle.dumps(generator))
    assert found.exponential(3) == generator.exponential(3)
    assert found.over(EE) == generator.over(EE)


def ends(x: Ball) -> list[tuple[int, ...]]:
    parts = [x.value] if isinstance(x.value, arb) else [x.value.real, x.value.imag]
    return [tuple(map(int, end.man_exp())) for part in parts for end in (part.mid(), part.rad())]


@given(st.integers(-(10**6), 10**6), st.integers(1, 10**6), st.integers(0, 5), st.sampled_from([2, 53, 128, 400]))
def test_a_ball_is_restored_to_the_last_bit(p: int, q: int, squarings: int, prec: int) -> None:
    x = Balls(prec).ratio(p, q)
    for _ in range(squarings):
        x = x * x
    z = ComplexBalls(prec).coerce(x) * ComplexBalls(prec).coerce(QQ_I.number(p, QQ.ratio(1, q)))
    for ball in (x, z):
        for way in WAYS:
            assert ends(way(ball)) == ends(ball)
            assert way(ball).ring == ball.ring


@pytest.mark.parametrize("radius", [(1, 0), (1, -2000), (2**30 - 1, -60), (2**29 + 1, 7), (1, 2**70), (1, -(2**70))])
def test_a_radius_is_restored_exactly(radius: tuple[int, int]) -> None:
    ball = Ball(Balls(53), arb(1, arb(radius)))
    assert ends(pickle.loads(pickle.dumps(ball))) == ends(ball)


def test_an_unbounded_ball_is_restored() -> None:
    for value in (arb.pos_inf(), arb.neg_inf(), arb.nan(), arb(3, arb.pos_inf())):
        found = pickle.loads(pickle.dumps(Ball(Balls(53), value))).value
        assert str(found.mid()) == str(value.mid())
        assert str(found.rad()) == str(value.rad())


def test_objects_that_hold_balls_are_restored_exactly() -> None:
    X = PiecewiseLinearPath([0, 1], [[0, 1], [2, 3]])
    S = EWS(generators.Rotation(1, 2, ring=Balls(128)), depth=2)(X)
    for way in WAYS:
        assert list(map(ends, way(S).vector())) == list(map(ends, S.vector()))


@pytest.mark.parametrize("name", OBJECTS)
def test_no_attribute_can_be_set_or_deleted(name: str) -> None:
    x = OBJECTS[name]
    for attribute in ("ring", "matrix", "rate", "anything"):
        with pytest.raises(AttributeError):
            setattr(x, attribute, 1)
        with pytest.raises(AttributeError):
            delattr(x, attribute)


def test_the_eigenvalues_that_a_generator_hands_out_are_not_its_own() -> None:
    generator = generators.Diagonal([1, 2])
    generator.eigenvalues.clear()
    assert generator.eigenvalues == [1, 2]


def test_an_immutable_class_stays_generic() -> None:
    assert ExpPoly[Any](EE, {}) == ExpPolys(EE).zero
