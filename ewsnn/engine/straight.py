r"""The signature of a piecewise linear path, by matrix products: the EWS with A = 0, without nodes.

Cut every word behind its k-th letter, which lies at time u. Within a step σ the signatures before and after u are
polynomials in u. With their coefficients P and Q in Legendre polynomials over the step,

.. math::
    P_n(u) = \sum_i P_{n,i} L_i(u), \qquad
    S^{(n)} = \sum_{\text{steps}} \int P_{k-1}(u) ⊗ σ ⊗ Q_{n-k}(u) \, du
    = \sum_{\text{steps}} \sum_i \frac{P_{k-1,i} ⊗ σ ⊗ Q_{n-k,i}}{2i+1}.

These are min(k, n - k + 1) products of matrices, and no level above the middle one is held at a step. The coefficients
follow from :math:`\dot P_n = P_{n-1} ⊗ σ`: level n has n + 1, the last one a multiple of :math:`σ^{⊗n}`, and the first
one, its mean over the step, is a running sum.

Where n = 2k - 1, the last term is a multiple of :math:`σ^{⊗n}`. What all steps have of it is symmetric, and the
symmetric part of a level is known, :math:`(S^{(1)})^{⊗n}/n!`: for the highest level of a long path that product is left
out. At depth three one product remains.
"""

import functools
import math

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ewsnn.arrays import PRECISION, Levels
from ewsnn.engine.nodes import outer_each, running
from ewsnn.tensor import group_product

# Bytes of the largest array that the innermost products work on, so that all of them stay in cache.
_HELD = 1 << 19

# Up to so many bytes for all rows a loop over groups of them costs more than it saves.
_WHOLE = 3 << 20

# Steps of a span: not so few that joining spans costs, nor so many that little else fits in cache.
_FEWEST, _MOST = 64, 512

# Moving one letter through all others costs as much as one product over so many steps.
_MOVED = 10

# Steps are filled up to a multiple of the blocks of a running sum.
_MULTIPLE = 32


