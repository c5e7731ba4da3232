"""Coordinates of Lie elements, such as log-signatures, in a basis that every call names."""

import functools
from typing import SupportsIndex

import jax
from jaxtyping import Array, Float

from ewsnn import tensor
from ewsnn.arrays import Levels
from ewsnn.signature.bases import AbstractBasis, basis_of


def coordinates(lie: Levels, *, basis: str) -> Float[Array, "*batch size"]:
    """The coordinates of Lie elements.

    Args:
        lie: Levels 1 to N of Lie elements with any leading axes, such as ``log`` of a signature. That they are Lie
            elements is not looked at: of other tensors the Lyndon bases drop a part.
        basis: "words" (the coefficients at all words), "lyndon words" (those at the Lyndon words) or "lyndon
            brackets" (the coordinates in the brackets of the Lyndon words along the standard factorisation). The
            last two have equally many numbers, but not the same ones.

    Returns:
        One row for each element; :func:`labels` names its entries.

    Raises:
        ValueError: If there is no such basis.

    >>> from ewsnn.signature import log, signature
    >>> turn = log(signature([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], 2))
    >>> coordinates(turn, basis="words").tolist()
    [1.0, 1.0, 0.0, 0.5, -0.5, 0.0]
    >>> coordinates(turn, basis="lyndon brackets").tolist()
    [1.0, 1.0, 0.5]
    """
    return _read(basis_of(lie[0].shape[-1], len(lie), basis), lie)


def from_coordinates(x: Float[Array, "*batch size"], m: SupportsIndex, depth: SupportsIndex, *, basis: str) -> Levels:
    """The Lie elements with these coordinates; ``exp`` of them are group-like.

    Args:
        x: One row of coordinates for each element.
        m: The number of letters.
        depth: The truncation depth N.
        basis: The basis in which they are written: "words", "lyndon words" or "lyndon brackets".

    Returns:
        Levels 1 to N.

    Raises:
        ValueError: If there is no such basis, or there are not as many coordinates as it has.

    >>> import jax.numpy as jnp
    >>> [level.tolist() for level in from_coordinates(jnp.array([1.0, 1.0, 0.5]), 2, 2, basis="lyndon brackets")]
    [[1.0, 1.0], [[0.0, 0.5], [-0.5, 0.0]]]
    """
    found = basis_of(m, depth, basis)
    if x.ndim == 0 or x.shape[-1] != found.size:
        raise ValueError(
            f"{found.m} letters at depth {found.depth} have {found.size} coordinates in the basis {basis!r}, "
            f"got shape {x.shape}."
        )
    return _expand(found, x)


def convert(
    x: Float[Array, "*batch size"], m: SupportsIndex, depth: SupportsIndex, *, source: str, target: str
) -> Float[Array, "*batch other"]:
    """The same Lie elements in another basis.

    Args:
        x: One row of coordinates for each element.
        m: The number of letters.
        depth: The truncation depth N.
        source: The basis in which they are written.
        target: The basis that is wanted.

    Returns:
        Their coordinates in that basis.

    Raises:
        ValueError: If there is no such basis, or there are not as many coordinates as it has.

    >>> import jax.numpy as jnp
    >>> x = jnp.array([0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 3.0, 0.0, 0.0])
    >>> convert(x, 3, 3, source="lyndon brackets", target="lyndon words").tolist()[9:12]
    [2.0, -2.0, 3.0]
    """
    basis_of(m, depth, target)
    return coordinates(from_coordinates(x, m, depth, basis=source), basis=target)


# Compiled as wholes, with the tables of the basis as constants.


@functools.partial(jax.jit, static_argnums=0)
def _read(basis: AbstractBasis, lie: Levels) -> Float[Array, "*batch size"]:
    return basis.read(tensor.flatten(lie))


@functools.partial(jax.jit, static_argnums=0)
def _expand(basis: AbstractBasis, x: Float[Array, "*batch size"]) -> Levels:
    return tensor.unflatten(basis.expand(x), basis.m, basis.depth)
