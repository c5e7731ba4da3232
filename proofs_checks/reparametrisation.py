"""With an invariant clock the EWS of a path run through otherwise is the same; the time clock's is another."""

from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, SR, ExpPoly, ExpPolyPath, ExpPolys, PiecewiseLinearPath, Segment, Tensor, chen
from ewsmath.clocks import AbstractClock, Gated, Variation
from ewsmath.generators import AbstractGenerator, Diagonal
from ewsmath.operators import flow
from ewsmath.rings import Ring
from ewsmath.strategies import rationals, reparametrisations
from proofs_checks import formulas
from proofs_checks.agreement import agree, differ
from proofs_checks.definition import iterated_integrals
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.faults import flow_of_the_last_letter
from proofs_checks.statement import Mutant, Statement


def invariant_clocks(dim: int) -> st.SearchStrategy[AbstractClock]:
    """The clocks of the table with f(cv) = c f(v)."""
    weights = st.lists(rationals(max_numerator=2, max_denominator=2), min_size=dim, max_size=dim)
    return st.one_of(st.just(Variation("l1")), weights.map(Gated))


def run_through(ring: Ring[Any], data: st.DataObject) -> None:
    """Draw X over [0, 1], a reparametrisation φ and times s < t; compare S(X∘φ)_{s,t} with S(X)_{φ(s),φ(t)}."""
    generator = data.draw(exact_generators(ring))
    point = st.lists(rationals(max_numerator=2, max_denominator=2), min_size=generator.dim, max_size=generator.dim)
    X = PiecewiseLinearPath([0, fmpq(1, 3), 1], [data.draw(point) for _ in range(3)])
    phi = data.draw(reparametrisations(max_kinks=2, rests=False))
    clock = data.draw(invariant_clocks(generator.dim))
    s, t = data.draw(st.sampled_from([(fmpq(0), fmpq(1)), (fmpq(1, 4), fmpq(1)), (fmpq(1, 8), fmpq(3, 4))]))
    ews = EWS(generator, clock=clock, depth=data.draw(depths()))
    agree(ews(X.compose(phi), s, t), ews(X, phi(s)[0], phi(t)[0]), "S(X∘φ)_{s,t} and S(X)_{φ(s),φ(t)}")


@given(st.data())
def check_piecewise_linear_in_QQ(data: st.DataObject) -> None:
    """S(X∘φ)_{s,t} = S(X)_{φ(s),φ(t)} for variation and gated clocks, nilpotent generators, φ with kinks."""
    run_through(QQ, data)


@given(st.data())
def check_piecewise_linear_in_EE(data: st.DataObject) -> None:
    """The same for generators with spectrum in Q(i)."""
    run_through(EE, data)


def check_one_kink_for_all_parameters() -> None:
    """A piece run through by a φ with one kink: (pr, pv) ⋆ ((1−p)r, (1−p)v) = (r, v) for all p, r, v and rates."""
    p, r, x, y = SR.symbols("p r x y")
    for generator in (formulas.diagonal(), formulas.jordan(), formulas.rotation()):
        for depth in each_depth(2):
            ews = EWS(generator, depth=depth)
            parts = [
                Segment(generator, share * r, ews.local(share * r, [share * x, share * y], "iterated"))
                for share in (p, 1 - p)
            ]
            agree(chen(*parts).ews, ews.local(r, [x, y], "iterated"), "the EWS of X∘φ and that of X")


@given(st.data())
def check_polynomial_reparametrisation(data: st.DataObject) -> None:
    """φ = u² on one piece, a clock θ(X)∘φ = ru² that no line is: the definition gives the EWS of the piece."""
    generator, depth = data.draw(exact_generators(QQ)), data.draw(depths())
    [piece] = data.draw(pieces(generator.dim, max_size=1))
    functions = ExpPolys(QQ)
    phi = functions.variable * functions.variable
    agree(
        along(generator, piece, phi, depth),
        EWS(generator, depth=depth).local(piece.elapsed, piece.v, "structured"),
        "the EWS of X∘φ by its definition and that of X",
    )


def along(generator: AbstractGenerator, piece: Piece, phi: ExpPoly[fmpq], depth: int) -> Tensor[Any]:
    """The EWS of v φ(u) under the clock rφ(u), φ from 0 to 1, for a nilpotent generator: the definition."""
    functions = ExpPolys(QQ)
    remains = functions.coerce(piece.elapsed) - phi.scaled(piece.elapsed)  # θ_t − θ_u
    weights = generator.kernel().map(functions, lambda f: f.composed(remains))
    speed = [phi.derivative().scaled(x) for x in piece.v]
    return iterated_integrals(QQ, [weights.apply(speed)], depth)


