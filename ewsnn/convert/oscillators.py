r"""LinOSS and D-LinOSS: oscillators whose states (z, y) are complex, as their input map is, so four letters each.

An oscillator is a head. In the basis of :class:`ewsnn.convert.oscillation.Oscillation` its generator is

.. math:: α + N, \qquad N = \begin{pmatrix} 0 & p \\ -q & 0 \end{pmatrix}, \qquad pq = φ^2, \qquad
    e^{-u(α + N)} = e^{-uα} \Bigl(\cos(uφ) - \frac{\sin uφ}{φ} N\Bigr)
"""

import numpy as np

from ewsnn.convert.arguments import Arguments
from ewsnn.convert.blocks import AbstractBlocks, Blocks, Exponents, lifted, reading
from ewsnn.convert.depth_one import paired, todd
from ewsnn.convert.functions import NOT_REAL, sigmoid
from ewsnn.convert.linear import LinearConverted
from ewsnn.convert.oscillation import DAMPED, Oscillation, implicit, implicit_damping, root_of
from ewsnn.convert.readout import Coupled

__all__ = ["dlinoss", "linoss_im", "linoss_imex"]

# Where the sine of an angle is smaller, eigenvectors cost digits: at 1e-3 errors are 2e-13, at 1e-5 2e-11, and those
# of the blocks 1e-15 (D-LinOSS at the lower end of its range, 512 steps).
_SMALLEST_SINE = 1e-3
# Nodes on [0, 1] that integrate e^{-uz} to round-off for all |z| up to _LARGEST, and then some.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(64)
_LARGEST = 64.0


def linoss_im(arguments: Arguments) -> LinearConverted:
    r"""LinOSS, implicit: oscillators that all inputs drive, and whose positions all outputs read.

    .. math::
        z_j = z_{j-1} + d (-A y_j + B u_j), \quad y_j = y_{j-1} + d z_j, \quad
        d = σ(\mathtt{steps}), \; A = \max(\mathtt{A\_diag}, 0), \quad \mathrm{out} = \operatorname{Re}(C y) + D u

    ``A_diag``, ``steps`` (P,) (``dt`` in the D-LinOSS repository), ``B`` (P, H, 2), ``C`` (H, P, 2), ``D`` (H,).
    States are (z_1, …, z_P, y_1, …, y_P), complex as B is.

    Args:
        arguments: The parameters, and the option ``logarithm``.
    """
    return _converted(arguments, implicit(*_undamped(arguments)))


def linoss_imex(arguments: Arguments) -> LinearConverted:
    r"""LinOSS, implicit-explicit: as :func:`linoss_im` with the force at the start of a step.

    .. math:: z_j = z_{j-1} + d (-A y_{j-1} + B u_j), \quad y_j = y_{j-1} + d z_j

    From d²A = 4 on eigenvalues are negative, and there is no real logarithm.

    Args:
        arguments: The parameters, and the option ``logarithm``.
    """
    return _converted(arguments, implicit_damping(*_undamped(arguments)))


def dlinoss(arguments: Arguments) -> LinearConverted:
    r"""D-LinOSS: as :func:`linoss_imex` with damping, and with A clipped to where the oscillator turns.

    .. math:: z_j = z_{j-1} + d (-A y_{j-1} - G z_j + B u_j), \quad y_j = y_{j-1} + d z_j, \quad
        d = σ(\mathtt{dt}), \; G = \max(\mathtt{G\_diag}, 0)

    ``A_diag``, ``G_diag``, ``dt`` (P,), ``B`` (P, H, 2), ``C`` (H, P, 2), ``D`` (H,). Where A is clipped to its upper
    end, there is no real logarithm.

    Args:
        arguments: The parameters, and the options ``logarithm`` and ``discretisation``: one of
            :data:`ewsnn.convert.oscillation.DAMPED`, the layers of the D-LinOSS repository with their own projections.
    """
    name = arguments.option("discretisation", next(iter(DAMPED)), tuple(DAMPED))
    arguments.require("A_diag", "G_diag", "dt", "B", "C", "D")
    A, G, dt = (arguments.array(key, ("P",)) for key in ("A_diag", "G_diag", "dt"))
    return _converted(arguments, DAMPED[name](A, G, _steps(dt)))


def _undamped(arguments: Arguments) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # The D-LinOSS repository has the same two layers and calls the step as its own ones do.
    step = "dt" if arguments.has("dt") else "steps"
    arguments.require("A_diag", step, "B", "C", "D")
    q, d = root_of(arguments.array("A_diag", ("P",))), _steps(arguments.array(step, ("P",)))
    return q, np.zeros_like(d), d


def _steps(stored: np.ndarray) -> np.ndarray:
    d = sigmoid(stored)
    if not (d > 0).all():
        k = int(np.argmin(d > 0))
        raise ValueError(f"the step of oscillator {k} is 0: the sigmoid of {stored[k]:.6g} underflows.")
    return d


