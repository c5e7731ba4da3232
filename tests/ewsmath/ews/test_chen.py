"""The group of pairs: its laws by == in exact rings, and classical Chen, which fails."""

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EWS, QQ, Balls, PiecewiseLinearPath, Segment, chen
from ewsmath.clocks import Given
from ewsmath.ews import inverse, prefixes, unit
from ewsmath.generators import Diagonal, Jordan, Rotation, Zero
from ewsmath.strategies import generators, rationals, vectors


@st.composite
def segments(draw: st.DrawFn, generator, depth: int = 2) -> Segment:
    """Segments of one linear piece. Shrinks to the unit."""
    r, v = draw(rationals(max_numerator=2)), draw(vectors(QQ, generator.dim))
    ews = EWS(generator, depth=depth)
    return Segment(generator, generator.ring.coerce(r), ews.local(r, v))


@given(st.data())
def test_it_is_a_group(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2))
    a, b, c = (data.draw(segments(generator)) for _ in range(3))
    one = unit(generator, 2)
    assert a @ b == chen(a, b)
    assert a.inverse() == inverse(a)
    assert a**0 == one
    assert a**3 == a @ a @ a
    assert a**-2 == inverse(a) @ inverse(a) == (a**2).inverse()
    assert chen(chen(a, b), c) == chen(a, chen(b, c))
    assert chen(a, one) == chen(one, a) == a
    assert chen(a, inverse(a)) == chen(inverse(a), a) == one
    assert inverse(chen(a, b)) == chen(inverse(b), inverse(a))


@given(st.data())
def test_the_inverse_is_the_time_reversed_piece(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2))
    r, v = data.draw(rationals()), data.draw(vectors(QQ, generator.dim))
    ews = EWS(generator, depth=2)
    forward = Segment(generator, generator.ring.coerce(r), ews.local(r, v))
    back = Segment(generator, generator.ring.coerce(-r), ews.local(-r, [-x for x in v]))
    assert inverse(forward) == back


@given(st.data())
def test_a_piece_is_the_product_of_its_parts(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2))
    r, v = data.draw(rationals()), data.draw(vectors(QQ, generator.dim))
    share = data.draw(st.sampled_from([fmpq(0), fmpq(1, 3), fmpq(1, 2), fmpq(1)]))
    ews = EWS(generator, depth=2)
    ring = generator.ring

    def part(c: fmpq) -> Segment:
        return Segment(generator, ring.coerce(c * r), ews.local(c * r, [c * x for x in v]))

    assert chen(part(share), part(1 - share)) == part(fmpq(1))


def test_chen_associativity_and_all_shuffles_of_a_jordan_block_at_depth_four() -> None:
    ews = EWS(Jordan(1, 3), clock=Given([1, 0, fmpq(1, 2)]), depth=4)
    X = PiecewiseLinearPath(None, [[0, 0, 0], [1, 2, fmpq(1, 3)], [2, 2, 1], [0, 1, fmpq(-1, 2)]])
    a, b, c = ews.segments(X)
    first, second = ews.segments(X, 0, fmpq(1, 3))[0], ews.segments(X, fmpq(1, 3), 1)[0]
    assert chen(first, second) == a
    left = chen(chen(a, b), c)
    assert left == chen(a, chen(b, c))
    assert left.ews.is_group_like()


def test_classical_chen_fails_where_the_clock_moves() -> None:
    ews = EWS(Diagonal(1), depth=2)
    X = PiecewiseLinearPath(None, [[0], [1], [3]])
    assert ews(X, 0, 1) @ ews(X, 1, 2) != ews(X)
    stopped = EWS(Diagonal(1), clock=Given([1, 0]), depth=2)
    assert stopped(X, 0, 1) @ stopped(X, 1, 2) == stopped(X)


def test_prefixes_are_in_the_order_of_the_path() -> None:
    ews = EWS(Rotation(1, 2), depth=2)
    X = PiecewiseLinearPath(None, [[0, 0], [1, 0], [1, 2], [0, 3]])
    a, b, c = ews.segments(X)
    found = prefixes([a, b, c], unit(ews.generator, 2))
    assert found == [unit(ews.generator, 2), a, chen(a, b), chen(chen(a, b), c)]
    assert chen(a, b) != chen(b, a)


def test_generators_and_kinds_are_not_mixed() -> None:
    with pytest.raises(ValueError, match="have no product"):
        chen(unit(Zero(2), 2), unit(Diagonal([1, 1]), 2))
    assert chen(unit(Zero(2), 2), unit(Zero(2), 2)) == unit(Zero(2), 2)
    assert unit(Zero(2), 2) != unit(Diagonal([1, 1]), 2)
    assert unit(Zero(2), 2) != 1


def test_a_segment_is_of_its_generator() -> None:
    one = unit(Diagonal([1, 1]), 2)
    assert one.elapsed == 0
    assert Segment(one.generator, 1, one.ews).elapsed.as_rational() == 1
    with pytest.raises(ValueError, match=r"generator on R\^1 over QQ takes a tensor .* got one of Tensor.*ring=EE"):
        Segment(Zero(1), 0, one.ews)
    with pytest.raises(ValueError, match=r"generator on R\^3 over EE takes a tensor"):
        Segment(Diagonal([1, 1, 1]), 0, one.ews)
    with pytest.raises(TypeError, match="A float is not exact"):
        Segment(one.generator, 0.5, one.ews)
    for wrong in (0.5, "2", None, True):
        with pytest.raises(TypeError, match="a power of a segment is a whole number"):
            one**wrong  # type: ignore[operator]
    with pytest.raises(TypeError, match="⋆ takes segments"):
        one @ 5  # type: ignore[operator]


def test_a_repeated_piece_is_a_power() -> None:
    ews = EWS(Rotation(1, 2), depth=3)
    piece = ews.segments(PiecewiseLinearPath(None, [[0, 0], [1, 2]]))[0]
    X = PiecewiseLinearPath(None, [[0, 0], [1, 2], [2, 4], [3, 6], [4, 8], [5, 10]])
    assert (piece**5).ews == ews(X)


def test_the_inverse_is_the_reversed_path_under_the_reversed_clock() -> None:
    X = PiecewiseLinearPath(None, [[0, 0], [1, 2], [0, fmpq(1, 2)]])
    steps = [1, fmpq(-1, 3)]
    forward = EWS(Jordan(1, 2), clock=Given(steps), depth=3)
    back = EWS(Jordan(1, 2), clock=Given([-r for r in reversed(steps)]), depth=3)
    one = unit(forward.generator, 3)
    assert prefixes(back.segments(X.reversed()), one)[-1] == prefixes(forward.segments(X), one)[-1].inverse()


def test_segments_over_balls_are_equal_when_they_overlap() -> None:
    ews = EWS(Diagonal([fmpq(1, 3)], ring=Balls(64)), depth=2)
    half = Segment(ews.generator, ews.ring.ratio(1, 2), ews.local(fmpq(1, 2), [fmpq(1, 2)]))
    assert chen(half, half) == Segment(ews.generator, ews.ring.one, ews.local(1, [1]))
