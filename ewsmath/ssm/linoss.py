"""LinOSS and D-LinOSS: independent oscillators, driven and read by complex matrices."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from flint import fmpq

from ewsmath.generators import Dense, DirectSum
from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, QQ_I, Ring
from ewsmath.ssm.culver import NOT_REAL
from ewsmath.ssm.fractions import FRACTIONS, sigmoid, sign
from ewsmath.ssm.functions import pi, square_root
from ewsmath.ssm.lift import lift
from ewsmath.ssm.model import AbstractLinear, skip_matrix
from ewsmath.ssm.numbers import array, pairs, positive
from ewsmath.ssm.oscillator import DISCRETISATIONS, Block, obstacle, shifted_logarithm
from ewsmath.ssm.parts import Converted, Layer, Reading
from ewsmath.ssm.working_ring import complexified, imag_part, real_part

SMALLEST_SQUARE = QQ.ratio(1, 10**6)
"""What the release keeps the d² below the bounds of the stiffness above."""


class AbstractOscillators(AbstractLinear):
    r"""P oscillators with complex state (z_1, …, z_P, y_1, …, y_P), each (z, y) ↦ Abar_k (z, y) + F_k B_k u.

    .. math:: y_{\mathrm{out}} = \operatorname{Re}(C y) + D u

    Each becomes a real EWS of width 4 on (Re z', Re y, Im z', Im y), z = z' + t y: two copies of the generator
    R of :func:`ewsmath.ssm.oscillator.shifted_logarithm`, or its doubled form

    .. math:: \begin{pmatrix} R & πI \\ -πI & R \end{pmatrix}

    The lift is L B_k with φ_1(-A) L = F_k in the shifted basis.

    Args:
        B: The P x d complex input map.
        C: The p x P complex read-out.
        D: The skip: None, p numbers of a diagonal, or p rows of d numbers.
        form: ``"real"`` to ask for real logarithms of the 2 x 2 blocks; ``"auto"`` to double where cos φ < 0.
        modes: The number P of oscillators.

    Paper: Appendix E; Table 3.
    """

    modes: int
    B: Any
    C: Any
    D: Any
    form: str

    def __init__(self, modes: int, B: Any, C: Any, D: Any, form: str) -> None:
        name = type(self).__name__
        if form not in ("auto", "real"):
            raise ValueError(f"{name}: unknown form {form!r}: choose 'auto' or 'real'")
        B, C = array(B, [modes, None], f"{name}: B"), array(C, [None, modes], f"{name}: C")
        self._set(modes=modes, form=form, inputs=len(B[0]), B=B, C=C)
        self._set(D=skip_matrix(D, len(C), len(B[0]), name))

    @abstractmethod
    def block(self, ring: Ring[Any], k: int) -> Block:
        """The recurrence of oscillator k over a working ring.

        Args:
            ring: The working ring.
            k: The number of the oscillator, from 0.

        Returns:
            Its transition and drive.
        """

    @abstractmethod
    def block_obstacle(self, k: int) -> tuple[str | None, str | None]:
        """Why oscillator k has no logarithm at all, and why none that is real, decided exactly.

        Args:
            k: The number of the oscillator, from 0.

        Returns:
            Two reasons, each None where there is none.
        """

    def obstacle(self) -> str | None:
        """The first oscillator without a logarithm, or, for ``form="real"``, without a real one."""
        for k in range(self.modes):
            for reason in self.block_obstacle(k)[: 2 if self.form == "real" else 1]:
                if reason is not None:
                    return f"{reason} (oscillator {k})"
        return None

    def transition(self, ring: Ring[Any]) -> list[Matrix[Any]]:
        """The blocks, in the order of the state."""
        P, field = self.modes, complexified(ring)
        rows = [[field.zero] * (2 * P) for _ in range(2 * P)]
        for k in range(P):
            for i, row in enumerate(self.block(ring, k).transition.rows):
                rows[k + i * P][k], rows[k + i * P][k + P] = map(field.coerce, row)
        return [Matrix(field, rows)]

    def input_map(self, ring: Ring[Any]) -> Matrix[Any]:
        """The rows F_k B_k: first those that drive z, then those that drive y."""
        field = complexified(ring)
        B, drives = Matrix(field, self.B), [self.block(ring, k).drive for k in range(self.modes)]
        rows = [[field.coerce(F[i]) * b for b in row] for i in range(2) for F, row in zip(drives, B.rows, strict=True)]
        return Matrix(field, rows)

    def readout(self, ring: Ring[Any]) -> Reading:
        """The matrix (0, C), and D."""
        return Reading(Matrix(complexified(ring), [[0] * self.modes + list(row) for row in self.C]), self.D)

    def convert(self, ring: Ring[Any]) -> Converted:
        """A layer of width 4 for each oscillator."""
        P, field = self.modes, complexified(ring)
        B, i = Matrix(field, self.B), field.coerce(QQ_I.i)
        layers, rows = [], [[field.zero] * (4 * P) for _ in range(2 * P)]
        for k in range(P):
            block = self.block(ring, k)
            R, t, turned = shifted_logarithm(block, self.form == "real")
            F = Matrix.column(ring, [block.drive[0] - t * block.drive[1], block.drive[1]])
            A = Matrix.over(field, R)
            if turned:
                A = A - Matrix.identity(field, 2).scaled(i * pi(field))
            # Complex rows (z', y), stacked as (Re z', Re y, Im z', Im y).
            L = lift(A, Matrix.over(field, F)) @ Matrix(field, [B.rows[k]])
            parts = Matrix(ring, [[part(x) for x in row] for part in (real_part, imag_part) for row in L.rows])
            layers.append(Layer(_doubled(R, ring) if turned else DirectSum(Dense(R), Dense(R)), parts))
            rows[k][4 * k : 4 * k + 4] = [field.one, field.coerce(t), i, i * field.coerce(t)]
            rows[k + P][4 * k : 4 * k + 4] = [field.zero, field.one, field.zero, i]
        return Converted(layers, Matrix(field, rows))


def _doubled(R: Matrix[Any], ring: Ring[Any]) -> Dense:
    turn = Matrix(ring, [[0, 1], [-1, 0]]).scaled(pi(ring))
    return Dense(turn.kronecker(Matrix.identity(ring, 2)) + Matrix.identity(ring, 2).kronecker(R))


class LinOSS(AbstractOscillators):
    r"""Oscillators with stiffness A ≥ 0, damping G ≥ 0 and step d, under one of six discretisations.

    Args:
        stiffness: The P numbers A.
        step: The P numbers d > 0.
        B: The P x d complex input map.
        C: The p x P complex read-out.
        D: The skip.
        damping: The P numbers G; None for 0.
        discretisation: A key of ``DISCRETISATIONS``: ``"IM"`` or ``"IMEX"`` without damping, else ``"DampedIM"``,
            ``"DampedIMEX1"``, ``"DampedIMEX2"`` or ``"DampedEX"``.
        form: ``"auto"`` or ``"real"``.

    Raises:
        ValueError: Lengths differ; a step is not above 0; a stiffness or damping is below 0; damping is given
            for ``"IM"`` or ``"IMEX"``; or a name is unknown.
        TypeError: A number is not exact.

    Paper: Appendix E; Table 3.

    >>> LinOSS([4], [1], [[1]], [[1]], discretisation="IMEX", form="real").obstacle()
    'no real logarithm; use the doubled form (oscillator 0)'
    """

    stiffness: Any
    damping: Any
    step: Any
    discretisation: str

    def __init__(
        self,
        stiffness: Sequence[Any],
        step: Sequence[Any],
        B: Any,
        C: Any,
        D: Any = None,
        *,
        damping: Sequence[Any] | None = None,
        discretisation: str = "IM",
        form: str = "auto",
    ) -> None:
        if discretisation not in DISCRETISATIONS:
            raise ValueError(
                f"LinOSS: unknown discretisation {discretisation!r}: choose one of {', '.join(DISCRETISATIONS)}"
            )
        if damping is not None and not discretisation.startswith("Damped"):
            raise ValueError(f"LinOSS: {discretisation!r} has no damping: take 'Damped{discretisation}' or the like")
        A = array(stiffness, [None], "LinOSS: the stiffness")
        P = len(A)
        G = array([0] * P if damping is None else damping, [P], "LinOSS: the damping")
        d = tuple(positive(x, "LinOSS: a step") for x in array(step, [P], "LinOSS: the steps"))
        for x in A + G:
            if sign(x) < 0:
                raise ValueError(f"LinOSS: stiffness and damping are at least 0, got {x}")
        self._set(stiffness=A, damping=G, step=d, discretisation=discretisation)
        super().__init__(P, B, C, D, form)

    @classmethod
    def from_release(
        cls,
        A_diag: Sequence[Any],
        steps: Sequence[Any],
        B: Any,
        C: Any,
        D: Sequence[Any],
        *,
        discretisation: str = "IM",
        form: str = "auto",
    ) -> LinOSS:
        """The layer of the release: A = relu(A_diag), d = sigmoid(steps).

        Args:
            A_diag: P rationals.
            steps: P rationals.
            B: P x H x 2 rationals.
            C: H x P x 2 rationals.
            D: H rationals.
            discretisation: ``"IM"`` or ``"IMEX"``.
            form: ``"auto"`` or ``"real"``.

        Returns:
            The model.

        >>> model = LinOSS.from_release([4], [0], [[[1, 0]]], [[[1, 0]]], [0], discretisation="IMEX")
        >>> model.stiffness, model.step
        ((4,), (1/2,))
        """
        A = array(A_diag, [None], "LinOSS: A_diag")
        P = len(A)
        return cls(
            [QQ.maximum(QQ.coerce(x), QQ.zero) for x in A],
            [sigmoid(x) for x in array(steps, [P], "LinOSS: steps")],
            pairs(B, [P, None], "LinOSS: B"),
            pairs(C, [None, P], "LinOSS: C"),
            D,
            discretisation=discretisation,
            form=form,
        )

    def block(self, ring: Ring[Any], k: int) -> Block:
        """The block of the discretisation.

        Args:
            ring: The working ring.
            k: The oscillator, from 0.

        Returns:
            The 2 x 2 matrix Abar and the vector F.

        >>> LinOSS([4], [1], [[1]], [[1]], discretisation="IMEX").block(FRACTIONS, 0)
        Block(transition=Matrix(Frac(EE), [[1, -4], [1, -3]]), drive=(1, 1))
        """
        parameters = (ring.coerce(x[k]) for x in (self.stiffness, self.damping, self.step))
        return DISCRETISATIONS[self.discretisation](ring, *parameters)

    def block_obstacle(self, k: int) -> tuple[str | None, str | None]:
        """By trace and determinant in Frac(EE).

        Args:
            k: The oscillator, from 0.

        Returns:
            A pair of texts, each None where there is no reason.

        >>> LinOSS([1, 4], [1, 1], [[1], [1]], [[1, 1]], discretisation="IMEX").block_obstacle(1)
        (None, 'no real logarithm; use the doubled form')
        """
        return obstacle(self.block(FRACTIONS, k).transition)


class DLinOSS(AbstractOscillators):
    r"""D-LinOSS as released: discretisation DampedIMEX1, with the stiffness clamped to the oscillating range.

    .. math:: G = \operatorname{relu}(G_{\mathrm{diag}}), \quad d = \operatorname{sigmoid}(dt), \quad
        A = \operatorname{clip}(A_{\mathrm{diag}}, A_-, A_+), \quad
        A_± = \frac{2 + dG ± 2\sqrt{1 + dG}}{\max(d^2, 10^{-6})}

    At the upper bound the block has the double eigenvalue -1/√(1 + dG) and is defective: it has no real logarithm.

    Args:
        A_diag: P rationals.
        G_diag: P rationals.
        dt: P rationals.
        B: P x H x 2 rationals.
        C: H x P x 2 rationals.
        D: H rationals.
        form: ``"auto"`` or ``"real"``.

    Raises:
        ValueError: Lengths differ, or the form is unknown.
        TypeError: A number is not rational.

    Paper: Appendix E; Table 3.

    >>> DLinOSS([1], [0], [0], [[[1, 0]]], [[[1, 0]]], form="real").obstacle() is None
    True
    >>> DLinOSS([100], [0], [0], [[[1, 0]]], [[[1, 0]]], form="real").obstacle()
    'no real logarithm; use the doubled form (oscillator 0)'
    """

    A_diag: tuple[fmpq, ...]
    G_diag: tuple[fmpq, ...]
    dt: tuple[fmpq, ...]

    def __init__(
        self,
        A_diag: Sequence[Any],
        G_diag: Sequence[Any],
        dt: Sequence[Any],
        B: Any,
        C: Any,
        D: Sequence[Any] | None = None,
        *,
        form: str = "auto",
    ) -> None:
        A = tuple(map(QQ.coerce, array(A_diag, [None], "DLinOSS: A_diag")))
        P = len(A)
        G = tuple(map(QQ.coerce, array(G_diag, [P], "DLinOSS: G_diag")))
        steps = tuple(map(QQ.coerce, array(dt, [P], "DLinOSS: dt")))
        self._set(A_diag=A, G_diag=tuple(QQ.maximum(x, QQ.zero) for x in G), dt=steps)
        super().__init__(P, pairs(B, [P, None], "DLinOSS: B"), pairs(C, [None, P], "DLinOSS: C"), D, form)

    def block(self, ring: Ring[Any], k: int) -> Block:
        """The block with the clamped stiffness; in balls, since the bounds hold a root.

        Args:
            ring: Balls.
            k: The oscillator, from 0.

        Returns:
            The 2 x 2 matrix Abar and the vector F.

        >>> from ewsmath.rings import Balls
        >>> model = DLinOSS([100], [0], [0], [[[1, 0]]], [[[1, 0]]])
        >>> model.block(Balls(64), 0).transition[1, 1] == -3  # 1 - d²A, with d = 1/2 and A = 16
        True
        """
        d, G = ring.coerce(sigmoid(self.dt[k])), ring.coerce(self.G_diag[k])
        root = square_root(ring, 1 + d * G)
        balls: Any = ring
        below = balls.maximum(d * d, ring.coerce(SMALLEST_SQUARE))
        low, high = (2 + d * G - 2 * root) / below, (2 + d * G + 2 * root) / below
        A = balls.maximum(ring.coerce(self.A_diag[k]), low)
        return DISCRETISATIONS["DampedIMEX1"](ring, -balls.maximum(-A, -high), G, d)

    def block_obstacle(self, k: int) -> tuple[str | None, str | None]:
        """Whether the stiffness is clamped to its upper bound, decided: then there is no real logarithm.

        The two bounds are the roots of d²A² - (4 + 2dG)A + G², but for d² < 10^-6: there they are lower, and the block
        is never at the larger root.

        Args:
            k: The oscillator, from 0.

        Returns:
            A pair of texts, each None where there is no reason.

        >>> DLinOSS([16], [0], [0], [[[1, 0]]], [[[1, 0]]]).block_obstacle(0)  # the bound itself
        (None, 'no real logarithm; use the doubled form')
        """
        A, G, d = self.A_diag[k], self.G_diag[k], sigmoid(self.dt[k])
        above_vertex = sign(A * d * d - (2 + d * G)) >= 0
        outside = sign(A * A * d * d - (4 + 2 * d * G) * A + G * G) >= 0
        clamped = above_vertex and outside and sign(d * d - SMALLEST_SQUARE) >= 0
        return None, NOT_REAL if clamped else None
