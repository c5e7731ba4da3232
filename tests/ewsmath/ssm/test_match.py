"""Any linear recurrence: Culver's condition decided, logarithms with every Jordan structure, lifts by three routes."""

import pytest
from flint import acb, arb
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls, Matrix
from ewsmath.rings import Ball, WorkingPrecision
from ewsmath.spectrum import exponential
from ewsmath.ssm import FRACTIONS, Conversion, LinearSSM, UndecidedError, certify, match
from ewsmath.ssm.culver import complex_structure, jordan_structure, obstacle
from ewsmath.ssm.determinant import determinant
from ewsmath.ssm.eigenvalues import enclosed_eigenvalues, is_certainly_real
from ewsmath.ssm.functions import pi
from ewsmath.ssm.lift import lift, lift_by_series, lift_from_steady_state, phi1_matrix, steady_state
from ewsmath.ssm.logarithm import free_turn, principal_logarithm, turned_logarithm
from ewsmath.strategies import square_matrices

R, C = Balls(192), ComplexBalls(192)
SINGULAR, NOT_REAL = "transition is singular: no logarithm", "no real logarithm; use the doubled form"
INPUTS = [[1], [-2], [QQ.ratio(1, 3)]]


def jordan(*blocks: tuple[int, int]) -> Matrix:
    """A direct sum of Jordan blocks (eigenvalue, size), in a basis that hides them."""
    parts = [Matrix(QQ, [[x * (i == j) + (j == i + 1) for j in range(n)] for i in range(n)]) for x, n in blocks]
    J = Matrix.block_diagonal(QQ, parts)
    n = J.shape[0]
    P = Matrix(QQ, [[1 if i == j else (i + 2 * j) % 3 - 1 if j < i else 0 for j in range(n)] for i in range(n)])
    return P @ J @ P.inverse()


def column(n: int) -> Matrix:
    return Matrix.column(QQ, [k + 1 for k in range(n)])


# Blocks (eigenvalue, size), and whether there is a real logarithm.
CASES = [
    ([(-1, 1)], False),
    ([(-1, 1), (-2, 1)], False),
    ([(-1, 1), (-1, 1)], True),
    ([(-1, 2)], False),
    ([(-1, 2), (-1, 1)], False),
    ([(-1, 2), (-1, 2)], True),
    ([(-1, 2), (-1, 1), (-1, 1)], False),
    ([(-2, 2), (-2, 2), (-2, 1), (-2, 1)], True),
    ([(-2, 1), (-2, 1), (-2, 1), (-2, 1)], True),
    ([(-1, 1), (-1, 1), (-3, 1), (-3, 1), (2, 2)], True),
    ([(1, 3)], True),
    ([(1, 2), (3, 1)], True),
]


@pytest.mark.parametrize(("blocks", "real"), CASES)
def test_culver_on_jordan_blocks(blocks, real: bool) -> None:
    A = jordan(*blocks)
    assert obstacle(A) == (None if real else NOT_REAL)
    sizes = {x: sorted((n for y, n in blocks if y == x), reverse=True) for x, _ in blocks}
    structure = jordan_structure(A)
    assert {int(-f.polynomial[0] / f.polynomial[1]): list(f.sizes) for f in structure} == sizes
    n = A.shape[0]
    generator = Conversion(LinearSSM(A, column(n)), R).generator
    assert generator.dim == (n if real else 2 * n)
    assert certify(LinearSSM(A, column(n)), INPUTS[:2]).holds(30)
    if real:
        assert Matrix.over(R, A) == generator.exponential(1)
        J = complex_structure(A)
        assert J @ A == A @ J
    else:
        with pytest.raises(ValueError, match="no real logarithm"):
            match(A, column(n), R, form="real")


def test_a_complex_structure_in_the_basis_of_the_blocks() -> None:
    # Here the kernel of (A + 1)² starts with vectors of the kernel of A + 1, which generate no block of size 2.
    A = Matrix(QQ, [[-1, 1, 0, 0], [0, -1, 0, 0], [0, 0, -1, 1], [0, 0, 0, -1]])
    assert complex_structure(A) == Matrix(QQ, [[0, -1], [1, 0]]).kronecker(Matrix.identity(QQ, 2))


