"""The four routes for one piece are twins: equal in exact rings, overlapping in balls."""

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, QQ_I, Balls, ComplexBalls, TensorAlgebra
from ewsmath.ews import local_group, local_iterated, local_recursion, local_structured
from ewsmath.generators import ComplexJordan, Dense, Diagonal, DirectSum, Jordan, Rotation, Skew, Zero
from ewsmath.rings import Ball
from ewsmath.strategies import FAMILIES, generators, rationals, vectors

FAMILY = pytest.mark.parametrize("family", FAMILIES)


@FAMILY
@given(data=st.data())
def test_the_three_exact_routes_agree(family: str, data: st.DataObject) -> None:
    generator = data.draw(generators(family, max_dim=2))
    depth = data.draw(st.integers(1, 3 if generator.dim < 2 else 2))
    r, v = data.draw(rationals()), data.draw(vectors(QQ, generator.dim))
    found = local_iterated(generator, r, v, depth)
    assert local_recursion(generator, r, v, depth) == found
    assert local_structured(generator, r, v, depth) == found
    assert found.is_group_like()


def test_the_three_exact_routes_agree_on_a_deeper_piece() -> None:
    for generator, depth in [(Jordan(1, 3), 3), (Rotation(QQ.ratio(1, 2), 2), 4), (Jordan(0, 2), 5)]:
        v = [1, -2, QQ.ratio(1, 3)][: generator.dim]
        found = local_iterated(generator, 2, v, depth)
        assert local_recursion(generator, 2, v, depth) == found
        assert local_structured(generator, 2, v, depth) == found


@FAMILY
@given(data=st.data())
def test_the_ball_routes_enclose_the_exact_value(family: str, data: st.DataObject) -> None:
    exact = data.draw(generators(family, max_dim=2))
    ring = data.draw(st.sampled_from([Balls(96), ComplexBalls(96)]))
    depth = data.draw(st.integers(1, 3))
    r, v = data.draw(rationals()), data.draw(vectors(QQ, exact.dim))
    generator = exact.over(ring)
    truth = TensorAlgebra(ring, exact.dim, depth).tensor(local_iterated(exact, r, v, depth).coefficients)
    group = local_group(generator, r, v, depth)
    assert group == truth
    assert local_structured(generator, r, v, depth) == truth
    # 96 bits; norms of at most 5·(3 + 1)·2 = 40 take ten squarings, each of which may cost a few bits, and e^{40·3}
    # (173 bits) bounds the growth of level three.
    largest = max(c.abs_upper() for c in group.vector())
    assert max(c.radius for c in group.vector()) <= largest * fmpq(1, 2**40)


@pytest.mark.parametrize("prec", [64, 128, 256])
@pytest.mark.parametrize("r", [0, fmpq(1, 10**6), 1, -3, 40])
def test_the_group_route_is_sharp_at_every_precision_and_length(prec: int, r: fmpq) -> None:
    ring = Balls(prec)
    generator = Rotation([fmpq(1, 3)], [2], ring=ring)
    truth = TensorAlgebra(ring, 2, 3).tensor(local_iterated(Rotation([fmpq(1, 3)], [2]), r, [1, -2], 3).coefficients)
    found = local_group(generator, r, [1, -2], 3)
    assert found == truth
    for n in range(1, 4):
        largest = max(c.abs_upper() for c in found.level(n))
        # Ten squarings at most for ‖rA‖ < 100, each losing less than four bits by its sums of 2n products.
        assert max(c.radius for c in found.level(n)) < largest * fmpq(2**44, 2**prec)


def test_the_remainder_is_in_the_radius() -> None:
    # With 2 bits the Taylor series ends at once: the ball still holds the value, since the bound is added.
    ring = Balls(2)
    found = local_group(Diagonal(1, ring=ring), 1, [1], 3)
    truth = local_iterated(Diagonal(1), 1, [1], 3)
    for n in range(4):
        assert found.level(n)[0] == Balls(64).coerce(truth.level(n)[0]).mid
    assert found[1].radius > 0


def test_the_group_route_leaves_out_what_is_never_reached() -> None:
    ring = Balls(96)
    # e_3 leads to e_2 by the superdiagonal, e_2 to e_1; e_1 to nothing else; e_4 is driven by nothing.
    exact = DirectSum(Jordan(1, 3), Diagonal(2))
    for v, letters in (([0, 0, 1, 0], {1, 2, 3}), ([0, 1, 0, 0], {1, 2}), ([1, 0, 0, 0], {1}), ([0] * 4, set())):
        found = local_group(exact.over(ring), 2, v, 3)
        truth = local_iterated(exact, 2, v, 3)
        assert found == TensorAlgebra(ring, 4, 3).tensor(truth.coefficients)
        assert {letter for word in found.coefficients for letter in word} == letters
    still = local_group(exact.over(ring), 0, [0, 0, 1, 0], 2)
    assert set(still.coefficients) == {(), (3,), (3, 3)}


