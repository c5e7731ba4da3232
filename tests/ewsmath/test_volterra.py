"""The Volterra signature: closed forms, a second route, and what it does not share with the EWS."""

from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, Balls, ExpPolyPath, ExpPolys, Matrix, PiecewiseLinearPath, VolterraSignature, spectrum
from ewsmath.clocks import Given
from ewsmath.generators import Diagonal, Jordan, Rotation, Zero
from ewsmath.linear_cde import lift_matrix
from ewsmath.strategies import clocks, curves, generators, paths

LINE = PiecewiseLinearPath([0, 1], [[0], [1]])


def e(q: Any) -> Any:
    return EE.exp(EE.coerce(q))


def test_the_worked_number_at_rate_13_tenths() -> None:
    rate = fmpq(13, 10)
    V, S = VolterraSignature(Diagonal(rate))(LINE), EWS(Diagonal(rate))(LINE)
    one = (1 - e(-rate)) / rate
    assert V[1] == S[1] == one
    assert V[1, 1] == (1 - (1 + rate) * e(-rate)) / (rate * rate)  # ∫_0^1 r e^{-λr} dr
    assert S[1, 1] == one * one / 2
    for coefficient, known in ((V[1, 1], fmpq(220815, 10**6)), (S[1, 1], fmpq(156571, 10**6))):
        assert (Balls(64).coerce(coefficient) - known).abs_upper() < fmpq(1, 10**6)
    assert not V.is_group_like()
    assert S.is_group_like()


def test_weights_to_the_next_time_by_hand() -> None:
    # X moves by 1 at the times 0 and 1, and rests until 3: ⟨11⟩ = 1/2 e^{-3λ} + 1/2 e^{-2λ} from the jumps alone, and
    # e^{-λ(1-0)} e^{-λ(3-1)} from both, where the EWS has e^{-3λ} e^{-2λ}.
    X = PiecewiseLinearPath([0, 0, 1, 1, 3], [[0], [1], [1], [2], [2]])
    V, S = VolterraSignature(Diagonal(1))(X), EWS(Diagonal(1))(X)
    assert V[1, 1] == (e(-3) + e(-2)) / 2 + e(-3)
    assert S[1, 1] == (e(-6) + e(-4)) / 2 + e(-5)
    assert V[1] == S[1] == e(-3) + e(-2)


def by_exponentials(V: VolterraSignature, path: PiecewiseLinearPath) -> list[Any]:
    """The linear CDE of the Volterra signature, in which A acts on the last slot of each level."""
    A, m = V.generator.matrix, V.generator.dim
    blocks = [Matrix.zeros(V.ring, 1, 1)]
    blocks += [Matrix.identity(V.ring, m ** (n - 1)).kronecker(A) for n in range(1, V.depth + 1)]
    L = Matrix.block_diagonal(V.ring, blocks)
    state = [V.ring.one] + [V.ring.zero] * (V.algebra.size - 1)
    for elapsed, speed in V.stretches(path):
        state = spectrum.exponential(L * -elapsed + lift_matrix(V.ring, speed, V.depth)).apply(state)
    return state


@given(st.data())
def test_it_solves_its_linear_cde(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2))
    X = data.draw(paths(generator.dim, max_steps=2))
    V = VolterraSignature(generator, clock=data.draw(clocks(generator.dim, X.steps)), depth=2)
    assert V(X).vector() == by_exponentials(V, X)


@given(st.data())
def test_level_one_is_that_of_the_ews(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2)).over(EE)
    X = data.draw(curves(generator.dim, max_steps=1))
    assert VolterraSignature(generator)(X).level(1) == EWS(generator)(X).level(1)


@given(paths(2), st.lists(st.integers(-2, 2), min_size=3, max_size=3))
def test_without_weights_it_is_the_signature(X: PiecewiseLinearPath, dtheta: list[int]) -> None:
    S = EWS.signature(2, 3)(X)
    assert VolterraSignature(Zero(2), depth=3)(X) == S
    stopped = VolterraSignature(Diagonal([1, 2]), clock=Given([0] * X.steps), depth=3)(X)
    assert stopped.coefficients == {w: EE.coerce(c) for w, c in S.coefficients.items()}


def test_a_curve_and_a_part_of_a_path() -> None:
    # X_t = t² at rate λ = 1 on [0, 1]: V^1 = ∫ 2u e^{-(1-u)} du = 2/e.
    u = ExpPolys(QQ).variable
    V = VolterraSignature(Diagonal(1), depth=2)
    assert V(ExpPolyPath.from_functions([0, 1], [u * u]))[1] == 2 * e(-1)
    X = PiecewiseLinearPath([0, 1, 3], [[0], [1], [-2]])
    assert V(X, 1, 2) == V(X.restrict(1, 2))
    assert V(X, -2, -1) == V.algebra.one()
    lifted = VolterraSignature(Rotation(1, 2), [[1], [2]])
    assert lifted(X) == VolterraSignature(Rotation(1, 2))(X.lift([[1], [2]]))


def test_balls_and_other_kinds_are_refused() -> None:
    with pytest.raises(ValueError, match="decidable zero"):
        VolterraSignature(Jordan(1, 2, ring=Balls(64)))(PiecewiseLinearPath(None, [[0, 0], [1, 1]]))
    with pytest.raises(TypeError, match="VolterraSignature reads a path, got 5 of type int"):
        VolterraSignature(Zero(1))(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="VolterraSignature takes a clock"):
        VolterraSignature(Zero(1), clock="time")  # type: ignore[arg-type]
    assert str(VolterraSignature(Zero(1))).startswith("VolterraSignature(Zero(")
