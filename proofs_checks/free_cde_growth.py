"""A free linear CDE grows with the length of its path without end; the EWS of a dissipative generator does not."""

from math import factorial, prod

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, Balls, LinearCDE, Matrix, PiecewiseLinearPath
from ewsmath.clocks import Variation
from ewsmath.generators import AbstractGenerator, Diagonal
from ewsmath.linear_cde import exponential_tail
from ewsmath.matrix_norms import row_norm
from ewsmath.strategies import square_matrices
from proofs_checks import definition
from proofs_checks.agreement import agree, at_most
from proofs_checks.draws import Piece, depths, each_depth
from proofs_checks.euclidean import above, not_above, square
from proofs_checks.statement import Mutant, Statement

LOOP = ([1, 0], [0, 1], [-1, 0], [0, -1])
"""Once around the unit square, from its corner at 0: four units of length that lead nowhere."""

RAISE, LOWER = Matrix(QQ, [[0, 1], [0, 0]]), Matrix(QQ, [[0, 0], [1, 0]])


def laps(count: int) -> PiecewiseLinearPath[fmpq]:
    """So many times around the square; the path never leaves it."""
    return PiecewiseLinearPath.from_increments([*LOOP] * count)


def free_flow(count: int) -> Matrix[fmpq]:
    """The flow of dh = (RAISE dX^1 + LOWER dX^2) h over so many laps."""
    return LinearCDE([RAISE, LOWER]).propagator(laps(count))


def forgetting() -> AbstractGenerator:
    """The generator of the EWS that is held against the free CDE: A = I."""
    return Diagonal([1, 1])


def uniform(n: int) -> fmpq:
    """The uniform bound (L‖B‖/μ)^n/n! for L = ‖B‖ = μ = 1."""
    return fmpq(1, factorial(n))


def exponential(x: fmpq) -> fmpq:
    """A rational just above e^x."""
    return exponential_tail(x, 0)


@given(st.data())
def check_growth_is_at_most_exponential(data: st.DataObject) -> None:
    """Every free CDE has ‖h_t‖ ≤ e^κ‖h_s‖, κ the length of Σ M_i ω^i (Grönwall); flows in balls, rigorous."""
    matrices = [data.draw(square_matrices(2)) for _ in range(2)]
    balls = LinearCDE([Matrix.over(Balls(128), M) for M in matrices])
    path = laps(data.draw(st.integers(1, 2)))
    length = sum((row_norm(matrices[0] * x + matrices[1] * y) for x, y in path.increments), fmpq(0))
    largest = max(sum((x.abs_upper() for x in row), fmpq(0)) for row in balls.propagator(path).rows)
    at_most(largest, exponential(length), "the largest row sum of the flow and e^κ")


def check_the_exponential_is_reached() -> None:
    """The CDE dh = h dX on a line of length ℓ: h = e^ℓ, so that no bound holds for all lengths."""
    for length in range(1, 6):
        flow = LinearCDE([Matrix(EE, [[1]])]).propagator(PiecewiseLinearPath(None, [[0], [length]], EE))
        agree(flow[0, 0], EE.exp(EE.coerce(length)), "the flow and e^ℓ")


def check_growth_on_a_path_that_stays_where_it_is() -> None:
    """The flow P of a lap has P² = 3P − I, so P^k has entries like ((3+√5)/2)^k: its trace doubles with every lap."""
    P, unit = free_flow(1), Matrix.identity(QQ, 2)
    agree(P @ P, P * 3 - unit, "P² and 3P − I")
    power, trace = P, fmpq(1)
    for k in range(1, 6):
        agree(free_flow(k), power, f"the flow over {k} laps and P^{k}")
        at_most(2 * trace, power[0, 0] + power[1, 1], f"twice the trace before lap {k}")
        trace, power = power[0, 0] + power[1, 1], P @ power