def test_irrational_spectra_work_in_balls() -> None:
    ring = Balls(128)
    generator = Dense([[-3, 1, 2], [1, -1, 0], [1, 0, -2]], ring=ring)
    assert local_group(generator, 1, [1, 2, 3], 2) == local_structured(generator, 1, [1, 2, 3], 2)


def test_balls_of_some_width_are_carried_through() -> None:
    ring = Balls(96)
    wide = ring.ratio(1, 2) + ring.square_root(ring.coerce(2)) - ring.square_root(ring.coerce(2))
    generator = Diagonal([wide, 1], ring=ring)
    truth = local_iterated(Diagonal([fmpq(1, 2), 1]), 1, [1, 2], 3)
    assert local_group(generator, 1, [1, 2], 3) == TensorAlgebra(ring, 2, 3).tensor(truth.coefficients)


def test_the_structured_route_forms_no_large_matrix() -> None:
    for generator in (Zero(6), Diagonal([1] * 6, ring=Balls(64))):
        with pytest.raises(ValueError, match=r"259 x 259 matrix \(6 letters at depth 3\).*route='group'"):
            EWS(generator, depth=3).local(1, [1] * 6, route="structured")


def test_routes_refuse_the_wrong_kind_of_ring() -> None:
    with pytest.raises(ValueError, match=r"works in balls, got EE"):
        local_group(Diagonal(1), 1, [1], 2)
    for route in (local_iterated, local_recursion):
        with pytest.raises(ValueError, match="decidable zero"):
            route(Diagonal(1, ring=Balls(64)), 1, [1], 2)


def test_the_group_route_refuses_what_would_leave_no_digit() -> None:
    ring = Balls(64)
    for r in (ring.coerce(2**70), Ball(ring, arb.pos_inf()), Ball(ring, arb.nan())):
        with pytest.raises(ValueError, match=r"at 64 bits needs ‖rA‖ < 2\^64"):
            local_group(Diagonal(1, ring=ring), r, [1], 2)


@pytest.mark.parametrize("x", [arb.pos_inf(), arb.nan(), arb(0, arb.pos_inf())])
def test_the_group_route_refuses_an_unbounded_increment(x: arb) -> None:
    ring = Balls(64)
    with pytest.raises(ValueError, match="bounded increment"):
        local_group(Diagonal(1, ring=ring), 1, [Ball(ring, x)], 2)


@pytest.mark.parametrize("prec", [2, 3, 8])
def test_the_group_route_ends_and_encloses_in_a_few_bits(prec: int) -> None:
    v = [fmpq(1, 3), fmpq(10**50)]
    generator = Diagonal([1, fmpq(1, 3)])
    truth = EWS(generator, depth=5).local(1, v)
    found = local_group(generator.over(Balls(prec)), 1, v, 5)
    assert all(ball == Balls(400).coerce(x) for ball, x in zip(found.vector(), truth.vector(), strict=True))


def test_a_nilpotent_generator_stays_rational() -> None:
    # A = N, r = 1, v = e_2: level one is (−∫(1−u) du, 1) = (−1/2, 1).
    found = local_iterated(Jordan(0, 2), 1, [0, 1], 2)
    assert found.level(1) == [fmpq(-1, 2), 1]
    assert found.algebra.ring == QQ
    # ⟨12⟩ = ∫_{u<w} −(1−u) du dw = −1/3, ⟨21⟩ = −1/6, ⟨11⟩ = (1/2)²/2.
    assert found.level(2) == [fmpq(1, 8), fmpq(-1, 3), fmpq(-1, 6), fmpq(1, 2)]


def test_complex_data_in_the_exact_ring() -> None:
    generator, v = Diagonal([QQ_I.number(1, 1), QQ_I.i]), [QQ_I.i, 1]
    found = local_iterated(generator, 1, v, 2)
    assert local_recursion(generator, 1, v, 2) == local_structured(generator, 1, v, 2) == found
    assert found.algebra.ring == EE


@pytest.mark.parametrize(
    "generator",
    [
        Skew([1, 2, 2]),
        ComplexJordan(1, 2, 2),
        DirectSum(Jordan(1, 2), Rotation(0, 1)),
        Dense([[1, 1, 1, 0], [-2, -1, 0, -1], [0, 0, -1, -1], [0, 0, 2, 1]]),
    ],
    ids=["skew", "complex jordan", "direct sum", "repeated ±i"],
)
def test_wide_generators_at_depth_two(generator) -> None:
    v = [1, -1, 2, fmpq(1, 2)][: generator.dim]
    exact = local_iterated(generator, fmpq(1, 2), v, 2)
    ring = Balls(96)
    balls = TensorAlgebra(ring, generator.dim, 2).tensor(exact.coefficients)
    assert local_group(generator.over(ring), fmpq(1, 2), v, 2) == balls
    assert local_structured(generator.over(ring), fmpq(1, 2), v, 2) == balls
