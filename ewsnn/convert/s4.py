r"""S4: channels whose transition is diagonal plus low-rank in continuous time, discretised by the bilinear rule.

Of LegS matrices the generator can be useless in the coordinates of the model, as they are far from normal; so each
channel gets the coordinates in which its EWS is closest to the model's own recurrence.
"""

import warnings
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import scipy.linalg

from ewsnn.convert.arguments import Arguments
from ewsnn.convert.blocks import AbstractBlocks, Blocks, Exponents, lifted, reading
from ewsnn.convert.depth_one import paired
from ewsnn.convert.diagonal import discretised, kernel, skip, strict
from ewsnn.convert.functions import minus_log_bilinear, phi1
from ewsnn.convert.linear import LinearConverted
from ewsnn.convert.matrix_functions import artanh, exponential_and_phi1
from ewsnn.convert.readout import Separate

_EPS = np.finfo(np.float64).eps
# Steps of the response to one input that the self-check compares.
_CHECKED = 128
# Coordinates that are as good as this are not improved upon; those that are worse than the other are warned of.
_GOOD, _BAD = 1e-13, 1e-9


class _Channel(NamedTuple):
    """One channel in coordinates T: generator, its exponential and φ_1, and lift; diagonal ones as vectors."""

    T: np.ndarray
    A: np.ndarray
    E: np.ndarray
    Phi: np.ndarray
    B: np.ndarray

    @property
    def diagonal(self) -> bool:
        return self.A.ndim == 1

    def error(self, wanted: np.ndarray) -> float:
        """The largest difference of the response to one input, over its largest entry."""
        own = np.empty_like(wanted)
        own[0] = self.Phi * self.B if self.diagonal else self.Phi @ self.B
        for k in range(len(wanted) - 1):
            own[k + 1] = self.E * own[k] if self.diagonal else _moved(self.E, own[k])
        error = np.abs(own @ self.T.T - wanted).max() / np.abs(wanted).max()
        return float(error) if np.isfinite(error) else np.inf


