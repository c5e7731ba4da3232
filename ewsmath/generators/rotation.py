"""Generators with oscillating kernels: 2 x 2 rotation blocks, and their Jordan chains."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ewsmath.capacity import check_matrix
from ewsmath.generators.generator import AbstractGenerator, given, parameter_ring, sequence
from ewsmath.generators.jordan import block_size
from ewsmath.jordan_form import JordanForm, direct_sum, nilpotent
from ewsmath.matrix import Matrix
from ewsmath.rings import QQ_I, Ring, complexification


class ComplexJordan(AbstractGenerator):
    r"""The real form of Jordan blocks with complex eigenvalues a ± iω.

    Rotation blocks on the diagonal and I_2 on the superdiagonal; kernels r^ℓ e^{-ar} cos ωr and r^ℓ e^{-ar}
    sin ωr.

    .. math:: e^{-rA} = \sum_ℓ \frac{(-r)^ℓ}{ℓ!} N^ℓ ⊗ e^{-ar}
        \begin{pmatrix} \cos ωr & \sin ωr \\ -\sin ωr & \cos ωr \end{pmatrix}

    Args:
        damping: The damping a of each block, or None for 0.
        frequency: The frequency ω of each block, in radians for one unit of clock time.
        size: Number of 2 x 2 rotations in each block, so that a block is (2 size) x (2 size).
        ring: The ring, where it is not to follow from the parameters.

    Raises:
        ValueError: ``damping`` and ``frequency`` differ in length, ``size`` is below 1, or the matrix is too large.

    Paper: Table 1.

    >>> ComplexJordan(0, 3, 2).matrix
    Matrix(EE, [[0, -3, 1, 0], [3, 0, 0, 1], [0, 0, 0, -3], [0, 0, 3, 0]])
    """

    damping: tuple[Any, ...]
    frequency: tuple[Any, ...]
    size: int

    def __init__(
        self,
        damping: Any | Sequence[Any] | None,
        frequency: Any | Sequence[Any],
        size: int,
        *,
        ring: Ring[Any] | None = None,
    ) -> None:
        size = block_size(type(self).__name__, size)
        frequencies = sequence(frequency)
        dampings = [0] * len(frequencies) if damping is None else sequence(damping)
        if len(dampings) != len(frequencies):
            raise ValueError(
                f"{type(self).__name__}: {len(dampings)} dampings but {len(frequencies)} "
                f"frequencies; give one of each a block"
            )
        m = 2 * size * len(frequencies)
        check_matrix(m, m, type(self).__name__)
        entries = parameter_ring([*dampings, *frequencies], ring)
        self._set(damping=tuple(map(given, dampings)), frequency=tuple(map(given, frequencies)), size=size)
        shift = Matrix(entries, nilpotent(size)).kronecker(Matrix.identity(entries, 2))
        chain = Matrix.identity(entries, size)
        pairs = zip(map(entries.coerce, dampings), map(entries.coerce, frequencies), strict=True)
        rotations = (Matrix(entries, [[a, -w], [w, a]]) for a, w in pairs)
        blocks = [chain.kronecker(rotation) + shift for rotation in rotations]
        super().__init__(Matrix.block_diagonal(entries, blocks), ring)

    def _eigenvalues(self) -> Iterable[Any]:
        return (z for pair in self._pairs() for z in pair for _ in range(self.size))

    def _pairs(self) -> list[tuple[Any, Any]]:
        coerce = self._exponents.coerce
        parts = ((coerce(a), coerce(QQ_I.i) * coerce(w)) for a, w in zip(self.damping, self.frequency, strict=True))
        return [(a + iw, a - iw) for a, iw in parts]

    def jordan_form(self) -> JordanForm:
        """The complex Jordan form: blocks a + iω and a - iω on the eigenvectors (1, -i) and (1, i) of a rotation.

        Returns:
            The complex basis, its inverse, and two blocks for each pair a ± iω.

        >>> ComplexJordan(1, 3, 2).jordan_form().blocks
        ((1+3i, 2), (1-3i, 2))
        """
        field, size = complexification(self.ring), self.size
        i, half, chain = field.coerce(QQ_I.i), field.ratio(1, 2), Matrix.identity(field, size)
        vectors = (Matrix(field, [[1, z]]) for z in (-i, i))
        covectors = (Matrix(field, [[half, half * z]]) for z in (i, -i))
        basis = Matrix(field, [column for x in vectors for column in chain.kronecker(x).rows]).transpose()
        inverse = Matrix(field, [row for y in covectors for row in chain.kronecker(y).rows])
        pairs = (((forward, size), (backward, size)) for forward, backward in self._pairs())
        return direct_sum(field, [JordanForm(basis, inverse, blocks) for blocks in pairs])

    def over(self, ring: Ring[Any]) -> ComplexJordan:
        """The same generator over another ring.

        Args:
            ring: The ring.

        Returns:
            The generator, made from the parameters as they were given.

        >>> from ewsmath.rings import MP
        >>> ComplexJordan(0, 3, 2).over(MP(10)).exponential(1)[0, 1]  # sin 3
        0.1411200081
        """
        return ComplexJordan(self.damping, self.frequency, self.size, ring=ring)


class Rotation(ComplexJordan):
    r"""The generator of damped rotations: 2 x 2 blocks [[a, -ω], [ω, a]].

    .. math:: e^{-rA} = e^{-ar} \begin{pmatrix} \cos ωr & \sin ωr \\ -\sin ωr & \cos ωr \end{pmatrix}

    Args:
        damping: The damping a of each block, or None for 0.
        frequency: The frequency ω of each block, in radians for one unit of clock time.
        ring: The ring, where it is not to follow from the parameters.

    Raises:
        ValueError: ``damping`` and ``frequency`` differ in length.

    Paper: Table 1.

    >>> Rotation(1, 2).matrix
    Matrix(EE, [[1, -2], [2, 1]])
    >>> Rotation(1, 2).exponential(1)[0, 0]
    1/2*e^(-1-2i) + 1/2*e^(-1+2i)
    """

    def __init__(
        self,
        damping: Any | Sequence[Any] | None,
        frequency: Any | Sequence[Any],
        *,
        ring: Ring[Any] | None = None,
    ) -> None:
        super().__init__(damping, frequency, 1, ring=ring)

    def over(self, ring: Ring[Any]) -> Rotation:
        """The same generator over another ring.

        Args:
            ring: The ring.

        Returns:
            The generator, made from the parameters as they were given.

        >>> from ewsmath.rings import MP
        >>> Rotation(None, 3).over(MP(10)).exponential(1)  # cos 3 and sin 3
        Matrix(MP(10), [[-0.9899924966, 0.1411200081], [-0.1411200081, -0.9899924966]])
        """
        return Rotation(self.damping, self.frequency, ring=ring)
