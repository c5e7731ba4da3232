"""LRU: the linear recurrent unit, a diagonal model given in discrete time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.rings import EE, QQ_I, Ring
from ewsmath.ssm.diagonal import AbstractDiagonal
from ewsmath.ssm.functions import reduced_angle, todd
from ewsmath.ssm.numbers import array, positive
from ewsmath.ssm.working_ring import complexified


class LRU(AbstractDiagonal):
    r"""LRU: P complex modes with modulus e^{-ν} and angle ϑ.

    .. math:: h_k \gets e^{-ν_k + iϑ_k} h_k + B_k u, \qquad y = \operatorname{Re}(C h) + D u

    .. math:: α_k = ν_k - i ϑ_k, \qquad \text{lift } g(α_k) B_k, \qquad g(z) = \frac{z}{1 - e^{-z}}

    In balls angles are taken modulo 2π to [-π, π]; the exponent comes from ν and ϑ, never from a logarithm.

    Args:
        decay: The P numbers ν > 0.
        angle: The P angles ϑ.
        B: The P x d complex input map.
        C: The p x P complex read-out.
        D: The skip: None, p numbers of a diagonal, or p rows of d numbers.

    Raises:
        ValueError: Lengths differ, or a ν is not above 0.
        TypeError: A number is not exact.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.ssm import FRACTIONS, Conversion, Recurrence
    >>> model = LRU([1], [0], B=[[1]], C=[[1]])
    >>> Recurrence(model, FRACTIONS).run([[1], [1]]).outputs
    [[1], [e^(-1) + 1]]
    >>> Conversion(model, FRACTIONS).lift
    Matrix(Frac(EE), [[(1)/(-e^(-1) + 1)], [0]])
    """

    decay: Any
    angle: Any

    def __init__(self, decay: Sequence[Any], angle: Sequence[Any], B: Any, C: Any, D: Any = None) -> None:
        decay = array(decay, [None], "LRU: the decays")
        self._set(decay=tuple(positive(x, "LRU: a decay") for x in decay))
        self._set(angle=array(angle, [len(decay)], "LRU: the angles"))
        super().__init__(len(decay), B, C, D, output_factor=1)

    @classmethod
    def from_release(
        cls,
        nu_log: Sequence[Any],
        theta_log: Sequence[Any],
        gamma_log: Sequence[Any],
        B_re: Any,
        B_im: Any,
        C_re: Any,
        C_im: Any,
        D: Sequence[Any],
    ) -> LRU:
        """The layer of the release: ν, ϑ and the factor γ of B are stored as logarithms.

        Args:
            nu_log: P rationals.
            theta_log: P rationals.
            gamma_log: P rationals.
            B_re: P x H rationals.
            B_im: P x H rationals.
            C_re: H x P rationals.
            C_im: H x P rationals.
            D: H rationals.

        Returns:
            The model.

        >>> LRU.from_release([0], [-1], [0], [[1]], [[0]], [[1]], [[0]], [0]).decay
        (1,)
        """
        nu = array(nu_log, [None], "LRU: nu_log")
        P = len(nu)
        theta, gamma = array(theta_log, [P], "LRU: theta_log"), array(gamma_log, [P], "LRU: gamma_log")
        B = _complex(B_re, B_im, [P, None], "LRU: B")
        return cls(
            [_exp(x) for x in nu],
            [_exp(x) for x in theta],
            [[_exp(x) * b for b in row] for x, row in zip(gamma, B, strict=True)],
            _complex(C_re, C_im, [None, P], "LRU: C"),
            D,
        )

    def recurrence_factors(self, ring: Ring[Any], k: int) -> tuple[Any, Any]:
        """The numbers e^{-ν + iϑ} and 1.

        Args:
            ring: The ring to work in.
            k: The mode, from 0.

        Returns:
            The transition and the factor of B, over the complex ring.

        >>> from ewsmath.ssm import FRACTIONS
        >>> LRU([1], [3], B=[[1]], C=[[1]]).recurrence_factors(FRACTIONS, 0)
        (e^(-1+3i), 1)
        """
        field: Any = complexified(ring)
        i = field.coerce(QQ_I.i)
        return field.exp(-field.coerce(self.decay[k]) + i * field.coerce(self.angle[k])), field.one

    def ews_factors(self, ring: Ring[Any], k: int) -> tuple[Any, Any]:
        """The numbers ν - iϑ and g(ν - iϑ).

        Args:
            ring: The ring to work in.
            k: The mode, from 0.

        Returns:
            The exponent and the factor of B in the lift, over the complex ring.

        >>> from ewsmath.ssm import FRACTIONS
        >>> LRU([1], [0], B=[[1]], C=[[1]]).ews_factors(FRACTIONS, 0)
        (1, (1)/(-e^(-1) + 1))
        """
        field: Any = complexified(ring)
        alpha = field.coerce(self.decay[k]) - field.coerce(QQ_I.i) * reduced_angle(field, field.coerce(self.angle[k]))
        return alpha, todd(field, alpha)


def _exp(x: Any) -> Any:
    return EE.exp(EE.coerce(x))


def _complex(real: Any, imag: Any, shape: Sequence[int | None], what: str) -> Any:
    real = array(real, shape, what)
    imag = array(imag, [len(real), len(real[0])], what)
    return [[QQ_I.number(x, y) for x, y in zip(*rows, strict=True)] for rows in zip(real, imag, strict=True)]