def check_each_level_of_the_signature_grows() -> None:
    """With A = 0 level n of a line of length ℓ is ℓ^n/n!: more than the uniform bound as soon as ℓ > 1."""
    for n in each_depth(3):
        S = EWS.signature(1, n)(PiecewiseLinearPath(None, [[0], [7]]))
        agree(S.level(n)[0], fmpq(7) ** n / factorial_by_product(n), f"level {n} of the signature and 7^{n}/{n}!")
        above(S.level(n)[0], uniform(n), f"level {n} of the signature and the uniform bound")


@given(st.data())
def check_the_ews_stays(data: st.DataObject) -> None:
    """The EWS of the same laps, A = I and the variation clock: ‖S^{(n)}‖ ≤ 1/n!, by the definition."""
    depth, count = data.draw(depths(2)), data.draw(st.integers(1, 2))
    turned = [LOOP[(k + data.draw(st.integers(0, 3))) % 4] for k in range(4)]
    S = definition.ews(forgetting(), [Piece(fmpq(1), [fmpq(x) for x in v]) for v in turned * count], depth)
    for n in range(1, depth + 1):
        not_above(square(S.level(n)), uniform(n) ** 2, f"‖S^({n})‖² after {count} laps and the bound squared")


def check_the_ews_stays_for_many_laps() -> None:
    """The same for sixteen laps and for a line of length 64, as the library computes them in balls."""
    for path in (laps(16), PiecewiseLinearPath(None, [[0, 0], [64, 0]])):
        for n in each_depth(3):
            ews = EWS(forgetting().over(Balls(128)), clock=Variation(), depth=n)
            norm = sum((x.abs_upper() ** 2 for x in ews(path).level(n)), fmpq(0))
            at_most(norm, uniform(n) ** 2 * (1 + fmpq(1, 2**50)), f"‖S^({n})‖² and the bound squared")


def factorial_by_product(n: int) -> int:
    """The number n!, written out."""
    return prod(range(1, n + 1))


def remembering() -> AbstractGenerator:
    """A = −I, which amplifies."""
    return Diagonal([-1, -1])


def factorial_squared(n: int) -> int:
    """The number n!² in place of n!."""
    return factorial_by_product(n) ** 2


def straight(count: int) -> PiecewiseLinearPath[fmpq]:
    """A line of the same length, on which the flow of RAISE is no more than a shear."""
    return PiecewiseLinearPath.from_increments([[1, 0]] * (4 * count))


def square_root_of_the_exponential(x: fmpq) -> fmpq:
    """A rational just above e^{x/2}."""
    return exponential_tail(x / 2, 0)


HERE = "proofs_checks.free_cde_growth"

STATEMENT = Statement(
    title="A free linear CDE grows, the EWS does not",
    claim=r"\|h_t\| \le e^{\kappa}\|h_s\|,\ \kappa = \Big\|\sum_i M_i\,\omega^i\Big\|_1, \text{ and no better};"
    r" \qquad \big\|S^{(n)}_{s,t}\big\| \le \frac{1}{n!}\Big(\frac{L\|B\|}{\mu}\Big)^n \text{ for every length}",
    section="Section 2",
    method="rigorous bound",
    leaves_out="Paths of unbounded variation. That free CDEs grow is shown by examples (a line, and laps around a "
    "square), for five laps; from P² = 3P − I it goes on by itself. Free CDEs with skew matrices need not grow.",
    covers=("Growth of a free linear CDE against the uniform bound",),
    code=("ewsmath.LinearCDE", "ewsmath.EWS"),
    mutants=(
        Mutant("the EWS amplifies", f"{HERE}:forgetting", remembering, keeps_depth_one=False),
        Mutant("n!² in the uniform bound", f"{HERE}:factorial", factorial_squared, keeps_depth_one=True),
        Mutant("a line in place of the laps", f"{HERE}:laps", straight, keeps_depth_one=False),
        Mutant("e^{κ/2} in place of e^κ", f"{HERE}:exponential", square_root_of_the_exponential, keeps_depth_one=False),
    ),
)
