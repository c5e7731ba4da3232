r"""The group of tensors with constant term 1, and its Lie algebra: inverse, logarithm, exponential.

Signatures and EWS are group-like elements of it; their logarithms are Lie elements. Both are stored as levels 1 to N.
"""

import jax
from jaxtyping import Array, Float

from ewsnn.arrays import Levels
from ewsnn.tensor import outer


def inverse(levels: Levels) -> Levels:
    r"""The inverse of an element with constant term 1.

    .. math:: y^{(n)} = -x^{(n)} - \sum_{k=1}^{n-1} x^{(k)} ⊗ y^{(n-k)}

    Right for every element, group-like or not (a mean of signatures is not). For what one interval contributes do not
    divide prefixes, :math:`S_{0,s}^{-1} ⊗ S_{0,t}`: after thousands of steps that cancels nearly all digits. Use
    :class:`ewsnn.signature.Intervals`.

    Args:
        levels: Levels 1 to N, with any leading axes.

    Returns:
        The levels of the inverse.

    Paper: Appendix B.

    >>> from ewsnn.signature import signature
    >>> [level.tolist() for level in inverse(signature([[0.0], [2.0]], 2))]
    [[-2.0], [[2.0]]]
    """
    return _inverse(levels)


def antipode(levels: Levels) -> Levels:
    r"""Every word reversed, with the sign of its length: the signature of the path run backwards.

    .. math:: ⟨i_1 ⋯ i_n, α(x)⟩ = (-1)^n ⟨i_n ⋯ i_1, x⟩

    It is the inverse of a group-like element, without any rounding.

    Args:
        levels: Levels 1 to N, with any leading axes.

    Returns:
        The levels of the image.

    Paper: Appendix B.

    >>> from ewsnn.signature import signature
    >>> antipode(signature([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], 2))[1].tolist()
    [[0.5, 0.0], [1.0, 0.5]]
    """
    turned = []
    for n, level in enumerate(levels, start=1):
        batch = level.ndim - n
        backwards = level.transpose(*range(batch), *range(level.ndim - 1, batch - 1, -1))
        turned.append(-backwards if n % 2 else backwards)
    return tuple(turned)


def log(levels: Levels) -> Levels:
    r"""The logarithm of an element with constant term 1; of a group-like one it is a Lie element.

    .. math:: \log(1 + x) = \sum_{n=1}^N \frac{(-1)^{n+1}}{n} x^{⊗ n}

    Args:
        levels: Levels 1 to N, with any leading axes.

    Returns:
        The levels of the logarithm, a tensor with constant term 0. Its rounding errors are relative to the terms of
        the series, so to :math:`‖x^{(1)}‖^n` in level n, which may be larger than the level itself.

    Paper: Appendix B.

    >>> from ewsnn.signature import signature
    >>> [level.tolist() for level in log(signature([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], 2))]
    [[1.0, 1.0], [[0.0, 0.5], [-0.5, 0.0]]]
    """
    return _log(levels)


def exp(levels: Levels) -> Levels:
    r"""The exponential of a tensor with constant term 0; of a Lie element it is group-like.

    .. math:: \exp(x) = \sum_{n=0}^N \frac{1}{n!} x^{⊗ n}

    Args:
        levels: Levels 1 to N, with any leading axes, such as those of a log-signature.

    Returns:
        The levels of the exponential; it is inverse to :func:`log`.

    Paper: Appendix B.

    >>> import jax.numpy as jnp
    >>> area = (jnp.zeros(2), jnp.array([[0.0, 0.5], [-0.5, 0.0]]))
    >>> [level.tolist() for level in exp(area)]
    [[0.0, 0.0], [[0.0, 0.5], [-0.5, 0.0]]]
    """
    return _exp(levels)


# Compiled as wholes: operation by operation they would be slow outside a transformation.


@jax.jit
def _inverse(levels: Levels) -> Levels:
    found: Levels = ()
    for n in range(1, len(levels) + 1):
        found = (*found, -_product_level(levels, 1.0, found, n))
    return found


@jax.jit
def _log(levels: Levels) -> Levels:
    depth = len(levels)
    # Horner's rule: x(1 - x(1/2 - x(1/3 - ⋯))). A factor x in front saves the last level of what follows it.
    constant, inner = 1 / depth, ()
    for k in range(depth - 1, 0, -1):
        inner = tuple(-level for level in _product(levels, constant, inner, depth - k))
        constant = 1 / k
    return _product(levels, constant, inner, depth)


@jax.jit
def _exp(levels: Levels) -> Levels:
    depth = len(levels)
    # Horner's rule: 1 + x(1 + x/2 (1 + x/3 (⋯))).
    inner: Levels = ()
    for k in range(depth, 0, -1):
        inner = tuple(level / k for level in _product(levels, 1.0, inner, depth - k + 1))
    return inner


def _product(x: Levels, constant: float, y: Levels, depth: int) -> Levels:
    return tuple(_product_level(x, constant, y, n) for n in range(1, depth + 1))


def _product_level(x: Levels, constant: float, y: Levels, n: int) -> Float[Array, "..."]:
    # Level n of x ⊗ (constant + y).
    return sum((outer(x[k - 1], y[n - k - 1], k) for k in range(1, n)), constant * x[n - 1])
