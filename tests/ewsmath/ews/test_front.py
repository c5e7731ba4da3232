"""The EWS of whole paths: known values, clocks, intervals, streams, reparametrisation."""

import math
from typing import Any

import pytest
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from ewsmath import (
    EE,
    EWS,
    QQ,
    QQ_I,
    Balls,
    ExpPolys,
    Functional,
    Matrix,
    PiecewiseLinearPath,
    TensorAlgebra,
    exact,
    flow,
    signature,
)
from ewsmath.clocks import Gated, Given, Increment, Observation, Time, Variation
from ewsmath.ews import local_iterated, prefixes, unit
from ewsmath.ews.iterated import transported_speed
from ewsmath.generators import Dense, Diagonal, Jordan, Rotation, Zero
from ewsmath.strategies import clocks, generators, paths


def e(q: Any) -> Any:
    return EE.exp(EE.coerce(q))


LINE = PiecewiseLinearPath([0, 1], [[0], [1]])


def test_the_worked_number_of_a_unit_rate() -> None:
    assert EWS(Diagonal(1), depth=1)(LINE)[1] == 1 - e(-1)


def test_the_fading_memory_of_a_line_at_rate_13_tenths() -> None:
    rate = fmpq(13, 10)
    S = EWS(Diagonal(rate), depth=2)(LINE)
    one = (1 - e(-rate)) / rate
    assert S[1] == one
    assert S[1, 1] == one * one / 2
    # The known values have six decimals: half a unit of the last one.
    for coefficient, known in ((S[1], fmpq(559591, 10**6)), (S[1, 1], fmpq(156571, 10**6))):
        assert (Balls(64).coerce(coefficient) - known).abs_upper() < fmpq(1, 2 * 10**6)


def test_gamma_kernels_of_a_jordan_block() -> None:
    # The lift feeds the last coordinate; coordinate k from the last is (−1)^k ∫ r^k/k! e^{−λr} dX.
    rate, size = fmpq(1, 2), 4
    S = EWS(Jordan(rate, size), [[0], [0], [0], [1]], depth=1)(PiecewiseLinearPath([0, 2], [[0], [6]]))
    functions = ExpPolys(EE)
    u = functions.variable
    power = functions.exponential(-rate)
    for k in range(size):
        kernel = power.scaled(EE.ratio(1, math.factorial(k)))
        assert S[size - k] == (-1) ** k * kernel.integral()(2) * 3
        power = power * u


def test_a_rotation_gives_damped_cosine_and_sine_filters() -> None:
    a, w = fmpq(1, 2), 3
    S = EWS(Rotation(a, w), [[1], [0]], depth=2)(LINE)
    z = QQ_I.number(a, w)
    laplace = (1 - e(-z)) / z  # ∫ e^{−(a+iw)(1−u)} du
    assert S[1] == (laplace + laplace.conjugate()) / 2
    assert S[2] == (laplace - laplace.conjugate()) / (2 * QQ_I.i)
    assert 2 * (S[1, 1] + S[2, 2]) == S[1] * S[1] + S[2] * S[2]


@given(st.data())
def test_it_is_group_like_for_every_generator_and_clock(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2))
    X = data.draw(paths(generator.dim, max_steps=2))
    assert EWS(generator, clock=data.draw(clocks(generator.dim, X.steps)), depth=2)(X).is_group_like()


@given(st.data())
def test_modified_chen_at_any_time(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2))
    X = data.draw(paths(generator.dim, max_steps=2))
    clock = data.draw(clocks(generator.dim, X.steps))
    assume(X.steps)
    ews = EWS(generator, clock=clock, depth=2)
    u = X.times[0] + (X.times[-1] - X.times[0]) * data.draw(st.sampled_from([fmpq(0), fmpq(1, 3), fmpq(1)]))
    first, second = ews.segments(X, X.times[0] - 1, u), ews.segments(X, u, X.times[-1] + 1)
    elapsed = sum((g.elapsed for g in second), ews.ring.zero)
    joined = flow(generator, elapsed, ews(X, X.times[0] - 1, u)) @ ews(X, u, X.times[-1] + 1)
    assert joined == ews(X)
    assert len(first) + len(second) >= X.steps


