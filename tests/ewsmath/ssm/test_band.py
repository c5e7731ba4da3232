"""The options of the S4 releases that change numbers only: the band limit, real modes, and steps of a sinh."""

from math import pi as PI
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls
from ewsmath.rings import ComplexBalls
from ewsmath.ssm import FRACTIONS, S4, S4D, Conversion, Exponentiated, Recurrence, Softplus, UndecidedError, certify
from ewsmath.ssm.band import in_band, limited
from ewsmath.ssm.functions import pi
from ewsmath.ssm.numbers import fast_step
from ewsmath.strategies import rationals

HALF = QQ.ratio(1, 2)
INPUTS = [[1], [QQ.ratio(-2, 3)], [3]]
positive_rationals = st.builds(QQ.ratio, st.integers(1, 9), st.integers(1, 4))


@given(rationals(max_numerator=20), positive_rationals, rationals(max_numerator=4))
def test_the_band_is_that_of_floats(frequency, step, bandlimit) -> None:
    turns = abs(int(frequency.p)) * int(step.p) / (int(frequency.q) * int(step.q) * 2 * PI)
    assert in_band(QQ_I.number(-1, frequency), step, bandlimit) == (turns < int(bandlimit.p) / int(bandlimit.q) / 2)


def test_the_band_is_decided_near_its_limit_and_open_at_0() -> None:
    assert in_band(-EE.one, 1, HALF)
    assert not in_band(-EE.one, 1, 0)
    assert not in_band(QQ_I.i, 1, -1)
    limit, width = (Balls(300).one / pi(Balls(300))).mid, QQ.ratio(1, 2**290)  # Δ |Im a| = 1 is its half turn
    for sign in (1, -1):
        assert in_band(QQ_I.i * sign, 1, limit + width)
        assert not in_band(QQ_I.i * sign, 1, limit - width)
    with pytest.raises(UndecidedError, match="whether the eigenvalue i at the step 1 is in the band"):
        in_band(QQ_I.i, 1, (Balls(6000).one / pi(Balls(6000))).mid)


def test_a_band_limit_zeroes_the_read_out_and_leaves_the_states_alone() -> None:
    # Δ = 1: the frequencies 2 and 4 stand on either side of π b = π.
    arrays: Any = {"inv_dt": [[0]], "A_real": [[0, 0]], "A_imag": [[2, 4]], "B": [[[[1, 0]] * 2]]}
    whole, limit = (S4D.from_release(**arrays, C=[[[[1, 1], [1, -2]]]], bandlimit=b) for b in (None, 1))
    assert [list(map(list, model.C)) for model in (whole, limit)] == [
        [[QQ_I.number(1, 1), QQ_I.number(1, -2)]],
        [[QQ_I.number(1, 1), 0]],
    ]
    assert certify(limit, INPUTS).holds(30)
    kept = S4D.from_release([[0]], [[0]], [[2]], [[[[1, 0]]]], [[[[1, 1]]]])
    found, expected = (Recurrence(model, Balls(128)).run(INPUTS).outputs for model in (limit, kept))
    assert found == expected
    assert limited([[5]], [[QQ_I.i]], [[1]], None) == [[5]]


def test_a_band_limit_of_s4_acts_on_what_is_stored() -> None:
    arrays: Any = {"inv_dt": [[0]], "A_real": [[0, 0]], "A_imag": [[2, 4]], "B": [[[[1, 0]] * 2]]}
    arrays |= {"P": [[[[HALF, 1]] * 2]], "C": [[[[1, 1]] * 2]], "l_kernel": 4}
    unlimited, wide, narrow = (S4.from_release(**arrays, bandlimit=b) for b in (None, 2, 1))
    assert wide.C == unlimited.C
    assert list(narrow.C[0]) == [QQ_I.number(1, 1), 0]
    assert certify(narrow, INPUTS).holds(30)
    # The low-rank part mixes the modes: the C that is made of the stored one has no zero.
    assert all(not x.overlaps(x.ring.zero) for x in narrow.readout(Balls(128)).matrix.entries)


def test_real_modes() -> None:
    options: Any = {"real_transform": "none", "is_real": True}
    model = S4D.from_release([[0, 1]], [[0, 1]], None, [[[1, 2]]], [[[3, -1]]], **options, bandlimit=HALF)
    assert model.eigenvalue == (0, -1)
    assert [list(row) for row in model.C] == [[3, -1]]
    assert certify(model, INPUTS).holds(30)
    # With the rate 0 and the step 1 a sum.
    total = S4D.from_release([[0]], [[0]], None, [[[1]]], [[[1]]], **options)
    assert Recurrence(total, FRACTIONS).run(INPUTS).outputs == [[2], [QQ.ratio(2, 3)], [QQ.ratio(20, 3)]]
    assert list(Conversion(total, FRACTIONS).generator.matrix.entries) == [0, 0, 0, 0]
    with pytest.raises(ValueError, match="is_real stores no imaginary parts: give A_imag=None"):
        S4D.from_release([[0]], [[0]], [[1]], [[[1]]], [[[1]]], is_real=True)


@given(rationals())
def test_fast_steps_are_transforms_of_a_sinh(x) -> None:
    ring = ComplexBalls(128)
    sinh = (ring.exp(ring.coerce(x)) - ring.exp(ring.coerce(-x))) / 2
    fast, soft = fast_step("exp", x, "x"), fast_step("softplus", x, "x")
    assert isinstance(fast, Exponentiated)
    assert isinstance(soft, Softplus)
    assert ring.coerce(fast) == ring.exp(sinh)
    assert ring.exp(ring.coerce(soft)) == 1 + ring.exp(sinh)


def test_models_with_fast_steps() -> None:
    # Stored is arsinh of the logarithm of the step, so a negative number for a step below 1.
    one: Any = [[[[1, 0]]]]
    model = S4D.from_release([[-1]], [[1]], [[3]], one, one, dt_fast=True, disc="bilinear")
    assert repr(model.step[0]) == "Exponentiated(1/2*e^(-1) - 1/2*e^(1))"
    assert model.obstacle() is None
    assert certify(model, INPUTS).holds(30)
    full = S4.from_release([[-1]], [[1]], [[3]], one, one, one, dt_fast=True, dt_transform="softplus")
    assert certify(full, INPUTS).holds(30)
    with pytest.raises(ValueError, match="S4D: inv_dt: no transform 'none' of sinh: 'exp' or 'softplus'"):
        S4D.from_release([[1]], [[1]], [[3]], one, one, dt_fast=True, dt_transform="none")
