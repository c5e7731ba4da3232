"""The solution of a linear CDE is a series in the signature of its driving path, the first letter on the right."""

from collections.abc import Sequence
from math import factorial
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Balls, ExpPoly, ExpPolyPath, ExpPolys, LinearCDE, Matrix, PiecewiseLinearPath, Tensor
from ewsmath.linear_cde import log_ode_flow, magnus, series_remainder, solution_series, state_space
from ewsmath.strategies import rationals, square_matrices
from ewsmath.words import Word
from proofs_checks.agreement import agree, at_most
from proofs_checks.definition import iterated_integrals
from proofs_checks.draws import depths, each_depth
from proofs_checks.statement import Mutant, Statement

FUNCTIONS = ExpPolys(QQ)
SMALL = rationals(max_numerator=2, max_denominator=2)
Speeds = list[list[ExpPoly[fmpq]]]


def strict_triangles(data: st.DataObject, size: int) -> list[Matrix[Any]]:
    """Two strictly lower triangular matrices: products of ``size`` of them vanish."""
    entry = st.integers(-2, 2)
    return [
        Matrix(QQ, [[data.draw(entry) if j < i else 0 for j in range(size)] for i in range(size)]) for _ in range(2)
    ]


def ordered_product(matrices: Sequence[Matrix[Any]], word: Word) -> Matrix[Any]:
    """M_{i_n} ⋯ M_{i_1}: the first letter, which is integrated first, acts first."""
    product = Matrix.identity(QQ, matrices[0].shape[0])
    for letter in word:
        product = matrices[letter - 1] @ product
    return product


def series(matrices: Sequence[Matrix[Any]], S: Tensor[Any]) -> Matrix[Any]:
    """Σ_w M_{i_n} ⋯ M_{i_1} S^w over the words that are known."""
    total = Matrix.zeros(QQ, *matrices[0].shape)
    for word in S.algebra.words():
        total = total + ordered_product(matrices, word) * S[word]
    return total


def picard(matrices: Sequence[Matrix[Any]], speeds: Speeds, rounds: int) -> Matrix[Any]:
    """The flow of dh = Σ M_i h dω^i by Picard's iteration, piece after piece: h ↦ h_s + ∫ Σ M_i h dω^i.

    It knows no words. It is exact after as many rounds as products of the matrices take to vanish.
    """
    flow = Matrix.identity(QQ, matrices[0].shape[0])
    for speed in speeds:
        start = flow.map(FUNCTIONS, FUNCTIONS.coerce)
        h = start
        for _ in range(rounds):
            slope = Matrix.zeros(FUNCTIONS, *flow.shape)
            for M, x in zip(matrices, speed, strict=True):
                slope = slope + (M.map(FUNCTIONS, FUNCTIONS.coerce) @ h).scaled(x)
            h = start + slope.map(FUNCTIONS, lambda f: f.integral())
        flow = h.map(QQ, lambda f: f(1))
    return flow


def lines(path: Sequence[Sequence[fmpq]]) -> Speeds:
    """The speeds of linear pieces."""
    return [[FUNCTIONS.coerce(x) for x in v] for v in path]


def draw_path(data: st.DataObject) -> list[list[fmpq]]:
    """The increments of a path in R^2."""
    return data.draw(st.lists(st.lists(SMALL, min_size=2, max_size=2), min_size=1, max_size=3))


@given(st.data())
def check_nilpotent_matrices(data: st.DataObject) -> None:
    """Where products of N + 1 matrices vanish, the series up to level N is the flow: by Picard's iteration."""
    depth = data.draw(depths())
    matrices, path = strict_triangles(data, depth + 1), draw_path(data)
    flow = picard(matrices, lines(path), depth)
    agree(
        flow, series(matrices, iterated_integrals(QQ, lines(path), depth)), "the flow and the series of the signature"
    )
    cde, X = LinearCDE(matrices), PiecewiseLinearPath.from_increments(path)
    agree(flow, solution_series(cde, X, depth), "the flow and solution_series")