@given(st.data())
def test_a_reparametrisation_changes_nothing_for_invariant_clocks(data: st.DataObject) -> None:
    X = data.draw(paths(2, max_steps=2))
    for clock in (Variation("l1"), Gated([1, -1])):
        ews = EWS(Rotation(1, 1), clock=clock, depth=2)
        assert ews(X.reparametrise(lambda t: t * t + 5 * t + 7)) == ews(X)


def test_the_time_clock_sees_a_shift_of_all_times_not_at_all() -> None:
    X = PiecewiseLinearPath([3, 5, 6], [[0, 0], [1, 2], [0, 3]])
    ews = EWS(Rotation(1, 2), depth=2)
    assert ews(X.reparametrise(lambda t: t + 100)) == ews(X)
    assert ews(X.reparametrise(lambda t: 2 * t)) != ews(X)


def test_queries_between_time_stamps() -> None:
    X = PiecewiseLinearPath([3, 5, 6], [[0], [2], [3]])
    ews = EWS(Diagonal(fmpq(1, 2)), depth=3)
    before, first, second, whole = ews(X, 0, 2), ews(X, 3, 5), ews(X, 5, 6), ews(X, 3, 6)
    assert before == ews.algebra.one()
    assert first != second
    decay = e(fmpq(-1, 2))
    moved = ews.algebra.tensor({w: c * _power(decay, len(w)) for w, c in first.coefficients.items()})
    assert moved @ second == whole == ews(X)
    assert signature(X.restrict(0, 2), 3) == TensorAlgebra(QQ, 1, 3).one()
    assert signature(X.restrict(3, 5), 3) @ signature(X.restrict(5, 6), 3) == signature(X, 3)


def _power(x: Any, n: int) -> Any:
    result = EE.one
    for _ in range(n):
        result = result * x
    return result


def test_a_part_of_a_piece_takes_its_part_of_the_clock() -> None:
    # The observation clock counts whole pieces; within one it runs linearly, and does not start anew at each query.
    X = PiecewiseLinearPath([0, 4], [[0], [1]])
    ews = EWS(Diagonal(1), clock=Observation(), depth=1)
    assert ews(X, 0, 1)[1] == (1 - e(fmpq(-1, 4)))
    assert [g.elapsed for g in ews.segments(X, 1, 3)] == [fmpq(1, 2)]


def test_a_repeated_point_decays_only_where_the_clock_runs() -> None:
    X = PiecewiseLinearPath(None, [[0, 0], [1, 0], [1, 0], [1, 1]])
    without = PiecewiseLinearPath(None, [[0, 0], [1, 0], [1, 1]])
    assert signature(X, 3) == signature(without, 3)
    assert EWS(Rotation(1, 1), clock=Variation("l1"), depth=3)(X) == EWS(
        Rotation(1, 1), clock=Variation("l1"), depth=3
    )(without)
    assert EWS(Rotation(1, 1), depth=2)(X) != EWS(Rotation(1, 1), depth=2)(without)
    same_time = PiecewiseLinearPath([0, 1, 1, 2], X.values)
    assert EWS(Rotation(1, 1), depth=2)(same_time) == EWS(Rotation(1, 1), depth=2)(without)


def test_a_stopped_clock_forgets_nothing() -> None:
    X = PiecewiseLinearPath(None, [[0], [1], [3]])
    assert EWS(Diagonal(1), clock=Given([0, 0]), depth=3)(X).coefficients == {
        w: EE.coerce(c) for w, c in signature(X, 3).coefficients.items()
    }


@given(st.data())
def test_the_stream_is_the_ews_up_to_each_knot(data: st.DataObject) -> None:
    X = data.draw(paths(2, max_steps=3))
    ews = EWS(Jordan(1, 2), depth=2)
    stream = ews.stream(X)
    assert len(stream) == X.steps + 1
    assert stream[0] == ews.algebra.one()
    assert stream[-1] == ews(X)
    for j in range(1, X.steps + 1):
        until = PiecewiseLinearPath(X.times[: j + 1], X.values[: j + 1])
        assert stream[j] == ews(until)


def test_one_point_gives_the_unit() -> None:
    X = PiecewiseLinearPath([5], [[1, 2]])
    ews = EWS(Rotation(1, 1), depth=2)
    assert ews(X) == ews.algebra.one()
    assert ews.stream(X) == [ews.algebra.one()]


