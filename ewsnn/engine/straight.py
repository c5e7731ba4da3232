r"""The signature of a piecewise linear path, by matrix products: the EWS with A = 0, without nodes.

Cut every word behind its k-th letter, and let σ be the step in which that letter lies. Neighbours may lie in the same
step, so that p of the first k letters do and j of the others. With :math:`P_i` and :math:`Q_i` the levels of the
signature before and after the step,

.. math::
    S^{(n)} = \sum_{\text{steps}} \sum_{p=1}^{k} P_{k-p} ⊗ σ^{⊗p} ⊗ E_{p,n-k}, \qquad
    E_{p,l} = \sum_{j=0}^{l} \frac{σ^{⊗j} ⊗ Q_{l-j}}{(p+j)!} = \frac{Q_l}{p!} + σ ⊗ E_{p+1,l-1}.

For each p this is one product of matrices for all levels from k on, and no level above the middle one is held at a
step. The suffixes are running sums of what a step adds to them, :math:`σ ⊗ E_{1,l}`. At depth three, one product does.
"""

import functools
import itertools
import math

import jax
import jax.numpy as jnp
import numpy as np
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
    found = _by_groups(x, depth, max(1, together))
    levels = tuple(level.reshape(spans, rows, *n * (m,)) for n, level in enumerate(found, start=1))
    return tuple(level.reshape(*batch, *n * (m,)) for n, level in enumerate(_joined(levels), start=1))


def _by_groups(x: Float[Array, "rows m steps"], depth: int, together: int) -> Levels:
    """The levels of every row, for so many rows at a time; they are computed again in the backward pass."""
    rows, m, steps = x.shape
    groups = -(-rows // together)
    if groups <= 1:
        return _levels(x, depth)
    together = -(-rows // groups)
    filled = jnp.pad(x, ((0, groups * together - rows), (0, 0), (0, 0))).reshape(groups, together, m, steps)
    found = jax.lax.map(jax.checkpoint(functools.partial(_levels, depth=depth)), filled)
    return tuple(level.reshape(groups * together, -1)[:rows] for level in found)


def _joined(levels: Levels) -> Levels:
    """The product of all spans, which stand in front."""

    def join(so_far: Levels, span: Levels) -> tuple[Levels, None]:
        return group_product(so_far, span), None

    first, rest = tuple(level[0] for level in levels), tuple(level[1:] for level in levels)
    return first if len(rest[0]) == 0 else jax.lax.scan(jax.checkpoint(join), first, rest)[0]


def _levels(s: Float[Array, "rows m steps"], depth: int) -> Levels:
    """Levels 1 to N of every row; their letters may be in one axis or in several."""
    if depth == 3:
        return _three_levels(s)
    k, m = max(1, depth // 2), s.shape[1]
    low, _, suffixes = _running_levels(s, depth - k, k, backwards=True)
    _, prefixes, _ = _running_levels(s, k - 1, 0)
    powers = list(itertools.accumulate((k - 1) * [s], outer_each, initial=s))
    left = [outer_each(before, power) for before, power in zip(reversed(prefixes), powers[:-1], strict=True)]
    right = [jnp.concatenate(beside, axis=1) for beside in zip(*(column[:k] for column in suffixes), strict=True)]
    top = functools.reduce(jnp.add, map(_product, [*left, powers[-1]], right))
    ends = np.cumsum([m**n for n in range(depth - k)])
    return (*low[: k - 1], *jnp.split(top, ends, axis=-1))


def _running_levels(
    s: Float[Array, "rows m steps"], top: int, powers: int, *, backwards: bool = False
) -> tuple[list[Array], list[Array], list[list[Array]]]:
    """Levels 1 to ``top``; at every step, those before it; and E_{1,l} to E_{powers + top - l,l} for l from 0 to top.

    Backwards, these are the levels after the step, as in the formula; forwards, P stands for Q, and σ at its right.
    """
    levels, running_levels = [], []
    columns = [[jnp.full_like(s[:, :1], 1 / math.factorial(p)) for p in range(1, powers + top + 1)]]
    for _ in range(top):
        beside = [outer_each(s, e) if backwards else outer_each(e, s) for e in columns[-1]]
        levels.append(jnp.sum(beside[0], axis=-1))
        rest = running(beside[0], backwards=backwards)
        running_levels.append(rest)
        columns.append([rest / math.factorial(p) + more for p, more in enumerate(beside[1:], start=1)])
    return levels, running_levels, columns


def _three_levels(s: Float[Array, "rows m steps"]) -> Levels:
    r"""Levels 1 to 3 by one product of the path from start to end with its steps.

    With P and Q up to the middle of a step, the product of P, σ and Q lacks :math:`σ^{⊗3}/12` of a step. What all steps
    lack is symmetric, and the symmetric part of level 3 is :math:`(S^{(1)})^{⊗3}/6`.
    """
    rows, m, _ = s.shape
    whole = jnp.sum(s, axis=-1)
    before = running(s, 0.5)
    pairs = outer_each(before, s)
    third = _product(pairs, whole[..., None] - before).reshape(rows, m, m, m)
    square = (whole[:, :, None] * whole[:, None]).reshape(rows, m, m, 1)
    lacking = square * whole[:, None, None] / 6 - _symmetric(third)
    return whole, _product(before, s), third + lacking


def _symmetric(x: Float[Array, "rows m m m"]) -> Float[Array, "rows m m m"]:
    """The mean over all orders of the letters."""
    orders = [x.transpose(0, *order) for order in itertools.permutations((1, 2, 3))]
    return functools.reduce(jnp.add, orders) / len(orders)


def _product(left: Float[Array, "rows f steps"], right: Float[Array, "rows g steps"]) -> Float[Array, "rows f g"]:
    """The sum over the steps of left ⊗ right."""
    return jnp.einsum("rfn,rgn->rfg", left, right, precision=PRECISION)
