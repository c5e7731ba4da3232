r"""Functions of numbers that the converters are made of, in NumPy's float64 and complex128."""

import numpy as np

from ewsnn.convert.depth_one import todd

SINGULAR = "transition is singular: no logarithm"
NOT_REAL = "no real logarithm; use the doubled form"

# The transforms by which the release of S4 keeps numbers positive.
TRANSFORMS = ("exp", "none", "relu", "sigmoid", "softplus")


def transformed(name: str, x: np.ndarray) -> np.ndarray:
    """What the release of S4 makes of a stored number.

    Args:
        name: One of :data:`TRANSFORMS`; "relu" adds 1e-4, as there.
        x: The stored numbers.
    """
    if name == "exp":
        return np.exp(x)
    if name == "relu":
        return np.maximum(x, 0) + 1e-4
    if name == "sigmoid":
        return sigmoid(x)
    if name == "softplus":
        return np.logaddexp(x, 0)
    return x


def sigmoid(x: np.ndarray) -> np.ndarray:
    r""":math:`1/(1 + e^{-x})`, without an exponential that overflows."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1.0, small) / (1 + small)


def phi1(z: np.ndarray) -> np.ndarray:
    r""":math:`φ_1(z) = (e^z - 1)/z`, 1 at 0."""
    return 1 / todd(-z)


def minus_log_bilinear(x: np.ndarray) -> np.ndarray:
    r"""The generator of the bilinear transition, :math:`-\log\frac{1 + x/2}{1 - x/2} = -2 \operatorname{artanh}(x/2)`.

    Args:
        x: The eigenvalues of the continuous model times the step, complex.

    Raises:
        ValueError: If one is -2 to round-off, where the transition is singular, or 2, where it is undefined.

    >>> minus_log_bilinear(np.array([-1.0, 1.0])).round(3).tolist()
    [1.099, -1.099]
    """
    if (np.abs(1 + x / 2) <= 4 * np.finfo(np.float64).eps).any():
        raise ValueError(SINGULAR)
    if (np.abs(1 - x / 2) <= 4 * np.finfo(np.float64).eps).any():
        raise ValueError("the bilinear transition is undefined: an eigenvalue times the step is 2.")
    return -2 * np.arctanh(x / 2)
