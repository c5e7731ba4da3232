"""S4D: diagonal state-space models in which each channel has modes of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.rings import QQ
from ewsmath.ssm.band import limited
from ewsmath.ssm.diagonal import AbstractDiscretised
from ewsmath.ssm.numbers import array, fast_step, pairs, stored_eigenvalues, transformed


class S4D(AbstractDiscretised):
    r"""S4D: H channels with N complex modes each, state (channel, mode) in row-major order.

    .. math:: y_c = 2 \operatorname{Re} \sum_n C_{cn} h_{cn} + D_c u_c

    Discretisations and conversions are those of :class:`AbstractDiscretised`; channel c feeds its own modes only.

    Args:
        eigenvalue: The H x N complex eigenvalues a.
        step: The H steps Δ, or H x N of them.
        B: The H x N input numbers b.
        C: The H x N read-out numbers.
        D: The H numbers of the skip, or None.
        discretisation: ``"zoh"`` or ``"bilinear"``.

    Raises:
        ValueError: Shapes differ, a step is not above 0, or there is no such discretisation.
        TypeError: A number is not exact.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.rings import QQ_I
    >>> model = S4D([[QQ_I.number(-1, 2)]], [QQ.ratio(1, 2)], [[1]], [[1]])
    >>> from ewsmath.ssm import FRACTIONS, Conversion
    >>> Conversion(model, FRACTIONS).generator.matrix
    Matrix(Frac(EE), [[1/2, 1], [-1, 1/2]])
    """

    def __init__(
        self,
        eigenvalue: Sequence[Sequence[Any]],
        step: Sequence[Any],
        B: Sequence[Sequence[Any]],
        C: Sequence[Sequence[Any]],
        D: Sequence[Any] | None = None,
        *,
        discretisation: str = "zoh",
    ) -> None:
        eigenvalue = array(eigenvalue, [None, None], "S4D: the eigenvalues")
        H, N = len(eigenvalue), len(eigenvalue[0])
        B, C = array(B, [H, N], "S4D: B"), array(C, [H, N], "S4D: C")
        one_each = len(step) and not hasattr(step[0], "__len__")
        steps = array([[x] * N for x in step] if one_each else step, [H, N], "S4D: the steps")
        zero = QQ.zero
        super().__init__(
            [a for row in eigenvalue for a in row],
            [x for row in steps for x in row],
            [[b if i == c else zero for i in range(H)] for c, row in enumerate(B) for b in row],
            [[x if i == c else zero for i in range(H) for x in C[c]] for c in range(H)],
            D,
            discretisation=discretisation,
            output_factor=2,
        )

    @classmethod
    def from_minimal_release(
        cls, log_dt: Sequence[Any], log_A_real: Any, A_imag: Any, C: Any, D: Sequence[Any] | None = None
    ) -> S4D:
        """The model of the short release file ``s4d.py``: a = -exp(log_A_real) + i A_imag, b = 1, zero-order hold.

        Args:
            log_dt: H rationals; the step is their exponential.
            log_A_real: H x N rationals.
            A_imag: H x N rationals: a plus sign, and no exponential.
            C: H x N x 2 rationals.
            D: H rationals.

        Returns:
            The model.

        >>> model = S4D.from_minimal_release([0], [[1]], [[3]], [[[1, 0]]])
        >>> model.eigenvalue, model.step
        ((3i - e^(1),), (1,))
        """
        decays = array(log_A_real, [None, None], "S4D: log_A_real")
        H, N = len(decays), len(decays[0])
        frequencies = array(A_imag, [H, N], "S4D: A_imag")
        return cls(
            stored_eigenvalues(decays, frequencies, ("exp", "none"), 1, "S4D"),
            [transformed("exp", x, "S4D: log_dt") for x in array(log_dt, [H], "S4D: log_dt")],
            [[1] * N] * H,
            pairs(C, [H, N], "S4D: C"),
            D,
        )

    @classmethod
    def from_release(
        cls,
        inv_dt: Any,
        A_real: Any,
        A_imag: Any,
        B: Any,
        C: Any,
        D: Sequence[Any] | None = None,
        *,
        disc: str = "zoh",
        dt_transform: str = "exp",
        real_transform: str = "exp",
        imag_transform: str = "none",
        dt_fast: bool = False,
        bandlimit: Any = None,
        is_real: bool = False,
    ) -> S4D:
        """The diagonal kernel of the release file ``s4.py``: a = -f(A_real) - i g(A_imag).

        Its options change the numbers of the model and nothing else: the conversion is that of any other S4D.

        Args:
            inv_dt: H x 1 rationals, or H x N.
            A_real: S x N rationals; S divides H, and the S copies are repeated.
            A_imag: S x N rationals: a minus sign. None with ``is_real``, which stores no imaginary parts.
            B: 1 x S x N x 2 rationals; 1 x S x N with ``is_real``.
            C: 1 x H x N x 2 rationals; 1 x H x N with ``is_real``.
            D: H rationals; in the release they belong to the layer around the kernel.
            disc: ``"zoh"`` or ``"bilinear"``.
            dt_transform: The transform of inv_dt.
            real_transform: The transform f.
            imag_transform: The transform g.
            dt_fast: Whether the release puts sinh before the transform of inv_dt.
            bandlimit: The rational b; the entries of C are 0 for the modes that :func:`~ewsmath.ssm.band.in_band`
                leaves out. None for no limit.
            is_real: Whether the numbers a, B and C are real. The read-out is 2 C h, as for complex modes.

        Returns:
            The model.

        Raises:
            ValueError: Shapes do not fit, a transform is unknown, or ``is_real`` comes with A_imag.
            UndecidedError: Balls do not tell a mode from the limit of the band.

        >>> one = [[[[1, 0]]]]
        >>> model = S4D.from_release([[0]], [[1]], [[3]], one, one)
        >>> model.eigenvalue, model.step
        ((-3i - e^(1),), (1,))
        >>> S4D.from_release([[0]], [[1]], [[3]], one, one, bandlimit=QQ.ratio(1, 2)).C
        ((0,),)
        """
        decays = array(A_real, [None, None], "S4D: A_real")
        S, N = len(decays), len(decays[0])
        if is_real and A_imag is not None:
            raise ValueError("S4D: is_real stores no imaginary parts: give A_imag=None")
        frequencies = [[0] * N] * S if is_real else array(A_imag, [S, N], "S4D: A_imag")
        numbers = array if is_real else pairs
        transforms = real_transform, "none" if is_real else imag_transform
        steps = array(inv_dt, [None, None], "S4D: inv_dt")
        H = len(steps)
        if H % S or len(steps[0]) not in (1, N):
            raise ValueError(f"S4D: inv_dt of shape {(H, len(steps[0]))} with {S} copies of {N} modes")
        eigenvalue = stored_eigenvalues(decays, frequencies, transforms, -1, "S4D") * (H // S)
        step = fast_step if dt_fast else transformed
        steps = [[step(dt_transform, x, "S4D: inv_dt") for x in row] * (N // len(row)) for row in steps]
        return cls(
            eigenvalue,
            steps,
            numbers(B, [1, S, N], "S4D: B")[0] * (H // S),
            limited(numbers(C, [1, H, N], "S4D: C")[0], eigenvalue, steps, bandlimit),
            D,
            discretisation=disc,
        )