@given(st.data())
def check_curves(data: st.DataObject) -> None:
    """The same on a curve (u², au + bu³), whose pieces do not commute with themselves."""
    depth, a, b = data.draw(depths()), data.draw(SMALL), data.draw(SMALL)
    matrices, u = strict_triangles(data, depth + 1), FUNCTIONS.variable
    curve = [u * u, u.scaled(a) + (u * u * u).scaled(b)]
    speed = [f.derivative() for f in curve]
    flow = picard(matrices, [speed], depth)
    agree(flow, series(matrices, iterated_integrals(QQ, [speed], depth)), "the flow and the series of the signature")
    X = ExpPolyPath.from_functions([0, 1], curve, QQ)
    agree(flow, solution_series(LinearCDE(matrices), X, depth), "the flow and solution_series")


@given(st.data())
def check_magnus(data: st.DataObject) -> None:
    """The flow is exp(ρ_M(log S)): for nilpotent matrices exactly, with level two of the exponent written out."""
    depth = data.draw(depths())
    matrices, path = strict_triangles(data, depth + 1), draw_path(data)
    cde, X = LinearCDE(matrices), PiecewiseLinearPath.from_increments(path)
    exponent = magnus(cde, X, depth)
    power = total = Matrix.identity(QQ, depth + 1)
    for k in range(1, depth + 1):
        power = power @ exponent
        total = total + power * fmpq(1, factorial(k))
    agree(total, picard(matrices, lines(path), depth), "exp(ρ_M(log S)) and the flow")
    agree(log_ode_flow(cde, X, depth), total, "log_ode_flow and the exponential series")
    S = iterated_integrals(QQ, lines(path), min(depth, 2))
    levels = matrices[0] * S[1,] + matrices[1] * S[2,]
    if depth > 1:
        levels = levels + magnus_bracket(*matrices) * ((S[1, 2] - S[2, 1]) / 2)
    agree(magnus(cde, X, min(depth, 2)), levels, "the Magnus exponent of level two and its formula")


def magnus_bracket(M: Matrix[Any], N: Matrix[Any]) -> Matrix[Any]:
    """The matrix NM − MN by which the bracket [1, 2] acts."""
    return N @ M - M @ N


def remainder(kappa: fmpq, level: int) -> fmpq:
    """A rational above Σ_{n > N} κ^n/n!, closed by a geometric series, for κ < N + 2."""
    return kappa ** (level + 1) / factorial(level + 1) / (1 - kappa / (level + 2))


@given(st.data())
def check_remainder(data: st.DataObject) -> None:
    """For any matrices the series up to N is off by at most Σ_{n>N} κ^n/n!, κ the length of Σ M_i ω^i."""
    depth = data.draw(depths(4))
    matrices = [data.draw(square_matrices(2)) * fmpq(1, 10) for _ in range(2)]
    path = draw_path(data)[:2]
    cde, X = LinearCDE(matrices), PiecewiseLinearPath.from_increments(path)
    found = series(matrices, iterated_integrals(QQ, lines(path), depth))
    balls = Balls(128)
    error = cde.over(balls).propagator(X) - Matrix.over(balls, found)
    off = max(sum((x.abs_upper() for x in row), fmpq(0)) for row in error.rows)
    kappa = fmpq(0)
    for x, y in path:
        kappa += max(sum((abs(e) for e in row), fmpq(0)) for row in (matrices[0] * x + matrices[1] * y).rows)
    room = fmpq(1, 2**100)  # the width of the balls, where nothing is left out
    at_most(off, series_remainder(cde, X, depth) + room, "the error of the series and series_remainder")
    if kappa < depth + 2:
        at_most(off, remainder(kappa, depth) + room, "the error of the series and its bound")


