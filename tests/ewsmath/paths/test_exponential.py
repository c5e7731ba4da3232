"""Paths in closed form: values and transforms by hand."""

import pickle
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given

from ewsmath import EE, QQ, QQ_I, Balls, ExpPolyPath, ExpPolys, PiecewiseLinearPath, signature
from ewsmath.paths import AbstractPath
from ewsmath.strategies import curves, paths

F = ExpPolys(EE)
u = F.variable


def e(q: Any) -> Any:
    return EE.exp(EE.coerce(q))


def test_functions_of_the_time_are_cut_at_the_stamps() -> None:
    X = ExpPolyPath.from_functions([1, 2, 4], [u * u, F.exponential(-1)])
    assert X.values == ((1, e(-1)), (4, e(-2)), (16, e(-4)))
    assert X(3) == (9, e(-3))
    assert X(fmpq(3, 2)) == (fmpq(9, 4), e(fmpq(-3, 2)))
    assert X(0) == (1, e(-1))
    assert X(9) == (16, e(-4))
    assert X.restrict(fmpq(3, 2), 3) == ExpPolyPath.from_functions([fmpq(3, 2), 2, 3], [u * u, F.exponential(-1)])
    assert (X.dim, X.steps, X.gaps) == (2, 2, [1, 2])


def test_the_signature_of_a_parabola_and_of_a_circle() -> None:
    # (t, t²) on [0, 1]: ∫ t d(t²) = 2/3, ∫ t² dt = 1/3.
    S = signature(ExpPolyPath.from_functions([0, 1], [u, u * u]), 2)
    assert S.level(2) == [fmpq(1, 2), fmpq(2, 3), fmpq(1, 3), fmpq(1, 2)]
    # (cos t, sin t) on [0, T]: twice the area is ∫ (x − 1) dy − y dx = T − sin T.
    T = fmpq(3, 2)
    S = signature(ExpPolyPath.from_functions([0, T], [F.cosine(1), F.sine(1)]), 2)
    i = QQ_I.i
    sine = (e(i * T) - e(-i * T)) * (-i / 2)
    assert S[1, 2] - S[2, 1] == EE.coerce(T) - sine


@given(curves(2))
def test_a_signature_of_a_curve_is_group_like(X: ExpPolyPath) -> None:
    assert signature(X, 3).is_group_like()


@given(paths(2, min_steps=1))
def test_a_line_is_the_same_path_as_a_curve(X: PiecewiseLinearPath) -> None:
    curved = X.curved()
    assert curved.values == X.values
    assert signature(curved, 3) == signature(X, 3)
    for s in (X.times[0], X.times[0] + fmpq(1, 3), X.times[-1]):
        assert curved(s) == X(s)
    assert curved.variation() == X.variation()
    assert curved != X
    assert curved != X


def test_it_reads_as_written_and_goes_through_pickle() -> None:
    X = ExpPolyPath([0, 2], [[u * u, 3]])
    assert str(X) == "ExpPolyPath([0, 2], [[u^2, 3]], ring=EE)"
    assert pickle.loads(pickle.dumps(X)) == X
    with pytest.raises(AttributeError):
        X.times = ()  # type: ignore[misc]
    assert X.over(QQ).ring == QQ
    assert ExpPolyPath(None, [[u], [F.one]]).times == (0, 1, 2)


def test_pieces_of_any_other_path_are_compared_by_kind() -> None:
    X = ExpPolyPath([0, 2], [[u * u]])
    assert ExpPolyPath([0, 2], [[u]]) != X
    assert ExpPolyPath([0, 2], [[u * u + F.one]]) != X
    assert X.restrict() == X
    one_point = X.restrict(-2, -1)
    assert (one_point.steps, one_point.values) == (0, ((0,),))
    assert one_point.over(QQ).ring == QQ
    assert isinstance(one_point, AbstractPath)


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda: ExpPolyPath([0], []), ValueError, "at least one piece"),
        (lambda: ExpPolyPath([0, 1], [[]]), ValueError, "at least one channel"),
        (lambda: ExpPolyPath(None, [[u], [F.one, u]]), ValueError, "piece 1 has 2 channels, piece 0 has 1"),
        (lambda: ExpPolyPath(None, [[u, u], [F.one, u]]), ValueError, r"channel 1 \(from 0\) ends piece 0 at 1"),
        (lambda: ExpPolyPath([0, 1], [[u], [F.one]]), ValueError, "2 times for 3 points"),
        (lambda: ExpPolyPath([1, 0], [[u]]), ValueError, "may repeat, not decrease"),
        (lambda: ExpPolyPath([0, 0.5], [[u]]), TypeError, r"times\[1\]: QQ takes"),
        (lambda: ExpPolyPath([0, 1], [u]), TypeError, "takes the functions of piece 0 as a sequence"),  # type: ignore[list-item]
        (lambda: ExpPolyPath([0, 1], [[0.5]]), TypeError, "A float is not exact"),
        (lambda: ExpPolyPath([0, 1], [[F.exponential(1)]], QQ), ValueError, r"QQ does not contain e\^"),
        (lambda: ExpPolyPath([0, 1], [[u]], Balls(64)), ValueError, "decidable zero"),
        (lambda: ExpPolyPath.from_functions([0], [u]), ValueError, "at least one piece"),
        (lambda: PiecewiseLinearPath([0], [[1]]).curved(), ValueError, "at least one piece"),
    ],
)
def test_bad_arguments_are_refused(use: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        use()