# x² - 2 has the negative root -√2, x² - x + 1 and x² + 1 have no real root, x³ + 2 has one that is negative.
COMPANIONS = [
    ([[0, 2], [1, 0]], False),
    ([[0, -1], [1, 1]], True),
    ([[0, -1], [1, 0]], True),
    ([[0, 0, -2], [1, 0, 0], [0, 1, 0]], False),
    ([[3, -1], [1, 0]], True),
]


@pytest.mark.parametrize(("rows", "real"), COMPANIONS)
@pytest.mark.parametrize("copies", [1, 2])
def test_culver_with_algebraic_eigenvalues(rows, real: bool, copies: int) -> None:
    # The tensor product with I_2 always meets the condition, and so the doubled form exists.
    A = Matrix(QQ, rows).kronecker(Matrix.identity(QQ, copies))
    assert (obstacle(A) is None) == (real or copies == 2)
    found = Conversion(LinearSSM(A, column(A.shape[0])), R).generator
    assert found.dim == A.shape[0] * (1 if real or copies == 2 else 2)
    assert certify(LinearSSM(A, column(A.shape[0])), INPUTS[:2]).holds(30)


@given(square_matrices(2), square_matrices(2))
def test_real_logarithms_of_draws(A: Matrix, M: Matrix) -> None:
    reason = obstacle(A)
    a, b, c, d = A.entries
    trace, det = a + d, a * d - b * c
    if det == 0:
        assert reason == SINGULAR
        with pytest.raises(ValueError, match=SINGULAR):
            match(A, M, R)
        return
    # The textbook rule for 2 x 2 matrices: no negative eigenvalue, or a negative multiple of I.
    discriminant = trace * trace - 4 * det
    scalar = b == c == 0 and a == d
    negative = discriminant >= 0 and (det < 0 or trace < 0)
    assert (reason is None) == (not negative or scalar)
    (layer,), T = match(A, M, R)
    back = layer.generator.exponential(1)
    B = phi1_matrix(layer.generator.matrix) @ layer.lift
    if T is None:
        assert back == Matrix.over(R, A)
        assert Matrix.over(R, M) == B
    else:
        assert back == Matrix.over(R, A).kronecker(Matrix.identity(R, 2))
        assert Matrix(R, [row for x in M.rows for row in (x, [0, 0])]) == B


@given(square_matrices(2, QQ_I))
def test_complex_transitions_are_doubled(A: Matrix) -> None:
    model = LinearSSM(A, [[1], [QQ_I.i]])
    det = A[0, 0] * A[1, 1] - A[0, 1] * A[1, 0]
    if not det:
        assert model.obstacle() == SINGULAR
        return
    assert certify(model, INPUTS[:2]).holds(30)


@given(square_matrices(3))
def test_determinants(A: Matrix) -> None:
    (a, b, c), (d, e, f), (g, h, i) = A.rows
    assert determinant(A) == a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    assert determinant(Matrix(QQ, [[a, b], [d, e]])) == a * e - b * d


@given(square_matrices(2), square_matrices(2))
def test_three_routes_to_a_lift(A: Matrix, Bbar: Matrix) -> None:
    A, Bbar = Matrix.over(R, A), Matrix.over(R, Bbar)
    small = A.scaled(R.ratio(1, 16))
    solved = phi1_matrix(small).inverse() @ Bbar
    assert lift_by_series(small, Bbar) == lift(small, Bbar) == solved
    Abar = exponential(-small)
    try:
        constant = steady_state(Abar, Bbar)
    except ZeroDivisionError:  # 1 is an eigenvalue: there is no steady state
        return
    assert lift_from_steady_state(small, constant) == solved


def test_the_series_of_a_lift_knows_where_it_ends() -> None:
    with pytest.raises(ValueError, match="needs ‖A‖ < 2π"):
        lift_by_series(Matrix(R, [[7]]), Matrix(R, [[1]]))
    zero = Matrix.zeros(C, 2, 2)
    assert lift(zero, Matrix(C, [[1], [2]])) == Matrix(C, [[1], [2]])
    assert lift_by_series(Matrix(R, [[3]]), Matrix(R, [[1]])) == lift(Matrix(R, [[3]]), Matrix(R, [[1]]))


