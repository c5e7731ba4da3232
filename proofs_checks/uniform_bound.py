"""A dissipative generator bounds the levels of the EWS for all lengths of the interval at once."""

from collections.abc import Sequence
from math import factorial, prod
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, SR, ExpPolys, PiecewiseLinearPath
from ewsmath.bounds import uniform_bound
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator, Dense, Diagonal, Jordan, Rotation, Zero
from ewsmath.matrix_norms import numerical_range
from proofs_checks import definition
from proofs_checks.agreement import agree
from proofs_checks.definition import iterated_integrals
from proofs_checks.draws import Piece, depths, each_depth
from proofs_checks.euclidean import LIFTS, Move, above, lifted, moves, not_above, square
from proofs_checks.statement import Mutant, Statement

RUNNING = st.builds(fmpq, st.integers(1, 3), st.integers(1, 2))
"""Clock increments above zero."""


def dissipative_generators() -> st.SearchStrategy[tuple[AbstractGenerator, fmpq]]:
    """Generators of R^2 with the largest μ for which A + Aᵀ ≥ 2μI."""
    rates = st.builds(fmpq, st.integers(1, 3), st.integers(1, 2))
    diagonal = st.lists(rates, min_size=2, max_size=2).map(lambda pair: (Diagonal(pair), min(pair)))
    rotation = st.tuples(rates, st.integers(1, 2)).map(lambda pair: (Rotation(*pair), pair[0]))
    # The symmetric part of λI + N has the eigenvalues λ ± 1/2.
    jordan = rates.map(lambda rate: (Jordan(rate + fmpq(1, 2), 2), rate))
    # A symmetric matrix with the eigenvalues μ and μ + 1, in a basis that is turned.
    turned = rates.map(lambda mu: (Dense([[mu + fmpq(9, 25), fmpq(12, 25)], [fmpq(12, 25), mu + fmpq(16, 25)]]), mu))
    return st.one_of(diagonal, rotation, jordan, turned)


def fastest(path: Sequence[Move]) -> fmpq:
    """The least L with ‖dX‖ ≤ L dθ."""
    return max(move.length / move.elapsed for move in path)


def uniform(L: fmpq, mu: fmpq, n: int) -> fmpq:
    """The bound (L/μ)^n/n!, for the speed L of BX against the clock."""
    return (L / mu) ** n / factorial(n)


def share(mu: Any, elapsed: Any) -> Any:
    """1 − e^{−μ(θ_t−θ_s)}, by the n-th power of which the sharper form is less at level n."""
    return EE.one - EE.exp(EE.coerce(-mu * elapsed))


def power(x: Any, n: int) -> Any:
    """The power x^n."""
    return prod([x] * n, start=EE.one)


@given(st.data())
def check_both_bounds(data: st.DataObject) -> None:
    """‖S^{(n)}‖ is at most the sharper bound, and that at most the uniform one; S by the definition."""
    depth, (generator, mu) = data.draw(depths(2)), data.draw(dissipative_generators())
    path, (rows, lift_norm) = data.draw(moves(RUNNING)), data.draw(st.sampled_from(LIFTS))
    S = definition.ews(generator, lifted(rows, path), depth)
    elapsed = sum((move.elapsed for move in path), fmpq(0))
    for n in range(1, depth + 1):
        most = EE.coerce(uniform(fastest(path) * lift_norm, mu, n))
        sharp = most * power(share(mu, elapsed), n)
        not_above(square(S.level(n)), sharp * sharp, f"‖S^({n})‖² and the sharper bound squared")
        not_above(sharp, most, "the sharper bound and the uniform one")