def check_the_remainder_is_reached() -> None:
    """For dh = h dX on a line the error is the tail of the exponential series itself: no smaller bound holds."""
    cde, X = LinearCDE([Matrix(QQ, [[1]])]), PiecewiseLinearPath(None, [[0], [1]])
    for n in each_depth(4):
        tail = sum((fmpq(1, factorial(k)) for k in range(n + 1, n + 20)), fmpq(0))
        at_most(tail, series_remainder(cde, X, n), "the error of the series and series_remainder")
        at_most(series_remainder(cde, X, n), tail * fmpq(1000001, 1000000), "series_remainder and the error")


@given(st.data())
def check_state_space_model(data: st.DataObject) -> None:
    """The affine dh = −Ah dθ + B dX as a linear CDE in (h, 1), matrices M_0 and M_i: for nilpotent A, by Picard."""
    depth = data.draw(depths())
    A, B = strict_triangles(data, depth)[0], Matrix(QQ, [[data.draw(SMALL)] for _ in range(depth)])
    path = draw_path(data)
    zero = fmpq(0)
    M_0 = Matrix(QQ, [[*(-x for x in row), zero] for row in A.rows] + [[zero] * (depth + 1)])
    M_1 = Matrix(QQ, [[zero] * depth + [b] for b in B.entries] + [[zero] * (depth + 1)])
    flow = picard([M_0, M_1], lines(path), depth)
    found = solution_series(state_space(A, B), PiecewiseLinearPath.from_increments(path), depth)
    agree(flow, found, "the flow for (h, 1) and the series with M_0 and M_1")


def reversed_product(matrices: Sequence[Matrix[Any]], word: Word) -> Matrix[Any]:
    """M_{i_1} ⋯ M_{i_n}."""
    return ordered_as_it_is(matrices, word[::-1])


ordered_as_it_is = ordered_product


def the_other_bracket(M: Matrix[Any], N: Matrix[Any]) -> Matrix[Any]:
    """The commutator MN − NM."""
    return M @ N - N @ M


def one_level_late(cde: LinearCDE, path: PiecewiseLinearPath[Any], depth: int) -> fmpq:
    """The tail from level N + 2 on."""
    return series_remainder_as_it_is(cde, path, depth + 1)


series_remainder_as_it_is = series_remainder


def series_without_brackets(cde: LinearCDE, path: PiecewiseLinearPath[Any], depth: int) -> Matrix[Any]:
    """The field of the increment alone."""
    return magnus_as_it_is(cde, path, 1)


magnus_as_it_is = magnus

HERE = "proofs_checks.solution_series"

STATEMENT = Statement(
    title="The solution of a linear CDE is a series in the signature",
    claim=r"dh = \sum_i M_i h\,d\omega^i \ \Rightarrow\ h_t"
    r" = \sum_w M_{i_n}\cdots M_{i_1}\, S^{i_1\cdots i_n}_{s,t}\, h_s = \exp\big(\rho_M(\log S_{s,t})\big)\, h_s",
    section="Appendix B",
    method="exact on draws",
    leaves_out="Convergence of the Magnus series for matrices that are not nilpotent, which is false in general; "
    "paths of infinite variation. For matrices that are not nilpotent the series is held against its remainder, "
    "with flows in balls. Two matrices of size up to 4, levels up to 4.",
    covers=("Appendix B: the solution of a linear CDE is a series in the signature",),
    code=(
        "ewsmath.linear_cde.solution_series",
        "ewsmath.linear_cde.series_remainder",
        "ewsmath.linear_cde.magnus",
        "ewsmath.linear_cde.state_space",
    ),
    mutants=(
        Mutant("the first letter on the left", f"{HERE}:ordered_product", reversed_product, keeps_depth_one=True),
        Mutant("the bracket not turned round", f"{HERE}:magnus_bracket", the_other_bracket, keeps_depth_one=True),
        Mutant("no brackets in the exponent", f"{HERE}:magnus", series_without_brackets, keeps_depth_one=True),
        Mutant("the remainder begins one level late", f"{HERE}:series_remainder", one_level_late, False),
    ),
)
