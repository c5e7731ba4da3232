"""The modified Chen identity, and the group that it makes of pairs of clock increment and EWS."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, SR, PiecewiseLinearPath, Segment, Tensor, TensorAlgebra
from ewsmath.clocks import Given
from ewsmath.ews import chen, inverse, unit
from ewsmath.ews.weighted import Stretch
from ewsmath.generators import AbstractGenerator
from ewsmath.operators import flow
from ewsmath.paths import AbstractPath
from ewsmath.rings import Ring
from ewsmath.strategies import group_likes, rationals
from proofs_checks import definition, formulas
from proofs_checks.agreement import agree
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.faults import flow_of_the_last_letter
from proofs_checks.statement import Mutant, Statement


def segment(generator: AbstractGenerator, part: list[Piece], depth: int) -> Segment:
    """The pair of an interval, by the definition."""
    elapsed = sum((piece.elapsed for piece in part), generator.ring.zero)
    return Segment(generator, elapsed, definition.ews(generator, part, depth))


def chen_identity(ring: Ring[Any], data: st.DataObject) -> None:
    """Draw a path and a time u at a knot of it; compare both sides of the identity."""
    generator = data.draw(exact_generators(ring))
    depth = data.draw(depths())
    path = data.draw(pieces(generator.dim, min_size=2))
    u = data.draw(st.integers(1, len(path) - 1))
    joined = chen(segment(generator, path[:u], depth), segment(generator, path[u:], depth))
    agree(segment(generator, path, depth).ews, joined.ews, "S_{s,t} and D(S_{s,u}) ⊗ S_{u,t}")


@given(st.data())
def check_chen_in_QQ(data: st.DataObject) -> None:
    """S_{s,t} = D(S_{s,u}) ⊗ S_{u,t} for nilpotent generators, in rational numbers."""
    chen_identity(QQ, data)


@given(st.data())
def check_chen_in_EE(data: st.DataObject) -> None:
    """S_{s,t} = D(S_{s,u}) ⊗ S_{u,t} for generators with spectrum in Q(i), in sums of exponentials."""
    chen_identity(EE, data)


@given(st.data())
def check_chen_inside_a_piece(data: st.DataObject) -> None:
    """The identity at a time u inside a linear piece, over which path and clock move in proportion."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths())
    [whole] = data.draw(pieces(generator.dim, max_size=1))
    share = data.draw(st.sampled_from([QQ.ratio(1, 2), QQ.ratio(1, 3)]))
    first = Piece(share * whole.elapsed, [share * x for x in whole.v])
    second = Piece(whole.elapsed - first.elapsed, [x - y for x, y in zip(whole.v, first.v, strict=True)])
    joined = chen(segment(generator, [first], depth), segment(generator, [second], depth))
    agree(segment(generator, [whole], depth).ews, joined.ews, "the piece and its two parts, joined")


@given(st.data())
def check_the_library_cuts_a_piece(data: st.DataObject) -> None:
    """`EWS(X, s, u)` and `EWS(X, u, t)` for u inside a piece are those of the parts, by the definition."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths())
    path = data.draw(pieces(generator.dim, max_size=2))
    j, share = data.draw(st.integers(0, len(path) - 1)), data.draw(st.sampled_from([QQ.ratio(1, 2), QQ.ratio(1, 3)]))
    ews = EWS(generator, clock=Given([piece.elapsed for piece in path]), depth=depth)
    X = PiecewiseLinearPath.from_increments([piece.v for piece in path])
    first = Piece(share * path[j].elapsed, [share * x for x in path[j].v])
    second = Piece(path[j].elapsed - first.elapsed, [x - y for x, y in zip(path[j].v, first.v, strict=True)])
    before, after = [*path[:j], first], [second, *path[j + 1 :]]
    agree(ews(X, 0, j + share), segment(generator, before, depth).ews, "S_{s,u} of the library and by the definition")
    agree(ews(X, j + share, len(path)), segment(generator, after, depth).ews, "S_{u,t}, of the library and so")


@given(st.data())
def check_group_laws(data: st.DataObject) -> None:
    """⋆ is associative, (0, 1) is its unit, and (−r, D^{−r}(S^{−1})) the inverse, for any group-like S."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths())
    ring = generator.ring
    algebra = TensorAlgebra(ring, generator.dim, depth)
    clock_times = rationals(max_numerator=2, max_denominator=2)
    g1, g2, g3 = (
        Segment(generator, ring.coerce(data.draw(clock_times)), data.draw(group_likes(algebra, max_factors=2)))
        for _ in range(3)
    )
    one = unit(generator, depth)
    agree(chen(chen(g1, g2), g3).ews, chen(g1, chen(g2, g3)).ews, "(g1 ⋆ g2) ⋆ g3 and g1 ⋆ (g2 ⋆ g3)")
    agree(chen(g1, one).ews, g1.ews, "g ⋆ 1 and g")
    agree(chen(one, g1).ews, g1.ews, "1 ⋆ g and g")
    agree(chen(g1, inverse(g1)).ews, one.ews, "g ⋆ g⁻¹ and 1")
    agree(chen(inverse(g1), g1).ews, one.ews, "g⁻¹ ⋆ g and 1")


