"""S5: one diagonal state-space model for all channels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.rings import EE, QQ, QQ_I
from ewsmath.rings.door import of_kind
from ewsmath.ssm.diagonal import AbstractDiscretised
from ewsmath.ssm.numbers import array, pairs

CLIP = QQ.ratio(-1, 10000)
"""What ``clip_eigs`` keeps the real parts of the eigenvalues below."""


class S5(AbstractDiscretised):
    r"""S5: P complex modes that all H channels feed.

    .. math:: y = κ \operatorname{Re}(C h) + D u

    Discretisations, conversions, arguments and errors are those of :class:`AbstractDiscretised`.

    Paper: Appendix E; Table 3.

    >>> model = S5([QQ_I.number(-1, 2)], [1], B=[[1, 0]], C=[[1], [QQ_I.i]], discretisation="bilinear")
    >>> from ewsmath.ssm import certify
    >>> certify(model, [[1, 2], [0, -1]], digits=30).holds(30)
    True
    """

    @classmethod
    def from_release(
        cls,
        Lambda_re: Sequence[Any],
        Lambda_im: Sequence[Any],
        B: Any,
        C: Any,
        D: Sequence[Any],
        log_step: Any,
        *,
        conj_sym: bool = True,
        clip_eigs: bool = False,
        step_rescale: Any = 1,
        discretisation: str = "zoh",
    ) -> S5:
        """The layer of the release; no exponential is taken of the imaginary parts.

        Args:
            Lambda_re: P rationals, the real parts.
            Lambda_im: P rationals, the imaginary parts.
            B: P x H x 2 rationals.
            C: H x P x 2 rationals.
            D: H rationals.
            log_step: P x 1 rationals; the step is ``step_rescale`` times their exponential.
            conj_sym: Whether only one mode of each conjugate pair is stored, so that κ = 2.
            clip_eigs: Whether real parts are kept at or below -1/10000.
            step_rescale: A rational.
            discretisation: ``"zoh"`` or ``"bilinear"``.

        Returns:
            The model.

        >>> model = S5.from_release([-1], [3], [[[1, 0]]], [[[1, 0]]], [0], [[0]])
        >>> model.eigenvalue, model.step, model.output_factor
        ((-1+3i,), (1,), 2)
        """
        conj_sym = of_kind(conj_sym, bool, "S5: conj_sym is True or False", "give one of the two")
        real = array(Lambda_re, [None], "S5: Lambda_re")
        P = len(real)
        imag = array(Lambda_im, [P], "S5: Lambda_im")
        if of_kind(clip_eigs, bool, "S5: clip_eigs is True or False", "give one of the two"):
            real = [-QQ.maximum(-QQ.coerce(x), -CLIP) for x in real]
        rescale = QQ.coerce(step_rescale)
        return cls(
            [QQ_I.number(x, y) for x, y in zip(real, imag, strict=True)],
            [EE.exp(EE.coerce(row[0])) * rescale for row in array(log_step, [P, 1], "S5: log_step")],
            pairs(B, [P, None], "S5: B"),
            pairs(C, [None, P], "S5: C"),
            D,
            discretisation=discretisation,
            output_factor=2 if conj_sym else 1,
        )