def test_the_remainder_of_the_series_is_in_the_radius() -> None:
    # One term is enough for 192 bits, and what it leaves out, A/2, is in the ball.
    tiny = QQ.ratio(1, 2**300)
    (found,) = lift_by_series(Matrix(R, [[tiny]]), Matrix(R, [[1]])).entries
    assert tiny / 2 < found.radius < 8 * tiny
    assert found.mid == 1


def test_a_quarter_turn() -> None:
    (layer,), T = match([[0, -1], [1, 0]], [[1], [0]], R)
    half = pi(R) / 2
    assert layer.generator.matrix == Matrix(R, [[0, half], [-half, 0]])
    assert T is None


def test_minus_the_identity_has_half_a_turn_as_logarithm() -> None:
    (layer,), _ = match([[-1, 0], [0, -1]], [[1], [0]], R)
    squares = layer.generator.matrix @ layer.generator.matrix
    assert squares == Matrix.identity(R, 2) * -(pi(R) * pi(R))


@pytest.mark.parametrize(
    ("rows", "dim"),
    [
        ([[EE.exp(EE.one), 1], [0, EE.exp(EE.one)]], 2),  # defective, and not rational
        ([[-EE.exp(EE.one), 1], [0, 2]], 4),  # a simple negative eigenvalue
        ([[-EE.exp(EE.one), 0], [0, -EE.exp(EE.one)]], 4),  # a pair that balls do not prove to be one
        ([[0, -EE.exp(EE.one)], [1, 0]], 2),
    ],
)
def test_transitions_that_are_not_rational(rows, dim: int) -> None:
    model = LinearSSM(rows, [[1], [2]])
    assert Conversion(model, R).generator.dim == dim
    assert certify(model, INPUTS[:2]).holds(30)


def test_what_balls_leave_undecided() -> None:
    e = EE.exp(EE.one)
    simple = Matrix(R, [[-e, 1], [0, 2]])
    with pytest.raises(ValueError, match="no real logarithm"):
        match(simple, [[1], [1]], R, form="real")
    pair = Matrix(R, [[-e, 0], [0, -e]])
    with pytest.raises(UndecidedError, match="whether there is a real logarithm"):
        match(pair, [[1], [1]], R, form="real")
    with pytest.raises(UndecidedError, match="whether the transition is singular"):
        match(Matrix(R, [[0, 0], [0, 1]]), [[1], [1]], R)
    with pytest.raises(ValueError, match="no real logarithm"):
        match(Matrix(C, [[QQ_I.i, 0], [0, 1]]), [[1], [1]], R, form="real")
    with pytest.raises(UndecidedError, match="which may be on the negative axis"):
        principal_logarithm(Matrix(C, [[-1]]), [-C.one])
    unbounded = Matrix.flat(C, [Ball(C, C.one.value * arb.pos_inf())], 1)
    with pytest.raises(UndecidedError, match="which is unbounded"):
        enclosed_eigenvalues(unbounded)


def test_balls_that_are_too_wide_say_so() -> None:
    with pytest.raises(UndecidedError, match="their balls are unbounded"):  # two bits do not part six points
        enclosed_eigenvalues(Matrix.identity(ComplexBalls(2), 6))
    coarse = ComplexBalls(16)
    wide = Ball(coarse, acb(arb(5, 4.9), arb(0, 1000)))
    with pytest.raises(UndecidedError, match="the divided difference of log"):
        principal_logarithm(Matrix.diagonal(coarse, [wide, wide]), [wide, wide])


def test_a_singular_transition_over_ee_is_decided() -> None:
    e = EE.exp(EE.one)
    model = LinearSSM([[e, e * e], [1, e]], [[1], [1]])
    assert model.obstacle() == SINGULAR
    assert LinearSSM([[e, e * e], [1, 1]], [[1], [1]]).obstacle() is None