def check_chen_symbolically() -> None:
    """S_{s,t} = D(S_{s,u}) ⊗ S_{u,t} for all increments of clock and path on two pieces, and all 2 x 2 matrices A."""
    for generator in formulas.all_matrices():
        for depth in each_depth(2):
            path = [formulas.piece(1), formulas.piece(2)]
            joined = chen(segment(generator, path[:1], depth), segment(generator, path[1:], depth))
            agree(segment(generator, path, depth).ews, joined.ews, "S_{s,t} and D(S_{s,u}) ⊗ S_{u,t}")


def check_associativity_symbolically() -> None:
    """(g1 ⋆ g2) ⋆ g3 = g1 ⋆ (g2 ⋆ g3) for all r_1, r_2, r_3, all tensors S_1, S_2, S_3 and all 2 x 2 matrices A."""
    for generator in formulas.all_matrices():
        for depth in each_depth(2):
            g1, g2, g3 = (
                Segment(generator, SR.symbol(f"r_{j}"), formulas.tensor(name, depth)) for j, name in enumerate("abc")
            )
            agree(chen(chen(g1, g2), g3).ews, chen(g1, chen(g2, g3)).ews, "(g1 ⋆ g2) ⋆ g3 and g1 ⋆ (g2 ⋆ g3)")


def backward_flow(generator: AbstractGenerator, r: Any, a: Tensor[Any]) -> Tensor[Any]:
    """D_A^{-r} where D_A^r belongs."""
    return flow(generator, -r, a)


def chen_on_the_wrong_factor(first: Segment, second: Segment) -> Segment:
    """S_{s,u} ⊗ D(S_{u,t})."""
    ews = first.ews @ flow(first.generator, second.elapsed, second.ews)
    return Segment(first.generator, first.elapsed + second.elapsed, ews)


def chen_in_reverse(first: Segment, second: Segment) -> Segment:
    """S_{u,t} ⊗ D(S_{s,u})."""
    ews = second.ews @ flow(first.generator, second.elapsed, first.ews)
    return Segment(first.generator, first.elapsed + second.elapsed, ews)


def chen_with_a_late_clock(first: Segment, second: Segment) -> Segment:
    """Transport over θ_t − θ_s where θ_t − θ_u belongs."""
    elapsed = first.elapsed + second.elapsed
    return Segment(first.generator, elapsed, flow(first.generator, elapsed, first.ews) @ second.ews)


def stretches_with_the_whole_clock(self: EWS, path: AbstractPath[Any], s: Any = None, t: Any = None) -> list[Any]:
    """A part of a piece with its share of the path, but the whole clock increment of the piece."""
    found = []
    for j, start, end in path.portions(s, t):
        elapsed = self.ring.coerce(self.clock.increment(path, j, self.ring))
        found.append(Stretch(elapsed, self.lifted(path.piece(j).between(start, end).speed)))
    return found


HERE = "proofs_checks.modified_chen"

STATEMENT = Statement(
    title="Modified Chen identity",
    claim=r"S_{s,t} = D_A^{\theta_t-\theta_u}(S_{s,u}) \otimes S_{u,t}, \qquad"
    r" (r_1,S_1)\star(r_2,S_2) = \big(r_1+r_2,\ D_A^{r_2}(S_1)\otimes S_2\big)",
    section="Theorem 1(ii); Section 2.2",
    label="Lemma 7",
    method="symbolic",
    leaves_out="The identity and associativity hold as formulas in all parameters at width 2, depths up to 2, on two "
    "pieces; depth 3 and longer paths are drawn, with spectra in Q(i). Paths that are not piecewise linear.",
    covers=("Lemma 7: modified Chen, and the associativity of ⋆",),
    code=("ewsmath.chen", "ewsmath.EWS", "ewsmath.ews.inverse", "ewsmath.ews.unit"),
    mutants=(
        Mutant("wrong sign of the flow", "ewsmath.ews.chen:flow", backward_flow, keeps_depth_one=False),
        Mutant(
            "the flow acts on the last letter alone",
            "ewsmath.ews.chen:flow",
            flow_of_the_last_letter,
            keeps_depth_one=True,
        ),
        Mutant("flow on the wrong factor", f"{HERE}:chen", chen_on_the_wrong_factor, keeps_depth_one=False),
        Mutant("order of ⊗ reversed", f"{HERE}:chen", chen_in_reverse, keeps_depth_one=True),
        Mutant(
            "a part of a piece gets its whole clock increment",
            "ewsmath:EWS.stretches",
            stretches_with_the_whole_clock,
            keeps_depth_one=False,
        ),
        Mutant("clock read too late", f"{HERE}:chen", chen_with_a_late_clock, keeps_depth_one=False),
    ),
)