def signature_of_steps(v: Float[Array, "*batch steps m"], depth: int) -> Levels:
    """The plain signature of piecewise linear paths.

    Args:
        v: The increments, of at least one step.
        depth: The truncation depth N.

    Returns:
        Levels 1 to N.

    Paper: Section 2.

    >>> [level.tolist() for level in signature_of_steps(jnp.array([[1.0, 0.0], [0.0, 1.0]]), 2)]
    [[1.0, 1.0], [[0.5, 1.0], [0.0, 0.5]]]
    """
    *batch, steps, m = v.shape
    rows = math.prod(batch)
    # What a step holds: m letters to the power of the middle level.
    held = m ** ((depth + 1) // 2) * v.dtype.itemsize
    # Moves that it takes to symmetrise the highest level.
    moves = depth * (depth + 1) // 2 - 1
    symmetric = depth % 2 == 1 and depth > 1 and steps >= _MOVED * moves
    spans = -(-steps // min(max(_HELD // held, _FEWEST), _MOST))
    length = -(-steps // spans)
    if length > _MULTIPLE:
        length += -length % _MULTIPLE
    # Letters before steps: the products run along contiguous steps. Spans are rows like any other, and come first.
    x = jnp.moveaxis(v.reshape(rows, steps, m), 1, 2)
    x = jnp.pad(x, ((0, 0), (0, 0), (0, spans * length - steps))).reshape(rows, m, spans, length)
    x = jnp.moveaxis(x, 2, 0).reshape(spans * rows, m, length)
    held *= length
    together = len(x) if len(x) * held <= _WHOLE else _HELD // held
    found = _by_groups(x, depth, max(1, together), complete=not symmetric)
    levels = tuple(level.reshape(spans, rows, *n * (m,)) for n, level in enumerate(found, start=1))
    joined = _joined(levels)
    if symmetric:
        *low, top = joined
        joined = (*low, top + (_power(joined[0], depth) / math.factorial(depth) - _symmetric(top)))
    return tuple(level.reshape(*batch, *n * (m,)) for n, level in enumerate(joined, start=1))


def _by_groups(x: Float[Array, "rows m steps"], depth: int, together: int, *, complete: bool) -> Levels:
    """The levels of every row, for so many rows at a time; they are computed again in the backward pass."""
    rows, m, steps = x.shape
    groups = -(-rows // together)
    if groups <= 1:
        return _levels(x, depth, complete=complete)
    together = -(-rows // groups)
    filled = jnp.pad(x, ((0, groups * together - rows), (0, 0), (0, 0))).reshape(groups, together, m, steps)
    found = jax.lax.map(jax.checkpoint(functools.partial(_levels, depth=depth, complete=complete)), filled)
    return tuple(level.reshape(groups * together, -1)[:rows] for level in found)


def _joined(levels: Levels) -> Levels:
    """The product of all spans, which stand in front."""

    def join(so_far: Levels, span: Levels) -> tuple[Levels, None]:
        return group_product(so_far, span), None

    first, rest = tuple(level[0] for level in levels), tuple(level[1:] for level in levels)
    return first if len(rest[0]) == 0 else jax.lax.scan(jax.checkpoint(join), first, rest)[0]


def _levels(s: Float[Array, "rows m steps"], depth: int, *, complete: bool) -> Levels:
    """Levels 1 to N of every row, the highest without its last, symmetric term if not complete.

    Their letters may be in one axis or in several.
    """
    k = (depth + 1) // 2
    whole, before = jnp.sum(s, axis=-1), running(s, 0.5)
    prefixes = _coefficients(s, before, k - 1)
    suffixes = _coefficients(s, whole[..., None] - before, depth - k, backwards=True)
    left = [outer_each(p, s) for p in prefixes[-1]]
    levels = [whole, *(_product(mean, s) for mean, *_ in prefixes[1:])]
    for n, right in enumerate(suffixes[1:], start=k + 1):
        terms = k - 1 if n == depth and not complete else k
        # Level by level: beside each other, the products would take longer, and the arrays be copied.
        products = (_product(p, q) / (2 * i + 1) for i, (p, q) in enumerate(zip(left[:terms], right, strict=False)))
        levels.append(functools.reduce(jnp.add, products))
    return tuple(levels)


def _coefficients(
    s: Float[Array, "rows m steps"], first: Float[Array, "rows m steps"], top: int, *, backwards: bool = False
) -> list[list[Array]]:
    """Legendre coefficients over each step of levels 0 to ``top``, of what comes before a time or, backwards, after it.

    Args:
        s: The steps, letters before steps.
        first: The mean of level 1 over each step.
        top: The highest level.
        backwards: What comes after, with σ at its left.
    """
    # Backwards the derivative is -σ ⊗ Q.
    half = -0.5 if backwards else 0.5

    def beside(p: Array) -> Array:
        return outer_each(s, p) if backwards else outer_each(p, s)

    levels = [[jnp.ones_like(s[:, :1])], [first, half * s]]
    while len(levels) <= top:
        mean = levels[-1][0]
        # With L_j for j > 0, the integral of L_i is (L_{i+1} - L_{i-1}) / (2i + 1) in halves of a step.
        scaled = [p * (half / (2 * i + 1)) for i, p in enumerate(levels[-1])]
        differences = [low - high for low, high in zip(scaled, scaled[2:], strict=False)]
        start = running(beside(mean), 0.5, backwards=backwards) - beside(scaled[1])
        levels.append([start, *map(beside, [*differences, *scaled[-2:]])])
    return levels[: top + 1]


def _power(x: Float[Array, "rows m"], n: int) -> Float[Array, "rows *letters"]:
    """The n-th tensor power."""
    rows, m = x.shape
    return functools.reduce(outer_each, n * [x[..., None]]).reshape(rows, *n * (m,))


def _symmetric(x: Float[Array, "rows *letters"]) -> Float[Array, "rows *letters"]:
    """The mean over all orders of the letters: letter after letter is moved to all places before it."""
    for last in range(2, x.ndim):
        moved = (jnp.moveaxis(x, last, place) for place in range(1, last + 1))
        x = functools.reduce(jnp.add, moved) / last
    return x


def _product(left: Float[Array, "rows f steps"], right: Float[Array, "rows g steps"]) -> Float[Array, "rows f g"]:
    """The sum over the steps of left ⊗ right."""
    return jnp.einsum("rfn,rgn->rfg", left, right, precision=PRECISION)
