"""Strategies: what they draw is what they say, shrinks to something small, and is drawn fast."""

import time
from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Functional, PiecewiseLinearPath, TensorAlgebra, strategies
from ewsmath.strategies import FAMILIES, clocks, elements, generators, group_likes, paths, tensors

QUIET = settings(max_examples=1000, database=None, deadline=None)


def smallest(strategy: st.SearchStrategy, condition=lambda x: True) -> object:
    return find(strategy, condition, settings=QUIET)


def test_they_shrink_to_something_small() -> None:
    algebra = TensorAlgebra(QQ, 2, 3)
    assert smallest(strategies.rationals()) == 0
    assert smallest(strategies.rationals(), lambda x: x != 0) == 1
    assert smallest(elements(EE), bool) == 1
    assert smallest(tensors(algebra)) == algebra.zero()
    assert str(smallest(tensors(algebra), lambda a: bool(a.level(1)[0]))) == "e1"
    assert smallest(group_likes(algebra)) == algebra.one()
    assert smallest(strategies.words(2), bool) == (1,)
    assert smallest(strategies.functionals()) == Functional(QQ, {})
    assert str(smallest(paths(1))) == "PiecewiseLinearPath([0], [[0]], ring=QQ)"
    moving: Any = smallest(paths(1), lambda X: X.variation("l1") > 0)
    assert moving.times == (0, 1)
    assert sorted(moving.values) == [(0,), (1,)]
    assert str(smallest(generators())) == "Zero(matrix=Matrix(QQ, [[0]]))"
    assert str(smallest(clocks(1, 1))) == "Time()"


@pytest.mark.parametrize(
    "wanted",
    [
        lambda X: X.steps == 0,
        lambda X: 0 in X.gaps and any(any(v) for v, gap in zip(X.increments, X.gaps, strict=True) if not gap),
        lambda X: any(gap and not any(v) for v, gap in zip(X.increments, X.gaps, strict=True)),
        lambda X: X.times[0] != 0,
    ],
    ids=["one point", "jump", "rest", "late start"],
)
def test_all_kinds_of_paths_are_drawn(wanted) -> None:
    assert wanted(smallest(paths(2), wanted))


def test_stopped_and_backward_clocks_are_drawn() -> None:
    X = PiecewiseLinearPath(None, [[0], [1], [3]])
    for wanted in (lambda c: 0 in c.increments(X), lambda c: min(c.increments(X)) < 0):
        assert wanted(smallest(clocks(1, 2), wanted))


@pytest.mark.parametrize("family", FAMILIES)
@given(data=st.data())
def test_generators_are_of_their_family_and_exact(family: str, data: st.DataObject) -> None:
    generator = data.draw(generators(family, max_dim=3))
    assert type(generator).__name__ == family
    assert generator.ring in (QQ, EE)
    assert 1 <= generator.dim <= 3


def test_unknown_families_are_refused() -> None:
    with pytest.raises(ValueError, match="choose one of Zero, Diagonal"):
        generators("Circulant")


@given(elements(QQ_I), elements(QQ), st.data())
def test_elements_belong_to_their_ring(z, q, data: st.DataObject) -> None:
    assert QQ_I.coerce(z) is z
    assert QQ.coerce(q) is q
    algebra = data.draw(strategies.algebras(max_dim=2, max_depth=2))
    assert (algebra.dim <= 2) & (algebra.depth <= 2)
    assert data.draw(group_likes(algebra)).is_group_like()


def test_a_hundred_long_paths_and_deep_tensors_are_drawn_in_seconds() -> None:
    drawn = []

    @settings(max_examples=100, database=None, deadline=None)
    @given(paths(3, min_steps=10, max_steps=63), tensors(TensorAlgebra(QQ, 3, 4)))
    def draw(X, a) -> None:
        drawn.append(X.steps)

    start = time.process_time()
    draw()
    # Seen 0.9 s for all on a shared core; the bound only guards against a change of kind.
    assert time.process_time() - start < 20
    assert len(drawn) >= 100
