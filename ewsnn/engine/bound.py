r"""How many nodes a step needs, and how large the error is at most.

On one step, with :math:`x = ‖rA‖_∞` and :math:`g(u) = e^{-r(1-u)A}v`, expand around the middle of the step,

.. math:: g(u) = e^{-rA/2} \sum_k \frac{(u - 1/2)^k}{k!} (rA)^k v

Level n and its collocation are then sums over :math:`k_1, …, k_n` that differ only in the iterated integral of the
powers. The sum of the moduli of these differences is a series in x with known coefficients: a bound that holds for
every generator, lift and clock. It vanishes up to :math:`x^{2q-n}` for q nodes.
"""

import functools
import math

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ewsnn.engine.quadrature import gauss_legendre
from ewsnn.generators import AbstractGenerator, Zero
from ewsnn.linalg import largest

# Numbers of nodes the engine is compiled for. Each costs compile time, too few cost steps that are finer than needed.
_LADDER = {4: (2, 4, 11), 8: (4, 7, 12)}

# Truncation allowed for a step, in units of eps: less than what round-off adds.
_TRUNCATION = 10

# Above this, whatever the bound says: the powers of rA would lose digits before their sum converges.
_LARGEST = 4.0

# Above this depth the sums of the bound have too many terms; the engine then goes step by step.
DEEPEST = 5

# A rung that is good only for smaller steps than this is not worth its compilation.
_SMALLEST = 5e-4


def error_bound(
    generator: AbstractGenerator, dtheta: Float[Array, "*batch steps"], depth: int, dtype: np.dtype | type
) -> Float[Array, ""]:
    r"""An upper bound of the error of ``engine="chunked"``, also where generator and clock are traced.

    .. math:: τ(x) + \mathrm{eps} \, N \left(4 \, (1 + x) \sqrt{J} + \min(x_{\mathrm{all}}, J)\right)

    τ bounds the truncation by the nodes that the engine takes for the largest :math:`x = ‖ΔθA‖_∞`; it is rigorous. The
    rest is what round-off adds in J steps, among it the rounding of the angles over the whole elapsed
    time, :math:`x_{\mathrm{all}} = \sum ‖ΔθA‖_∞`; its factors are measured.

    Args:
        generator: The generator A.
        dtheta: The clock increments.
        depth: The truncation depth N.
        dtype: The precision of the computation.

    Returns:
        The bound for the worst of levels 1 to N, relative to the largest entry that a level takes along the path.

    >>> from ewsnn.generators import Diagonal
    >>> bool(error_bound(Diagonal(jnp.array([0.5])), jnp.full((100,), 0.01), 3, np.float32) < 1e-4)
    True
    """
    dtype = np.dtype(dtype)
    eps = float(jnp.finfo(dtype).eps)
    x, everything = _sizes(generator, dtheta.astype(dtype))
    steps = max(dtheta.shape[-1], 1)
    truncation = jnp.zeros((), dtype)
    if not isinstance(generator, Zero):
        rungs = ladder(depth, dtype)
        each = jnp.stack([_truncation(q, depth, x) for q, _ in rungs] + [jnp.full((), eps, dtype)])
        truncation = each[_place(x, rungs)]
    rounding = 4 * (1 + x) * math.sqrt(steps) + jnp.minimum(everything, steps)
    return truncation + depth * eps * rounding


def ladder(depth: int, dtype: np.dtype) -> tuple[tuple[int, float], ...]:
    """The numbers of nodes for a depth, each with the largest ‖ΔθA‖ it is good for.

    Args:
        depth: The truncation depth.
        dtype: The precision.

    Returns:
        Pairs in increasing order; none above depth five.
    """
    if depth > DEEPEST:
        return ()
    eps = float(jnp.finfo(dtype).eps)
    rungs: list[tuple[int, float]] = []
    for q in _LADDER[np.dtype(dtype).itemsize]:
        reach = _reach(q, depth, eps) if 2 * q > depth else 0.0
        if reach > max([_SMALLEST, *(lower for _, lower in rungs)]):
            rungs.append((q, reach))
    return tuple(rungs)


def fewest_nodes(depth: int, dtype: np.dtype, x: float) -> tuple[int, float]:
    """The fewest nodes that are good for a step, and the largest ‖ΔθA‖ that they are good for.

    Args:
        depth: The truncation depth, at most five.
        dtype: The precision.
        x: The ‖ΔθA‖ of the step, at most 1.
    """
    eps = float(jnp.finfo(dtype).eps)
    q = depth // 2 + 1
    while (reach := _reach(q, depth, eps)) < x:
        q += 1
    return q, reach


def infinity_norm(generator: AbstractGenerator) -> Float[Array, ""]:
    """The largest sum of moduli in a row of A."""
    return jnp.max(jnp.sum(jnp.abs(generator.matrix()), axis=-1))


