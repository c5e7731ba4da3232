"""Diagonal models: S4D, S5 and LRU. Each mode is a pair of letters, turned and damped."""

from collections.abc import Callable

import numpy as np

from ewsnn.convert.arguments import Arguments
from ewsnn.convert.blocks import Exponents, lifted, reading
from ewsnn.convert.depth_one import paired, todd
from ewsnn.convert.functions import NOT_REAL, SINGULAR, TRANSFORMS, minus_log_bilinear, transformed
from ewsnn.convert.linear import LinearConverted
from ewsnn.convert.readout import Coupled, Separate


def discretised(a: np.ndarray, step: np.ndarray, rule: str) -> tuple[np.ndarray, np.ndarray]:
    r"""Exponents, and factors of the input matrix, of modes a by the zero-order hold or the bilinear rule.

    .. math::
        \text{zoh: } z = -Δa, \; Δ \qquad \text{bilinear: } z = -2 \operatorname{artanh}(Δa/2), \; -z/a

    Args:
        a: The modes, complex.
        step: The steps Δ, of a shape that fits.
        rule: "zoh" or "bilinear".

    Raises:
        ValueError: If a bilinear transition is singular or undefined.
    """
    x = step * a
    if rule == "zoh":
        return -x, np.broadcast_to(step, x.shape)
    z = minus_log_bilinear(x)
    still = x == 0
    return z, step * np.where(still, 1.0, -z / np.where(still, 1.0, x))


def s4d(arguments: Arguments) -> LinearConverted:
    r"""The diagonal kernel of the release of S4: channels with modes of their own.

    .. math:: a = -f(\mathtt{A\_real}) - i g(\mathtt{A\_imag}), \quad Δ = t(\mathtt{inv\_dt}), \quad
        y_c = 2 \operatorname{Re}(C_c · h_c)

    ``inv_dt`` (H, 1), or (H, N) where steps are not tied; ``A_real``, ``A_imag`` (S, N) and ``B`` (1, S, N, 2), whose S
    copies are repeated for H channels; ``C`` (copies, H, N, 2); ``D`` (copies, H) or (H,), which in the release belongs
    to the layer around the kernel. Options: ``disc`` ("zoh" or "bilinear"), ``dt_transform`` t, ``real_transform`` f,
    ``imag_transform`` g, ``dt_fast``, ``bandlimit`` and ``is_real``, as in the release.

    Args:
        arguments: The parameters and options.
    """
    is_real = arguments.flag("is_real", False)
    arguments.require("inv_dt", "A_real", "B", "C", *(() if is_real else ("A_imag",)))
    a, step, B, C = kernel(arguments, arguments.array if is_real else arguments.complex, is_real)
    rule = arguments.option("disc", "zoh", ("zoh", "bilinear"))
    if arguments.integer("l_kernel", 0):
        raise ValueError("s4d: l_kernel belongs to kernels with a low-rank part: use the kind s4, or leave it out.")
    D, principal = skip(arguments, C.shape[:2]), strict(arguments)
    arguments.finish()
    z, factor = discretised(a, step, rule)
    if is_real and (np.imag(z) == 0).all():
        z, factor = np.real(z), np.real(factor)
    elif is_real and principal:
        raise ValueError(NOT_REAL)
    return separate(arguments.kind, z, factor * B, 2 * C, D)


