"""A ring of one's own with the six things that a ring takes part with, and nothing else: Q(√2)."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, ExpPolys, Matrix, PiecewiseLinearPath, TensorAlgebra, laws, signature
from ewsmath.clocks import AbstractClock, Given, Observation, Time
from ewsmath.generators import AbstractGenerator, Dense, Diagonal, Jordan, Zero
from ewsmath.linear_cde import LinearCDE
from ewsmath.rings import Gaussian, Ring, supports
from ewsmath.strategies import rationals


@dataclass(frozen=True)
class Root:
    """The number p + q√2."""

    p: fmpq
    q: fmpq

    def __add__(self, other: "Root") -> "Root":
        return Root(self.p + other.p, self.q + other.q)

    def __sub__(self, other: "Root") -> "Root":
        return Root(self.p - other.p, self.q - other.q)

    def __neg__(self) -> "Root":
        return Root(-self.p, -self.q)

    def __mul__(self, other: "Root") -> "Root":
        return Root(self.p * other.p + 2 * self.q * other.q, self.p * other.q + self.q * other.p)

    def __bool__(self) -> bool:
        return bool(self.p) or bool(self.q)


@dataclass(frozen=True)
class Roots:
    """The field Q(√2)."""

    name = "Q(√2)"
    zero, one = Root(QQ.zero, QQ.zero), Root(QQ.one, QQ.zero)

    def coerce(self, x: Any) -> Root:
        return x if isinstance(x, Root) else Root(QQ.coerce(x), QQ.zero)

    def ratio(self, p: int, q: int) -> Root:
        return self.coerce(QQ.ratio(p, q))

    def equal(self, x: Root, y: Root) -> bool:
        return x == y


Q2 = Roots()
SQRT = Root(QQ.zero, QQ.one)
ROUTES = ("auto", "iterated", "recursion", "structured", "closed")
NILPOTENT = [lambda ring: Zero(2, ring=ring), lambda ring: Jordan(0, 2, ring=ring)]


def conjugated(x: Root) -> Root:
    """√2 ↦ -√2, the automorphism of the field."""
    return Root(x.p, -x.q)


@st.composite
def root_paths(draw: st.DrawFn) -> PiecewiseLinearPath[Root]:
    """Paths in R^2 over Q(√2). Shrinks to one piece that rests."""
    number = st.builds(Root, rationals(), rationals())
    return PiecewiseLinearPath(None, draw(st.lists(st.tuples(number, number), min_size=2, max_size=3)), Q2)


@given(root_paths())
def test_the_ews_that_forgets_nothing_is_the_signature(X: PiecewiseLinearPath) -> None:
    assert supports(Q2, Ring)
    S = signature(X, 2)
    assert S.is_group_like()
    for route in ROUTES:
        assert EWS(Zero(2, ring=Q2), depth=2)(X, route=route) == S


@pytest.mark.parametrize("clock", [Time(), Observation(), Given([SQRT, Q2.ratio(-1, 2), 3])])
@pytest.mark.parametrize("make", NILPOTENT)
def test_all_routes_agree_over_a_ring_of_ones_own(make: Any, clock: AbstractClock) -> None:
    # The clock time may be irrational too: with a nilpotent generator it stands in no exponent.
    X = PiecewiseLinearPath([0, 1, 1, fmpq(5, 2)], [[SQRT, 0], [1, SQRT], [Root(fmpq(2), fmpq(3)), 1], [0, 0]], Q2)
    ews = EWS(make(Q2), clock=clock, depth=3)
    S = ews(X)
    assert S.is_group_like()
    for route in ROUTES:
        assert ews(X, route=route) == S
    assert ews(X, 0, 1).algebra == TensorAlgebra(Q2, 2, 3)
    assert ews.reweighted(X).ring == Q2


@given(root_paths())
def test_an_automorphism_of_the_ring_is_one_of_the_ews(X: PiecewiseLinearPath) -> None:
    ews = EWS(Jordan(0, 2, ring=Q2), depth=2)
    turned = PiecewiseLinearPath(None, [list(map(conjugated, point)) for point in X.values], Q2)
    assert ews(turned) == ews.algebra.tensor({w: conjugated(c) for w, c in ews(X).coefficients.items()})


def test_a_clock_time_of_root_two_by_hand() -> None:
    # e^{-rN} (0, v) over the piece: σ_1 = (-r v/2, v).
    ews = EWS(Jordan(0, 2, ring=Q2), clock=Given([SQRT]), depth=1)
    S = ews(PiecewiseLinearPath(None, [[0, 0], [0, 2]], Q2))
    assert S.level(1) == [-SQRT, Q2.coerce(2)]
    assert Jordan(0, 2, ring=Q2).exponential(SQRT)[0, 1] == -SQRT


def test_a_polynomial_has_values_wherever_its_ring_has_elements() -> None:
    u = ExpPolys(EE).variable
    e = EE.exp(EE.one)
    f = u * u + u * 3
    assert f(e) == e * e + 3 * e
    assert f.substituted(e, 2)(fmpq(1, 2)) == f(e + 1)
    with pytest.raises(ValueError, match="no Gaussian rational"):
        ExpPolys(EE).exponential(1)(e)
    with pytest.raises(TypeError, match=r"takes .*, got 0\.5 of type float"):
        f(0.5)


class Exponentials(Roots):
    """Q(√2) as one who has not read on would write a ring with an exponential."""

    def exp(self, x: Root) -> Root:
        return self.one + x


WITH_EXP = Exponentials()
LINE = PiecewiseLinearPath(None, [[0], [1]], WITH_EXP)


@pytest.mark.parametrize("route", ROUTES)
def test_where_a_number_stands_in_an_exponent_it_is_said_how_it_gets_there(route: str) -> None:
    ews = EWS(Diagonal(1, ring=WITH_EXP), depth=1)
    with pytest.raises(TypeError, match=r"is to stand in an exponent, and those lie in QQ_I: .* a method as_gaussian"):
        ews(LINE, route=route)


@pytest.mark.parametrize("make", [lambda: Dense([[0, 1], [0, 0]], ring=Q2), lambda: Dense([[SQRT]], ring=Q2)])
def test_eigenvalues_that_are_to_be_found_ask_for_the_same(make: Any) -> None:
    with pytest.raises(TypeError, match=r"of Q\(√2\) is to stand in an exponent, .* as_gaussian"):
        make()


def test_generators_over_a_ring_of_ones_own_are_the_same_as_over_the_rationals() -> None:
    generators: list[AbstractGenerator] = [Zero(2, ring=Q2), Jordan(0, 2, ring=Q2)]
    for generator, plain in zip(generators, (Zero(2), Jordan(0, 2)), strict=True):
        assert generator.exponential(3) == plain.exponential(3).map(Q2, Q2.coerce)


def test_laws_refute_wrong_code_over_a_ring_whose_numbers_have_no_size() -> None:
    X = PiecewiseLinearPath(None, [[0, 0], [SQRT, 1], [1, Root(fmpq(-1234567, 7654321), fmpq(7654321, 1234567))]], Q2)

    def wrong(path: Any) -> Any:
        S = signature(path, 2)
        return S.algebra.from_levels([S.level(0), [SQRT * x for x in S.level(1)], S.level(2)])

    for law in (laws.chen, laws.shuffle, laws.level_one, laws.time_reversal):
        law(lambda path: signature(path, 2), X)
        with pytest.raises(AssertionError, match=r"fails at word .*\n.* = Root.*\n.* = Root.*\n  no error is allowed"):
            law(wrong, X)


class Fractions:
    """The standard library's fractions, with a door for the three kinds of numbers that the how-to names."""

    name = "Fractions"
    zero, one = Fraction(0), Fraction(1)

    def coerce(self, x: Any) -> Fraction:
        if isinstance(x, Gaussian) and x.is_real:
            x = x.real
        if isinstance(x, fmpq):
            return Fraction(int(x.p), int(x.q))
        if isinstance(x, int | Fraction) and not isinstance(x, bool):
            return Fraction(x)
        raise TypeError(f"no fraction: {x!r}")

    def ratio(self, p: int, q: int) -> Fraction:
        return Fraction(p, q)

    def equal(self, x: Fraction, y: Fraction) -> bool:
        return x == y


@pytest.mark.parametrize("make", NILPOTENT)
def test_a_ring_that_builds_on_none_of_ours_needs_three_kinds_of_numbers(make: Any) -> None:
    ring, points = Fractions(), [[0, 0], [1, 2], [Fraction(1, 3), -1]]
    found = EWS(make(ring), depth=3)(PiecewiseLinearPath(None, points, ring))
    over_QQ = EWS(make(QQ), depth=3)(PiecewiseLinearPath(None, points))
    assert found.vector() == list(map(ring.coerce, over_QQ.vector()))
    N = Matrix(ring, [[0, Fraction(1, 2)], [0, 0]])
    flowed = LinearCDE([N, N]).propagator(PiecewiseLinearPath(None, points, ring))
    assert flowed == Matrix(ring, [[1, Fraction(-1, 3)], [0, 1]])