@given(st.data())
def check_certified_bound_of_the_library(data: st.DataObject) -> None:
    """`uniform_bound` is not below ‖S^{(n)}‖, and above its formula by a millionth at most."""
    depth, (generator, mu) = data.draw(depths(2)), data.draw(dissipative_generators())
    path, (rows, lift_norm) = data.draw(moves(RUNNING)), data.draw(st.sampled_from(LIFTS))
    ews = EWS(generator, rows, Given([move.elapsed for move in path]), depth)
    X = PiecewiseLinearPath.from_increments([move.v for move in path])
    S = definition.ews(generator, lifted(rows, path), depth)
    for n in range(1, depth + 1):
        certified, formula = uniform_bound(ews, X, n, sharp=False), uniform(fastest(path) * lift_norm, mu, n)
        not_above(square(S.level(n)), uniform_bound(ews, X, n) ** 2, f"‖S^({n})‖² and the certified bound squared")
        not_above(formula, certified, "the formula and the certified bound")
        not_above(certified, formula * fmpq(1000001, 1000000), "the certified bound and the formula")


@given(st.data())
def check_the_sharp_bound_of_the_library_is_sharp(data: st.DataObject) -> None:
    """For A = μ, X = Lθ, where the formula is attained, `uniform_bound` exceeds ‖S^{(n)}‖ by a millionth at most."""
    depth, (mu, L, r) = data.draw(depths()), (data.draw(RUNNING) for _ in range(3))
    S = definition.ews(Diagonal(mu), [Piece(r, [L * r])], depth)
    ews, X = EWS(Diagonal(mu), None, Given([r]), depth), PiecewiseLinearPath.from_increments([[L * r]])
    for n in range(1, depth + 1):
        certified, value = uniform_bound(ews, X, n), S.level(n)[0]
        not_above(value, certified, f"S^({n}) and the certified sharp bound")
        not_above(certified, value * fmpq(1000001, 1000000), f"the certified sharp bound and S^({n})")


def check_the_sharper_form_is_reached() -> None:
    """For A = μ, X = Lθ every level is ((L/μ)(1−e^{−μr}))^n/n!: for all L, μ and r at once, by differentiating in r."""
    L, mu, r = SR.symbols("L mu r")
    value = (L / mu) * (SR.one - SR.exp(-mu * r))
    agree(value.derivative("r") + mu * value, L, "dS/dr + μS and L, at level one")
    for n in each_depth(3):
        # The re-weighted speed over the whole interval, as a function of its fraction.
        speed = ExpPolys(SR).exponential((mu * r).as_rational_function()).scaled(L * r * SR.exp(-mu * r))
        S = iterated_integrals(SR, [[speed]], n)
        agree(S.level(n)[0], value**n / factorial(n), f"S^({n}) and the sharper bound")


def check_it_is_uniform() -> None:
    """Loops around a square forever: level n stays below 1/n!, while the length of the path grows without end."""
    square_loop = [[1, 0], [0, 1], [-1, 0], [0, -1]]
    loop = [Piece(fmpq(1), [fmpq(x) for x in v]) for v in square_loop]
    for n in each_depth(2):
        for laps in (1, 2):
            S = definition.ews(Diagonal([1, 1]), loop * laps, n)
            not_above(square(S.level(n)), uniform(fmpq(1), fmpq(1), n) ** 2, f"level {n} after {laps} laps and 1/{n}!")


def check_without_a_dissipative_generator() -> None:
    """With A = 0, or with positive eigenvalues alone, a level exceeds what L and μ would give."""
    still = definition.ews(Zero(1, ring=EE), [Piece(fmpq(10), [fmpq(10)])], 1)
    above(still.level(1)[0], 9, "level one for A = 0 after ten units of clock time, and 9")
    # The eigenvalues of [[1, 10], [0, 1]] are 1, but those of its symmetric part are 6 and -4.
    sheared = Dense([[1, 10], [0, 1]])
    S = definition.ews(sheared, [Piece(fmpq(5), [fmpq(0), fmpq(5)])], 1)
    above(square(S.level(1)), 64, "‖S^(1)‖² for eigenvalues 1, L = 1, and 8²")