def s4dmin(arguments: Arguments) -> LinearConverted:
    r"""The short release file of S4D: zero-order hold, b = 1, its own skip.

    .. math:: a = -e^{\mathtt{log\_A\_real}} + i\, \mathtt{A\_imag}, \quad Δ = e^{\mathtt{log\_dt}}, \quad
        y_c = 2 \operatorname{Re}(C_c · h_c) + D_c u_c

    ``log_dt``, ``D`` (H,), ``log_A_real``, ``A_imag`` (H, N), ``C`` (H, N, 2).

    Args:
        arguments: The parameters and options.
    """
    arguments.require("log_dt", "log_A_real", "A_imag", "C")
    step = np.exp(arguments.array("log_dt", ("H",)))[:, None]
    a = -np.exp(arguments.array("log_A_real", ("H", "N"))) + 1j * arguments.array("A_imag", ("H", "N"))
    C = arguments.complex("C", ("H", "N"))[None]
    D = skip(arguments, C.shape[:2])
    strict(arguments)
    arguments.finish()
    z, factor = discretised(a, step, "zoh")
    return separate(arguments.kind, z, factor.astype(np.complex128), 2 * C, D)


def s5(arguments: Arguments) -> LinearConverted:
    r"""S5: P modes that all inputs drive and all outputs read.

    .. math:: a = \min(\mathtt{Lambda\_re}, -10^{-4}) + i\, \mathtt{Lambda\_im}, \quad
        Δ = \mathtt{step\_rescale}\, e^{\mathtt{log\_step}}, \quad y = κ \operatorname{Re}(C h) + D u

    with the minimum where ``clip_eigs`` is set, and κ = 2 where ``conj_sym`` is, else 1. ``Lambda_re``, ``Lambda_im``
    (P,), ``B`` (P, H, 2), ``C`` (H, P, 2), ``D`` (H,), ``log_step`` (P, 1). Options: ``discretisation`` ("zoh" or
    "bilinear"), ``conj_sym`` (default True), ``clip_eigs`` (False), ``step_rescale`` (1).

    Args:
        arguments: The parameters and options.
    """
    arguments.require("Lambda_re", "Lambda_im", "B", "C", "D", "log_step")
    re, im = arguments.array("Lambda_re", ("P",)), arguments.array("Lambda_im", ("P",))
    B, C = arguments.complex("B", ("P", "H")), arguments.complex("C", ("H", "P"))
    D = arguments.array("D", ("H",))
    step = arguments.number("step_rescale", 1.0) * np.exp(arguments.array("log_step", ("P", 1))[:, 0])
    both = arguments.flag("conj_sym", True)
    if arguments.flag("clip_eigs", False):
        re = np.minimum(re, -1e-4)
    rule = arguments.option("discretisation", "zoh", ("zoh", "bilinear"))
    strict(arguments)
    arguments.finish()
    z, factor = discretised(re + 1j * im, step, rule)
    return coupled(arguments.kind, z, factor[:, None] * B, (2 if both else 1) * C, D)


def lru(arguments: Arguments) -> LinearConverted:
    r"""LRU: the modes of the transition itself are stored.

    .. math:: \bar A = e^{-ν + iϑ}, \quad ν = e^{\mathtt{nu\_log}}, \; ϑ = e^{\mathtt{theta\_log}}, \quad
        \bar B = e^{\mathtt{gamma\_log}} B, \quad y = \operatorname{Re}(C h) + D u

    ``nu_log``, ``theta_log``, ``gamma_log`` (P,), ``B_re``, ``B_im`` (P, H), ``C_re``, ``C_im`` (H, P), ``D`` (H,).

    Args:
        arguments: The parameters and options.
    """
    arguments.require("nu_log", "theta_log", "gamma_log", "B_re", "B_im", "C_re", "C_im", "D")
    nu, theta = np.exp(arguments.array("nu_log", ("P",))), np.exp(arguments.array("theta_log", ("P",)))
    gamma = np.exp(arguments.array("gamma_log", ("P",)))[:, None]
    B = arguments.array("B_re", ("P", "H")) + 1j * arguments.array("B_im", ("P", "H"))
    C = arguments.array("C_re", ("H", "P")) + 1j * arguments.array("C_im", ("H", "P"))
    D = arguments.array("D", ("H",))
    strict(arguments)
    arguments.finish()
    # The angle less whole turns: the transition knows no more of it.
    z = nu - 1j * (theta - 2 * np.pi * np.rint(theta / (2 * np.pi)))
    return coupled(arguments.kind, z, todd(z)[:, None] * gamma * B, C, D)


