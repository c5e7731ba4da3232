"""The Log-ODE of depth N is of order N by its exact flow, and of order 1 at every depth by the first-order flow."""

from collections.abc import Sequence
from typing import Any, Literal

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Matrix, PiecewiseLinearPath, Tensor
from ewsmath.linear_cde import LinearCDE, log_ode, log_ode_flow, magnus
from ewsmath.paths import AbstractPath
from ewsmath.spectrum import exponential
from ewsmath.strategies import square_matrices
from proofs_checks.agreement import agree, at_most
from proofs_checks.draws import depths, each_depth
from proofs_checks.recurrences import R, arrays, distance, small
from proofs_checks.statement import Mutant, Statement

Step = Literal["exact", "taylor", "euler"]

FIELDS = LinearCDE([Matrix(QQ, [[0, 1], [-1, 1]]), Matrix(QQ, [[1, 2], [0, -1]])])
"""Two matrices that do not commute."""

WINDOW: list[list[int]] = [[1, 0], [1, 2], [-1, 1]]
"""The pieces of a window that is no straight line."""


def linear_part(cde: LinearCDE, moves: Sequence[Sequence[Any]]) -> Matrix[Any]:
    """L = Σ λ_i M_i for the total increment λ."""
    return cde.field([sum(column, QQ.zero) for column in zip(*moves, strict=True)])


def second_order(cde: LinearCDE, moves: Sequence[Sequence[Any]]) -> Matrix[Any]:
    """Σ_{a<b} V_b V_a + Σ_a V_a²/2 for the fields V_a of the pieces: what the true flow has at order two.

    That is the second order of ⋯ e^{V_2} e^{V_1}, the latest on the left.
    """
    total, so_far = Matrix.zeros(QQ, cde.size, cde.size), Matrix.zeros(QQ, cde.size, cde.size)
    for dx in moves:
        V = cde.field(dx)
        total = total + V @ so_far + V @ V * QQ.ratio(1, 2)
        so_far = so_far + V
    return total


@given(st.data())
def check_second_order_exactly(data: st.DataObject) -> None:
    """Ω_1 = L; and Ω_2 = L + br, with L²/2 + br the true second order: so I + Ω_2 lacks L²/2. Exactly."""
    depth = data.draw(depths(2))
    cde = LinearCDE([data.draw(square_matrices(2)), data.draw(square_matrices(2))])
    moves = data.draw(arrays(small, 3, 2))
    path = PiecewiseLinearPath.from_increments(moves)
    L = linear_part(cde, moves)
    exponent = log_ode_exponent(cde, path, depth)
    if depth == 1:
        agree(exponent, L, "Ω_1 and L")
        return
    agree(L @ L * QQ.ratio(1, 2) + exponent - L, second_order(cde, moves), "L²/2 + br, and the true second order")


def log_ode_exponent(cde: LinearCDE, path: AbstractPath[Any], depth: int) -> Matrix[Any]:
    """Ω_N, as log_ode_flow takes it: its first-order flow less I."""
    return log_ode_flow(cde, path, depth, "euler") - Matrix.identity(QQ, cde.size)


def scaled(size: Any, windows: int = 1) -> PiecewiseLinearPath[Any]:
    """The window, so many times, with all increments multiplied by a number."""
    return PiecewiseLinearPath.from_increments([[size * x for x in v] for v in WINDOW * windows])


def true_flow(path: PiecewiseLinearPath[Any]) -> Matrix[Any]:
    """The product of the exponentials of the pieces, in balls."""
    total = Matrix.identity(R, 2)
    for dx in path.increments:
        total = exponential(Matrix.over(R, FIELDS.field(dx))) @ total
    return total


def over_balls() -> LinearCDE:
    """The fields, where exponentials exist."""
    return FIELDS.over(R)


def local_error(depth: int, step: Step, size: fmpq) -> fmpq:
    """The largest entry of the error over one window."""
    found = log_ode_flow(over_balls(), scaled(size), depth, step)
    return distance(found.rows, true_flow(scaled(size)).rows)


def global_error(depth: int, step: Step, windows: int) -> fmpq:
    """The largest entry of the error over windows of size 1/8n, n of them."""
    path = scaled(QQ.ratio(1, 8 * windows), windows)
    total = Matrix.identity(R, 2)
    for F in log_ode(over_balls(), path, depth, 3, step):
        total = F @ total
    return distance(total.rows, true_flow(path).rows)


