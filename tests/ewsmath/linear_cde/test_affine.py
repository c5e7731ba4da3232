"""Affine maps: the law of a scan, and state-space models as linear CDEs."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, Matrix, PiecewiseLinearPath
from ewsmath.clocks import Time
from ewsmath.generators import Jordan, Rotation
from ewsmath.linear_cde import AffineMap, LinearCDE, affine_cde, clock_path, state_space
from ewsmath.strategies import clocks, paths, vectors

MAPS = st.lists(st.integers(-3, 3), min_size=6, max_size=6).map(
    lambda x: AffineMap(Matrix(QQ, [x[0:2], x[2:4]]), x[4:])
)


@given(MAPS, MAPS, MAPS, vectors(QQ, 2))
def test_composition_is_associative_and_acts_in_order(f: AffineMap, g: AffineMap, k: AffineMap, h: list) -> None:
    assert f.then(g).then(k) == f.then(g.then(k))
    assert f.then(g)(h) == g(f(h))
    assert f.then(g).homogeneous() == g.homogeneous() @ f.homogeneous()
    assert f.homogeneous().apply([*h, QQ.one]) == [*f(h), 1]
    assert repr(AffineMap(Matrix(QQ, [[2]]), [3])) == "AffineMap(Matrix(QQ, [[2]]), [3])"


@given(st.lists(MAPS, min_size=1, max_size=2), vectors(QQ, 2), vectors(QQ, 2))
def test_an_affine_cde_has_the_affine_field(maps: list[AffineMap], dx: list, h: list) -> None:
    cde = affine_cde([f.matrix for f in maps], [f.vector for f in maps])
    moved = [QQ.zero, QQ.zero]
    for f, x in zip(maps, dx, strict=False):
        moved = [m + x * y for m, y in zip(moved, f(h), strict=True)]
    assert cde.field(dx[: len(maps)]).apply([*h, QQ.one]) == [*moved, 0]


@given(paths(1, max_steps=2), vectors(QQ, 2), st.data())
def test_a_state_space_model_is_the_ews_of_depth_one(X: Any, b: list, data: st.DataObject) -> None:
    clock, B = data.draw(clocks(1, X.steps)), Matrix.column(QQ, b)
    cde = state_space(Jordan(0, 2).matrix, B)
    assert isinstance(cde, LinearCDE)
    end = cde.solve(clock_path(clock, X), [0, 0, 1])[-1]
    assert list(end) == [*EWS(Jordan(0, 2), B, clock, depth=1)(X).level(1), 1]


def test_so_it_is_for_a_damped_rotation() -> None:
    X, B = PiecewiseLinearPath([0, 2, 3], [[0], [1], [-1]]), Matrix(EE, [[1], [3]])
    generator = Rotation(1, 2)
    end = state_space(generator.matrix, B).solve(clock_path(Time(), X), [0, 0, 1])[-1]
    assert list(end) == [*EWS(generator, B, depth=1)(X).level(1), 1]


def test_what_does_not_fit_is_refused() -> None:
    unit: Matrix[Any] = Matrix.identity(QQ, 2)
    with pytest.raises(ValueError, match=r"does not take a vector of 1 entries"):
        AffineMap(unit, [1])
    with pytest.raises(ValueError, match="a vector for each matrix, got 1 and 2"):
        affine_cde([unit], [[0, 0], [0, 0]])
    with pytest.raises(TypeError, match="affine maps go together"):
        AffineMap(unit, [0, 0]).then(unit)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="square"):
        state_space(Matrix.zeros(QQ, 1, 2), unit)
    assert AffineMap(unit, [0, 0]) != 1
