"""One oscillator block: its discretisations, its logarithm in the shifted basis, and whether that is real."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NamedTuple

from ewsmath.matrix import Matrix
from ewsmath.rings import Ring
from ewsmath.ssm.culver import NOT_REAL, SINGULAR
from ewsmath.ssm.fractions import sign
from ewsmath.ssm.functions import arc_ratio, logarithm, square_root
from ewsmath.ssm.working_ring import in_balls

OUTSIDE = "the step is outside the stability region: the block has a determinant that is not above 0"


class Block(NamedTuple):
    """The recurrence of one oscillator, (z, y) ↦ Abar (z, y) + F b u.

    Attributes:
        transition: The 2 x 2 matrix Abar.
        drive: The vector F, both entries real.

    >>> from ewsmath.ssm import FRACTIONS
    >>> damped_ex(FRACTIONS, *map(FRACTIONS.coerce, (4, 0, 1))).drive
    (1, 0)
    """

    transition: Matrix[Any]
    drive: tuple[Any, Any]


def damped_im(ring: Ring[Any], A: Any, G: Any, d: Any) -> Block:
    r"""Implicit; with G = 0 LinOSS-IM.

    .. math:: S = 1 + dG + d^2 A, \quad \bar A = \frac1S \begin{pmatrix} 1 & -dA \\ d & 1 + dG \end{pmatrix},
        \quad F = \frac dS (1, d)

    Args:
        ring: The working ring.
        A: The stiffness, a number of the ring.
        G: The damping, likewise.
        d: The step, likewise.

    Returns:
        The 2 x 2 matrix Abar and the vector F.

    Raises:
        ZeroDivisionError: S may be 0.

    >>> from ewsmath.ssm import FRACTIONS
    >>> damped_im(FRACTIONS, *map(FRACTIONS.coerce, (2, 1, 1)))
    Block(transition=Matrix(Frac(EE), [[1/4, -1/2], [1/4, 1/2]]), drive=(1/4, 1/4))
    """
    s = ring.inverse(1 + d * G + d * d * A)  # type: ignore[attr-defined]
    return Block(Matrix(ring, [[s, -d * A * s], [d * s, (1 + d * G) * s]]), (d * s, d * d * s))


def damped_imex1(ring: Ring[Any], A: Any, G: Any, d: Any) -> Block:
    r"""Implicit in the damping, explicit in the force; with G = 0 LinOSS-IMEX.

    .. math:: S = 1 + dG, \quad \bar A = \frac1S \begin{pmatrix} 1 & -dA \\ d & S - d^2 A \end{pmatrix},
        \quad F = \frac dS (1, d)

    Args:
        ring: The working ring.
        A: The stiffness, a number of the ring.
        G: The damping, likewise.
        d: The step, likewise.

    Returns:
        The 2 x 2 matrix Abar and the vector F.

    Raises:
        ZeroDivisionError: S may be 0.

    >>> from ewsmath.ssm import FRACTIONS
    >>> damped_imex1(FRACTIONS, *map(FRACTIONS.coerce, (2, 1, 1)))
    Block(transition=Matrix(Frac(EE), [[1/2, -1], [1/2, 0]]), drive=(1/2, 1/2))
    """
    s = ring.inverse(1 + d * G)  # type: ignore[attr-defined]
    return Block(Matrix(ring, [[s, -d * A * s], [d * s, 1 - d * d * A * s]]), (d * s, d * d * s))


def damped_imex2(ring: Ring[Any], A: Any, G: Any, d: Any) -> Block:
    r"""Explicit in the damping and in the force, with the new z for y.

    .. math:: \bar A = \begin{pmatrix} 1 - dG & -dA \\ d(1 - dG) & 1 - d^2 A \end{pmatrix}, \quad F = (d, d^2)

    Args:
        ring: The working ring.
        A: The stiffness, a number of the ring.
        G: The damping, likewise.
        d: The step, likewise.

    Returns:
        The 2 x 2 matrix Abar and the vector F.

    >>> from ewsmath.ssm import FRACTIONS
    >>> damped_imex2(FRACTIONS, *map(FRACTIONS.coerce, (2, 1, 1)))
    Block(transition=Matrix(Frac(EE), [[0, -2], [0, -1]]), drive=(1, 1))
    """
    r = 1 - d * G
    return Block(Matrix(ring, [[r, -d * A], [d * r, 1 - d * d * A]]), (d, d * d))


def damped_ex(ring: Ring[Any], A: Any, G: Any, d: Any) -> Block:
    r"""Explicit.

    .. math:: \bar A = \begin{pmatrix} 1 - dG & -dA \\ d & 1 \end{pmatrix}, \quad F = (d, 0)

    Args:
        ring: The working ring.
        A: The stiffness, a number of the ring.
        G: The damping, likewise.
        d: The step, likewise.

    Returns:
        The 2 x 2 matrix Abar and the vector F.

    >>> from ewsmath.ssm import FRACTIONS
    >>> damped_ex(FRACTIONS, *map(FRACTIONS.coerce, (2, 1, 1)))
    Block(transition=Matrix(Frac(EE), [[0, -2], [1, 1]]), drive=(1, 0))
    """
    return Block(Matrix(ring, [[1 - d * G, -d * A], [d, ring.one]]), (d, ring.zero))


Discretisation = Callable[[Ring[Any], Any, Any, Any], Block]

DISCRETISATIONS: MappingProxyType[str, Discretisation] = MappingProxyType(
    {
        "IM": damped_im,
        "IMEX": damped_imex1,
        "DampedIM": damped_im,
        "DampedIMEX1": damped_imex1,
        "DampedIMEX2": damped_imex2,
        "DampedEX": damped_ex,
    }
)
"""The discretisations by name; the first two are those of LinOSS, without damping."""


def obstacle(transition: Matrix[Any]) -> tuple[str | None, str | None]:
    """Why a block has no logarithm at all, and why it has no real one, decided by trace and determinant.

    Args:
        transition: The 2 x 2 matrix Abar over Frac(EE), with d ≠ 0 below the diagonal.

    Returns:
        A pair of texts, each None where there is no reason.

    >>> from ewsmath.rings import QQ
    >>> obstacle(Matrix(QQ, [[-1, 0], [1, -1]])), obstacle(Matrix(QQ, [[0, -1], [1, 0]]))
    ((None, 'no real logarithm; use the doubled form'), (None, None))
    """
    (p, q), (r, s) = transition.rows
    trace, determinant = p + s, p * s - q * r
    if sign(determinant) == 0:
        return SINGULAR, SINGULAR
    if sign(determinant) < 0:
        return OUTSIDE, OUTSIDE
    # Two negative eigenvalues; a double one belongs to a Jordan block, since the entry r is not 0.
    if sign(trace) < 0 and sign(trace * trace - 4 * determinant) >= 0:
        return None, NOT_REAL
    return None, None


class Shifted(NamedTuple):
    """The logarithm of a block in the shifted basis z = z' + t y.

    Attributes:
        generator: The 2 x 2 matrix R; e^{-R} is Abar in the shifted basis, or -Abar where ``turned``.
        shift: The number t.
        turned: Whether -Abar was taken, so that the generator is R - iπI.

    >>> from ewsmath.rings import Balls
    >>> quarter = Block(Matrix(Balls(64), [[0, -1], [1, 0]]), (1, 0))
    >>> shifted_logarithm(quarter, real=True).turned
    False
    """

    generator: Matrix[Any]
    shift: Any
    turned: bool


def shifted_logarithm(block: Block, real: bool) -> Shifted:
    r"""The generator of a block.

    With h half the difference of the diagonal, ρ² = det Abar, cos φ = tr Abar/2ρ and t = h/Abar_21 the block is
    in the basis z = z' + t y

    .. math:: ρ\cos φ\, I + N, \quad N = \begin{pmatrix} 0 & \bar A_{12} + h t \\ \bar A_{21} & 0 \end{pmatrix},
        \qquad A = -\log ρ\, I - \frac{φ}{\sin φ} \frac Nρ

    The quotient φ/sin φ is analytic for cos φ > -1, so that double and real positive eigenvalues are no special
    case. The doubled form takes R = -log(-Abar), whose cosine is -cos φ, and A = R - iπI.

    Args:
        block: The block over real balls, with determinant above 0.
        real: Whether the doubled form is not to be taken; else it is where cos φ is certainly negative.

    Returns:
        R in the shifted basis.

    Paper: Appendix E; Table 3.

    A quarter of a turn, whose angle is π/2:

    >>> from ewsmath.rings import Balls
    >>> from ewsmath.ssm.functions import pi
    >>> found = shifted_logarithm(Block(Matrix(Balls(64), [[0, -1], [1, 0]]), (1, 0)), real=True)
    >>> found.generator[0, 1] == pi(Balls(64)) / 2, found.shift == 0
    (True, True)
    """
    ring: Any = block.transition.ring
    in_balls(ring, "the logarithm of a block")
    (p, q), (r, s) = block.transition.rows
    half = ring.ratio(1, 2)
    h = (p - s) * half
    shift = h / r
    rho = square_root(ring, p * s - q * r)
    cosine = (p + s) * half / rho
    turned = not real and bool(cosine.value < 0)
    ratio = arc_ratio(ring, -cosine if turned else cosine) / rho
    if not turned:
        ratio = -ratio
    decay = -logarithm(ring, rho)
    return Shifted(Matrix(ring, [[decay, ratio * (q + h * shift)], [ratio * r, decay]]), shift, turned)
