r"""Oscillators as the released layers discretise them: LinOSS and the layers of the D-LinOSS repository.

With stiffness A = q², damping G and step d, driven by v, all are ways to step through

.. math:: z' = -A y - G z + v, \qquad y' = z
"""

from collections.abc import Callable
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ewsnn.convert.functions import SINGULAR

Discretisation = Callable[[np.ndarray, np.ndarray, np.ndarray], "Oscillation"]


class Oscillation(NamedTuple):
    r"""One step of each of P oscillators, with the velocity counted from s times the position.

    .. math::
        \begin{pmatrix} z - sy \\ y \end{pmatrix} \gets ρ
        \begin{pmatrix} c & -eω^2 \\ e & c \end{pmatrix} \begin{pmatrix} z - sy \\ y \end{pmatrix} + F v,
        \qquad c^2 + e^2ω^2 = 1

    The shift makes the diagonal constant, so that functions of the block do not cancel where it is nearly defective.
    No field is computed as the difference of close numbers; in particular ω² comes from its zeros in q.

    Attributes:
        decay: -log ρ, (P,).
        cosine: c; with ω² ≥ 0 the cosine of the angle of the eigenvalues.
        reach: e > 0.
        square: ω², which may be negative.
        shift: s.
        drive: The vectors F, (P, 2).
    """

    decay: np.ndarray
    cosine: np.ndarray
    reach: np.ndarray
    square: np.ndarray
    shift: np.ndarray
    drive: np.ndarray

    @property
    def squared_sine(self) -> np.ndarray:
        """e²ω² = 1 - c², negative where the eigenvalues are real and distinct."""
        return self.reach**2 * self.square

    @property
    def negative(self) -> np.ndarray:
        """Whether the eigenvalues are negative, up to round-off: these blocks are no exponentials of real ones."""
        return (self.cosine < 0) & (self.squared_sine <= 16 * np.finfo(np.float64).eps)


def implicit(q: np.ndarray, G: np.ndarray, d: np.ndarray) -> Oscillation:
    r"""Both forces at the end of the step.

    .. math:: S = 1 + dG + d^2A, \quad \bar A = \frac1S \begin{pmatrix} 1 & -dA \\ d & 1 + dG \end{pmatrix},
        \quad F = \frac dS (1, d)

    Args:
        q: The square roots of the stiffnesses, (P,).
        G: The dampings.
        d: The steps.
    """
    half, square = d * G / 2, _square(q, G)
    S = (1 + half) ** 2 + d**2 * square
    root = np.sqrt(S)
    return _oscillation(_log(half, d, square) / 2, (1 + half) / root, d / root, square, -G / 2, d / S, d**2 / S)


def explicit(q: np.ndarray, G: np.ndarray, d: np.ndarray) -> Oscillation:
    r"""Both forces and the velocity at the start of the step.

    .. math:: \bar A = \begin{pmatrix} 1 - dG & -dA \\ d & 1 \end{pmatrix}, \quad F = (d, 0), \quad
        \det \bar A = 1 - dG + d^2A

    Args:
        q: As for :func:`implicit`.
        G: As for :func:`implicit`.
        d: As for :func:`implicit`.
    """
    half, square = -d * G / 2, _square(q, G)
    determinant = (1 + half) ** 2 + d**2 * square
    _check_determinant(determinant, "DampedEX", G, d)
    root = np.sqrt(determinant)
    return _oscillation(-_log(half, d, square) / 2, (1 + half) / root, d / root, square, -G / 2, d, np.zeros_like(d))


def implicit_damping(q: np.ndarray, G: np.ndarray, d: np.ndarray) -> Oscillation:
    r"""The damping at the end of the step, the stiffness at its start.

    .. math:: S = 1 + dG, \quad \bar A = \frac1S \begin{pmatrix} 1 & -dA \\ d & S - d^2A \end{pmatrix},
        \quad F = \frac dS (1, d)

    .. math:: ω^2 = \tfrac{d^2}4 (q - q_-)(q + q_-)(q_+ - q)(q_+ + q), \qquad q_∓ = (\sqrt S ∓ 1)/d

    Args:
        q: As for :func:`implicit`.
        G: As for :func:`implicit`; none is negative.
        d: As for :func:`implicit`.
    """
    S = 1 + d * G
    root = np.sqrt(S)
    square, cosine = _between(q, G, d, root), (1 + S - (d * q) ** 2) / (2 * root)
    return _oscillation(np.log1p(d * G) / 2, cosine, d / root, square, (d * q**2 - G) / 2, d / S, d**2 / S)


def explicit_forces(q: np.ndarray, G: np.ndarray, d: np.ndarray) -> Oscillation:
    r"""Both forces at the start of the step, the velocity at its end.

    .. math:: S = 1 - dG, \quad \bar A = \begin{pmatrix} S & -dA \\ dS & 1 - d^2A \end{pmatrix}, \quad F = (d, d^2)

    Args:
        q: As for :func:`implicit`.
        G: As for :func:`implicit`; none is negative.
        d: As for :func:`implicit`.
    """
    S = 1 - d * G
    _check_determinant(S, "DampedIMEX2", G, d)
    root = np.sqrt(S)
    square, cosine = _between(q, G, d, root) / S**2, (1 + S - (d * q) ** 2) / (2 * root)
    return _oscillation(-np.log1p(-d * G) / 2, cosine, d * root, square, (d * q**2 - G) / (2 * S), d, d**2)