def s4(arguments: Arguments) -> LinearConverted:
    r"""The DPLR kernel of the release of S4.

    .. math::
        A_c = \operatorname{diag}(Λ) - \sum_r P_r P_r^*, \quad A = -2 \operatorname{artanh}(Δ A_c / 2), \quad
        B_{\mathrm{lift}} = -A A_c^{-1} B, \quad y = \operatorname{Re}(C h)

    with the step Δ, and Λ, P, B, C extended by their conjugates.

    Parameters and options are those of :func:`ewsnn.convert.diagonal.s4d` without ``is_real``, and ``P``
    (rank, S, N, 2). Where ``l_kernel`` = K is above 0, C is stored as :math:`(1 - \bar A^K)^⊤ C`. The only ``disc`` is
    "bilinear".

    Args:
        arguments: The parameters and options.
    """
    arguments.require("inv_dt", "A_real", "A_imag", "B", "P", "C")
    arguments.option("disc", "bilinear", ("bilinear",))
    diagonal, step, B, C = kernel(arguments, arguments.complex, is_real=False)
    if step.shape[1] != 1:
        raise ValueError(f"s4: steps are one a channel, inv_dt (H, 1); got {arguments.shape('inv_dt')}.")
    P = arguments.complex("P", ("rank", "S", "N"))
    P = np.tile(P, (1, B.shape[0] // P.shape[1], 1))
    length = arguments.integer("l_kernel", 0)
    D = skip(arguments, C.shape[:2])
    strict(arguments)
    arguments.finish()
    channels, rows, errors = [], [], []
    for c in range(B.shape[0]):
        low_rank = extended(P[:, c])
        continuous = np.diag(extended(diagonal[c])) - low_rank.T @ low_rank.conj()
        best, error, transition = _converted(continuous, float(step[c, 0]), extended(B[c]))
        channels.append(best)
        errors.append(error)
        row = extended(C[:, c])
        if length:
            row = np.linalg.solve(np.eye(len(best.T)) - np.linalg.matrix_power(transition, length).T, row.T).T
        rows.append(row @ best.T)
    worst = int(np.argmax(errors))
    if errors[worst] > _BAD:
        warnings.warn(
            f"conversion inaccurate: states of channel {worst} differ by {errors[worst]:.1e} of the largest over "
            f"{_CHECKED} steps. Its matrix is so far from normal that no coordinates tried hold its logarithm better.",
            stacklevel=3,
        )
    T = np.stack([channel.T for channel in channels])
    half = T.shape[-1] // 2
    return LinearConverted(
        kind=arguments.kind,
        generator=_side_by_side(channels),
        lift=lifted(np.stack([channel.B for channel in channels])[..., None]),
        readout=Separate(reading(np.stack(rows, axis=1)), D),
        arrange=lambda states: np.einsum("hij,...hj->...hi", T[:, :half], paired(states)),
    )


def extended(v: np.ndarray) -> np.ndarray:
    """Vectors (…, N) followed by their conjugates, (…, 2N)."""
    return np.concatenate([v, v.conj()], axis=-1)


def _moved(matrix: np.ndarray, state: np.ndarray) -> np.ndarray:
    # Not by BLAS: its threads are slower than such a small product, and wait for each other on a busy machine.
    return np.einsum("ij,j->i", matrix, state)


def _converted(continuous: np.ndarray, step: float, B: np.ndarray) -> tuple[_Channel, float, np.ndarray]:
    """The best coordinates of one channel, their error, and its discrete transition."""
    unit, X = np.eye(len(B)), step * continuous / 2
    # By eigenvalues: of a matrix far from normal the least singular value is tiny where no eigenvalue is.
    minus_log_bilinear(2 * np.linalg.eigvals(X))
    transition, drive = np.linalg.solve(unit - X, unit + X), np.linalg.solve(unit - X, step * B)
    wanted = np.empty((_CHECKED + 1, len(B)), np.complex128)
    wanted[0] = drive
    for k in range(_CHECKED):
        wanted[k + 1] = _moved(transition, wanted[k])
    best, least = None, np.inf
    with np.errstate(over="ignore", invalid="ignore"):
        for candidate in _candidates(continuous, step, B, drive):
            error = candidate.error(wanted)
            if best is None or error < least:
                best, least = candidate, error
            if least <= _GOOD:
                break
    if best is None or not np.isfinite(least):
        raise ValueError("s4: no coordinates were found in which the generator is finite.")
    return best, least, transition


def _candidates(continuous: np.ndarray, step: float, B: np.ndarray, drive: np.ndarray) -> Iterator[_Channel]:
    """The coordinates of the model, those of Schur at several scales, and the eigenvectors."""
    # Where a constant input has no steady state, lifts come from the discrete input map.
    size = np.linalg.svd(continuous, compute_uv=False)
    steady = size[-1] > 4 * _EPS * size[0]
    fixed = np.linalg.solve(continuous, B) if steady else None
    yield _dense(np.eye(len(B), dtype=np.complex128), continuous, step, fixed, drive)
    U, Q = scipy.linalg.schur(continuous, output="complex")[:2]
    turned = Q.conj().T
    fixed = scipy.linalg.solve_triangular(U, turned @ B) if steady else None
    for scale in (1.0, 0.7, 0.5, 0.35):
        powers = scale ** np.arange(len(B))
        scaled = None if fixed is None else fixed / powers
        yield _dense(Q * powers, U * powers / powers[:, None], step, scaled, turned @ drive / powers)
    mu, V = np.linalg.eig(continuous)
    z, factor = discretised(mu, np.asarray(step), "bilinear")
    yield _Channel(V, z, np.exp(-z), phi1(-z), factor * np.linalg.solve(V, B))


def _dense(T: np.ndarray, continuous: np.ndarray, step: float, fixed: np.ndarray | None, drive: np.ndarray) -> _Channel:
    """A channel in coordinates T, from its matrix, the solution of A_c x = B and the discrete input map there."""
    A = -2 * artanh(step * continuous / 2)
    E, Phi = exponential_and_phi1(A)
    return _Channel(T, A, E, Phi, np.linalg.solve(Phi, drive) if fixed is None else -A @ fixed)


def _side_by_side(channels: list[_Channel]) -> AbstractBlocks:
    if all(channel.diagonal for channel in channels):
        return Exponents(np.stack([channel.A for channel in channels]))
    full = [tuple(np.diag(x) if x.ndim == 1 else x for x in (c.A, c.E, c.Phi)) for c in channels]
    return Blocks(*(np.stack(parts)[:, None] for parts in zip(*full, strict=True)))