def rung(generator: AbstractGenerator, dtheta: Float[Array, "*batch steps"], depth: int) -> Int[Array, ""]:
    """The place on the ladder that is high enough for every step; one past the end where none is.

    Args:
        generator: The generator A.
        dtheta: The clock increments.
        depth: The truncation depth N.

    Returns:
        The same number for all samples, also under ``jax.vmap``.
    """
    sizes = jax.lax.stop_gradient(_sizes(generator, dtheta)[0])
    return _place(largest(sizes), ladder(depth, dtheta.dtype))


def _place(x: Float[Array, ""], rungs: tuple[tuple[int, float], ...]) -> Int[Array, ""]:
    # Not up to and including: a size that is no number belongs past the end.
    return jnp.sum(~(x <= jnp.asarray([reach for _, reach in rungs], x.dtype))).astype(np.int32)


def _sizes(generator: AbstractGenerator, dtheta: Array) -> tuple[Array, Array]:
    norm = infinity_norm(generator).astype(dtheta.dtype)
    moved = jnp.abs(dtheta)
    return norm * jnp.max(moved, initial=0.0), norm * jnp.max(jnp.sum(moved, axis=-1), initial=0.0)


@functools.cache
def _reach(q: int, depth: int, eps: float) -> float:
    """The largest x up to which the truncation is small enough, by bisection."""
    low, high = 0.0, _LARGEST
    if _relative(q, depth, high) <= _TRUNCATION * eps:
        return high
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if _relative(q, depth, middle) <= _TRUNCATION * eps else (low, middle)
    return low


def _relative(q: int, depth: int, x: float) -> float:
    return float(np.max(_levels(q, depth, np.float64(x), np)))


def _truncation(q: int, depth: int, x: Array) -> Array:
    return jnp.max(jnp.stack(_levels(q, depth, x, jnp)))


def _levels(q: int, depth: int, x, xp) -> list:
    """The bound for each level, relative to the largest entry that the level takes over the step."""
    coefficients = _defects(q, depth)
    top = coefficients.shape[1]
    powers = x ** xp.arange(top, dtype=x.dtype)
    bounds = []
    for n in range(1, depth + 1):
        series = xp.sum(xp.asarray(coefficients[n - 1], x.dtype) * powers)
        # All terms that were not summed: no iterated integral of these powers is above 2^-degree.
        rest = (n * x / 2) ** top * (2.0 / math.factorial(top))
        # At the fraction y/(nx) of the step, where the factors have moved from v by e^y at most and by much less in the
        # mean, the level has still an entry of at least this times v^n/n!; the best of a few y is taken.
        y = xp.minimum(xp.asarray(_PROBES, x.dtype), n * x)
        moved = xp.where(y > 0, xp.expm1(y / n) / xp.where(y > 0, y / n, 1.0), 1.0)
        fraction = xp.where(y > 0, y / xp.where(x > 0, n * x, 1.0), 1.0)
        size = xp.max((2 - moved**n) * fraction**n) / math.factorial(n)
        bounds.append((series + rest) * xp.exp(n * x / 2) / size)
    return bounds


# What n x times the fraction of a step may be, where the size of level n is looked at; about the best for n = 1 to 5.
_PROBES = (0.5, 0.7, 0.9, 1.1, 1.2)

# Degrees of the powers of x that are summed one by one, for depths 1 to 5.
_DEGREES = (40, 40, 40, 34, 26)


@functools.cache
def _defects(q: int, depth: int) -> np.ndarray:
    r"""For levels 1 to N and each degree D, the sum of :math:`|c_k - \hat c_k| / ∏ k_i!` over :math:`∑ k_i = D`.

    :math:`c_k` is the iterated integral of the powers :math:`(u - 1/2)^{k_i}`, :math:`\hat c_k` its collocation; the
    former is a collocation, too, with so many nodes that it is exact.
    """
    top = _DEGREES[depth - 1]
    rules = (gauss_legendre(q), gauss_legendre((top + depth) // 2 + 1))
    powers = [np.stack([(nodes - 0.5) ** k for k in range(top + 1)]) for nodes, _, _ in rules]
    factorials = np.array([math.factorial(k) for k in range(top + 1)], float)
    sums = np.zeros((depth, top + 1))
    degree, scale = np.zeros(1, int), np.ones(1)
    values = [np.ones((1, len(nodes))) for nodes, _, _ in rules]
    for n in range(depth):
        found, exact = (v @ (rule[1] * p).T for v, rule, p in zip(values, rules, powers, strict=True))
        total = degree[:, None] + np.arange(top + 1)
        kept = total <= top
        gaps = np.abs(found - exact) * scale[:, None] / factorials
        np.add.at(sums[n], total[kept], gaps[kept])
        # Exact by the order of the method; what is found there is round-off.
        sums[n, : max(0, 2 * q - n)] = 0
        before, power = np.nonzero(kept)
        if n + 1 < depth:
            values = [(v[before] * p[power]) @ rule[2].T for v, rule, p in zip(values, rules, powers, strict=True)]
            degree, scale = total[before, power], scale[before] / factorials[power]
    return sums
