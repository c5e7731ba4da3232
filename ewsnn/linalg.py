r"""The matrix exponential, and the dyadic scaling it shares with the local EWS.

JAX's own ``jax.scipy.linalg.expm`` leaves norms up to twice the bound of its Padé approximant and loses up to
half of the digits on rotations; this one scales first, by the ceiling of the logarithm.
"""

import functools
import math
from collections.abc import Callable
from typing import TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Shaped

from ewsnn.arrays import PRECISION

State = TypeVar("State")

# How many doublings a loop can do, as lengths of nested loops: the gradient keeps a state for each turn of each. The
# choice of one is a scalar, so that only that one runs. The last of each type has room for every finite product of a
# norm and an r of that type. Where the states are small, fewer loops are taken, which compile in less time.
_SMALL: dict[bool, tuple[tuple[int, ...], ...]] = {False: ((), (19, 19)), True: ((), (47, 47))}
_LARGE: dict[bool, tuple[tuple[int, ...], ...]] = {False: ((), (4,), (7, 7, 7)), True: ((), (4,), (13, 13, 13))}

# Bytes that may be kept for the sake of a shorter compilation.
_KEPT = 1 << 26

# Degrees of the Taylor polynomial on matrices of norm at most 1: the remainder is about 1/13! = 2e-10 or 1/21! = 2e-20.
_DEGREES = {4: 12, 8: 20}


@jax.custom_batching.custom_vmap
def largest(sizes: Shaped[Array, "..."]) -> Shaped[Array, ""]:
    """The largest of some sizes and 0; under ``jax.vmap``, too, one number for all samples.

    A number for each sample would turn the choice of a branch into running all of them.
    """
    return jnp.max(sizes, initial=0)


@largest.def_vmap
def _largest_of_all(axis_size: int, in_batched: list[bool], sizes: Array) -> tuple[Array, bool]:
    del axis_size, in_batched
    return largest(sizes), False


def halvings(log2_norms: Float[Array, "*batch"]) -> Int[Array, "*batch"]:
    """How often each matrix must be halved, to bring its norm to at most 1.

    Args:
        log2_norms: Logarithms, to base two, of the norms; entries that are not finite do not count.

    >>> halvings(jnp.array([-1.0, 0.5, 3.0, jnp.inf])).tolist()
    [0, 1, 3, 0]
    """
    norms = jax.lax.stop_gradient(log2_norms)
    return jnp.ceil(jnp.where(jnp.isfinite(norms), jnp.maximum(norms, 0), 0)).astype(np.int32)


def halved(r: Float[Array, "*batch"], count: Int[Array, "*batch"]) -> Float[Array, "*batch"]:
    r"""The numbers :math:`r/2^k`, with their derivative also at zero.

    ``jnp.ldexp`` itself has the derivative 1 there, whatever k is.

    Args:
        r: The numbers.
        count: How often to halve each, k.

    >>> jax.grad(lambda r: halved(r, jnp.int32(2)))(0.0).item()
    0.25
    """
    # In thirds: no power of two that takes part underflows where k is as large as the exponents of norm and r allow.
    third = count // 3
    for part in (third, third, count - 2 * third):
        r = r * jnp.ldexp(jnp.ones_like(r), -part)
    return r


def repeat(counts: Int[Array, "*batch"], step: Callable[[State], State], state: State, *, double: bool) -> State:
    """The step applied to each entry of the state as many times as its count says.

    Differentiable in both modes, unlike a loop of unknown length. The backward pass keeps a few states and computes
    the rest again.

    Args:
        counts: The number of steps of each entry.
        step: The step, which treats the entries one by one.
        state: The state to start from: arrays with the batch in front.
        double: Whether the numbers are float64, whose exponents reach further.

    >>> repeat(jnp.array([0, 1, 3]), lambda x: 2 * x, jnp.ones(3), double=False).tolist()
    [1.0, 2.0, 8.0]
    """
    counts = counts.astype(np.int32)
    most = largest(counts)
    size = sum(leaf.size * leaf.dtype.itemsize for leaf in jax.tree.leaves(state))
    loops = (_SMALL if sum(_SMALL[double][-1]) * size <= _KEPT else _LARGE)[double]
    room = jnp.asarray([math.prod(lengths) if lengths else 0 for lengths in loops[:-1]], np.int32)

    def turn(done: Int[Array, ""], state: State) -> State:
        goes_on = done < counts

        def chosen(new: Array, old: Array) -> Array:
            return jnp.where(goes_on.reshape(*counts.shape, *(new.ndim - counts.ndim) * (1,)), new, old)

        return jax.tree.map(chosen, step(state), state)

    branches = [jax.checkpoint(functools.partial(_nest, most, turn, lengths)) for lengths in loops]
    return jax.lax.switch(jnp.searchsorted(room, most), branches, state)


