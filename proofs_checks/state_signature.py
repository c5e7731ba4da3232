"""The EWS is not the signature of the state h of the model: both agree at level one, and part at level two."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, SR, ExpPoly, ExpPolys, PiecewiseLinearPath, Tensor
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator, Diagonal
from proofs_checks.agreement import agree, differ
from proofs_checks.definition import Speed, iterated_integrals, remaining, weighted_speed
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.faults import flow_of_the_last_letter, turned_round
from proofs_checks.statement import Mutant, Statement


def state(generator: AbstractGenerator, path: list[Piece]) -> list[list[ExpPoly[Any]]]:
    """The state on each piece: the solution of dh = −Ah dθ + B dX from h = 0, as functions of the fraction u."""
    functions = ExpPolys(generator.ring)
    h, found = [functions.zero] * generator.dim, []
    for piece in path:
        forward = generator.kernel().map(functions, lambda f, r=piece.elapsed: f.substituted(0, r))
        back = generator.kernel().map(functions, lambda f, r=piece.elapsed: f.substituted(0, -r))
        driven = [f.integral() for f in back.apply([functions.coerce(x) for x in piece.v])]
        found.append(forward.apply([x + y for x, y in zip(h, driven, strict=True)]))
        h = [functions.coerce(f(1)) for f in found[-1]]
    return found


def signature_of_state(generator: AbstractGenerator, path: list[Piece], depth: int) -> Tensor[Any]:
    """S(h), the iterated integrals of the path that the state runs through."""
    speeds: list[Speed] = [[f.derivative() for f in h] for h in state(generator, path)]
    return iterated_integrals(generator.ring, speeds, depth)


def ews_of(generator: AbstractGenerator, path: list[Piece], depth: int) -> Tensor[Any]:
    """The EWS as the library computes it, also where the clock is a formula."""
    ews = EWS(generator, clock=Given([piece.elapsed for piece in path]), depth=depth)
    return ews(PiecewiseLinearPath.from_increments([piece.v for piece in path], ring=generator.ring), route="iterated")


def backwards(S: Tensor[Any]) -> Tensor[Any]:
    """Every word read backwards."""
    return turned_round(S)


@given(st.data())
def check_level_one_agrees(data: st.DataObject) -> None:
    """Level one of both is h_t, and so is the symmetric part of level two, h_t ⊗ h_t / 2, for every generator."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths(2))
    path = data.draw(pieces(generator.dim, max_size=2))
    S, of_h = ews_of(generator, path, depth), signature_of_state(generator, path, depth)
    agree(of_h.level(1), S.level(1), "levels one of S(h) and of the EWS")
    agree([f(1) for f in state(generator, path)[-1]], S.level(1), "h_t and level one of the EWS")
    if depth > 1:
        halves = [(T + backwards(T)).level(2) for T in (of_h, S)]
        agree(halves[0], halves[1], "symmetric parts of level two")


@given(st.data())
def check_width_one_agrees(data: st.DataObject) -> None:
    """In width one both are the powers of h_t: there the two are the same at every depth."""
    generator = Diagonal(data.draw(st.sampled_from([QQ.ratio(1, 2), QQ.ratio(-1, 1), QQ.ratio(2, 1)])))
    path, depth = data.draw(pieces(1)), data.draw(depths())
    agree(signature_of_state(generator, path, depth), ews_of(generator, path, depth), "S(h) and the EWS in width one")


@given(st.data())
def check_one_piece_reads_backwards(data: st.DataObject) -> None:
    """On one straight piece S(h) is the EWS with every word read backwards, for every generator."""
    generator, depth = data.draw(exact_generators(EE)), data.draw(depths())
    path = data.draw(pieces(generator.dim, max_size=1))
    agree(signature_of_state(generator, path, depth), backwards(ews_of(generator, path, depth)), "S(h) and the EWS")


def check_area_on_one_piece() -> None:
    """A = diag(λ, μ), one piece: coordinates 12 part by a formula that for real rates vanishes only where λ = μ.

    With c = (a + b)/2 and d = (a − b)/2 it is 2xy d e^{−c} (sinh c/c − sinh d/d)/(c² − d²), and sinh z/z increases
    with z².
    """
    lam, mu, r, x, y = SR.symbols("lambda mu r x y")
    generator, path = Diagonal([lam, mu]), [Piece(r, [x, y])]
    a, b = lam * r, mu * r
    for depth in each_depth(2):
        S, of_h = ews_of(generator, path, depth), signature_of_state(generator, path, depth)
        agree(of_h.level(1), S.level(1), "levels one of S(h) and of the EWS")
        if depth > 1:
            gap = x * y / (a * b) * (SR.exp(-a) - SR.exp(-b) + (a - b) / (a + b) * (1 - SR.exp(-a - b)))
            agree(of_h[1, 2] - S[1, 2], gap, "coordinate 12 of S(h) less that of the EWS, and the formula")