def kernel(
    arguments: Arguments, numbers: Callable[[str, tuple[str | int, ...]], np.ndarray], is_real: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Modes a (H, N), steps (H, 1) or (H, N), B (H, N) and C (copies, H, N) of the kernels of the release of S4.

    Args:
        arguments: The parameters and options.
        numbers: What reads B and C.
        is_real: Whether there are no imaginary parts.

    Raises:
        ValueError: If shapes do not fit.
    """
    C = numbers("C", ("copies", "H", "N"))
    tied = arguments.shape("inv_dt")[-1:] == (1,)
    step = arguments.array("inv_dt", ("H", 1 if tied else "N"))
    if arguments.flag("dt_fast", False):
        step = np.sinh(step)
    step = transformed(arguments.option("dt_transform", "exp", TRANSFORMS), step)
    re = transformed(arguments.option("real_transform", "exp", TRANSFORMS), arguments.array("A_real", ("S", "N")))
    turn = arguments.option("imag_transform", "none", TRANSFORMS)
    im = np.zeros_like(re) if is_real else transformed(turn, arguments.array("A_imag", ("S", "N")))
    B = numbers("B", (1, "S", "N"))[0]
    copies, rest = divmod(arguments.size("H"), arguments.size("S"))
    if rest:
        raise ValueError(
            f"{arguments.kind}: {arguments.size('S')} copies of A and B do not divide {arguments.size('H')} channels."
        )
    if not (step > 0).all():
        raise ValueError(f"{arguments.kind}: steps must be above 0, got {step.min()} from inv_dt.")
    a, B = (np.tile(part, (copies, 1)) for part in (-re - 1j * im, B))
    limit = np.inf
    if arguments.has("bandlimit"):
        limit = arguments.number("bandlimit", 0.0)
    inside = step * np.abs(a.imag) / (2 * np.pi) < limit / 2
    return a, step, B, C * inside


def skip(arguments: Arguments, shape: tuple[int, ...]) -> np.ndarray | None:
    """The optional D of separate channels, (copies, H); (H,) where there is one copy."""
    if not arguments.has("D"):
        return None
    copies, H = shape
    if copies == 1 and len(arguments.shape("D")) == 1:
        return arguments.array("D", (H,))[None]
    return arguments.array("D", (copies, H))


def strict(arguments: Arguments) -> bool:
    """Whether only principal real logarithms will do. Where the states are complex, they always exist."""
    return arguments.option("logarithm", "doubled", ("doubled", "principal")) == "principal"


def separate(kind: str, z: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray | None) -> LinearConverted:
    """Channels with modes of their own, a head each: exponents z and lift B (H, N), rows C (copies, H, N)."""
    _refuse_singular(z)
    real = not np.iscomplexobj(z)
    return LinearConverted(
        kind=kind,
        generator=Exponents(z),
        lift=lifted((np.real(B) if real else B.astype(np.complex128))[..., None]),
        readout=Separate(reading(C if real else C.astype(np.complex128)), D),
        arrange=(lambda states: states) if real else paired,
    )


def coupled(kind: str, z: np.ndarray, B: np.ndarray, C: np.ndarray, D: np.ndarray) -> LinearConverted:
    """Modes that all inputs drive, in one head: exponents z (P,), lift B (P, H), rows C (H, P) and skip D (H,)."""
    _refuse_singular(z)
    return LinearConverted(
        kind=kind,
        generator=Exponents(z[None]),
        lift=lifted(B)[None],
        readout=Coupled(reading(C)[:, None], D[None], B.shape[1]),
        arrange=lambda states: paired(states[..., 0, :]),
    )


def _refuse_singular(z: np.ndarray) -> None:
    if not np.isfinite(z).all():
        raise ValueError(SINGULAR)
