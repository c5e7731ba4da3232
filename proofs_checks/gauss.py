"""Gauss–Legendre collocation of the local EWS in balls: what its checks share."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from flint import arb

from ewsmath import Balls, Matrix, Tensor, TensorAlgebra
from ewsmath.rings import WorkingPrecision
from ewsmath.spectrum import exponential

RING = Balls(256)
"""Where it is done: the nodes are irrational."""


class Rule(NamedTuple):
    """A collocation rule on [0, 1].

    Attributes:
        nodes: c_i.
        weights: b_i, the integrals of the Lagrange polynomials over [0, 1].
        integrals: a_ij, those over [0, c_i].
    """

    nodes: list[Any]
    weights: list[Any]
    integrals: list[list[Any]]


def gauss_rule(s: int) -> Rule:
    """The rule with the s nodes of Gauss and Legendre."""
    with WorkingPrecision(RING.prec):
        roots = [RING.coerce(arb.legendre_p_root(s, k)) for k in range(s)]
    return collocation_rule([(1 + x) / 2 for x in roots])


def collocation_rule(nodes: list[Any]) -> Rule:
    """The rule with given nodes."""
    weights, integrals = [], [[] for _ in nodes]
    for j, c in enumerate(nodes):
        lagrange = [RING.one]  # coefficients from the constant one up
        for k, other in enumerate(nodes):
            if k != j:
                shifted, scale = [RING.zero, *lagrange], RING.inverse(c - other)
                lagrange = [(x - other * y) * scale for x, y in zip(shifted, [*lagrange, RING.zero], strict=True)]
        weights.append(integral(lagrange, RING.one))
        for row, end in zip(integrals, nodes, strict=True):
            row.append(integral(lagrange, end))
    return Rule(nodes, weights, integrals)


def integral(coefficients: Sequence[Any], end: Any) -> Any:
    """The integral of a polynomial from 0, by Horner's rule."""
    total = RING.zero
    for k in range(len(coefficients), 0, -1):
        total = (total + coefficients[k - 1] / k) * end
    return total


def letters(A: Matrix[Any], v: Sequence[Any], nodes: Sequence[Any], algebra: TensorAlgebra[Any]) -> list[Tensor[Any]]:
    """The letters g(c_i) = e^{−(1−c_i)A} v at the nodes, for the clock increment 1."""
    return [algebra.vector(exponential(A * (c - 1)).apply([RING.coerce(x) for x in v])) for c in nodes]


def combination(weights: Sequence[Any], tensors: Sequence[Tensor[Any]]) -> Tensor[Any]:
    """Σ_j w_j t_j."""
    total = tensors[0].algebra.zero()
    for w, t in zip(weights, tensors, strict=True):
        total = total + t.scaled(w)
    return total


def prefixes(rule: Rule, g: Sequence[Tensor[Any]], depth: int) -> list[list[Tensor[Any]]]:
    """Y^{(n)}(c_i) = Σ_j a_ij Y^{(n−1)}(c_j) ⊗ g(c_j), for n = 0, …, depth: what is integrated up to each node."""
    levels = [[g[0].algebra.one() for _ in g]]
    for _ in range(depth):
        integrand = [Y @ x for Y, x in zip(levels[-1], g, strict=True)]
        levels.append([combination(row, integrand) for row in rule.integrals])
    return levels


def suffixes(rule: Rule, g: Sequence[Tensor[Any]], depth: int) -> list[list[Tensor[Any]]]:
    """Ỹ^{(n)}(c_i) = Σ_j (b_j − a_ij) g(c_j) ⊗ Ỹ^{(n−1)}(c_j), for n = 0, …, depth: what is left from each node on."""
    levels = [[g[0].algebra.one() for _ in g]]
    for _ in range(depth):
        integrand = [x @ Y for Y, x in zip(levels[-1], g, strict=True)]
        rows = [[b - a for b, a in zip(rule.weights, row, strict=True)] for row in rule.integrals]
        levels.append([combination(row, integrand) for row in rows])
    return levels


def collocation(rule: Rule, A: Matrix[Any], v: Sequence[Any], depth: int) -> Tensor[Any]:
    """The local EWS σ(1, v) of A by collocation: σ_n = Σ_j b_j Y^{(n−1)}(c_j) ⊗ g(c_j)."""
    algebra = TensorAlgebra(RING, len(v), depth)
    g = letters(A, v, rule.nodes, algebra)
    total = algebra.one()
    for Y in prefixes(rule, g, depth - 1):
        total = total + combination(rule.weights, [y @ x for y, x in zip(Y, g, strict=True)])
    return total