@given(paths(2, max_steps=2))
def test_the_lift_is_the_path_lifted(X: PiecewiseLinearPath) -> None:
    B = [[1, 2], [0, fmpq(1, 2)]]
    A = Diagonal([1, 2])
    assert EWS(A, B, depth=2)(X) == EWS(A, depth=2)(X.lift(B))


def test_the_clock_reads_the_path_before_the_lift() -> None:
    X = PiecewiseLinearPath(None, [[0], [3]])
    assert EWS(Diagonal(1), [[5]], Variation(), 1).segments(X)[0].elapsed == 3


def test_the_reweighted_path_has_the_ews_as_its_signature() -> None:
    # Level two of the re-weighted path of one piece, by parts from its level one: ∫ Z dZ over [0, 1].
    generator, v = Jordan(1, 2), [EE.one, EE.coerce(2)]
    g = transported_speed(generator, EE.coerce(1), v)
    Z = [f.integral() for f in g]
    S = local_iterated(generator, 1, v, 2)
    for i in (1, 2):
        assert S[i] == Z[i - 1](1)
        for j in (1, 2):
            assert S[i, j] == (Z[i - 1] * g[j - 1]).integral()(1)


def test_functionals_read_products_as_shuffles() -> None:
    X = PiecewiseLinearPath(None, [[0, 0], [1, 2], [0, 1]])
    S = EWS(Rotation(1, 2), depth=3)(X)
    u, w = Functional.word(EE, 1), Functional.word(EE, 2, 1)
    assert u.shuffle(w)(S) == u(S) * w(S)


def test_rational_paths_rise_into_the_ring_of_the_generator() -> None:
    X = PiecewiseLinearPath(None, [[fmpq(1, 3)], [1]])
    assert EWS(Zero(1), depth=2)(X).algebra.ring == QQ
    assert EWS(Diagonal(1), depth=2)(X).algebra.ring == EE
    assert EWS(Diagonal(1, ring=Balls(64)), depth=2)(X).algebra.ring == Balls(64)


def test_balls_certify_floats() -> None:
    ring = Balls(128)
    values, steps, matrix = [[0.1, 0.2], [0.3, -0.7], [1.0, 0.5]], [0.7, 1.9], [[0.3, -1.1], [0.9, 0.4]]
    X = PiecewiseLinearPath(None, exact(values))
    found = EWS(Dense(exact(matrix), ring=ring), clock=Given(exact(steps)), depth=3)(X)
    twin = EWS(Dense(exact(matrix), ring=ring), clock=Given(exact(steps)), depth=3)(X, route="structured")
    assert found == twin
    assert found.is_group_like()
    for n in range(4):
        level = found.level(n)
        assert len(level) == 2**n
        assert max(c.radius for c in level) < fmpq(1, 2**90)


@pytest.mark.parametrize("route", ["iterated", "recursion", "structured"])
def test_every_route_serves_whole_paths(route: str) -> None:
    X = PiecewiseLinearPath(None, [[0, 0], [1, 2], [0, 1]])
    ews = EWS(Jordan(1, 2), depth=2)
    assert ews(X, route=route) == ews(X)
    assert ews.stream(X, route=route) == ews.stream(X)


@given(paths(2))
def test_the_signature_and_the_fading_memory_are_constructors(X: PiecewiseLinearPath) -> None:
    assert EWS.signature(2, 3)(X) == signature(X, 3)
    assert EWS.signature(2, 3, EE)(X).algebra.ring == EE
    assert EWS.efm([1, fmpq(1, 2)], depth=2)(X) == EWS(Diagonal([1, fmpq(1, 2)]), depth=2)(X)
    assert EWS.efm([0, 0], depth=2)(X) == EWS.signature(2, 2)(X)
    assert EWS.efm([1]).depth == 2


def test_the_fading_memory_of_a_line_in_two_channels() -> None:
    # ⟨12⟩ on [0, 1] with X = (t, t): ∫_{u<w} e^{−(1−u)} e^{−2(1−w)} = ∫ e^{−2(1−w)} (e^{−(1−w)} − e^{−1}) dw.
    S = EWS.efm([1, 2])(PiecewiseLinearPath([0, 1], [[0, 0], [1, 1]]))
    assert S[1, 2] == (1 - e(-3)) / 3 - e(-1) * (1 - e(-2)) / 2
    assert S[2, 1] == (1 - e(-3)) / 6 - e(-2) * (1 - e(-1)) / 2


