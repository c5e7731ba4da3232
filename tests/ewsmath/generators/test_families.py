"""Every family: its matrix as written in the paper's table, its closed form against the general one, its ring."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls, Matrix, exact
from ewsmath.generators import (
    AbstractGenerator,
    ComplexJordan,
    Dense,
    Diagonal,
    DirectSum,
    Jordan,
    Rotation,
    Skew,
    Zero,
)
from ewsmath.spectrum import kernel
from ewsmath.strategies import FAMILIES, generators, rationals

array: Any = np.array

FAMILY = pytest.mark.parametrize("family", FAMILIES)


@FAMILY
@given(data=st.data())
def test_the_closed_form_is_that_of_the_matrix(family: str, data: st.DataObject) -> None:
    generator = data.draw(generators(family))
    assert generator.kernel() == kernel(generator.matrix)


@FAMILY
@given(data=st.data())
def test_exponentials_form_a_group(family: str, data: st.DataObject) -> None:
    generator = data.draw(generators(family))
    r, q = data.draw(rationals()), data.draw(rationals())
    assert generator.exponential(r) @ generator.exponential(q) == generator.exponential(r + q)
    assert generator.exponential(0) == Matrix.identity(generator.ring, generator.dim)


@FAMILY
@given(data=st.data())
def test_balls_enclose_the_exact_exponential(family: str, data: st.DataObject) -> None:
    generator = data.draw(generators(family))
    ring, r = Balls(96), data.draw(rationals())
    exponential = generator.exponential(r)
    assert generator.over(ring).exponential(r) == Matrix.over(ring, exponential)
    assert generator.over(ring).ring == ring
    assert generator.over(EE).matrix == Matrix.over(EE, generator.matrix)


@FAMILY
@given(data=st.data())
def test_the_ring_is_rational_exactly_for_nilpotent_matrices(family: str, data: st.DataObject) -> None:
    generator = data.draw(generators(family))
    assert (generator.ring == QQ) == (not any(generator.eigenvalues))


@pytest.mark.parametrize(
    ("generator", "rows"),
    [
        (Zero(2), [[0, 0], [0, 0]]),
        (Diagonal([1, Fraction(1, 2)]), [[1, 0], [0, QQ.ratio(1, 2)]]),
        (Rotation([1, 2], [3, 4]), [[1, -3, 0, 0], [3, 1, 0, 0], [0, 0, 2, -4], [0, 0, 4, 2]]),
        (Rotation(None, 3), [[0, -3], [3, 0]]),
        (Jordan(2, 3), [[2, 1, 0], [0, 2, 1], [0, 0, 2]]),
        (Jordan([1, 2], 2), [[1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 2, 1], [0, 0, 0, 2]]),
        (ComplexJordan(1, 3, 2), [[1, -3, 1, 0], [3, 1, 0, 1], [0, 0, 1, -3], [0, 0, 3, 1]]),
        (ComplexJordan(None, [1], 1), [[0, -1], [1, 0]]),
        (Skew([1, 2, 2]), [[0, 1, 2], [-1, 0, 2], [-2, -2, 0]]),
        (Skew([[5, 3], [1, 7]]), [[0, 2], [-2, 0]]),
        (Skew(Matrix(QQ, [[5, 3], [1, 7]]), ring=EE), [[0, 2], [-2, 0]]),
        (Dense([[1, 2], [0, 3]]), [[1, 2], [0, 3]]),
        (DirectSum(Diagonal(1), Rotation(0, 2)), [[1, 0, 0], [0, 0, -2], [0, 2, 0]]),
    ],
    ids=lambda x: type(x).__name__ if isinstance(x, AbstractGenerator) else "",
)
def test_matrices_are_those_of_the_table(generator: AbstractGenerator, rows: list[list[int]]) -> None:
    assert generator.matrix == Matrix(generator.ring, rows)


def test_known_exponentials() -> None:
    def e(q: Any) -> Any:
        return EE.exp(EE.coerce(q))

    i, half = QQ_I.i, QQ.ratio(1, 2)
    cosine, sine = (e(2 * i) + e(-2 * i)) / 2, (e(2 * i) - e(-2 * i)) / (2 * i)
    decay = e(-half)
    assert Rotation(half, 2).exponential(1) == Matrix(
        EE, [[decay * cosine, decay * sine], [-decay * sine, decay * cosine]]
    )
    assert Jordan(1, 3).exponential(2) == Matrix(
        EE, [[e(-2), -2 * e(-2), 2 * e(-2)], [0, e(-2), -2 * e(-2)], [0, 0, e(-2)]]
    )
    assert Jordan(0, 2).exponential(half) == Matrix(QQ, [[1, -half], [0, 1]])


def test_integers_of_every_kind_give_the_same_matrix() -> None:
    Q = [[-3, 3], [2, -2]]
    found = [
        Dense(array(Q)),
        Dense(array(Q, dtype=np.int8)),
        Dense([[Fraction(x) for x in row] for row in Q]),
        Dense(exact(array(Q, dtype=np.float32))),
    ]
    assert all(generator == Dense(Q) for generator in found)
    # The rate matrix that a numerical library got wrong for integers: rows of e^{7Q} sum to one, here 0.4 + 0.6.
    E = Dense(Q).exponential(-7)
    assert [E[0, 0] + E[0, 1], E[1, 0] + E[1, 1]] == [1, 1]
    error = E.map(Balls(96), Balls(96).coerce) - Matrix(Balls(96), [[QQ.ratio(2, 5), QQ.ratio(3, 5)]] * 2)
    assert max(x.abs_upper() for x in error.entries) < QQ.ratio(1, 10**12)


def test_small_integers_do_not_wrap() -> None:
    assert Rotation(None, np.int8(-128)).matrix == Matrix(EE, [[0, 128], [-128, 0]])
    assert Skew(array([[0, 100], [-100, 0]], dtype=np.int8)).matrix == Matrix(EE, [[0, 200], [-200, 0]])


@pytest.mark.parametrize(
    "build",
    [
        lambda: Diagonal([0.5]),
        lambda: Rotation([0.5], [1]),
        lambda: Jordan(0.5, 2),
        lambda: Dense([[0.5]]),
        lambda: Skew([0.5]),
        lambda: Dense(array([[1.0]])),
    ],
)
def test_floats_are_refused(build) -> None:
    with pytest.raises(TypeError, match="A float is not exact"):
        build()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Zero(0), "width m"),
        (lambda: Rotation([1], [1, 2]), "1 dampings but 2 frequencies"),
        (lambda: Jordan(1, 0), "size of a block"),
        (lambda: Skew([1, 2]), r"2 entries are no triangle.*m\(m-1\)/2"),
        (lambda: Skew([[1, 2]]), "square"),
        (lambda: Dense([[1, 2]]), "square"),
        (lambda: Dense([]), "at least one row"),
        (lambda: DirectSum(), "at least one generator"),
        (lambda: Dense([[1, 2], [2, 2]]), r"does not split over Q\(i\).*ring=Balls"),
        (lambda: Skew([1, 1, 1]), r"does not split over Q\(i\)"),
        (lambda: Diagonal([1], ring=QQ), r"not nilpotent are not in QQ.*ring=EE"),
        (lambda: Diagonal([Balls(64).one, Balls(65).one]), "say which is meant"),
        (lambda: DirectSum(Diagonal(1, ring=Balls(64)), Diagonal(1, ring=Balls(65))), "say which is meant"),
        (lambda: Diagonal(1, ring=Balls(64)).kernel(), "decidable zero"),
        (lambda: Diagonal(1, ring=Balls(64)).eigenvalues, "use EE"),
        (lambda: Diagonal(1).exponential(EE.exp(EE.one)), "no Gaussian rational"),
    ],
)
def test_bad_arguments_are_refused(build, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Dense(5), "made of rows, got 5 of type int"),  # type: ignore[arg-type]
        (lambda: Dense([1, 2]), "row 0 of a matrix is a sequence of numbers, got 1 of type int"),  # type: ignore[list-item]
        (lambda: Dense(array([1, 2])), "row 0 of a matrix is a sequence of numbers"),
        (lambda: Zero(True), "width m"),
        (lambda: ComplexJordan(1, 1, True), "size of a block"),
        (lambda: DirectSum(Zero(1), 5), "takes generators, got 5 of type int"),  # type: ignore[arg-type]
    ],
)
def test_things_of_the_wrong_kind_are_refused(build, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        build()


def test_one_entry_is_a_triangle() -> None:
    assert Skew(3) == Skew([3])  # as one rate is a diagonal


def test_rings_follow_from_the_parameters() -> None:
    ring = Balls(64)
    assert Diagonal([ring.one, 2]).ring == ring
    assert DirectSum(Diagonal(1, ring=ring), Jordan(0, 2)).ring == ring
    assert DirectSum(Zero(1), Jordan(0, 2)).ring == QQ
    assert DirectSum(Zero(1), Zero(1, ring=QQ_I)).ring == QQ_I
    assert DirectSum(Zero(1), Jordan(1, 2)).ring == EE
    assert Skew([ring.one, ring.one, ring.one]).ring == ring
    assert Zero(2).over(ring).ring == ring
    assert Diagonal([QQ_I.i]).ring == EE
    assert Dense([[QQ_I.i, QQ_I.one], [QQ_I.one, -QQ_I.i]]).ring == EE  # nilpotent, but not rational


def test_complex_balls_take_complex_generators() -> None:
    ring = ComplexBalls(96)
    A = Dense([[QQ_I.i, 1], [0, 2]])
    assert A.over(ring).exponential(1) == Matrix.over(ring, A.exponential(1))


def test_generators_are_equal_when_ring_and_matrix_are() -> None:
    assert Rotation(0, 1) == Skew([-1]) == Dense([[0, -1], [1, 0]])
    assert Rotation(0, 1) != Rotation(0, 1, ring=Balls(64))
    assert Rotation(0, 1) != 1
    assert repr(Zero(1)) == "Zero(matrix=Matrix(QQ, [[0]]))"


@FAMILY
@given(data=st.data())
def test_a_generator_in_balls_keeps_its_exact_parameters(family: str, data: st.DataObject) -> None:
    exact_one = data.draw(generators(family))
    sharp = exact_one.over(Balls(16)).over(Balls(300))
    assert type(sharp) is type(exact_one)
    assert [x.radius for x in sharp.matrix.entries] == [
        x.radius for x in Matrix.over(Balls(300), exact_one.matrix).entries
    ]


@pytest.mark.parametrize(
    "make",
    [
        lambda third, ring: Diagonal(third, ring=ring),
        lambda third, ring: Jordan(third, 2, ring=ring),
        lambda third, ring: Rotation(third, third, ring=ring),
        lambda third, ring: ComplexJordan(None, third, 2, ring=ring),
        lambda third, ring: Skew([third], ring=ring),
        lambda third, ring: Skew([[0, third], [0, 0]], ring=ring),
        lambda third, ring: Dense([[third, 1], [1, 0]], ring=ring),
        lambda third, ring: DirectSum(Diagonal(third, ring=ring), Zero(1)),
    ],
)
def test_raising_the_precision_sharpens(make) -> None:
    coarse = make(Fraction(1, 3), Balls(16))
    assert max(x.radius for x in coarse.matrix.entries) > 0
    assert max(x.radius for x in coarse.over(Balls(512)).matrix.entries) < QQ.ratio(1, 2**500)
