"""Elements of the truncated tensor algebra, level by level, and how many numbers they are."""

import math
import operator

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn.arrays import Levels

# Above this one state is more than 6 MB in float32, for every step of every path: nearly always a
# path with its axes swapped.
MAX_FEATURES = 1_500_000


def size(m: int, depth: int) -> int:
    r"""The number of entries of levels 1 to N together.

    .. math:: m + m^2 + ⋯ + m^N

    Level 0, the constant 1, is not counted: K of the paper is one more.

    >>> size(3, 2)
    12
    """
    return sum(m**n for n in range(1, depth + 1))


def check_depth(depth: object, name: str = "depth") -> int:
    """The depth, or another count, as a plain integer; refuses what is none.

    Args:
        depth: An integer of any type, such as one of NumPy; no boolean.
        name: What it is, for the error.

    Raises:
        ValueError: If it is not an integer of at least 1.
    """
    try:
        known = 0 if isinstance(depth, bool) else operator.index(depth)  # pyright: ignore[reportArgumentType]
    except TypeError:
        known = 0
    if known < 1:
        raise ValueError(f"{name} must be an integer of at least 1, got {depth!r}.")
    return known


def check_size(m: int, depth: int, states: int, itemsize: int, max_features: int = MAX_FEATURES) -> None:
    """Refuses a state that has too many entries, before anything is allocated.

    Args:
        m: Number of letters.
        depth: The truncation depth.
        states: How many states there will be at once (paths × steps).
        itemsize: Bytes of one number.
        max_features: The largest number of entries of one state that is let through.

    Raises:
        ValueError: If there are more, with the arithmetic and a hint.
    """
    features = size(m, depth)
    if features > max_features:
        gigabytes = features * states * itemsize / 1e9
        raise ValueError(
            f"{m} letters at depth {depth} = {features:,} features (× {states:,} states × {itemsize} bytes = "
            f"{gigabytes:,.1f} GB), more than the {max_features:,} allowed. Are the axes swapped? A path is "
            "(…, points, channels). Otherwise lower the depth or give a lift to fewer letters."
        )


def unit(batch: tuple[int, ...], m: int, depth: int, dtype: np.dtype) -> Levels:
    """The element 1: zeros in levels 1 to N.

    Args:
        batch: The shape of the batch.
        m: Number of letters.
        depth: The truncation depth N.
        dtype: The floating-point type.

    >>> [level.shape for level in unit((5,), 2, 2, np.dtype(np.float32))]
    [(5, 2), (5, 2, 2)]
    """
    return tuple(jnp.zeros((*batch, *n * (m,)), dtype) for n in range(1, depth + 1))


def group_product(a: Levels, b: Levels) -> Levels:
    r"""The product of two elements with constant term 1.

    .. math:: (a ⊗ b)^{(n)} = a^{(n)} + \sum_{k=1}^{n-1} a^{(k)} ⊗ b^{(n-k)} + b^{(n)}

    Args:
        a: The left factor (the earlier interval).
        b: The right factor, of the same depth.

    Returns:
        The levels of the product.

    Paper: Section 2.

    >>> one = (jnp.array([1.0]), jnp.array([[0.5]]))
    >>> [level.tolist() for level in group_product(one, one)]
    [[2.0], [[2.0]]]
    """
    return tuple(sum((outer(a[k], b[n - 1 - k], k + 1) for k in range(n)), a[n] + b[n]) for n in range(len(a)))


def outer(a: Float[Array, "..."], b: Float[Array, "..."], letters: int) -> Float[Array, "..."]:
    """The tensor product of one level with another, over common leading axes.

    Args:
        a: A level with ``letters`` axes behind the batch.
        b: A level with any number of axes behind the same batch.
        letters: The level of ``a``.

    Returns:
        The level a ⊗ b: axes of ``a``, then those of ``b``.
    """
    batch = a.shape[: a.ndim - letters]
    rows, columns = math.prod(a.shape[len(batch) :]), math.prod(b.shape[len(batch) :])
    product = a.reshape(*batch, rows, 1) * b.reshape(*batch, 1, columns)
    return product.reshape(*a.shape, *b.shape[len(batch) :])


def dilate(levels: Levels, c: float) -> Levels:
    r"""The dilation: level n times :math:`c^n`."""
    return tuple(level * c ** (n + 1) for n, level in enumerate(levels))


def exp(v: Float[Array, "*batch m"], depth: int) -> Levels:
    r"""The tensor exponential of a vector, the signature of a straight line.

    .. math:: \exp(v)^{(n)} = v^{⊗n} / n!

    >>> [level.tolist() for level in exp(jnp.array([2.0]), 2)]
    [[2.0], [[2.0]]]
    """
    levels = [v]
    for n in range(2, depth + 1):
        levels.append(outer(levels[-1], v / n, n - 1))
    return tuple(levels)


def flatten(levels: Levels) -> Float[Array, "*batch features"]:
    """The entries of levels 1 to N in a row, each level in row-major order of its words.

    >>> flatten((jnp.array([1.0, 2.0]), jnp.array([[3.0, 4.0], [5.0, 6.0]]))).tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    """
    batch = levels[0].shape[:-1]
    return jnp.concatenate([level.reshape(*batch, -1) for level in levels], axis=-1)


def unflatten(flat: Float[Array, "*batch features"], m: int, depth: int) -> Levels:
    """The levels whose entries stand in a row; inverse to :func:`flatten`.

    Args:
        flat: The entries of levels 1 to N.
        m: Number of letters.
        depth: The truncation depth N.

    >>> [level.tolist() for level in unflatten(jnp.arange(6.0), 2, 2)]
    [[0.0, 1.0], [[2.0, 3.0], [4.0, 5.0]]]
    """
    ends = [size(m, n) for n in range(1, depth)]
    parts = jnp.split(flat, ends, axis=-1)
    return tuple(part.reshape(*flat.shape[:-1], *n * (m,)) for n, part in enumerate(parts, start=1))


def features(levels: Levels) -> Float[Array, "*batch features"]:
    """All K entries in a row, the constant 1 of level 0 first: what a linear read-out reads."""
    flat = flatten(levels)
    return jnp.concatenate([jnp.ones((*flat.shape[:-1], 1), flat.dtype), flat], axis=-1)
