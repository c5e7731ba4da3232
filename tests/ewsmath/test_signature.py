"""The signature: textbook values, and the twin that it is the EWS of the zero generator."""

from flint import fmpq
from hypothesis import given

from ewsmath import EWS, QQ, PiecewiseLinearPath, TensorAlgebra, signature
from ewsmath.generators import Zero
from ewsmath.strategies import paths, rationals


@given(paths(2))
def test_it_is_the_product_of_exponentials(X: PiecewiseLinearPath) -> None:
    algebra = TensorAlgebra(QQ, 2, 3)
    product = algebra.one()
    for v in X.increments:
        product = product @ algebra.exp(algebra.vector(v))
    assert signature(X, 3) == product


@given(paths(2))
def test_it_is_the_ews_of_the_zero_generator(X: PiecewiseLinearPath) -> None:
    assert EWS(Zero(2), depth=3)(X) == signature(X, 3)


@given(paths(2), rationals(), rationals())
def test_an_interval_has_the_signature_of_the_path_there(X: PiecewiseLinearPath, s: fmpq, t: fmpq) -> None:
    s, t = min(s, t), max(s, t)
    assert signature(X, 3, s, t) == signature(X.restrict(s, t), 3) == EWS(Zero(2), depth=3)(X, s, t)
    assert signature(X, 3, t=s) @ signature(X, 3, s) == signature(X, 3) == signature(X, 3, None, None)


def test_known_values_and_padding() -> None:
    points = [(1, 2), (2, 0), (3, 3)]
    S = signature(PiecewiseLinearPath(None, points), 2)
    assert S.level(1) == [2, 1]
    assert S.level(2) == [2, fmpq(7, 2), fmpq(-3, 2), fmpq(1, 2)]
    repeated = signature(PiecewiseLinearPath(None, [*points, (3, 3)]), 2)
    assert repeated == S
    zeros = signature(PiecewiseLinearPath(None, [*points, (0, 0)]), 2)
    assert zeros.level(1) == [-1, -2]
    assert zeros.level(2) == [fmpq(1, 2), 2, 0, 2]


def test_the_log_signature_of_the_axes() -> None:
    X = PiecewiseLinearPath(None, [(0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1)])
    S = signature(X, 3)
    log = S.algebra.log(S)
    assert (log[1, 2, 3], log[1, 3, 2]) == (fmpq(1, 3), fmpq(-1, 6))