def worked_example(ews: EWS) -> tuple[Tensor[Any], Tensor[Any]]:
    """The EWS of X_u = u on [0, 1] with A = B = 1, and that of X∘φ for φ(u) = u²."""
    u = ExpPolys(QQ).variable
    X, phi = PiecewiseLinearPath([0, 1], [[0], [1]]), ExpPolyPath.from_functions([0, 1], [u * u], QQ)
    return ews(X), ews(X.compose(phi))


def check_worked_number() -> None:
    """A = B = 1, time clock, X_u = u, φ(u) = u²: 1 − e^{−1} against 2e^{−1} at level one, powers over n! above."""
    e = EE.exp(EE.coerce(-1))
    for depth in each_depth(3):
        as_it_is, otherwise = worked_example(EWS(Diagonal(1), depth=depth))
        power, factorial = [EE.one, EE.one], EE.one
        for n in range(1, depth + 1):
            power = [power[0] * (EE.one - e), power[1] * (2 * e)]
            factorial = factorial * n
            agree(as_it_is[(1,) * n] * factorial, power[0], f"n! S^(n) of X and (1 − 1/e)^{n}")
            agree(otherwise[(1,) * n] * factorial, power[1], f"n! S^(n) of X∘φ and (2/e)^{n}")


def check_time_clock_for_all_rates() -> None:
    """The same with every rate λ: (1 − e^{−λ})/λ against 2(λ − 1 + e^{−λ})/λ², which are two formulas."""
    lam = SR.symbol("lambda")
    functions = ExpPolys(SR)
    ews = EWS(Diagonal([lam]), depth=1)
    as_it_is = ews.local(1, [1], "iterated")[1]
    otherwise = ews.local(1, [functions.variable.scaled(SR.coerce(2))], "iterated")[1]
    agree(as_it_is, (1 - SR.exp(-lam)) / lam, "level one of X")
    agree(otherwise, 2 * (lam - 1 + SR.exp(-lam)) / (lam * lam), "level one of X∘φ")
    differ(as_it_is, otherwise, "level one of X and of X∘φ under the time clock")


def of_the_stamps(self: Variation, ring: Ring[Any], v: Any, gap: fmpq) -> Any:
    """Δt in place of ‖v‖: a clock that runs on where the path is only run through more slowly."""
    return ring.coerce(gap)


def under_its_own_clock(generator: AbstractGenerator, piece: Piece, phi: ExpPoly[fmpq], depth: int) -> Tensor[Any]:
    """The path is run through by φ, the clock is not."""
    functions = ExpPolys(QQ)
    weights = generator.kernel().map(functions, lambda f: f.substituted(piece.elapsed, -piece.elapsed))
    speed = [phi.derivative().scaled(x) for x in piece.v]
    return iterated_integrals(QQ, [weights.apply(speed)], depth)


def chen_in_reverse(first: Segment, second: Segment) -> Segment:
    """S_{u,t} ⊗ D(S_{s,u})."""
    ews = second.ews @ flow(first.generator, second.elapsed, first.ews)
    return Segment(first.generator, first.elapsed + second.elapsed, ews)


HERE = "proofs_checks.reparametrisation"

STATEMENT = Statement(
    title="Reparametrisation",
    claim=r"\theta(X\circ\varphi) = \theta(X)\circ\varphi \;\Rightarrow\;"
    r" S_{\mathbb A}(X\circ\varphi)_{s,t} = S_{\mathbb A}(X)_{\varphi(s),\varphi(t)};"
    r" \qquad A = B = 1,\ X_u = u,\ \varphi(u) = u^2,\ \theta_t = t: \; 1 - e^{-1} \ne 2e^{-1}",
    section="Companions of Theorem 1",
    label="Proposition 4",
    method="symbolic",
    leaves_out="Symbolic is the case of one piece and one kink at width 2, depth 2; more kinks, parts of the interval "
    "and depth 3 are drawn. φ is piecewise linear, or u² with a nilpotent generator: under a curved clock e^{−θA} "
    "leaves the rings. Drawn φ increase strictly.",
    covers=("Proposition 4: reparametrisation, and its worked number",),
    code=("ewsmath.EWS", "ewsmath.PiecewiseLinearPath.compose", "ewsmath.ExpPolyPath.compose"),
    mutants=(
        Mutant("the clock reads the stamps", "ewsmath.clocks:Variation._step", of_the_stamps, keeps_depth_one=False),
        Mutant("φ runs through the path, not the clock", f"{HERE}:along", under_its_own_clock, keeps_depth_one=False),
        Mutant("the flow acts on the last letter alone", "ewsmath.ews.chen:flow", flow_of_the_last_letter, True),
        Mutant("order of ⊗ reversed", "ewsmath.ews.chen:chen", chen_in_reverse, keeps_depth_one=True),
    ),
)
