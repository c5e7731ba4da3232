r"""The functions that selective models are made of.

Each takes NumPy arrays or JAX arrays and stays with what it was given: conversion is done in NumPy's float64, training
in JAX.
"""

from types import ModuleType
from typing import Any, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np

from ewsnn.arrays import PRECISION

# An array of NumPy or of JAX.
Either: TypeAlias = Any


def namespace(*arrays: Either) -> ModuleType:
    """``jax.numpy`` where one of the arrays is JAX's, else ``numpy``."""
    return jnp if any(isinstance(array, jax.Array) for array in arrays) else np


def product(subscripts: str, *operands: Either) -> Either:
    """The sum of products that the subscripts of ``einsum`` name, with all digits on every device."""
    if namespace(*operands) is np:
        return np.einsum(subscripts, *operands, optimize=True)
    return jnp.einsum(subscripts, *operands, precision=PRECISION)


def plus(values: Either, bias: Either | None) -> Either:
    """The values, with the bias added along their last axis where there is one."""
    return values if bias is None else values + namespace(values).broadcast_to(bias, values.shape)


def silu(x: Either) -> Either:
    r""":math:`x / (1 + e^{-x})`, without an exponential that overflows."""
    xp = namespace(x)
    small = xp.exp(-xp.abs(x))
    return x * xp.where(x >= 0, xp.ones_like(x), small) / (1 + small)


def softplus(x: Either) -> Either:
    r""":math:`\log(1 + e^x)`; where it is below the smallest number, zero."""
    xp = namespace(x)
    return xp.logaddexp(x, xp.zeros_like(x))


def causal_convolution(x: Either, taps: Either, bias: Either | None) -> Either:
    """Each channel convolved with its own taps, of which the last meets the current sample.

    Args:
        x: The samples, (…, steps, channels); those before the first are zero.
        taps: The taps, (channels, K).
        bias: Added to each channel, (channels,); None for nothing.
    """
    xp = namespace(x, taps)
    steps, K = x.shape[-2], taps.shape[1]
    padded = xp.concatenate([xp.zeros_like(x, shape=(*x.shape[:-2], K - 1, x.shape[-1])), x], axis=-2)
    windows = xp.stack([padded[..., k : k + steps, :] for k in range(K)], axis=-1)
    return plus(product("...ck,ck->...c", windows, taps), bias)
