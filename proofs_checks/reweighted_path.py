"""On a fixed interval the EWS is the signature of the re-weighted path, and so it is group-like."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, PiecewiseLinearPath, Tensor, TensorAlgebra
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator
from ewsmath.rings import Ring
from ewsmath.words import Word, shuffle
from proofs_checks import definition
from proofs_checks.agreement import agree
from proofs_checks.definition import Speed, iterated_integrals, remaining, weighted_speed
from proofs_checks.draws import Piece, depths, exact_generators, pieces
from proofs_checks.faults import shuffle_without_repetition
from proofs_checks.statement import Mutant, Statement


def signature_of_reweighted_path(generator: AbstractGenerator, path: Sequence[Piece], depth: int) -> Tensor[Any]:
    """S(Z^{[t]}): the signatures of the pieces of Z, joined by the classical Chen identity."""
    total = TensorAlgebra(generator.ring, generator.dim, depth).one()
    for piece, remains in zip(path, remaining(path), strict=True):
        speed: Speed = weighted_speed(generator, piece, remains)
        total = total @ iterated_integrals(generator.ring, [speed], depth)
    return total


def ews_of(generator: AbstractGenerator, path: Sequence[Piece], depth: int) -> Tensor[Any]:
    """The EWS as the library computes it: its recursive form on each piece, joined by ⋆."""
    ews = EWS(generator, clock=Given([piece.elapsed for piece in path]), depth=depth)
    return ews(PiecewiseLinearPath.from_increments([piece.v for piece in path]), route="recursion")


def reweighting(ring: Ring[Any], data: st.DataObject) -> None:
    """Draw a path; compare its EWS with the signature of the re-weighted path."""
    generator = data.draw(exact_generators(ring))
    depth = data.draw(depths())
    path = data.draw(pieces(generator.dim, max_size=2))
    agree(
        ews_of(generator, path, depth),
        signature_of_reweighted_path(generator, path, depth),
        "the EWS and the signature of the re-weighted path",
    )


@given(st.data())
def check_signature_of_reweighted_path_in_QQ(data: st.DataObject) -> None:
    """S_𝔸(X;θ) = S(Z^{[t]}) for nilpotent generators."""
    reweighting(QQ, data)


@given(st.data())
def check_signature_of_reweighted_path_in_EE(data: st.DataObject) -> None:
    """S_𝔸(X;θ) = S(Z^{[t]}) for generators with spectrum in Q(i)."""
    reweighting(EE, data)


@given(st.data())
def check_ews_is_group_like(data: st.DataObject) -> None:
    """Products of coordinates of the EWS are shuffles: ⟨u,S⟩⟨w,S⟩ = ⟨u ⧢ w,S⟩."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths())
    S = ews_of(generator, data.draw(pieces(generator.dim, max_size=2)), depth)
    lengths = [(n, k) for n in range(1, depth) for k in range(n, depth - n + 1)]
    for n, k in lengths:
        u = tuple(data.draw(st.lists(st.integers(1, generator.dim), min_size=n, max_size=n)))
        w = tuple(data.draw(st.lists(st.integers(1, generator.dim), min_size=k, max_size=k)))
        shuffled = sum((EE.coerce(count) * S[word] for word, count in shuffle(u, w).items()), EE.zero)
        agree(S[u] * S[w], shuffled, f"⟨{u}, S⟩⟨{w}, S⟩ and ⟨{u} ⧢ {w}, S⟩")


def nothing_remains(path: Sequence[Piece]) -> list[Any]:
    """Every piece is weighted to its own end only."""
    return [0 * piece.elapsed for piece in path]


def growing_speed(generator: AbstractGenerator, piece: Piece, remains: Any) -> Speed:
    """e^{+(R + r(1-u))A} v."""
    return definition.weighted_speed(generator, Piece(-piece.elapsed, piece.v), -remains)


def prepend(word: Word, letter: int) -> Word:
    """The last letter is integrated first."""
    return (letter, *word)


HERE = "proofs_checks.reweighted_path"

STATEMENT = Statement(
    title="The EWS is the signature of the re-weighted path",
    claim=r"S_{\mathbb A}(X;\theta)_{s,t} = S(Z^{[t]})_{s,t}, \qquad"
    r" Z^{[t]}_\tau = \int_s^\tau e^{-(\theta_t-\theta_u)A} B\,dX_u",
    section="Theorem 1(i)",
    label="Proposition 3",
    method="exact on draws",
    leaves_out="Paths that are not piecewise linear, and of finite p-variation only; generators whose spectrum leaves "
    "Q(i); widths above 2, depths above 3.",
    covers=("Proposition 3: the EWS is the signature of the re-weighted path",),
    code=("ewsmath.EWS",),
    mutants=(
        Mutant("weights to the end of the piece, not of the interval", f"{HERE}:remaining", nothing_remains, False),
        Mutant("wrong sign of the weight", f"{HERE}:weighted_speed", growing_speed, False),
        Mutant("letters in reverse", "proofs_checks.definition:append", prepend, keeps_depth_one=True),
        Mutant("shuffle without repetition count", f"{HERE}:shuffle", shuffle_without_repetition, keeps_depth_one=True),
    ),
)
