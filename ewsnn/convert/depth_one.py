r"""EWS of depth one whose generators are diagonal, in real letters or in pairs of letters taken as complex numbers.

For such a generator everything is a formula in its exponents z, one for each letter or pair:

.. math:: S_j = e^{-Δθ_j z} S_{j-1} + φ_1(-Δθ_j z)\, ΔX_j, \qquad φ_1(x) = \frac{e^x - 1}{x},

so that a recurrence :math:`S_j = e^{-Δθ_j z} S_{j-1} + \text{drive}_j` is the EWS of the path with the increments
:math:`ΔX_j = g(Δθ_j z)\, \text{drive}_j`, :math:`g(x) = x / (1 - e^{-x})`. A pair (x, y) is the number x + iy; its
block for z = a + iω is [[a, -ω], [ω, a]].
"""

from typing import NamedTuple

import jax
import numpy as np

from ewsnn.convert.mechanism import Either, namespace, product


class Gates(NamedTuple):
    r"""What a selective model says at each step, for each head of its EWS.

    .. math:: S \gets e^{-Δθ A} S + \text{drive}, \qquad y = \text{weights} · S + \text{skip}

    Attributes:
        dtheta: The clock increments Δθ, (…, steps, heads).
        drive: What enters the states, (…, steps, heads, m).
        weights: What reads them, (…, steps, heads, m).
        skip: What is added to the outputs, (…, steps, heads).
    """

    dtheta: Either
    drive: Either
    weights: Either
    skip: Either

    def read(self, states: Either) -> Either:
        """The outputs, (…, steps, heads), of states (…, steps, heads, m)."""
        return product("...m,...m->...", self.weights, states) + self.skip


class Path(NamedTuple):
    """The path and the clock of each head.

    Attributes:
        dx: The increments of the paths, (…, steps, heads, d).
        dtheta: The clock increments, (…, steps, heads).
    """

    dx: Either
    dtheta: Either

    def after(self, start: Either) -> "Path":
        """The paths with one step in front: from 0 to states (heads, d), while the clock stands."""
        xp = namespace(self.dx)
        first = xp.broadcast_to(start, (*self.dx.shape[:-3], 1, *start.shape))
        still = xp.zeros_like(self.dtheta[..., :1, :])
        return Path(xp.concatenate([first, self.dx], axis=-3), xp.concatenate([still, self.dtheta], axis=-2))


def paired(vectors: Either) -> Either:
    """Vectors (…, m) as complex numbers (…, m/2), letters 2p and 2p + 1 together."""
    x, y = vectors[..., 0::2], vectors[..., 1::2]
    return x + 1j * y if namespace(vectors) is np else jax.lax.complex(x, y)


def letters(numbers: Either) -> Either:
    """The inverse of :func:`paired`."""
    pairs = namespace(numbers).stack([numbers.real, numbers.imag], axis=-1)
    return pairs.reshape(*numbers.shape[:-1], -1)


def todd(z: Either) -> Either:
    r""":math:`g(z) = z / (1 - e^{-z})` with g(0) = 1: the inverse of :math:`φ_1(-z)`."""
    xp = namespace(z)
    moved = z != 0
    safe = xp.where(moved, z, xp.ones_like(z))
    # Where z is 0 the tangent, so that the gradient there is right as well.
    return xp.where(moved, safe / -xp.expm1(-safe), 1 + z / 2)


def increments(exponent: Either, dtheta: Either, drive: Either) -> Either:
    """The increments of the paths that give such drives.

    Args:
        exponent: The exponents of each head, real (heads, m) or complex (heads, m/2).
        dtheta: The clock increments, (…, steps, heads).
        drive: What enters the states, (…, steps, heads, m).
    """
    factor = todd(elapsed(exponent, dtheta))
    return letters(factor * paired(drive)) if namespace(exponent).iscomplexobj(exponent) else factor * drive


def elapsed(exponent: Either, dtheta: Either) -> Either:
    """The exponents times the clock increments, (…, steps, heads, letters or pairs)."""
    return product("...h,hp->...hp", dtheta.astype(exponent.dtype), exponent)


def states(exponent: np.ndarray, dtheta: np.ndarray, dx: np.ndarray) -> np.ndarray:
    """The states of the EWS after each step, from zero.

    Args:
        exponent: As for :func:`increments`.
        dtheta: The clock increments, (…, steps, heads).
        dx: The increments of the paths, (…, steps, heads, m); the lift is the identity.
    """
    z, numbers = elapsed(exponent, dtheta), paired(dx) if np.iscomplexobj(exponent) else dx
    decay, local = np.exp(-z), numbers / todd(z)
    state, found = np.zeros_like(local[..., 0, :, :]), np.empty_like(local)
    for step in range(local.shape[-3]):
        state = decay[..., step, :, :] * state + local[..., step, :, :]
        found[..., step, :, :] = state
    return letters(found) if np.iscomplexobj(exponent) else found
