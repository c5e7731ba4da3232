"""Streams of Lie elements: products of exponentials, by == on draws."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, PiecewiseLinearPath, TensorAlgebra, signature
from ewsmath.lie import LieElement, LieStream, lie_size
from ewsmath.strategies import rationals, vectors

T = TensorAlgebra(QQ, 2, 3)
half = QQ.ratio(1, 2)


def elements(basis: str = "lyndon brackets") -> st.SearchStrategy[LieElement]:
    n = lie_size(2, 3)
    values = st.lists(rationals(), min_size=n, max_size=n)
    return values.map(lambda xs: LieElement.from_vector(T, "lyndon brackets", xs).to(basis))


@given(elements(), elements("hall brackets by degree"))
def test_two_intervals_give_the_product_of_exponentials(x: LieElement, y: LieElement) -> None:
    stream = LieStream([0, 1, 2], [x, y])
    assert stream.signature(0, 2) == stream.signature() == x.exp() @ y.exp()
    assert stream.signature(0, 1) == x.exp()
    assert stream.signature(1) == y.exp()
    assert stream.log_signature(1, 2, basis="words") == y
    assert stream.log_signature(0, 2, basis="lyndon words").exp() == x.exp() @ y.exp()


@given(elements(), elements(), *[rationals() for _ in range(3)])
def test_neighbouring_intervals_obey_chen(x: LieElement, y: LieElement, r: Any, s: Any, t: Any) -> None:
    stream = LieStream([-1, half, 3], [x, y])
    r, s, t = sorted([r, s, t])
    assert stream.signature(r, t) == stream.signature(r, s) @ stream.signature(s, t)


@given(elements(), elements())
def test_an_element_is_what_its_interval_contributes_however_long(x: LieElement, y: LieElement) -> None:
    # Windows of lengths 1, 1/4, 3: nothing is divided by them.
    whole = {
        str(LieStream(times, [x, y]).log_signature(basis="lyndon brackets"))
        for times in ([0, 1, 2], [0, QQ.ratio(1, 4), 3 + QQ.ratio(1, 4)], [5, 8, 9])
    }
    assert len(whole) == 1


def test_half_an_interval_has_half_its_element() -> None:
    x = LieElement(T, "lyndon brackets", {1: 1, "[1,2]": 3})
    stream = LieStream([0, 4], [x])
    assert stream.log_signature(1, 3, basis="lyndon brackets") == x * half
    # Nothing lies outside its times, nor between s and s.
    for s, t in ((-3, 0), (4, 9), (2, 2), (9, None)):
        assert stream.signature(s, t) == T.one()
    assert stream.signature(-5, 99) == x.exp()


@given(st.lists(vectors(QQ, 2), min_size=1, max_size=3))
def test_vectors_make_a_piecewise_linear_path(rows: list) -> None:
    stream = LieStream(range(len(rows) + 1), [LieElement.from_tensor(T.vector(v), "words") for v in rows])
    X = PiecewiseLinearPath.from_increments(rows)
    assert stream.signature() == signature(X, 3)
    t = QQ.ratio(2, 3)
    assert stream.signature(t) == signature(X.restrict(t), 3)


def test_what_does_not_fit_is_refused_with_both_sizes() -> None:
    x = LieElement(T, "lyndon brackets", {1: 1})
    shallow = LieElement(TensorAlgebra(QQ, 2, 2), "lyndon brackets", {1: 1})
    with pytest.raises(ValueError, match=r"element 1 lies in .*depth=2\), element 0 in .*depth=3\)"):
        LieStream([0, 1, 2], [x, shallow])
    with pytest.raises(ValueError, match=r"element 1 lies in .*ring=EE.*, element 0 in .*ring=QQ"):
        LieStream([0, 1, 2], [x, LieElement(TensorAlgebra(EE, 2, 3), "words", {})])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"2 times for 2 Lie elements: .* one more time than elements"):
        LieStream([0, 1], [x, x])
    with pytest.raises(ValueError, match="1 times for 0 Lie elements"):
        LieStream([0], [])
    with pytest.raises(ValueError, match=r"times\[2\] = 1 is not above times\[1\] = 1"):
        LieStream([0, 1, 1], [x, x])
    with pytest.raises(ValueError, match="an interval runs forward"):
        LieStream([0, 1], [x]).signature(1, 0)
    with pytest.raises(TypeError, match="a Lie stream takes Lie elements, got"):
        LieStream([0, 1], [x.tensor()])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="basis"):
        LieStream([0, 1], [x]).log_signature()  # type: ignore[call-arg]


def test_it_is_immutable_and_reads_as_written() -> None:
    stream = LieStream([0, half], [LieElement(T, "lyndon brackets", {"[1,2]": 2})])
    assert str(stream) == "LieStream([0, 1/2], [2*[1,2]])"
    with pytest.raises(AttributeError, match="immutable"):
        stream.times = ()
