"""The EWS of a piece is the ⋆-square of that of its half; so a series on a small piece reaches any precision."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Balls, Tensor, flow
from ewsmath.ews import local_group, local_structured
from ewsmath.ews.group import _product as product
from ewsmath.generators import AbstractGenerator, Dense
from ewsmath.strategies import generators, rationals, square_matrices
from proofs_checks import definition, formulas
from proofs_checks.agreement import agree, at_most
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.statement import Mutant, Statement


def half(generator: AbstractGenerator, piece: Piece) -> Piece:
    """The piece with half the increments of clock and path."""
    ring = generator.ring
    return Piece(ring.ratio(1, 2) * piece.elapsed, [ring.ratio(1, 2) * x for x in piece.v])


def squared(generator: AbstractGenerator, r: Any, S: Tensor[Any]) -> Tensor[Any]:
    """D^r S ⊗ S, for a piece over which r elapses."""
    return flow(generator, r, S) @ S


def check_squaring_symbolically() -> None:
    """σ(r, v) = D^{r/2}σ(r/2, v/2) ⊗ σ(r/2, v/2), for all r, v and 2 x 2 matrices."""
    whole = formulas.piece(1)
    for generator in formulas.all_matrices():
        part = half(generator, whole)
        for depth in each_depth(2):
            S = squared(generator, part.elapsed, definition.ews(generator, [part], depth))
            agree(S, definition.ews(generator, [whole], depth), "the square of the half and the whole")


@given(st.data())
def check_repeated_squaring_in_EE(data: st.DataObject) -> None:
    """Two squarings of a quarter give the whole, for drawn generators."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths())
    [whole] = data.draw(pieces(generator.dim, max_size=1))
    middle = half(generator, whole)
    quarter = half(generator, middle)
    S = squared(generator, quarter.elapsed, definition.ews(generator, [quarter], depth))
    S = squared(generator, middle.elapsed, S)
    agree(S, definition.ews(generator, [whole], depth), "the square of the square of a quarter, and the whole")


@given(st.data())
def check_any_precision(data: st.DataObject) -> None:
    """In balls of 64 to 512 bits the series with squarings holds the exact value, and loses at most 40 bits."""
    generator = data.draw(generators(max_dim=2).map(lambda found: found.over(EE)))
    depth = data.draw(depths())
    [piece] = data.draw(pieces(generator.dim, max_size=1))
    ring = Balls(data.draw(st.sampled_from([64, 128, 256, 512])))
    found = local_group(generator.over(ring), piece.elapsed, piece.v, depth)
    exact = definition.ews(generator, [piece], depth)
    agree(found, found.algebra.tensor(exact.coefficients), "the balls and the exact value")
    for ball in found.coefficients.values():
        at_most(ball.radius, QQ.ratio(2**40, 2**ring.prec), "the radius of a ball and 2^{40−prec}")


@given(st.data())
def check_matrices_without_exact_spectrum(data: st.DataObject) -> None:
    """For any rational matrix of width up to 3, the balls meet those of the structured exponential."""
    dim, depth = data.draw(st.integers(1, 3)), data.draw(depths(max_depth=2))
    generator = Dense(data.draw(square_matrices(dim)), ring=Balls(128))
    v = data.draw(st.lists(rationals(max_numerator=2), min_size=dim, max_size=dim))
    r = data.draw(rationals(max_numerator=2))
    group, structured = local_group(generator, r, v, depth), local_structured(generator, r, v, depth)
    agree(group, structured, "the group route and the structured exponential")
    for ball in group.coefficients.values():
        at_most(ball.radius, QQ.ratio(1, 2**64), "the radius of a ball and 2^{−64}")


def square_without_flow(generator: AbstractGenerator, r: Any, S: Tensor[Any]) -> Tensor[Any]:
    """S ⊗ S."""
    return S @ S


def flow_on_the_second(generator: AbstractGenerator, r: Any, S: Tensor[Any]) -> Tensor[Any]:
    """S ⊗ D^r S."""
    return S @ flow(generator, r, S)


def whole_clock(generator: AbstractGenerator, piece: Piece) -> Piece:
    """The increment of the path is halved, that of the clock is not."""
    return Piece(piece.elapsed, [generator.ring.ratio(1, 2) * x for x in piece.v])


def product_in_reverse(first: list[Any], second: list[Any]) -> list[Any]:
    """The factors of ⊗ exchanged, in the library's squarings."""
    return product(second, first)


def derivation_of_the_last_slot(X: Any, level: Any, n: int) -> Any:
    """X acts on the last letter alone, in the library's series."""
    return level * X.transpose()


HERE = "proofs_checks.scaling_and_squaring"

STATEMENT = Statement(
    title="Scaling and squaring of the local EWS",
    claim=r"\sigma(r,v) = D_A^{r/2}\,\sigma(r/2,v/2)\otimes\sigma(r/2,v/2)",
    section="Theorem 1(ii), on one linear piece",
    method="symbolic",
    leaves_out="As a formula for all r, v at width 2, depths up to 2; deeper and repeated squarings are drawn. The "
    "library's balls are compared with exact values for spectra in Q(i), and else with another "
    "computation in balls. How many squarings are best.",
    covers=("Local EWS: scaling and squaring in the group, and collocation",),
    code=("ewsmath.ews.local_group", "ewsmath.flow"),
    mutants=(
        Mutant("squares without the flow", f"{HERE}:squared", square_without_flow, keeps_depth_one=False),
        Mutant("flow on the second half", f"{HERE}:squared", flow_on_the_second, keeps_depth_one=True),
        Mutant("the clock is not halved", f"{HERE}:half", whole_clock, keeps_depth_one=False),
        Mutant("in the library, ⊗ reversed", "ewsmath.ews.group:_product", product_in_reverse, keeps_depth_one=True),
        Mutant(
            "in the library, Λ on the last letter alone",
            "ewsmath.ews.group:_derivation",
            derivation_of_the_last_slot,
            keeps_depth_one=True,
        ),
    ),
)
