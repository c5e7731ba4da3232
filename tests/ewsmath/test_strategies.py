"""Strategies: what they draw is what they say, shrinks to something small, and is drawn fast."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Functional, PiecewiseLinearPath, TensorAlgebra, exact, strategies
from ewsmath.floats import FORMATS, FloatFormat
from ewsmath.strategies import FAMILIES, clocks, elements, generators, group_likes, paths, tensors
from ewsmath.strategies.arrays import _table

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


@given(st.data())
def test_lie_elements_are_logarithms_of_group_like_elements(data: st.DataObject) -> None:
    algebra = TensorAlgebra(QQ, 2, 3)
    a = data.draw(strategies.lie_elements(algebra))
    assert algebra.exp(a).is_group_like()
    # The antipode turns the sign of a Lie element.
    assert a.antipode() == -a


def test_lie_elements_shrink_to_a_letter() -> None:
    algebra = TensorAlgebra(QQ, 2, 3)
    assert smallest(strategies.lie_elements(algebra)) == algebra.zero()
    assert str(smallest(strategies.lie_elements(algebra), lambda a: a != algebra.zero())) == "e1"
    assert str(smallest(strategies.lie_elements(algebra), lambda a: any(a.level(2)))) in ("e12 - e21", "-e12 + e21")


@given(strategies.reparametrisations(), strategies.reparametrisations(rests=False))
def test_reparametrisations_rise_from_zero_to_one(phi: Any, strict: Any) -> None:
    for path in (phi, strict):
        assert (path.times[0], path.times[-1]) == (0, 1)
        assert (path.values[0], path.values[-1]) == ((0,), (1,))
        assert all(gap > 0 for gap in path.gaps)
        assert all(u >= 0 for (u,) in path.increments)
    assert all(u > 0 for (u,) in strict.increments)


def test_reparametrisations_shrink_to_the_identity_and_some_rest() -> None:
    assert smallest(strategies.reparametrisations()) == PiecewiseLinearPath([0, 1], [[0], [1]])
    assert smallest(strategies.reparametrisations(), lambda phi: (0,) in phi.increments)
    assert smallest(strategies.reparametrisations(rests=False), lambda phi: phi.steps == 3)


@given(st.data())
def test_one_clock_increment_a_piece(data: st.DataObject) -> None:
    increments = data.draw(strategies.clock_increments(3))
    assert len(increments) == 3
    assert all(FORMATS["float16"].holds(x) for x in increments)


@pytest.mark.parametrize("dtype", [np.dtype("float16"), np.float32, "float64"])
@given(st.sampled_from([8.0, 1e300, 0.125]), st.data())
def test_arrays_hold_numbers_of_their_dtype(dtype: Any, max_value: float, data: st.DataObject) -> None:
    x = data.draw(strategies.path_arrays(2, dtype=dtype, max_value=max_value, max_points=5))
    assert x.dtype == np.dtype(dtype)
    assert x.shape[1] == 2
    assert 2 <= len(x) <= 5
    levels = data.draw(strategies.level_arrays(2, 2, dtype=dtype, max_value=max_value))
    assert [level.shape for level in levels] == [(), (2,), (2, 2)]
    for found in (x, *levels):
        # Finite, within the bounds, and not below the normal numbers.
        assert np.isfinite(found).all()
        assert (np.abs(found).astype(float) <= max_value).all()
        assert ((found == 0) | (np.abs(found) >= np.finfo(found.dtype).smallest_normal)).all()


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_no_number_is_rounded_on_its_way_into_an_array(dtype: str) -> None:
    format = FORMATS[dtype]
    for max_value in (8.0, 1e300, 0.125):
        for subnormals in (False, True):
            for pattern in (0, 1, 90, 255):
                table = _table(format, max_value, subnormals, pattern)
                assert all(format.holds(exact(x)) for x in table)
                assert np.array(table, dtype).tolist() == table
                assert any(0 < abs(x) < 2.0**format.least for x in table) == subnormals
                assert max(table) > max_value / 2 or max_value > 1e10
    assert max(_table(format, 1e300, False, 0)) > min(1e290, float(np.finfo(dtype).max) / 4)
    # As many digits as the format has, and no fewer.
    coarse = FloatFormat("coarse", format.bits - 1, format.least, format.greatest)
    assert any(not coarse.holds(exact(x)) for x in _table(format, 8.0, False, 255))


def test_all_kinds_of_arrays_are_drawn() -> None:
    arrays = strategies.path_arrays
    assert len(smallest(arrays(2, min_points=1))) == 1  # type: ignore[arg-type]
    assert smallest(arrays(2), lambda x: len(x) == 8) is not None
    rests: Any = smallest(arrays(2), lambda x: (x[:-1] == x[1:]).all(axis=1).any() and x.any())
    assert len(rests) <= 3
    assert smallest(arrays(1, subnormals=True, dtype="float32"), lambda x: 0 < abs(x[0, 0]) < 2.0**-126) is not None


def test_arrays_shrink_to_short_paths_of_small_whole_numbers() -> None:
    moved: Any = smallest(strategies.path_arrays(2), lambda x: np.abs(np.diff(x, axis=0)).sum() > 2)
    assert len(moved) == 2
    assert sorted(np.abs(moved).ravel()) in ([0, 0, 0, 3], [0, 0, 1, 2], [0, 1, 1, 1])
    last: Any = smallest(strategies.path_arrays(2, dtype="float32"), lambda x: x[-1, 1] >= 1)
    assert last.shape == (2, 2)
    assert last[-1].tolist() == [0, 1]
    levels: Any = smallest(strategies.level_arrays(2, 2), lambda a: a[2][0, 1] > 3)
    assert [level.tolist() for level in levels] == [0, [0, 0], [[0, 4], [0, 0]]]


def test_any_point_of_an_array_can_be_left_out() -> None:
    def turns(x: Any) -> bool:
        steps = np.diff(x, axis=0)
        return bool((steps > 0).all(axis=1).any() and (steps < 0).all(axis=1).any())

    arrays: Any = strategies.path_arrays
    for _ in range(5):  # not by luck: three points rise and fall in both channels
        assert len(smallest(arrays(2), turns)) == 3  # type: ignore[arg-type]
    first: Any = smallest(arrays(2), lambda x: x[0].all())
    assert first[0].tolist() == [1, 1]
    assert len(first) == 2
    said: Any = smallest(arrays(1, min_points=4, max_points=4), lambda x: x[2] > 1)
    assert said.shape == (4, 1)
    assert said[2] == 2


def printed(strategy: st.SearchStrategy, holds: Callable[[Any], bool]) -> str:
    """What Hypothesis prints of the value that breaks a property, in one line."""

    @settings(QUIET, phases=[Phase.generate, Phase.shrink])
    @given(strategy)
    def claim(x: Any) -> None:
        assert holds(x)

    with pytest.raises(AssertionError) as failure:
        claim()
    return " ".join(" ".join(failure.value.__notes__).split())


@pytest.mark.parametrize(
    ("strategy", "holds", "shown"),
    [
        (strategies.path_arrays(2), lambda x: x[-1, 1] < 3, "x=array([[0., 0.], [0., 3.]])"),
        (
            strategies.path_arrays(1, dtype="float32"),
            lambda x: len(x) < 3,
            "x=array([[0.], [0.], [0.]], dtype=float32)",
        ),
        (strategies.level_arrays(1, 1), lambda a: a[1] < 2, "x=[array(0.), array([2.])]"),
        (paths(1), lambda X: X.values[-1] < (1,), "x=PiecewiseLinearPath([0], [[1]], ring=QQ)"),
        (strategies.curves(1), lambda X: X.steps > 1, "x=ExpPolyPath([0, 1], [[0]], ring=EE)"),
        (
            strategies.reparametrisations(),
            lambda phi: phi.steps < 2,
            "x=PiecewiseLinearPath([0, 1/8, 1], [[0], [0], [1]], ring=QQ)",
        ),
        (strategies.algebras(), lambda T: T.dim < 2, "x=TensorAlgebra(ring=QQ, dim=2, depth=1)"),
        (group_likes(TensorAlgebra(QQ, 2, 2)), lambda a: False, "x=1"),
        (strategies.lie_elements(TensorAlgebra(QQ, 2, 2)), lambda a: not any(a.level(1)), "x=e1"),
        (strategies.functionals(), lambda f: f == Functional(QQ, {}), "x=()"),
        (strategies.square_matrices(1), lambda A: A[0, 0] < 1, "x=Matrix(QQ, [[1]])"),
        (elements(EE), lambda x: x.is_real, "x=i"),
    ],
)
def test_a_failing_example_shows_the_value(
    strategy: st.SearchStrategy, holds: Callable[[Any], bool], shown: str
) -> None:
    assert shown in printed(strategy, holds)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"dtype": "int32"}, ValueError, "a dtype is one of float16, bfloat16, float32, float64"),
        ({"max_value": 0.0}, ValueError, "max_value must be a normal number of float64, got 0"),
        ({"max_value": float("nan")}, ValueError, "max_value must be a normal number"),
        ({"min_points": 9}, ValueError, "min_points is 9, more than max_points, 8"),
        ({"min_points": 0}, ValueError, "min_points must be at least 1"),
        ({"max_points": 2.5}, TypeError, "max_points is a whole number"),
    ],
)
def test_arrays_are_refused_at_the_door(arguments: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        strategies.path_arrays(2, **arguments)


BAD: Any = "QQ"
HALF: Any = 0.5
T = TensorAlgebra(QQ, 2, 2)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: paths(0), ValueError, "paths: dim must be at least 1, got 0"),
        (lambda: paths(2, min_steps=-1), ValueError, "paths: min_steps must be at least 0, got -1"),
        (lambda: paths(2, min_steps=4), ValueError, "paths: min_steps is 4, more than max_steps, 3"),
        (lambda: paths(2, BAD), TypeError, "a ring is"),
        (lambda: clocks(0, 1), ValueError, "clocks: dim must be"),
        (lambda: clocks(1, -1), ValueError, "clocks: steps must be"),
        (lambda: strategies.curves(0), ValueError, "curves: dim must be"),
        (lambda: strategies.curves(1, max_steps=0), ValueError, "curves: max_steps must be"),
        (lambda: strategies.reparametrisations(max_kinks=-1), ValueError, "reparametrisations: max_kinks must be"),
        (lambda: strategies.clock_increments(-1), ValueError, "clock_increments: steps must be at least 0, got -1"),
        (lambda: strategies.clock_increments(HALF), TypeError, "clock_increments: steps is a whole number, got 0.5"),
        (lambda: strategies.words(0), ValueError, "words: dim must be"),
        (
            lambda: strategies.words(2, min_length=3, max_length=1),
            ValueError,
            "min_length is 3, more than max_length, 1",
        ),
        (lambda: strategies.algebras(max_dim=0), ValueError, "algebras: max_dim must be"),
        (lambda: strategies.algebras(max_depth=0), ValueError, "algebras: max_depth must be"),
        (lambda: strategies.algebras(BAD), TypeError, "a ring is"),
        (lambda: tensors(T, max_terms=-1), ValueError, "tensors: max_terms must be at least 0"),
        (lambda: tensors(BAD), TypeError, "tensors takes a tensor algebra, got 'QQ'"),
        (lambda: group_likes(T, max_factors=-1), ValueError, "group_likes: max_factors must be"),
        (lambda: group_likes(BAD), TypeError, "group_likes takes a tensor algebra"),
        (lambda: strategies.lie_elements(T, max_terms=HALF), TypeError, "lie_elements: max_terms is a whole number"),
        (lambda: strategies.functionals(dim=0), ValueError, "functionals: dim must be"),
        (lambda: strategies.functionals(max_terms=-1), ValueError, "functionals: max_terms must be"),
        (lambda: strategies.functionals(min_length=4), ValueError, "functionals: min_length is 4, more than"),
        (lambda: strategies.square_matrices(0), ValueError, "square_matrices: dim must be"),
        (lambda: generators(max_dim=0), ValueError, "generators: max_dim must be at least 1, got 0"),
        (lambda: generators("Zero", max_dim=HALF), TypeError, "generators: max_dim is a whole number"),
        (lambda: strategies.rationals(max_numerator=-1), ValueError, "the largest numerator of rationals must be"),
        (lambda: strategies.gaussians(max_denominator=0), ValueError, "the largest denominator of rationals must be"),
        (lambda: elements(EE, max_terms=-1), ValueError, "elements: max_terms must be"),
        (lambda: elements(BAD), TypeError, "a ring is"),
        (lambda: strategies.vectors(QQ, 0), ValueError, "vectors: dim must be"),
        (lambda: strategies.vectors(QQ, 5000), ValueError, "vectors: 5,000 numbers in an example, more than 1,000"),
        (lambda: strategies.vectors(QQ_I, 667), ValueError, "vectors: 667 numbers in an example, more than 666"),
        (lambda: strategies.vectors(EE, 501), ValueError, "vectors: 501 numbers in an example, more than 500"),
        (lambda: strategies.square_matrices(32), ValueError, "square_matrices: 1,024 numbers in an example"),
        (lambda: strategies.level_arrays(2, 11), ValueError, "level_arrays: 4,095 numbers .* more than 4,000"),
        (lambda: strategies.level_arrays(1, 65), ValueError, "level_arrays: depth is at most 64, .* got 65"),
        (lambda: strategies.level_arrays(3, 8), ValueError, "level_arrays: 9,841 numbers in an example"),
        (lambda: strategies.level_arrays(20, 9), ValueError, "538,947,368,421 numbers .* Take a smaller"),
        (lambda: strategies.path_arrays(500), ValueError, "path_arrays: 4,002 numbers in an example"),
    ],
)
def test_sizes_are_refused_when_the_strategy_is_made(
    make: Callable[[], Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(
    "largest",
    [
        strategies.level_arrays(2, 10),
        strategies.level_arrays(1, 64),
        strategies.path_arrays(499),
        strategies.vectors(QQ, 1000),
        strategies.vectors(QQ_I, 666),
        strategies.vectors(EE, 500),
    ],
)
def test_what_is_not_refused_can_be_drawn(largest: st.SearchStrategy) -> None:
    drawn = []

    @settings(max_examples=3, database=None, deadline=None, phases=[Phase.generate])
    @given(largest)
    def draw(example: object) -> None:
        drawn.append(example)

    draw()  # the health checks are on: they refuse what is too large
    assert len(drawn) == 3


def test_importing_changes_no_setting_of_hypothesis() -> None:
    script = (
        "import hypothesis, sys\n"
        "before = repr(hypothesis.settings()), repr(hypothesis.settings.default)\n"
        "import ewsmath.strategies\n"
        "assert (repr(hypothesis.settings()), repr(hypothesis.settings.default)) == before\n"
        "assert 'numpy' not in sys.modules and 'jax' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


def test_drawing_costs_little_beside_hypothesis_itself() -> None:
    def elapsed(examples: int, *drawn: st.SearchStrategy) -> float:
        @settings(max_examples=examples, database=None, deadline=None)
        @given(st.tuples(*drawn))
        def draw(_: Any) -> None:
            pass

        start = time.process_time()
        draw()
        return time.process_time() - start

    # Warnings are errors here, so that a health check that complains fails the test. Seen: 300 small paths cost 1.3
    # times as much as 300 bare integers, as both are one draw (two of a kind are also mutated, and cost 2.5 times as
    # much); 60 long ones with deep tensors cost 0.7 times as much, and exact ones more.
    bare = elapsed(300, st.integers())
    large = strategies.path_arrays(3, min_points=64, max_points=64), strategies.level_arrays(3, 4)
    assert elapsed(300, strategies.path_arrays(2)) < 4 * bare
    assert elapsed(60, *large) < 4 * bare
    assert elapsed(12, paths(3, min_steps=10, max_steps=63), tensors(TensorAlgebra(QQ, 3, 4))) < 40 * bare
