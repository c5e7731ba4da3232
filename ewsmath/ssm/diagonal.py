"""Complex diagonal models: one rotation block for each mode."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from ewsmath.generators import Rotation
from ewsmath.matrix import Matrix
from ewsmath.rings import Ring
from ewsmath.ssm.culver import SINGULAR
from ewsmath.ssm.fractions import FRACTIONS
from ewsmath.ssm.functions import artanh_ratio, phi1
from ewsmath.ssm.model import AbstractLinear, skip_matrix
from ewsmath.ssm.numbers import AbstractEnclosed, array, positive
from ewsmath.ssm.parts import Converted, Layer, Reading
from ewsmath.ssm.realification import joined, stacked
from ewsmath.ssm.working_ring import complexified, imag_part, real_part


class AbstractDiagonal(AbstractLinear):
    r"""A model whose transition is diagonal and complex.

    .. math:: h_k \gets \bar A_k h_k + f_k B_k u, \qquad y = κ \operatorname{Re}(C h) + D u

    With α_k such that e^{-α_k} = Abar_k it becomes the EWS with the rotation blocks

    .. math:: \begin{pmatrix} \operatorname{Re} α_k & -\operatorname{Im} α_k \\
        \operatorname{Im} α_k & \operatorname{Re} α_k \end{pmatrix}

    and the lift with rows Re and Im of f_k B_k/φ_1(-α_k).

    Args:
        B: The P x d complex input map.
        C: The p x P complex read-out.
        D: The skip: None, p numbers of a diagonal, or p rows of d numbers.
        output_factor: The factor κ: 2 where conjugate modes are not stored.

    Attributes:
        modes: The number P of modes.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.ssm import FRACTIONS, LRU
    >>> model = LRU([1], [2], B=[[1]], C=[[1]])
    >>> model.modes, model.convert(FRACTIONS).layers[0].generator.matrix
    (1, Matrix(Frac(EE), [[1, 2], [-2, 1]]))
    """

    modes: int
    output_factor: int
    B: Any
    C: Any
    D: Any

    def __init__(self, modes: int, B: Any, C: Any, D: Any, output_factor: int) -> None:
        name = type(self).__name__
        if output_factor not in (1, 2):
            raise ValueError(f"{name}: the output factor is 1 or 2, got {output_factor}")
        B, C = array(B, [modes, None], f"{name}: B"), array(C, [None, modes], f"{name}: C")
        inputs = len(B[0])
        self._set(modes=modes, inputs=inputs, B=B, C=C, D=skip_matrix(D, len(C), inputs, name))
        self._set(output_factor=output_factor)

    @abstractmethod
    def recurrence_factors(self, ring: Ring[Any], k: int) -> tuple[Any, Any]:
        """The numbers Abar_k and f_k of a mode.

        Args:
            ring: The working ring.
            k: The mode, from 0.

        Returns:
            The two, in the complex ring.

        >>> from ewsmath.ssm import S5
        >>> S5([-1], [2], B=[[1]], C=[[1]]).recurrence_factors(FRACTIONS, 0)
        (e^(-2), -e^(-2) + 1)
        """

    @abstractmethod
    def ews_factors(self, ring: Ring[Any], k: int) -> tuple[Any, Any]:
        """The numbers α_k and f_k/φ_1(-α_k) of a mode.

        Args:
            ring: The working ring.
            k: The mode, from 0.

        Returns:
            The two, in the complex ring.

        >>> from ewsmath.ssm import S5
        >>> S5([-3], [2], B=[[1]], C=[[1]]).ews_factors(FRACTIONS, 0)
        (6, 2)
        """

    def transition(self, ring: Ring[Any]) -> list[Matrix[Any]]:
        """The numbers Abar_k.

        Args:
            ring: The working ring.

        Returns:
            P blocks of size 1.

        >>> from ewsmath.ssm import S5
        >>> S5([-1, -2], [1, 1], B=[[1], [1]], C=[[1, 1]]).transition(FRACTIONS)
        [Matrix(Frac(EE), [[e^(-1)]]), Matrix(Frac(EE), [[e^(-2)]])]
        """
        return [Matrix(complexified(ring), [[self.recurrence_factors(ring, k)[0]]]) for k in range(self.modes)]

    def input_map(self, ring: Ring[Any]) -> Matrix[Any]:
        """The rows f_k B_k.

        Args:
            ring: The working ring.

        Returns:
            A P x d matrix over the complex ring.

        >>> from ewsmath.ssm import S5
        >>> S5([-1], [2], B=[[3, 0]], C=[[1]]).input_map(FRACTIONS)
        Matrix(Frac(EE), [[-3*e^(-2) + 3, 0]])
        """
        return self._scaled_rows(ring, [self.recurrence_factors(ring, k)[1] for k in range(self.modes)])

    def readout(self, ring: Ring[Any]) -> Reading:
        """The matrix κC, and D.

        Args:
            ring: The working ring.

        Returns:
            The p x P matrix over the complex ring, and p rows of d numbers.

        >>> from ewsmath.ssm import S5
        >>> S5([-1], [2], B=[[3]], C=[[5]], output_factor=2).readout(FRACTIONS)
        Reading(matrix=Matrix(Frac(EE), [[10]]), skip=((0,),))
        """
        return Reading(Matrix(complexified(ring), self.C) * self.output_factor, self.D)

    def convert(self, ring: Ring[Any]) -> Converted:
        """One layer with a rotation block for each mode.

        Args:
            ring: The working ring.

        Returns:
            The layers, and the coordinates T = I ⊗ (1, i).

        >>> from ewsmath.ssm import S5
        >>> found = S5([-1], [2], B=[[3]], C=[[1]]).convert(FRACTIONS)
        >>> found.layers[0].generator.matrix, found.layers[0].lift, found.coordinates
        (Matrix(Frac(EE), [[2, 0], [0, 2]]), Matrix(Frac(EE), [[6], [0]]), Matrix(Frac(EE), [[1, i]]))
        """
        factors = [self.ews_factors(ring, k) for k in range(self.modes)]
        lift = stacked(self._scaled_rows(ring, [factor for _, factor in factors]), ring)
        layers = [
            Layer(Rotation(real_part(alpha), imag_part(alpha), ring=ring), Matrix(ring, lift.rows[2 * k : 2 * k + 2]))
            for k, (alpha, _) in enumerate(factors)
        ]
        return Converted(layers, joined(ring, self.modes))

    def _scaled_rows(self, ring: Ring[Any], factors: Sequence[Any]) -> Matrix[Any]:
        B = Matrix(complexified(ring), self.B)
        return Matrix(B.ring, [[f * x for x in row] for f, row in zip(factors, B.rows, strict=True)])


class AbstractDiscretised(AbstractDiagonal):
    r"""A diagonal model given in continuous time, h' = a h + B u, and discretised with steps Δ_k.

    Zero-order hold (``"zoh"``), with z = Δa:

    .. math:: \bar A = e^z, \quad f = Δ φ_1(z); \qquad α = -z, \quad \text{lift } Δ B

    Bilinear (``"bilinear"``):

    .. math:: \bar A = \frac{1 + z/2}{1 - z/2}, \quad f = \frac{Δ}{1 - z/2}; \qquad
        α = -2 \operatorname{artanh} \frac z2, \quad \text{lift } -\frac αa B

    Args:
        eigenvalue: The P complex eigenvalues a_k; those with negative real part forget.
        step: The P steps Δ_k > 0.
        B: The P x d complex input map.
        C: The p x P complex read-out.
        D: The skip: None, p numbers of a diagonal, or p rows of d numbers.
        discretisation: ``"zoh"`` or ``"bilinear"``.
        output_factor: The factor κ.

    Raises:
        ValueError: Lengths differ, a step is not above 0, or there is no such discretisation.
        TypeError: A number is not exact.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.ssm import S5
    >>> S5([-1], [1], B=[[1]], C=[[1]], discretisation="bilinear").transition(FRACTIONS)  # (1 - 1/2)/(1 + 1/2)
    [Matrix(Frac(EE), [[1/3]])]
    """

    eigenvalue: Any
    step: Any
    discretisation: str

    def __init__(
        self,
        eigenvalue: Sequence[Any],
        step: Sequence[Any],
        B: Any,
        C: Any,
        D: Any = None,
        *,
        discretisation: str = "zoh",
        output_factor: int = 1,
    ) -> None:
        name = type(self).__name__
        if discretisation not in ("zoh", "bilinear"):
            raise ValueError(f"{name}: unknown discretisation {discretisation!r}: choose 'zoh' or 'bilinear'")
        eigenvalue = array(eigenvalue, [None], f"{name}: the eigenvalues")
        steps = array(step, [len(eigenvalue)], f"{name}: the steps")
        steps = tuple(positive(x, f"{name}: a step") for x in steps)
        self._set(eigenvalue=eigenvalue, step=steps, discretisation=discretisation)
        super().__init__(len(eigenvalue), B, C, D, output_factor)

    def obstacle(self) -> str | None:
        """Whether a bilinear transition is singular (Δa = -2), or undefined (Δa = 2).

        Returns:
            The reason; None where there is a conversion.

        >>> from ewsmath.ssm import S5
        >>> S5([-1], [2], B=[[1]], C=[[1]], discretisation="bilinear").obstacle()
        'transition is singular: no logarithm'
        """
        if self.discretisation == "bilinear":
            for a, step in zip(self.eigenvalue, self.step, strict=True):
                if isinstance(step, AbstractEnclosed):  # left to the balls, which are narrow where it matters
                    continue
                z = FRACTIONS.coerce(a) * FRACTIONS.coerce(step)
                if z == -2:
                    return SINGULAR
                if z == 2:
                    return f"the bilinear transform is undefined: step times eigenvalue is 2 for the eigenvalue {a}"
        return None

    def recurrence_factors(self, ring: Ring[Any], k: int) -> tuple[Any, Any]:
        """The numbers Abar_k and f_k of the discretisation.

        Args:
            ring: The working ring.
            k: The mode, from 0.

        Returns:
            The two, in the complex ring.

        >>> from ewsmath.ssm import S5
        >>> S5([-1], [1], B=[[1]], C=[[1]], discretisation="bilinear").recurrence_factors(FRACTIONS, 0)
        (1/3, 2/3)
        """
        field, step, z = self._at(ring, k)
        if self.discretisation == "zoh":
            return field.exp(z), step * phi1(field, z)
        half = z * field.ratio(1, 2)
        return (1 + half) / (1 - half), step / (1 - half)

    def ews_factors(self, ring: Ring[Any], k: int) -> tuple[Any, Any]:
        """The numbers α_k and Δ_k (zero-order hold) or -α_k/a_k (bilinear, Δ_k artanh(z/2)/(z/2)).

        Args:
            ring: The working ring; balls where it is bilinear.
            k: The mode, from 0.

        Returns:
            The two, in the complex ring.

        >>> from ewsmath.rings import Balls
        >>> from ewsmath.ssm import S5
        >>> model = S5([-1], [1], B=[[1]], C=[[1]], discretisation="bilinear")
        >>> alpha, factor = model.ews_factors(Balls(64), 0)
        >>> complexified(Balls(64)).exp(alpha) == 3, factor == alpha
        (True, True)
        """
        field, step, z = self._at(ring, k)
        if self.discretisation == "zoh":
            return -z, step
        ratio = artanh_ratio(field, z * field.ratio(1, 2))
        return -z * ratio, step * ratio

    def _at(self, ring: Ring[Any], k: int) -> tuple[Any, Any, Any]:
        field: Any = complexified(ring)
        step = field.coerce(self.step[k])
        return field, step, step * field.coerce(self.eigenvalue[k])
