"""S4: diagonal plus low-rank state-space models, bilinear."""

from __future__ import annotations

from collections.abc import Sequence
from operator import matmul
from typing import Any

from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, QQ_I, Balls, Ring
from ewsmath.rings.door import integer, named
from ewsmath.rings.gaussian import gaussian
from ewsmath.rings.power import repeated
from ewsmath.ssm import culver
from ewsmath.ssm.band import limited
from ewsmath.ssm.culver import SINGULAR
from ewsmath.ssm.determinant import determinant
from ewsmath.ssm.fractions import FRACTIONS
from ewsmath.ssm.match import check_form, match
from ewsmath.ssm.model import AbstractLinear, skip_matrix
from ewsmath.ssm.numbers import AbstractEnclosed, array, fast_step, pairs, positive, stored_eigenvalues, transformed
from ewsmath.ssm.parts import Converted, Layer, Reading
from ewsmath.ssm.realification import realified, stacked
from ewsmath.ssm.working_ring import complexified, conjugate, working_balls

_DECIDING_BITS = (128, 512)


class S4(AbstractLinear):
    r"""S4: H channels, each with a diagonal plus low-rank transition in continuous time, discretised bilinearly.

    Stored are N complex modes of a state (h, h̄) of length 2N. With Λ and P extended by their conjugates

    .. math:: A_c = \operatorname{diag}(Λ) - \sum_r P_r P_r^*, \quad
        \bar A = \big(I - \tfrac Δ2 A_c\big)^{-1} \big(I + \tfrac Δ2 A_c\big), \quad
        \bar B = \big(I - \tfrac Δ2 A_c\big)^{-1} Δ B, \quad y = 2 \operatorname{Re}(C h) + D u

    In coordinates Re h, Im h this is a real recurrence of width 2N, for A_c = real form of Λ less 2 Σ p_r p_rᵀ with
    p_r = (Re P_r, Im P_r). Its generator

    .. math:: A = -2 \operatorname{artanh}\big(\tfrac Δ2 A_c\big) = -\log \bar A

    is real of width 2N where a real logarithm exists, else doubled. The states are those of the channels, one
    after the other, each (h, h̄).

    Args:
        eigenvalue: The H x N complex numbers Λ.
        low_rank: The R x H x N complex vectors P_r.
        step: The H steps Δ > 0.
        B: The H x N input numbers.
        C: The H x N read-out numbers.
        D: The H numbers of the skip, or None.
        kernel_length: The length K where C holds the released C̃ = (I - Abar^K)ᵀ C; 0 where it holds C.
        form: ``"auto"``, ``"real"`` or ``"doubled"``, as in :func:`match`.

    Raises:
        ValueError: Shapes differ, a step is not above 0, or the form is unknown.
        TypeError: A number is not exact.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.ssm import Recurrence
    >>> model = S4([[QQ_I.number(-1, 1)]], [[[1]]], [1], [[1]], [[1]])
    >>> Recurrence(model, FRACTIONS).run([[1]])
    Trajectory(states=[[3/8+1/8i, 3/8-1/8i]], outputs=[[3/4]])
    >>> model.obstacle()
    'transition is singular: no logarithm'
    """

    eigenvalue: Any
    low_rank: Any
    step: Any
    B: Any
    C: Any
    D: Any
    kernel_length: int
    form: str

    def __init__(
        self,
        eigenvalue: Sequence[Sequence[Any]],
        low_rank: Sequence[Sequence[Sequence[Any]]],
        step: Sequence[Any],
        B: Sequence[Sequence[Any]],
        C: Sequence[Sequence[Any]],
        D: Sequence[Any] | None = None,
        *,
        kernel_length: int = 0,
        form: str = "auto",
    ) -> None:
        check_form(form)
        length = integer(kernel_length)
        if length is None or length < 0:
            raise ValueError(f"S4: kernel_length is a whole number from 0 on, got {named(kernel_length)}")
        eigenvalue = array(eigenvalue, [None, None], "S4: the eigenvalues")
        shape = [len(eigenvalue), len(eigenvalue[0])]
        steps = tuple(positive(x, "S4: a step") for x in array(step, shape[:1], "S4: the steps"))
        self._set(eigenvalue=eigenvalue, step=steps, inputs=shape[0], kernel_length=length, form=form)
        self._set(low_rank=array(low_rank, [None, *shape], "S4: the low-rank vectors"))
        self._set(B=array(B, shape, "S4: B"), C=array(C, shape, "S4: C"), D=skip_matrix(D, shape[0], shape[0], "S4"))

    @classmethod
    def from_release(
        cls,
        inv_dt: Any,
        A_real: Any,
        A_imag: Any,
        B: Any,
        P: Any,
        C: Any,
        D: Sequence[Any] | None = None,
        *,
        l_kernel: int = 0,
        dt_transform: str = "exp",
        real_transform: str = "exp",
        imag_transform: str = "none",
        dt_fast: bool = False,
        bandlimit: Any = None,
        form: str = "auto",
    ) -> S4:
        """The kernel of the release file ``s4.py``: Λ = -f(A_real) - i g(A_imag).

        Args:
            inv_dt: H x 1 rationals.
            A_real: S x N rationals; S divides H, and the S copies are repeated.
            A_imag: S x N rationals.
            B: 1 x S x N x 2 rationals.
            P: R x S x N x 2 rationals.
            C: 1 x H x N x 2 rationals.
            D: H rationals; in the release they belong to the layer around the kernel.
            l_kernel: The stored length of the kernel; where it is above 0, C holds C̃.
            dt_transform: The transform of inv_dt.
            real_transform: The transform f.
            imag_transform: The transform g.
            dt_fast: Whether the release puts sinh before the transform of inv_dt.
            bandlimit: The rational b; the entries of C, or of C̃ where that is stored, are 0 for the modes that
                :func:`~ewsmath.ssm.band.in_band` leaves out. None for no limit.
            form: ``"auto"``, ``"real"`` or ``"doubled"``.

        Returns:
            The model.

        Raises:
            ValueError: Shapes do not fit, or a transform is unknown.
            UndecidedError: Balls do not tell a mode from the limit of the band.

        >>> one = [[[[1, 0]]]]
        >>> model = S4.from_release([[0]], [[1]], [[3]], one, one, one)
        >>> model.eigenvalue, model.step
        (((-3i - e^(1),),), (1,))
        """
        decays = array(A_real, [None, None], "S4: A_real")
        S, N = len(decays), len(decays[0])
        frequencies = array(A_imag, [S, N], "S4: A_imag")
        steps = array(inv_dt, [None, 1], "S4: inv_dt")
        H = len(steps)
        if H % S:
            raise ValueError(f"S4: {S} copies of the modes do not divide {H} channels")
        copies, step = H // S, fast_step if dt_fast else transformed
        eigenvalue = stored_eigenvalues(decays, frequencies, (real_transform, imag_transform), -1, "S4") * copies
        steps = [[step(dt_transform, x, "S4: inv_dt") for x in row] for row in steps]
        return cls(
            eigenvalue,
            [vectors * copies for vectors in pairs(P, [None, S, N], "S4: P")],
            [row[0] for row in steps],
            pairs(B, [1, S, N], "S4: B")[0] * copies,
            limited(pairs(C, [1, H, N], "S4: C")[0], eigenvalue, steps, bandlimit),
            D,
            kernel_length=l_kernel,
            form=form,
        )

    def obstacle(self) -> str | None:
        """Whether ΔA_c has the eigenvalue -2 (singular) or 2 (undefined): by balls, else exactly.

        For ``form="real"`` and rational parameters also Culver's condition.

        Returns:
            The reason; None where there is a conversion.

        >>> S4([[2]], [[[0]]], [1], [[1]], [[1]]).obstacle()
        'the bilinear transform is undefined in channel 0'
        """
        for c, step in enumerate(self.step):
            for sign, reason in ((1, SINGULAR), (-1, f"the bilinear transform is undefined in channel {c}")):
                if self._may_be_singular(c, sign) and not isinstance(step, AbstractEnclosed):
                    exact = self._resolvent(FRACTIONS, c, sign)
                    if not determinant(exact):
                        return reason
            exact = self._rational_transition(c) if self.form == "real" else None
            if exact is not None:
                reason = culver.obstacle(exact)
                if reason is not None:
                    return f"{reason} (channel {c})"
        return None

    def _rational_transition(self, c: int) -> Matrix[Any] | None:
        """The real form of Abar of one channel over QQ; None where a parameter is not rational."""
        numbers = [*self.eigenvalue[c], *(x for vectors in self.low_rank for x in vectors[c]), self.step[c]]
        if not all(gaussian(x) is not None for x in numbers):
            return None
        return Matrix.over(QQ, self._real_recurrence(FRACTIONS, c)[0])

    def _may_be_singular(self, c: int, sign: int) -> bool:
        for prec in _DECIDING_BITS:
            ring = Balls(prec)
            if not determinant(self._resolvent(ring, c, sign)).overlaps(ring.zero):
                return False
        return True

    def _continuous(self, ring: Ring[Any], c: int) -> tuple[Matrix[Any], Any]:
        """The real form of ΔA_c/2 and the step, of one channel."""
        field = complexified(ring)
        A = realified(Matrix.diagonal(field, self.eigenvalue[c]), ring)
        for vectors in self.low_rank:
            p = stacked(Matrix.column(field, vectors[c]), ring)
            A = A - (p @ p.transpose()) * 2
        step = ring.coerce(self.step[c])
        return A.scaled(step * ring.ratio(1, 2)), step

    def _resolvent(self, ring: Ring[Any], c: int, sign: int) -> Matrix[Any]:
        """I + ΔA_c/2 or I - ΔA_c/2 in real form."""
        half, _ = self._continuous(ring, c)
        return Matrix.identity(ring, half.shape[0]) + half * sign

    def _real_recurrence(self, ring: Ring[Any], c: int) -> tuple[Matrix[Any], Matrix[Any]]:
        """The matrices Abar and Bbar of one channel in coordinates Re h, Im h."""
        half, step = self._continuous(ring, c)
        identity = Matrix.identity(ring, half.shape[0])
        inverse = (identity - half).inverse()
        B = stacked(Matrix.column(complexified(ring), self.B[c]), ring)
        return inverse @ (identity + half), (inverse @ B).scaled(step)

    def _complex_transition(self, ring: Ring[Any], c: int) -> tuple[Matrix[Any], Matrix[Any]]:
        """The matrices Abar and Bbar of one channel on the extended state (h, h̄), as the release has them."""
        field: Any = complexified(ring)
        A = Matrix.diagonal(field, extended(field, self.eigenvalue[c]))
        for vectors in self.low_rank:
            p = extended(field, vectors[c])
            A = A - Matrix.column(field, p) @ Matrix(field, [[conjugate(x) for x in p]])
        step, identity = field.coerce(self.step[c]), Matrix.identity(field, A.shape[0])
        half = A.scaled(step * field.ratio(1, 2))
        inverse = (identity - half).inverse()
        return inverse @ (identity + half), (inverse @ Matrix.column(field, extended(field, self.B[c]))).scaled(step)

    def transition(self, ring: Ring[Any]) -> list[Matrix[Any]]:
        """The matrices Abar of the channels on the extended states.

        Args:
            ring: The ring to work in.

        Returns:
            One 2N x 2N block for each channel.

        >>> S4([[-1]], [[[0]]], [1], [[1]], [[1]]).transition(FRACTIONS)  # (1 - 1/2)/(1 + 1/2), twice
        [Matrix(Frac(EE), [[1/3, 0], [0, 1/3]])]
        """
        return [self._complex_transition(ring, c)[0] for c in range(self.inputs)]

    def input_map(self, ring: Ring[Any]) -> Matrix[Any]:
        """The vectors Bbar of the channels: channel c drives its own state only.

        Args:
            ring: The ring to work in.

        Returns:
            The 2NH x H matrix.

        >>> S4([[-1], [0]], [[[0], [0]]], [1, 1], [[1], [1]], [[1], [1]]).input_map(FRACTIONS)
        Matrix(Frac(EE), [[2/3, 0], [2/3, 0], [0, 1], [0, 1]])
        """
        return _direct_sum([self._complex_transition(ring, c)[1] for c in range(self.inputs)])

    def readout(self, ring: Ring[Any]) -> Reading:
        """The extended rows C, recovered from C̃ where that is stored; and D.

        Args:
            ring: The ring to work in.

        Returns:
            The H x 2NH matrix, and H rows of D.

        >>> S4([[-1]], [[[0]]], [1], [[1]], [[8]], kernel_length=2).readout(FRACTIONS).matrix  # 8 = (1 - 1/9)·9
        Matrix(Frac(EE), [[9, 9]])
        """
        field, rows = complexified(ring), []
        for c in range(self.inputs):
            row = Matrix(field, [extended(field, self.C[c])])
            if self.kernel_length:
                Abar = self._complex_transition(ring, c)[0]
                identity = Matrix.identity(field, Abar.shape[0])
                row = row @ (identity - repeated(Abar, self.kernel_length, identity, matmul)).inverse()
            rows.append(row)
        return Reading(_direct_sum(rows), self.D)

    def convert(self, ring: Ring[Any]) -> Converted:
        """One layer for each channel, as :func:`match` finds it for the real form.

        Args:
            ring: Balls.

        Returns:
            The layers, and what takes their states to (h, h̄).

        >>> found = S4([[-1]], [[[0]]], [1], [[1]], [[1]]).convert(Balls(64))
        >>> Balls(64).exp(found.layers[0].generator.matrix[0, 0]) == 3
        True
        """
        balls, field = working_balls(ring), complexified(ring)
        layers, coordinates = [], []
        N = len(self.eigenvalue[0])
        for c in range(self.inputs):
            Abar, Bbar = self._real_recurrence(ring, c)
            exact = self._rational_transition(c)
            found = match(Abar if exact is None else exact, Bbar, balls, self.form)
            A, lift = found.layers[0].generator, found.layers[0].lift
            own = [[lift.ring.zero] * c + [row[0]] + [lift.ring.zero] * (self.inputs - c - 1) for row in lift.rows]
            layers.append(Layer(A, Matrix(ring, own)))
            # Real and imaginary parts to h, and to its conjugate below.
            pair = Matrix.identity(field, N).kronecker(Matrix(field, [[1, QQ_I.i]]))
            T = Matrix(field, [*pair.rows, *([conjugate(x) for x in row] for row in pair.rows)])
            coordinates.append(T if found.coordinates is None else T @ found.coordinates)
        return Converted(layers, _direct_sum(coordinates))


def extended(field: Ring[Any], vector: Sequence[Any]) -> list[Any]:
    """The vector (v, v̄).

    Args:
        field: The ring of the result.
        vector: The vector v, numbers that the ring takes.

    Returns:
        A list twice as long.

    >>> extended(FRACTIONS, [QQ_I.i, 2])
    [i, 2, -i, 2]
    """
    found = [field.coerce(x) for x in vector]
    return found + [conjugate(x) for x in found]


def _direct_sum(blocks: Sequence[Matrix[Any]]) -> Matrix[Any]:
    """Blocks of any shapes, corner to corner."""
    ring = blocks[0].ring
    columns, rows, start = sum(b.shape[1] for b in blocks), [], 0
    for block in blocks:
        before, after = [ring.zero] * start, [ring.zero] * (columns - start - block.shape[1])
        rows += [[*before, *row, *after] for row in block.rows]
        start += block.shape[1]
    return Matrix(ring, rows)
