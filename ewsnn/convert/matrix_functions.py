"""Functions of whole matrices for the converters, in complex128."""

import numpy as np
import scipy.linalg

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(16)


def artanh(X: np.ndarray) -> np.ndarray:
    r"""The matrix function artanh, by its own integral and not by a logarithm, so that small matrices keep all digits.

    .. math:: \operatorname{artanh} X = 2 \operatorname{artanh}\bigl(X (1 + (1 - X^2)^{1/2})^{-1}\bigr), \qquad
        \operatorname{artanh} X = \int_0^1 X (1 - t^2 X^2)^{-1} dt

    The first until the 1-norm is at most 1/4; then 16 Gauss-Legendre nodes give the second to round-off.

    Args:
        X: A matrix (n, n) that has neither eigenvalue ±1.

    >>> artanh(np.array([[0.5, 1.0], [0.0, 0.5]])).real.round(6).tolist()
    [[0.549306, 1.333333], [0.0, 0.549306]]
    """
    unit, halvings = np.eye(X.shape[0]), 0
    X = X.astype(np.complex128)
    while np.linalg.norm(X, 1) > 0.25 and halvings < 64:
        X = _over(X, unit + scipy.linalg.sqrtm(unit - X @ X))
        halvings += 1
    squares, total = X @ X, np.zeros_like(X)
    for node, weight in zip((_NODES + 1) / 2, _WEIGHTS / 2, strict=True):
        total += weight * _over(X, unit - node**2 * squares)
    return 2.0**halvings * total


def exponential_and_phi1(A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""The matrices :math:`e^{-A}` and :math:`φ_1(-A) = \int_0^1 e^{-uA} du`, as blocks of one exponential.

    Args:
        A: A matrix (n, n).

    >>> E, Phi = exponential_and_phi1(np.array([[np.log(2)]]))
    >>> E.round(12).tolist(), bool(np.isclose(Phi[0, 0], 0.5 / np.log(2)))
    ([[0.5]], True)
    """
    n = A.shape[0]
    both = scipy.linalg.expm(np.block([[-A, np.eye(n)], [np.zeros((n, 2 * n))]]))
    return both[:n, :n], both[:n, n:]


def _over(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    return np.linalg.solve(Y, X)  # the two commute