def root_of(A: np.ndarray) -> np.ndarray:
    """The square roots q of stored stiffnesses, of which those below 0 count as 0."""
    return np.sqrt(np.maximum(A, 0))


def damped_im(A: np.ndarray, G: np.ndarray, d: np.ndarray) -> Oscillation:
    """:func:`implicit`, with damping and stiffness raised until the block is stable and turns.

    Args:
        A: The stiffnesses as they are stored, (P,).
        G: The dampings as they are stored.
        d: The steps.
    """
    raised = np.maximum(G, -d * A)
    return implicit(np.maximum(root_of(A), np.abs(raised) / 2), raised, d)


def damped_ex(A: np.ndarray, G: np.ndarray, d: np.ndarray) -> Oscillation:
    """:func:`explicit`, with damping and stiffness raised until the block is stable and turns.

    Args:
        A: As for :func:`damped_im`.
        G: As for :func:`damped_im`.
        d: As for :func:`damped_im`.
    """
    raised = np.maximum(G, d * A)
    return explicit(np.maximum(root_of(A), np.abs(raised) / 2), raised, d)


def damped_imex1(A: np.ndarray, G: np.ndarray, d: np.ndarray) -> Oscillation:
    """:func:`implicit_damping` with G ≥ 0, and the stiffness clipped to where the block turns.

    Args:
        A: As for :func:`damped_im`.
        G: As for :func:`damped_im`.
        d: As for :func:`damped_im`.
    """
    positive = np.maximum(G, 0)
    return implicit_damping(_clipped(A, positive, d, np.sqrt(1 + d * positive)), positive, d)


def damped_imex2(A: np.ndarray, G: np.ndarray, d: np.ndarray) -> Oscillation:
    """:func:`explicit_forces` with G ≥ 0, and the stiffness clipped to where the block turns.

    Args:
        A: As for :func:`damped_im`.
        G: As for :func:`damped_im`.
        d: As for :func:`damped_im`.
    """
    positive = np.maximum(G, 0)
    root = np.sqrt(np.maximum(1 - d * positive, 0))
    return explicit_forces(_clipped(A, positive, d, root), positive, d)


DAMPED: MappingProxyType[str, Discretisation] = MappingProxyType(
    {"DampedIMEX1": damped_imex1, "DampedIMEX2": damped_imex2, "DampedIM": damped_im, "DampedEX": damped_ex}
)
"""The layers of the D-LinOSS repository by their names there; the first is D-LinOSS itself."""


def _oscillation(
    decay: np.ndarray,
    cosine: np.ndarray,
    reach: np.ndarray,
    square: np.ndarray,
    shift: np.ndarray,
    velocity: np.ndarray,
    position: np.ndarray,
) -> Oscillation:
    drive = np.stack([velocity - shift * position, position], axis=-1)
    return Oscillation(decay, cosine, reach, square, shift, drive)


def _square(q: np.ndarray, G: np.ndarray) -> np.ndarray:
    """A - G²/4, from its zeros."""
    return (q - np.abs(G) / 2) * (q + np.abs(G) / 2)


def _between(q: np.ndarray, G: np.ndarray, d: np.ndarray, root: np.ndarray) -> np.ndarray:
    """d²/4 (A - A_-)(A_+ - A), where the root is that of S = 1 ± dG."""
    low, high = G / (1 + root), (1 + root) / d
    return d**2 / 4 * (q - low) * (q + low) * (high - q) * (high + q)


def _clipped(A: np.ndarray, G: np.ndarray, d: np.ndarray, root: np.ndarray) -> np.ndarray:
    """The roots of the stiffnesses, within the range; the release takes it to be smaller for steps below 0.001."""
    scale = d / np.maximum(d, 1e-3)
    return np.clip(root_of(A), scale * (G / (1 + root)), scale * ((1 + root) / d))


def _log(half: np.ndarray, d: np.ndarray, square: np.ndarray) -> np.ndarray:
    """log((1 + half)² + d²ω²), also close to 0."""
    above = half * (2 + half) + d**2 * square
    far = above < -0.5
    return np.where(far, np.log((1 + half) ** 2 + d**2 * square), np.log1p(np.where(far, 0, above)))


def _check_determinant(determinant: np.ndarray, name: str, G: np.ndarray, d: np.ndarray) -> None:
    if (determinant == 0).any():
        raise ValueError(f"{SINGULAR} (oscillator {int(np.argmax(determinant == 0))}).")
    if not (determinant > 0).all():
        k = int(np.argmin(determinant > 0))
        raise ValueError(
            f"oscillator {k} of the layer {name} is outside the region where its step is stable: its damping times its "
            f"step is {G[k] * d[k]:.6g}, and the determinant of its transition is not above 0."
        )