def check_area_on_two_pieces() -> None:
    """A = λI, a piece (x, 0) over r and one (0, y) over s: the areas are w of S(h) and e^{−λs}w of the EWS, w ≠ 0.

    Here w = xy (1 − e^{−λr})(1 − e^{−λs})/(λ²rs): the state falls back while it turns, the re-weighted path has fallen.
    """
    lam, r, s, x, y = SR.symbols("lambda r s x y")
    generator, path = Diagonal([lam, lam]), [Piece(r, [x, SR.zero]), Piece(s, [SR.zero, y])]
    w = x * y * (1 - SR.exp(-lam * r)) * (1 - SR.exp(-lam * s)) / (lam * lam * r * s)
    for depth in each_depth(2):
        S, of_h = ews_of(generator, path, depth), signature_of_state(generator, path, depth)
        agree(of_h.level(1), S.level(1), "levels one of S(h) and of the EWS")
        if depth > 1:
            agree(of_h[1, 2] - of_h[2, 1], w, "the area of S(h) and w")
            agree(S[1, 2] - S[2, 1], SR.exp(-lam * s) * w, "the area of the EWS and e^{−λs}w")


@given(st.data())
def check_they_part_on_draws(data: st.DataObject) -> None:
    """Drawn rates λ ≠ μ, one piece on which clock and both channels move: the two part at every depth from two on."""
    depth = data.draw(depths())
    nonzero = st.sampled_from([QQ.ratio(p, q) for p in (-2, -1, 1, 2) for q in (1, 2)])
    rates = data.draw(st.lists(st.one_of(st.just(QQ.zero), nonzero), min_size=2, max_size=2, unique=True))
    generator, path = Diagonal(rates), [Piece(data.draw(nonzero), [data.draw(nonzero), data.draw(nonzero)])]
    if depth > 1:
        differ(signature_of_state(generator, path, depth), ews_of(generator, path, depth), "S(h) and the EWS")


def reweighted_path(generator: AbstractGenerator, path: list[Piece]) -> list[list[ExpPoly[Any]]]:
    """Z^{[t]} in place of h: what came before a piece has fallen already when the piece begins."""
    functions = ExpPolys(generator.ring)
    Z, found = [functions.zero] * generator.dim, []
    for piece, remains in zip(path, remaining(path), strict=True):
        speed = weighted_speed(generator, piece, remains)
        found.append([x + f.integral() for x, f in zip(Z, speed, strict=True)])
        Z = [functions.coerce(f(1)) for f in found[-1]]
    return found


def growing_state(generator: AbstractGenerator, path: list[Piece]) -> list[list[ExpPoly[Any]]]:
    """The solution of dh = +Ah dθ + B dX."""
    return solved(generator, [Piece(-piece.elapsed, piece.v) for piece in path])


def read_forwards(S: Tensor[Any]) -> Tensor[Any]:
    """Every word as it stands."""
    return S


solved: Any = state  # the true one, by the name that mutants use


HERE = "proofs_checks.state_signature"

STATEMENT = Statement(
    title="The EWS is not the signature of the state",
    claim=r"dh = -A h\,d\theta + B\,dX: \qquad S(h)^{(1)}_{s,t} = S_{\mathbb A}(X;\theta)^{(1)}_{s,t}, \qquad"
    r" S(h)^{(2)}_{s,t} \ne S_{\mathbb A}(X;\theta)^{(2)}_{s,t} \text{ in general}",
    section="Remark to Proposition 3",
    method="symbolic",
    leaves_out="The difference is a formula for diagonal A on one piece and for A = λI on two; for others and "
    "longer paths only the agreements are checked. In width one, and on one piece with a single rate, there is no "
    "difference at all; on one straight piece S(h) is the EWS read backwards.",
    covers=("Remark to Proposition 3: it is not the signature of the state",),
    code=("ewsmath.EWS",),
    mutants=(
        Mutant("the re-weighted path in place of the state", f"{HERE}:state", reweighted_path, keeps_depth_one=True),
        Mutant("nothing is read backwards", f"{HERE}:backwards", read_forwards, keeps_depth_one=True),
        Mutant("the flow acts on the last letter alone", "ewsmath.ews.chen:flow", flow_of_the_last_letter, True),
        Mutant("a state that grows", f"{HERE}:state", growing_state, keeps_depth_one=False),
    ),
)