def local_order(depth: int, step: Step) -> int:
    """The power of the size of a window that the error over it goes with."""
    return 2 if step == "euler" else depth + 1


def has_order(order: int, errors: Sequence[fmpq], what: str) -> None:
    """Demand that halving the size divides the error by 2^order, up to a fifth."""
    coarse, fine = errors
    at_most(coarse, fine * 2**order * QQ.ratio(6, 5), f"{what}, less than 6/5 · 2^{order} times that of half the size")
    at_most(fine * 2**order * QQ.ratio(4, 5), coarse, f"4/5 · 2^{order} times that of half the size, less than {what}")


def check_local_order() -> None:
    """Experiment: windows of size 1/64 and 1/128. The first-order flow of depth 2 has the order of depth 1."""
    steps: list[Step] = ["exact", "taylor", "euler"]
    for depth in each_depth(2):
        for step in steps:
            errors = [local_error(depth, step, QQ.ratio(1, n)) for n in (64, 128)]
            has_order(local_order(depth, step), errors, f"the local error of the {step} flow of depth {depth}")


def check_global_order() -> None:
    """Experiment: 16 and 32 windows over a fixed interval: order 2 by the exact flow of depth 2, else 1."""
    steps: list[Step] = ["exact", "euler"]
    for depth in each_depth(2):
        for step in steps:
            errors = [global_error(depth, step, n) for n in (16, 32)]
            has_order(local_order(depth, step) - 1, errors, f"the error of the {step} flow of depth {depth}")


def opposite_brackets(cde: LinearCDE, path: AbstractPath[Any], depth: int) -> Matrix[Any]:
    """L - br."""
    return magnus(cde, path, 1) * 2 - magnus(cde, path, depth)


def no_brackets(cde: LinearCDE, path: AbstractPath[Any], depth: int) -> Matrix[Any]:
    """L alone."""
    return magnus(cde, path, 1)


def letters_in_reverse(cde: LinearCDE, a: Tensor[Any]) -> Matrix[Any]:
    """The first letter is the factor on the left."""
    return represent(cde, a.algebra.tensor({word[::-1]: c for word, c in a.coefficients.items()}))


def first_order_for_exact(M: Matrix[Any]) -> Matrix[Any]:
    """I + M where e^M belongs."""
    return Matrix.identity(M.ring, M.shape[0]) + M


def order_of_the_depth(depth: int, step: Step) -> int:
    """N + 1 for every step: as if the brackets alone gave the order."""
    return depth + 1


represent = LinearCDE.represent
HERE = "proofs_checks.log_ode_order"
EXPONENT = "ewsmath.linear_cde.log_ode:magnus"

STATEMENT = Statement(
    title="The order of the Log-ODE, and what the first-order flow loses",
    claim=r"e^{\Omega_N} \text{ and } \sum_{k \le N} \Omega_N^k/k! \text{ leave an error } O(\varepsilon^{N+1})"
    r" \text{ over a window, } I + \Omega_N \text{ one } O(\varepsilon^2) \text{ for all } N;"
    r" \qquad I + \Omega_2 = F - \tfrac12 L^2 + O(\varepsilon^3)",
    section="Appendix B; SLiCE (NeurIPS 2025)",
    method="experiment",
    leaves_out="That the first-order flow of depth 2 lacks L²/2 at order two is exact, for drawn 2 x 2 matrices and "
    "paths of three pieces. The rates are measured for one pair of matrices and one window, between two sizes, up to a "
    "fifth; the errors themselves are certified in balls. Depths above 2.",
    covers=("SLiCE: the order of the Log-ODE, and what the first-order flow loses",),
    code=("ewsmath.linear_cde.log_ode", "ewsmath.linear_cde.log_ode_flow", "ewsmath.linear_cde.magnus"),
    mutants=(
        Mutant("brackets with the opposite sign", EXPONENT, opposite_brackets, keeps_depth_one=True),
        Mutant("no brackets", EXPONENT, no_brackets, keeps_depth_one=True),
        Mutant(
            "the first letter on the left",
            "ewsmath.linear_cde:LinearCDE.represent",
            letters_in_reverse,
            keeps_depth_one=True,
        ),
        Mutant("I + Ω for e^Ω", "ewsmath.spectrum:exponential", first_order_for_exact, keeps_depth_one=True),
        Mutant("order N by brackets alone", f"{HERE}:local_order", order_of_the_depth, keeps_depth_one=True),
    ),
)
