"""Linear functionals of the EWS are an algebra, and tell re-weighted paths apart that are not tree-like equivalent."""

from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, Functional, PiecewiseLinearPath, Tensor
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator, Diagonal
from ewsmath.strategies import functionals
from proofs_checks.agreement import agree, differ
from proofs_checks.definition import remaining
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.faults import flow_of_the_last_letter
from proofs_checks.statement import Mutant, Statement


class Move(NamedTuple):
    """A piece (r, v) of a path in R^1, and the clock time that remains after it: all that Z reads of it."""

    remains: fmpq
    elapsed: fmpq
    v: fmpq


def join(first: Move, second: Move) -> Move | None:
    """Two moves as one, where the second begins on the clock where the first ends, and both have one ratio v : r."""
    if first.remains != second.remains + second.elapsed or first.elapsed * second.v != second.elapsed * first.v:
        return None
    return Move(second.remains, first.elapsed + second.elapsed, first.v + second.v)


def reduced(path: Sequence[Piece]) -> list[Move]:
    """The normal form of a path in R^1 for A = diag(0, 1), B = (1, 1)ᵀ: equal for tree-like equivalent Z.

    Z = (∫ dX, ∫ e^{−(θ_t−θ_u)} dX) has a slope that tells what remains of the clock, so it turns back on itself only
    where a move is undone with the clock running back. Pieces on which X rests are not seen but by others.
    """
    found: list[Move] = []
    for (elapsed, [v]), remains in zip(path, remaining(path), strict=True):
        if v:
            found.append(Move(remains, elapsed, v))
        while len(found) > 1 and (joined := join(*found[-2:])) is not None:
            found[-2:] = [joined] if joined.v else []
    return found


def ews_of(generator: AbstractGenerator, path: Sequence[Piece], depth: int, lift: Any = None) -> Tensor[Any]:
    """The EWS as the library computes it."""
    ews = EWS(generator, lift, Given([piece.elapsed for piece in path]), depth)
    return ews(PiecewiseLinearPath.from_increments([piece.v for piece in path]))


def told_apart(path: Sequence[Piece], depth: int) -> Tensor[Any]:
    """The EWS of a path in R^1 with A = diag(0, 1), B = (1, 1)ᵀ."""
    return ews_of(Diagonal([0, 1]), path, depth, [[1], [1]])


def undone(piece: Piece) -> Piece:
    """The piece run back, the clock with it."""
    return Piece(-piece.elapsed, [-x for x in piece.v])


@given(st.data())
def check_tree_like_pieces_are_not_seen(data: st.DataObject) -> None:
    """A piece put in anywhere and undone at once, the clock with it, changes nothing, for every generator."""
    generator, depth = data.draw(exact_generators(EE)), data.draw(depths())
    path, [there] = data.draw(pieces(generator.dim, max_size=2)), data.draw(pieces(generator.dim, max_size=1))
    place = data.draw(st.integers(0, len(path)))
    longer = [*path[:place], there, undone(there), *path[place:]]
    agree(ews_of(generator, path, depth), ews_of(generator, longer, depth), "S with the excursion, and without")


def check_all_others_are_told_apart() -> None:
    """81 paths of two pieces, r and v in {−1, 0, 1}: at depth two as many EWS as normal forms, at depth one not so."""
    units = [fmpq(-1), fmpq(0), fmpq(1)]
    paths = list(product([Piece(r, [v]) for r in units for v in units], repeat=2))
    forms = len({tuple(reduced(path)) for path in paths})
    for depth in each_depth(2):
        found = len({tuple(told_apart(path, depth).vector()) for path in paths})
        if depth == 2:
            agree(found, forms, "the number of EWS at depth two, and of normal forms")
        else:
            differ(found, forms, "the number of EWS at depth one, and of normal forms")


def check_a_clock_that_moves_between() -> None:
    """72 paths that move, rest while the clock goes on or back, and move: at depth three EWS are as many as forms."""
    units = [fmpq(-1), fmpq(0), fmpq(1)]
    moves, rests = [Piece(r, [v]) for r in units for v in units if v], [Piece(fmpq(r), [fmpq(0)]) for r in (-1, 1)]
    paths = list(product(moves, rests, moves))
    for depth in each_depth(3):
        if depth == 3:
            found = len({tuple(told_apart(path, depth).vector()) for path in paths})
            agree(found, len({tuple(reduced(path)) for path in paths}), "the number of EWS and of normal forms")