def _converted(arguments: Arguments, oscillation: Oscillation) -> LinearConverted:
    strict = arguments.option("logarithm", "doubled", ("doubled", "principal")) == "principal"
    B, C = arguments.complex("B", ("P", "H")), arguments.complex("C", ("H", "P"))
    D = arguments.array("D", ("H",))
    arguments.finish()
    if strict and oscillation.negative.any():
        raise ValueError(f"{NOT_REAL} (oscillator {int(np.argmax(oscillation.negative))}).")
    turns = oscillation.squared_sine >= _SMALLEST_SINE**2
    generator, lift, basis = rotations(oscillation) if turns.all() else blocks(oscillation, strict)

    def arrange(states: np.ndarray) -> np.ndarray:
        both = np.einsum("pik,...pk->...ip", basis, paired(states))
        return both.reshape(*states.shape[:-2], -1)

    return LinearConverted(
        arguments.kind,
        generator,
        lifted(lift[:, :, None] * B[:, None, :]),
        Coupled(reading(C[:, :, None] * basis[:, 1]), D[None], len(D)),
        arrange,
    )


def rotations(oscillation: Oscillation) -> tuple[AbstractBlocks, np.ndarray, np.ndarray]:
    r"""The real logarithms of blocks that all turn, in their eigenvectors.

    With the velocity in units of the position, w = (z - sy)/ω, a generator is a damped rotation, and its eigenvectors

    .. math:: c_± = (w ± iy)/\sqrt2, \qquad c_± \gets e^{-(a ∓ iφ)} c_±, \qquad φ = \operatorname{atan2}(eω, c)

    are orthogonal. They are two pairs of letters with the frequencies ∓φ.

    Args:
        oscillation: The oscillators, with ω² > 0.

    Returns:
        The generators, the lifts (P, 2) of a unit input, and the matrices (P, 2, 2) from (c_+, c_-) to (z, y).
    """
    omega = np.sqrt(oscillation.square)
    angle = np.arctan2(oscillation.reach * omega, oscillation.cosine)
    sign = np.array([1j, -1j])
    z = oscillation.decay[:, None] - sign * angle[:, None]
    drive = oscillation.drive[:, :1] / omega[:, None] + sign * oscillation.drive[:, 1:]
    ones = np.ones_like(z)
    basis = np.stack([omega[:, None] * ones + oscillation.shift[:, None] * -sign, -sign * ones], axis=1)
    return Exponents(z), todd(z) * drive / np.sqrt(2), basis / np.sqrt(2)


def blocks(oscillation: Oscillation, strict: bool) -> tuple[AbstractBlocks, np.ndarray, np.ndarray]:
    r"""Logarithms of all blocks: defective ones, those with real eigenvalues, and those that turn.

    .. math:: N = \frac{φ}{\sin φ} e \begin{pmatrix} 0 & ω^2 \\ -1 & 0 \end{pmatrix}, \qquad
        \frac{φ}{\sin φ} = \frac{\operatorname{arsinh} σ}{σ} \text{ for } \sin^2 φ = -σ^2 < 0

    and α = a. Where the cosine is negative, N is that of the angle π - φ with the other sign and α = a - iπ: then
    :math:`e^{-α-N} = -e^{-a-N}` is the block, with no need for a real logarithm. In real letters this is the doubled
    form [[R, πI], [-πI, R]].

    Args:
        oscillation: The oscillators.
        strict: Whether α is to be real everywhere.

    Returns:
        The generators, the lifts (P, 2) of a unit input, and the matrices (P, 2, 2) from the letters to (z, y).
    """
    squared, doubled = oscillation.squared_sine, (oscillation.cosine < 0) & (not strict)
    sine, sign = np.sqrt(np.abs(squared)), np.where(doubled, -1.0, 1.0)
    angle = np.where(squared < 0, np.arcsinh(sine), np.arctan2(sine, sign * oscillation.cosine))
    ratio = np.where(sine > 0, angle / np.where(sine > 0, sine, 1), 1)
    alpha = oscillation.decay - 1j * np.pi * doubled
    far = np.abs(alpha) + angle > _LARGEST
    if far.any():
        k = int(np.argmax(far))
        raise ValueError(
            f"oscillator {k} changes its state by a factor e^{oscillation.decay[k]:.6g} in a step: its stiffness or "
            "damping is too large to convert."
        )
    zero, lower = np.zeros_like(ratio), sign * ratio * oscillation.reach
    N = np.stack([np.stack([zero, lower * oscillation.square], -1), np.stack([-lower, zero], -1)], axis=-2)
    # An imaginary angle turns cosines into hyperbolic ones.
    phi = np.where(squared < 0, 1j * angle, angle)

    def exponential(u: float) -> np.ndarray:
        inner = np.cos(u * phi)[:, None, None] * np.eye(2) - (u * np.sinc(u * phi / np.pi))[:, None, None] * N
        return np.exp(-u * alpha)[:, None, None] * inner

    # φ_1(-A) = ∫ e^{-uA} du over [0, 1]: no quotient that cancels where eigenvalues meet or vanish.
    along = np.stack([exponential((1 + node) / 2) for node in _NODES])
    phi1 = np.einsum("n,nkij->kij", _WEIGHTS / 2, along)
    A = alpha[:, None, None] * np.eye(2) + N
    lift = np.linalg.solve(phi1, oscillation.drive[..., None].astype(complex))[..., 0]
    ones = np.ones_like(zero)
    basis = np.stack([np.stack([ones, oscillation.shift], -1), np.stack([zero, ones], -1)], axis=-2)
    return Blocks(*(each[:, None] for each in (A, exponential(1.0), phi1))), lift, basis
