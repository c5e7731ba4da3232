"""Gauss–Legendre collocation on one step."""

import functools

import numpy as np


@functools.cache
def gauss_legendre(q: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    r"""Gauss–Legendre collocation on [0, 1] with q nodes.

    Args:
        q: The number of nodes.

    Returns:
        The nodes c (q,), the weights b (q,), and the integration matrix a (q, q): the integral from 0 to :math:`c_i`
        of the polynomial through the values :math:`y_j` at the nodes is :math:`\sum_j a_{ij} y_j`. It is built in
        the basis of Legendre polynomials, where no digits are lost.

    >>> nodes, weights, integration = gauss_legendre(1)
    >>> nodes.tolist(), weights.tolist(), integration.tolist()
    ([0.5], [1.0], [[0.5]])
    """
    x, w = np.polynomial.legendre.leggauss(q)
    values = np.polynomial.legendre.legvander(x, q)
    degrees = np.arange(q)
    # Integrals from -1 to x: x + 1, and (P_{k+1} - P_{k-1})/(2k+1).
    integrals = np.concatenate(
        [values[:, 1:2] + 1, (values[:, 2:] - values[:, : q - 1]) / (2 * degrees[1:] + 1)], axis=1
    )
    coefficients = (2 * degrees[:, None] + 1) / 2 * values[:, :q].T * w
    return (x + 1) / 2, w / 2, integrals @ coefficients / 2