def check_with_a_clock_that_goes_back() -> None:
    """With ‖dX‖ ≤ L|dθ| alone, a clock that goes back amplifies what was there: e^R times, for every R."""
    for R in (1, 2, 3):
        path = [Piece(fmpq(1), [fmpq(1)]), Piece(fmpq(-R), [fmpq(0)])]
        S = definition.ews(Diagonal(1), path, 1)
        agree(S.level(1)[0], EE.exp(EE.coerce(R)) - EE.exp(EE.coerce(R - 1)), "level one and e^R(1 − e^{−1})")
        above(S.level(1)[0], uniform(fmpq(1), fmpq(1), 1), f"level one when the clock went back by {R}, and the bound")


def check_with_a_clock_that_stops_while_the_path_moves() -> None:
    """Without ‖dX‖ ≤ L dθ a path that moves while the clock stands still is not forgotten: S^{(n)} = v^{⊗n}/n!."""
    for n in each_depth(3):
        S = definition.ews(Diagonal(1), [Piece(fmpq(1), [fmpq(1)]), Piece(fmpq(0), [fmpq(5)])], n)
        above(S.level(n)[0], uniform(fmpq(1), fmpq(1), n), f"level {n} and the bound that L = 1 would give")


def factorial_squared(n: int) -> int:
    """The number n!² in place of n!."""
    return prod(range(1, n + 1)) ** 2


def twice_the_sharp_bound(*args: Any, sharp: bool = True) -> fmpq:
    """What the library certifies, the sharp bound doubled."""
    return certified_bound(*args, sharp=sharp) * (2 if sharp else 1)


certified_bound = uniform_bound  # the true one, by the name that mutants use


def mean_speed(path: Sequence[Move]) -> fmpq:
    """Length by clock time, as if the path were run through evenly."""
    return sum((move.length for move in path), fmpq(0)) / sum((move.elapsed for move in path), fmpq(0))


def half_the_clock(mu: Any, elapsed: Any) -> Any:
    """1 − e^{−μ(θ_t−θ_s)/2}."""
    return EE.one - EE.exp(EE.coerce(-mu * elapsed / 2))


def doubled_rate(L: fmpq, mu: fmpq, n: int) -> fmpq:
    """The matrix A + Aᵀ ≥ 2μI read as if it were A: μ doubled."""
    return (L / (2 * mu)) ** n / factorial(n)


HERE = "proofs_checks.uniform_bound"

STATEMENT = Statement(
    title="Uniform bound for dissipative generators",
    claim=r"A + A^\top \ge 2\mu I,\ \mu > 0,\ \|dX\| \le L\,d\theta \ \Rightarrow\ \big\|S^{(n)}_{s,t}\big\| \le"
    r" \frac{1}{n!}\Big(\frac{L\|B\|}{\mu}\big(1-e^{-\mu(\theta_t-\theta_s)}\big)\Big)^n"
    r" \le \frac{1}{n!}\Big(\frac{L\|B\|}{\mu}\Big)^n",
    section="Section 2",
    label="Corollary 1",
    method="exact on draws",
    leaves_out="Paths that are not piecewise linear (bounded variation is part of the claim); widths above 2, depths "
    "above 2 (3 where the bound is reached, for all L, μ and r at once).",
    covers=("Corollary 1: the uniform bound",),
    code=("ewsmath.bounds.uniform_bound",),
    mutants=(
        Mutant("n!² in place of n!", f"{HERE}:factorial", factorial_squared, keeps_depth_one=True),
        Mutant("n!² in the certified bound", "ewsmath.bounds:factorial", factorial_squared, keeps_depth_one=True),
        Mutant("sharp bound times 2", f"{HERE}:uniform_bound", twice_the_sharp_bound, keeps_depth_one=False),
        Mutant("the mean speed in place of the largest", f"{HERE}:fastest", mean_speed, keeps_depth_one=False),
        Mutant("half the clock time in the sharper form", f"{HERE}:share", half_the_clock, keeps_depth_one=False),
        Mutant("2μ where μ belongs", f"{HERE}:uniform", doubled_rate, keeps_depth_one=False),
        Mutant(
            "the other end of the numerical range",
            "ewsmath.bounds:numerical_range",
            lambda A: numerical_range(A)[::-1],
            keeps_depth_one=False,
        ),
    ),
)