@given(square_matrices(3))
def test_eigenvalues_of_balls_are_enclosed(A: Matrix) -> None:
    found = enclosed_eigenvalues(Matrix.over(C, A))
    assert len(found) == 3
    total = found[0] + found[1] + found[2]
    assert total == A[0, 0] + A[1, 1] + A[2, 2]
    assert found[0] * found[1] * found[2] == determinant(A)


def test_eigenvalues_that_are_not_told_apart_share_a_ball() -> None:
    found = enclosed_eigenvalues(Matrix.over(C, jordan((2, 3), (5, 1))))
    assert sum(z.overlaps(C.coerce(2)) for z in found) == 3
    assert sum(z.overlaps(C.coerce(5)) for z in found) == 1
    assert max(z.radius for z in found) < QQ.ratio(1, 10**15)
    zeros = enclosed_eigenvalues(Matrix.zeros(C, 2, 2))
    assert all(z == 0 for z in zeros)


def test_what_proves_an_eigenvalue_of_a_real_matrix_real() -> None:
    def box(low: int, high: int) -> Ball:
        """The square [-1.1, -0.9] x [low, high], in tenths of i."""
        middle = C.coerce(QQ_I.number(-1, QQ.ratio(low + high, 20)))
        with WorkingPrecision(192):
            return Ball(C, middle.value + acb(arb(0, 0.1), arb(0, arb(high - low) / 20)))

    assert is_certainly_real([box(-1, 1)], 0)
    assert not is_certainly_real([box(1, 2)], 0)
    assert not is_certainly_real([box(-1, 9), box(0, 5)], 0)
    assert not is_certainly_real([box(-1, 9), box(-8, -2)], 0)  # the other may be its conjugate


@given(st.integers(0, 31))
def test_a_turned_cut_keeps_clear_of_the_eigenvalues(k: int) -> None:
    with WorkingPrecision(192):
        angle = arb.pi() * k / 16
        z = C.coerce(Ball(R, angle.cos())) + C.coerce(QQ_I.i) * C.coerce(Ball(R, angle.sin()))
    M = Matrix(C, [[z, 1], [0, -z]])
    turn = free_turn([z, -z])
    L = turned_logarithm(M, [z, -z], turn)
    assert exponential(L) == M
    assert max(x.radius for x in L.entries) < QQ.ratio(1, 10**40)


def test_doors() -> None:
    with pytest.raises(TypeError, match="match works in real balls, got Frac"):
        match([[1]], [[1]], FRACTIONS)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="unknown form 'twice': choose 'auto', 'real' or 'doubled'"):
        match([[1]], [[1]], R, form="twice")
    with pytest.raises(ValueError, match="unknown form"):
        LinearSSM([[1]], [[1]], form="twice")
    with pytest.raises(TypeError, match="works in complex balls, got Balls"):
        principal_logarithm(Matrix(R, [[1]]), [R.one])
    with pytest.raises(ValueError, match="not in Frac"):
        Conversion(LinearSSM([[2]], [[1]]), FRACTIONS)
    with pytest.raises(ValueError, match="LinearSSM: Bbar: 1 entries on an axis of 2"):
        LinearSSM([[1, 0], [0, 1]], [[1]])
    model = LinearSSM([[2]], [[1]], form="doubled")
    assert Conversion(model, R).generator.dim == 2
    assert certify(model, INPUTS).holds(30)


@pytest.mark.parametrize(
    ("Abar", "Bbar", "message"),
    [
        ([[1]], [[1], [2]], r"match takes an input map with a row for each of the 1 states, got shape \(2, 1\)"),
        ([[1, 0], [0, 2]], [[1]], r"match takes an input map with a row for each of the 2 states, got shape \(1, 1\)"),
        ([[1, 2]], [[1]], r"match needs a square matrix, got shape \(1, 2\)"),
    ],
)
def test_shapes_are_checked_at_the_door(Abar, Bbar, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        match(Abar, Bbar, Balls(64))
    balls = Matrix(Balls(64), Abar), Matrix(Balls(64), Bbar)
    with pytest.raises(ValueError, match=message):
        match(*balls, Balls(64))
    for route, what in ((lift, "a lift"), (lift_by_series, "the series of a lift")):
        with pytest.raises(ValueError, match=message.replace("match", what)):
            route(*balls)
