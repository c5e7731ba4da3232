r"""Rotary embedding: keys turned by their position, seen from a frame that turns with them.

The released state :math:`S_n = γ S_{n-1} + (R(nϑ) k_n) v_n^⊤` is :math:`R(nϑ) H_n`, where

.. math:: H_n = γ R(-ϑ) H_{n-1} + k_n v_n^⊤

has a fixed transition: a generator with the exponent :math:`-\log γ + iϑ` for each pair of keys.
"""

import jax
import numpy as np

from ewsnn.convert.depth_one import letters, paired
from ewsnn.convert.mechanism import Either, namespace, product


def exponents(decay: Either, angle: Either) -> Either:
    """The exponents of heads and pairs of keys, (H, K/2).

    Args:
        decay: The decays γ, (H,).
        angle: The angles ϑ, (K/2,).
    """
    xp = namespace(decay, angle)
    rate, turn = (xp.broadcast_to(part, (len(decay), len(angle))) for part in (-xp.log(decay)[:, None], angle[None]))
    return rate + 1j * turn if xp is np else jax.lax.complex(rate, turn)


def reduced(angle: Either) -> Either:
    """The angles modulo 2π, in [-π, π]; those that lie there stay as they are."""
    return angle - 2 * np.pi * namespace(angle).rint(angle / (2 * np.pi))


def turned(vectors: Either, positions: Either, angle: Either) -> Either:
    """Each pair of letters turned by the angle times the position.

    Args:
        vectors: The vectors, (…, steps, heads, m).
        positions: The positions, (steps,).
        angle: The angles, (m/2,).
    """
    xp = namespace(vectors)
    phase = product("n,p->np", positions, angle)
    turns = xp.cos(phase) + 1j * xp.sin(phase) if xp is np else jax.lax.complex(xp.cos(phase), xp.sin(phase))
    return letters(product("np,...nhp->...nhp", turns, paired(vectors)))
