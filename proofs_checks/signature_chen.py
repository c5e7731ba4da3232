"""Chen's identity of the plain signature: the signature of a concatenation is the product of the signatures."""

from collections.abc import Sequence
from functools import reduce
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, ExpPolys, PiecewiseLinearPath, Tensor, TensorAlgebra, signature
from ewsmath.strategies import rationals
from proofs_checks.agreement import agree
from proofs_checks.definition import iterated_integrals
from proofs_checks.draws import depths
from proofs_checks.statement import Mutant, Statement

Moves = list[list[fmpq]]


def moves(dim: int, *, min_size: int, max_size: int = 3) -> st.SearchStrategy[Moves]:
    """The increments of a piecewise-linear path in R^dim, some of them zero. Shrinks to one that rests."""
    small = rationals(max_numerator=2, max_denominator=2)
    return st.lists(st.lists(small, min_size=dim, max_size=dim), min_size=min_size, max_size=max_size)


def by_definition(path: Moves, depth: int) -> Tensor[Any]:
    """The iterated integrals over all pieces at once, letter by letter: there is no Chen identity in it."""
    functions = ExpPolys(QQ)
    return iterated_integrals(QQ, [[functions.coerce(x) for x in v] for v in path], depth)


def exponential(v: Sequence[fmpq], depth: int) -> Tensor[Any]:
    """exp(v) = Σ v^{⊗n}/n!, the signature of a straight line."""
    algebra = TensorAlgebra(QQ, len(v), depth)
    return algebra.exp(algebra.vector(v))


def joined(first: Tensor[Any], second: Tensor[Any]) -> Tensor[Any]:
    """S_{s,u} ⊗ S_{u,t}."""
    return first @ second


@given(st.data())
def check_concatenation(data: st.DataObject) -> None:
    """S_{s,t} = S_{s,u} ⊗ S_{u,t}, each of the three by the definition."""
    depth, dim = data.draw(depths()), data.draw(st.integers(1, 2))
    path = data.draw(moves(dim, min_size=2))
    u = data.draw(st.integers(1, len(path) - 1))
    parts = joined(by_definition(path[:u], depth), by_definition(path[u:], depth))
    agree(by_definition(path, depth), parts, "S_{s,t} and S_{s,u} ⊗ S_{u,t}")


@given(st.data())
def check_a_straight_line_is_an_exponential(data: st.DataObject) -> None:
    """The iterated integrals of a line are exp(v), and those of a path a product of exponentials."""
    depth, dim = data.draw(depths()), data.draw(st.integers(1, 2))
    path = data.draw(moves(dim, min_size=1))
    product = reduce(joined, (exponential(v, depth) for v in path))
    agree(by_definition(path, depth), product, "the iterated integrals and exp(v_1) ⊗ ⋯ ⊗ exp(v_J)")


@given(st.data())
def check_the_library_computes_it(data: st.DataObject) -> None:
    """`signature` agrees with the definition."""
    depth, dim = data.draw(depths()), data.draw(st.integers(1, 2))
    path = data.draw(moves(dim, min_size=1))
    found = signature(PiecewiseLinearPath.from_increments(path), depth)
    agree(found, by_definition(path, depth), "signature(X) and the iterated integrals")


@given(st.data())
def check_a_path_and_its_reverse_cancel(data: st.DataObject) -> None:
    """S(X) ⊗ S(X backwards) = 1: what runs back the same way leaves nothing."""
    depth, dim = data.draw(depths()), data.draw(st.integers(1, 2))
    path = data.draw(moves(dim, min_size=1))
    back = [[-x for x in v] for v in reversed(path)]
    S = joined(by_definition(path, depth), by_definition(back, depth))
    agree(S, S.algebra.one(), "S(X) ⊗ S(X backwards) and 1")


def joined_in_reverse(first: Tensor[Any], second: Tensor[Any]) -> Tensor[Any]:
    """S_{u,t} ⊗ S_{s,u}."""
    return second @ first


def without_cross_terms(first: Tensor[Any], second: Tensor[Any]) -> Tensor[Any]:
    """S_{s,u} + S_{u,t} − 1: additive, which level one is."""
    return first + second - first.algebra.one()


def geometric_series(v: Sequence[fmpq], depth: int) -> Tensor[Any]:
    """Σ v^{⊗n}: the factorials are missing."""
    algebra = TensorAlgebra(QQ, len(v), depth)
    a = algebra.vector(v)
    return reduce(lambda total, _: algebra.one() + a @ total, range(depth), algebra.one())


HERE = "proofs_checks.signature_chen"

STATEMENT = Statement(
    title="Chen's identity of the signature",
    claim=r"S(X)_{s,t} = S(X)_{s,u} \otimes S(X)_{u,t}, \qquad S(X) = \exp(\Delta X_1) \otimes \cdots \otimes"
    r" \exp(\Delta X_J)",
    section="Appendix B",
    method="exact on draws",
    leaves_out="Paths that are not piecewise linear; widths above 2, depths above 3.",
    covers=("Appendix B: Chen's identity of the signature",),
    code=("ewsmath.signature",),
    mutants=(
        Mutant("order of ⊗ reversed", f"{HERE}:joined", joined_in_reverse, keeps_depth_one=True),
        Mutant("no cross terms", f"{HERE}:joined", without_cross_terms, keeps_depth_one=True),
        Mutant("missing factorial", f"{HERE}:exponential", geometric_series, keeps_depth_one=True),
    ),
)
