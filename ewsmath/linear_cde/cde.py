"""Any linear CDE: its flows over a piece, its propagators, and how tensors act on its states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ewsmath import spectrum
from ewsmath.clocks import AbstractClock
from ewsmath.lie import Bracket
from ewsmath.linear_cde.span import square_matrices
from ewsmath.matrix import Matrix
from ewsmath.paths import AbstractPath, PiecewiseLinearPath, check_any_path, check_path
from ewsmath.rings import Ring
from ewsmath.rings.door import entries, of_kind
from ewsmath.rings.immutable import Immutable
from ewsmath.tensor import Tensor, check_tensor
from ewsmath.words import EMPTY, Word

Flow = Callable[[Sequence[Any]], Matrix[Any]]


class LinearCDE(Immutable):
    r"""The linear CDE with given matrices, driven by a path ω with as many channels. Immutable.

    .. math:: dh = \sum_{i=1}^{d} M_i h\, dω^i

    Over a linear piece with increment Δω it is solved by the exact flow exp(Σ M_i Δω^i), or, as the published
    SLiCE models do, by the Euler flow I + Σ M_i Δω^i. The matrices act on columns, so of two flows the later one
    stands on the left.

    Args:
        matrices: The d matrices M_1, …, M_d, of one size h x h over one ring.

    Attributes:
        matrices: The matrices.
        ring: Their ring.

    Raises:
        TypeError: One is no matrix.
        ValueError: There is none; sizes or rings differ.

    Paper: Prop. 1; Appendix B.

    >>> from ewsmath.rings import QQ
    >>> cde = LinearCDE([Matrix(QQ, [[0, 1], [0, 0]])])
    >>> cde.flow([3]), cde.dim, cde.size
    (Matrix(QQ, [[1, 3], [0, 1]]), 1, 2)
    """

    __slots__ = ("matrices", "ring")
    matrices: tuple[Matrix[Any], ...]
    ring: Ring[Any]

    def __init__(self, matrices: Sequence[Matrix[Any]]) -> None:
        found = square_matrices(matrices, "a linear CDE")
        for M in found:
            if M.ring != found[0].ring:
                raise ValueError(f"matrices over {found[0].ring.name} and {M.ring.name} are not mixed: use one ring")
        self._set(matrices=tuple(found), ring=found[0].ring)

    @property
    def dim(self) -> int:
        """Number of channels d of the driving path."""
        return len(self.matrices)

    @property
    def size(self) -> int:
        """Number of entries h of the state."""
        return self.matrices[0].shape[0]

    def over(self, ring: Ring[Any]) -> LinearCDE:
        """The same CDE over another ring: over EE or balls its exact flow exists more often.

        Args:
            ring: A ring that takes the elements of this one.

        Returns:
            The CDE over it.

        >>> from ewsmath.rings import EE, QQ
        >>> LinearCDE([Matrix(QQ, [[-1]])]).over(EE).flow([2])
        Matrix(EE, [[e^(-2)]])
        """
        return LinearCDE([Matrix.over(ring, M) for M in self.matrices])

    def field(self, dx: Sequence[Any]) -> Matrix[Any]:
        """The matrix Σ M_i Δω^i of an increment.

        Args:
            dx: The increment Δω, d numbers.

        Returns:
            An h x h matrix.

        Raises:
            ValueError: dx has not d entries.

        >>> from ewsmath.rings import QQ
        >>> cde = LinearCDE([Matrix(QQ, [[0, 1], [0, 0]]), Matrix(QQ, [[0, 0], [1, 0]])])
        >>> cde.field([2, 3])
        Matrix(QQ, [[0, 2], [3, 0]])
        """
        dx = entries(dx, "a linear CDE takes an increment")
        if len(dx) != self.dim:
            raise ValueError(f"an increment with {len(dx)} entries does not drive a CDE of {self.dim} matrices")
        total = Matrix.zeros(self.ring, self.size, self.size)
        for x, M in zip(map(self.ring.coerce, dx), self.matrices, strict=True):
            if x:  # a token moves one channel of many
                total = total + M.scaled(x)
        return total

    def flow(self, dx: Sequence[Any]) -> Matrix[Any]:
        r"""The exact flow over a linear piece.

        .. math:: F = \exp\Big(\sum_i M_i Δω^i\Big)

        Args:
            dx: The increment Δω, d numbers.

        Returns:
            An h x h matrix over the same ring.

        Raises:
            ValueError: The ring is exact and does not contain the exponential: the spectrum leaves Q(i), or it is
                not zero over QQ; take :meth:`over` EE or balls.

        >>> from ewsmath.rings import QQ
        >>> cde = LinearCDE([Matrix(QQ, [[0, 1], [0, 0]])])
        >>> cde.flow([3])
        Matrix(QQ, [[1, 3], [0, 1]])
        """
        return spectrum.exponential(self.field(dx))

    def euler(self, dx: Sequence[Any]) -> Matrix[Any]:
        r"""The Euler flow of a piece, first order in its increment.

        .. math:: F = I + \sum_i M_i Δω^i

        Args:
            dx: The increment Δω, d numbers.

        Returns:
            An h x h matrix.

        >>> from ewsmath.rings import QQ
        >>> cde = LinearCDE([Matrix(QQ, [[0, 1], [0, 0]]), Matrix(QQ, [[0, 0], [1, 0]])])
        >>> cde.euler([2, 3])
        Matrix(QQ, [[1, 2], [3, 1]])
        """
        return Matrix.identity(self.ring, self.size) + self.field(dx)

    def flows(self, path: PiecewiseLinearPath[Any], flow: Flow | None = None) -> list[Matrix[Any]]:
        """The flows F_1, …, F_J of the pieces of a path.

        Args:
            path: The driving path ω.
            flow: What takes an increment to its flow, such as ``cde.euler``; None for the exact flow.

        Returns:
            J matrices.

        >>> from ewsmath.rings import QQ
        >>> cde = LinearCDE([Matrix(QQ, [[0, 1], [0, 0]])])
        >>> X = PiecewiseLinearPath(None, [[0], [1], [3]])
        >>> cde.flows(X)
        [Matrix(QQ, [[1, 1], [0, 1]]), Matrix(QQ, [[1, 2], [0, 1]])]
        """
        return [(flow or self.flow)(dx) for dx in self.increments(path)]

    def propagator(self, path: PiecewiseLinearPath[Any], flow: Flow | None = None) -> Matrix[Any]:
        """The product F_J ⋯ F_1 of the flows, the latest on the left: the solution at the end is this times h_0.

        Args:
            path: The driving path ω.
            flow: As in :meth:`flows`.

        Returns:
            An h x h matrix.

        >>> from ewsmath.rings import QQ
        >>> cde = LinearCDE([Matrix(QQ, [[0, 1], [0, 0]])])
        >>> X = PiecewiseLinearPath(None, [[0], [1], [3]])
        >>> cde.propagator(X)
        Matrix(QQ, [[1, 3], [0, 1]])
        """
        total = Matrix.identity(self.ring, self.size)
        for F in self.flows(path, flow):
            total = F @ total
        return total

    def solve(
        self, path: PiecewiseLinearPath[Any], start: Sequence[Any], flow: Flow | None = None
    ) -> list[tuple[Any, ...]]:
        """The states at the knots by the recurrence h_k = F_k h_{k-1}.

        Args:
            path: The driving path ω.
            start: The state h_0, h numbers.
            flow: As in :meth:`flows`.

        Returns:
            J + 1 states, the first of which is the start.

        Raises:
            ValueError: The start has not h entries.

        >>> from ewsmath.rings import QQ
        >>> cde = LinearCDE([Matrix(QQ, [[0, 1], [0, 0]])])
        >>> X = PiecewiseLinearPath(None, [[0], [1], [3]])
        >>> cde.solve(X, [0, 1])
        [(0, 1), (1, 1), (3, 1)]
        """
        state = [self.ring.coerce(x) for x in entries(start, "a linear CDE takes a start")]
        if len(state) != self.size:
            raise ValueError(f"a state of {len(state)} entries does not fit a CDE of size {self.size}")
        found = [tuple(state)]
        for F in self.flows(path, flow):
            state = F.apply(state)
            found.append(tuple(state))
        return found

    def represent(self, a: Tensor[Any]) -> Matrix[Any]:
        r"""The matrix by which a tensor acts: the first letter, integrated first, is the factor on the right.

        .. math:: ρ_M(a) = \sum_w a^{i_1⋯i_n}\, M_{i_n} ⋯ M_{i_1}, \qquad ρ_M(a ⊗ b) = ρ_M(b)\, ρ_M(a)

        Args:
            a: A tensor over R^d.

        Returns:
            An h x h matrix; the product rule holds where a ⊗ b is not cut off by the depth.

        Raises:
            ValueError: The tensor has not d letters.

        >>> from ewsmath.rings import QQ
        >>> cde = LinearCDE([Matrix(QQ, [[0, 1], [0, 0]]), Matrix(QQ, [[0, 0], [1, 0]])])
        >>> from ewsmath.tensor import TensorAlgebra
        >>> cde.represent(TensorAlgebra(QQ, dim=2, depth=2).tensor({(1, 2): 1}))
        Matrix(QQ, [[0, 0], [0, 1]])
        """
        if check_tensor(a, "a linear CDE").algebra.dim != self.dim:
            raise ValueError(
                f"a tensor of {a.algebra} does not act by {self.dim} matrices: it needs {self.dim} letters"
            )
        return self._represent(a.coefficients)

    def _represent(self, coefficients: Mapping[Word, Any]) -> Matrix[Any]:
        # a = a^∅ + Σ_j a_j ⊗ e_j acts by a^∅ I + Σ_j M_j ρ_M(a_j): prefixes are shared.
        total = Matrix.identity(self.ring, self.size) * coefficients.get(EMPTY, 0)
        for j, M in enumerate(self.matrices, start=1):
            before = {word[:-1]: c for word, c in coefficients.items() if word and word[-1] == j}
            if before:
                total = total + M @ self._represent(before)
        return total

    def bracket(self, tree: Any) -> Matrix[Any]:
        r"""The matrix of a bracket of letters, which turns the commutator round.

        .. math:: M_{[u,v]} = M_v M_u - M_u M_v

        Args:
            tree: A :class:`~ewsmath.lie.bracket.Bracket`, or what makes one: ``[1, [1, 2]]`` or ``"[1,[1,2]]"``.

        Returns:
            An h x h matrix: :meth:`represent` of the bracket as a tensor.

        Raises:
            ValueError: A letter is not from 1 to d, or a text is no bracket.
            TypeError: A part is neither a letter nor a pair.

        >>> from ewsmath.rings import QQ
        >>> cde = LinearCDE([Matrix(QQ, [[0, 1], [0, 0]]), Matrix(QQ, [[0, 0], [1, 0]])])
        >>> cde.bracket([1, 2])
        Matrix(QQ, [[-1, 0], [0, 1]])
        """
        return Bracket(tree).fold(self._letter, lambda u, v: v @ u - u @ v)

    def _letter(self, j: int) -> Matrix[Any]:
        if j > self.dim:
            raise ValueError(f"there is no letter {j} for {self.dim} matrices: letters are 1 to {self.dim}")
        return self.matrices[j - 1]

    def driver(self, path: AbstractPath[Any]) -> AbstractPath[Any]:
        """The path, if it has d channels and so drives this CDE.

        Args:
            path: What came.

        Returns:
            The path itself.

        Raises:
            TypeError: It is no path.
            ValueError: It has not d channels.

        >>> from ewsmath.rings import QQ
        >>> cde, X = LinearCDE([Matrix(QQ, [[1]])]), PiecewiseLinearPath(None, [[0], [1]])
        >>> cde.driver(X) is X
        True
        """
        if check_any_path(path, "a linear CDE").dim != self.dim:
            raise ValueError(f"a path in R^{path.dim} does not drive a CDE of {self.dim} matrices")
        return path

    def increments(self, path: PiecewiseLinearPath[Any]) -> list[tuple[Any, ...]]:
        """The increments Δω_j of a piecewise-linear path, if it drives this CDE; else an error that says why.

        Args:
            path: The driving path ω.

        Returns:
            J increments of d numbers.

        >>> from ewsmath.rings import QQ
        >>> LinearCDE([Matrix(QQ, [[1]])]).increments(PiecewiseLinearPath(None, [[1], [4], [2]]))
        [(3,), (-2,)]
        """
        self.driver(check_path(path, "a linear CDE"))
        return path.increments

    def __eq__(self, other: object) -> bool:
        return self.matrices == other.matrices if isinstance(other, LinearCDE) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap

    def __repr__(self) -> str:
        return f"LinearCDE({list(self.matrices)})"


def clock_path(clock: AbstractClock, path: PiecewiseLinearPath[Any]) -> PiecewiseLinearPath[Any]:
    """The path (θ, X) that drives the linear CDE of the EWS: the clock as a channel before the others.

    Args:
        clock: The clock θ.
        path: The path X in R^d, before the lift.

    Returns:
        A path in R^{1+d} with the same times; the clock starts at 0.

    >>> from ewsmath.clocks import Time
    >>> clock_path(Time(), PiecewiseLinearPath([3, 5], [[1], [4]]))
    PiecewiseLinearPath([3, 5], [[0, 1], [2, 4]], ring=QQ)
    """
    of_kind(clock, AbstractClock, "the path of a clock takes a clock", "give one of ewsmath.clocks, such as Time()")
    points = [[theta, *x] for theta, x in zip(clock(path), path.values, strict=True)]
    return PiecewiseLinearPath(path.times, points, path.ring)