def check_some_need_depth_three() -> None:
    """Down and back over one unit of clock, or back and down: one EWS up to depth two, another at depth three."""
    first = [Piece(fmpq(1), [fmpq(-1)]), Piece(fmpq(-1), [fmpq(-1)]), Piece(fmpq(1), [fmpq(0)])]
    second = [Piece(fmpq(-1), [fmpq(-1)]), Piece(fmpq(1), [fmpq(-1)])]
    for depth in each_depth(3):
        left, right = told_apart(first, depth), told_apart(second, depth)
        if depth < 3:
            agree(left, right, f"two EWS of depth {depth}")
        else:
            differ(left, right, "two EWS of depth three")


@given(st.data())
def check_functionals_are_an_algebra(data: st.DataObject) -> None:
    """1 is a functional, and l(S)k(S) + c k(S) is the functional l ⧢ k + ck, for every generator.

    The words of l have at most n letters and those of k at most N - n, so that the product fits the truncation.
    """
    generator, depth = data.draw(exact_generators(EE)), data.draw(depths())
    ring, S = generator.ring, ews_of(generator, data.draw(pieces(generator.dim, max_size=2)), depth)
    longest = data.draw(st.integers(0, depth))
    some = (functionals(QQ, dim=generator.dim, max_length=n, max_terms=2) for n in (longest, depth - longest))
    l, k = (Functional(ring, data.draw(functional).coefficients) for functional in some)  # noqa: E741
    c = ring.ratio(data.draw(st.integers(-3, 3)), 2)
    agree(Functional.word(ring)(S), ring.one, "the empty word and 1")
    agree(l(S) * k(S) + c * k(S), (l.shuffle(k) + k * c)(S), "a polynomial in l(S), k(S) and its functional")


def join_anywhere(first: Move, second: Move) -> Move | None:
    """Moves are joined without a look at the clock between them: tree-like equivalence of X, not of Z."""
    if first.elapsed * second.v != second.elapsed * first.v:
        return None
    return Move(second.remains, first.elapsed + second.elapsed, first.v + second.v)


def never_join(first: Move, second: Move) -> Move | None:
    """No two moves are one."""
    return None


def undone_later(piece: Piece) -> Piece:
    """The piece run back while the clock goes on."""
    return Piece(piece.elapsed, [-x for x in piece.v])


def pointwise(self: Functional[Any], other: Functional[Any]) -> Functional[Any]:
    """The coefficients multiplied word by word where the shuffle belongs."""
    return Functional(self.ring, {word: c * other[word] for word, c in self.coefficients.items()})


HERE = "proofs_checks.separation"

STATEMENT = Statement(
    title="Linear functionals separate points and form an algebra",
    claim=r"Z^X \not\sim Z^Y \Rightarrow \exists\,l:\ \langle l, S_{\mathbb A}(X)\rangle \ne"
    r" \langle l, S_{\mathbb A}(Y)\rangle; \qquad"
    r" \langle l, S_{\mathbb A}\rangle\langle k, S_{\mathbb A}\rangle = \langle l ⧢ k, S_{\mathbb A}\rangle",
    section="Theorem 1(iii)",
    label="Lemma 11",
    method="exact on draws",
    leaves_out="That separation happens at some depth for all paths is a theorem on signatures, not checked here: all "
    "paths of two pieces with steps in {−1, 0, 1} are told apart at depth two, some of three at depth three, for one "
    "pair (A, B) for which tree-like equivalence of Z is decided. Compactness and continuity, by which the theorem "
    "concludes.",
    covers=("Lemma 11 and Theorem 1(iii): linear functionals separate points and form an algebra",),
    code=("ewsmath.EWS", "ewsmath.Functional.shuffle"),
    mutants=(
        Mutant("equivalence of X, not of Z", f"{HERE}:join", join_anywhere, keeps_depth_one=True),
        Mutant("nothing is tree-like", f"{HERE}:join", never_join, keeps_depth_one=True),
        Mutant("the clock does not run back", f"{HERE}:undone", undone_later, keeps_depth_one=False),
        Mutant(
            "functionals are multiplied word by word", "ewsmath:Functional.shuffle", pointwise, keeps_depth_one=False
        ),
        Mutant("the flow acts on the last letter alone", "ewsmath.ews.chen:flow", flow_of_the_last_letter, True),
    ),
)