def test_over_another_ring_the_numbers_are_those_that_were_given() -> None:
    third = fmpq(1, 3)
    coarse = EWS(Diagonal([third], ring=Balls(8)), [[third]], depth=2)
    fine = coarse.over(Balls(200))
    assert fine.lift[0, 0].radius < fmpq(1, 2**190)
    assert coarse.over(EE)(LINE) == EWS(Diagonal(third), [[third]], depth=2)(LINE)
    assert coarse.over(EE).clock == coarse.clock
    matrix = EWS(Diagonal([third], ring=Balls(8)), Matrix(QQ, [[third]]), depth=2)
    assert matrix.over(EE)(LINE) == coarse.over(EE)(LINE)


def test_a_window_costs_what_lies_in_it() -> None:
    long = PiecewiseLinearPath(None, [[j % 7, j % 5] for j in range(4000)])
    seen: list[int] = []

    def f(v: tuple[Any, ...], gap: fmpq) -> fmpq:
        seen.append(1)
        return gap

    ews = EWS(Rotation(1, 2), clock=Increment(f), depth=2)
    window = ews(long, 2000, 2003)
    assert len(seen) == 3
    assert window == ews(long.restrict(2000, 2003))


def test_a_window_is_what_the_inverse_of_the_past_leaves() -> None:
    # (r, S)_{s,t} = (r, S)_{0,s}^{-1} ⋆ (r, S)_{0,t}: sliding windows from one stream of segments.
    ews = EWS(Jordan(1, 2), depth=3)
    X = PiecewiseLinearPath([0, 1, 3, 4], [[0, 0], [1, 2], [0, 1], [2, 2]])
    stream = prefixes(ews.segments(X), unit(ews.generator, 3))
    assert (stream[1].inverse() @ stream[3]).ews == ews(X, 1, 4)


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda: EWS(Zero(2), [[1]]), ValueError, "it needs 2 rows"),
        (lambda: EWS(Zero(2), depth=0), ValueError, "depth must be at least 1"),
        (lambda: EWS(Zero(2), depth=-1), ValueError, "depth must be at least 1"),
        (lambda: EWS(Zero(2), depth=2.5), TypeError, "depth is a whole number"),  # type: ignore[arg-type]
        (lambda: EWS([[1]]), TypeError, r"takes a generator, got \[\[1\]\] of type list: .*Dense"),  # type: ignore[arg-type]
        (lambda: EWS(Zero(1), clock="time"), TypeError, r"takes a clock, got 'time' of type str: .*Time\(\)"),  # type: ignore[arg-type]
        (lambda: EWS(Zero(1), [1]), TypeError, r"row 0 of a matrix is a sequence of numbers, got 1 of type int"),  # type: ignore[list-item]
        (lambda: EWS(Zero(1))([[0], [1]]), TypeError, r"reads a path, got \[\[0\], \[1\]\]"),  # type: ignore[arg-type]
        (lambda: EWS(Zero(2)).local(1, [1]), ValueError, "does not fit the lift"),
        (lambda: EWS(Zero(1)).local(1, [1], route="magic"), ValueError, r"choose 'auto' or one of iterated, recursion"),
        (lambda: EWS(Zero(2))(LINE), ValueError, r"a path in R\^1 does not fit"),
        (lambda: EWS(Zero(1))(LINE, 1, 0), ValueError, "runs forward"),
        (lambda: EWS(Zero(1)).local(0.5, [1]), TypeError, "A float is not exact"),
        (lambda: EWS(Diagonal(1)).local(EE.exp(EE.one), [1]), ValueError, "no Gaussian rational"),
    ],
)
def test_bad_arguments_are_refused(use, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        use()


def test_it_is_immutable_and_says_what_it_is() -> None:
    ews = EWS(Zero(1))
    with pytest.raises(AttributeError):
        ews.clock = Time()
    assert str(ews) == ("EWS(Zero(matrix=Matrix(QQ, [[0]])), lift=Matrix(QQ, [[1]]), clock=Time(), depth=2)")