def _nest(
    count: Int[Array, ""],
    turn: Callable[[Int[Array, ""], State], State],
    lengths: tuple[int, ...],
    state: State,
) -> State:
    """Nested loops with room for more steps than the count; the steps left over are skipped, loop by loop."""

    def loop(done: Int[Array, ""], state: State, lengths: tuple[int, ...]) -> State:
        if not lengths:
            return turn(done, state)
        room = math.prod(lengths[1:])

        @jax.checkpoint
        def body(state: State, index: Int[Array, ""]) -> State:
            start = done + index * room
            return jax.lax.cond(start < count, lambda s: loop(start, s, lengths[1:]), lambda s: s, state)

        indices = jnp.arange(lengths[0], dtype=np.int32)
        return jax.lax.scan(lambda carry, index: (body(carry, index), None), state, indices)[0]

    return loop(jnp.zeros((), np.int32), state, lengths) if lengths else state


def expm(M: Float[Array, "*batch m m"]) -> Float[Array, "*batch m m"]:
    r"""The exponential of each matrix.

    .. math:: e^{M} = \left(e^{M/2^s}\right)^{2^s}, \quad s = \max(0, ⌈\log_2 ‖M‖_1⌉)

    with the Taylor polynomial of degree 20 (float32: 12) on the scaled matrix, so that zero and nilpotent matrices of
    small norm are exact, and the gradient at zero is the direction itself.

    Args:
        M: Square matrices in the last two axes.

    Returns:
        Their exponentials. Measured in float64, on damped rotations, skew-symmetric and normal random matrices:
        relative error in the 1-norm at most 3e-16 for 1-norms up to 1, 2e-15 up to 11, 6e-15 up to 22, 5e-14 up to 43.

    >>> expm(jnp.array([[0.0, 1.0], [0.0, 0.0]])).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    norms = jax.lax.stop_gradient(jnp.max(jnp.sum(jnp.abs(M), axis=-2), axis=-1, initial=0.0))
    # Each matrix is squared as often as its own norm asks: more would only lose digits.
    needed = halvings(jnp.log2(norms))
    scaled = M * jnp.exp2(-needed.astype(M.dtype))[..., None, None]
    return repeat(needed, square, _taylor(scaled), double=M.dtype == np.float64)


def square(power: Float[Array, "*batch m m"]) -> Float[Array, "*batch m m"]:
    """Each matrix times itself."""
    return jnp.matmul(power, power, precision=PRECISION)


def _taylor(M: Float[Array, "*batch m m"]) -> Float[Array, "*batch m m"]:
    # Paterson and Stockmeyer: blocks of four powers, joined by Horner's rule in the fourth power.
    identity = jnp.broadcast_to(jnp.eye(M.shape[-1], dtype=M.dtype), M.shape)
    second = square(M)
    powers = (identity, M, second, jnp.matmul(M, second, precision=PRECISION))
    fourth = square(second)
    degree = _DEGREES[M.dtype.itemsize]
    total = identity / float(math.factorial(degree))
    for start in range(degree - 4, -1, -4):
        block = sum(power / float(math.factorial(start + k)) for k, power in enumerate(powers[1:], start=1))
        total = jnp.matmul(total, fourth, precision=PRECISION) + (identity / float(math.factorial(start)) + block)
    return total
