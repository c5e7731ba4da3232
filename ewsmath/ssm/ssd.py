"""Heads with one rate: the scan of Mamba-2 (SSD)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from ewsmath.generators import Diagonal
from ewsmath.matrix import Matrix
from ewsmath.rings import Ring
from ewsmath.rings.door import of_kind, whole
from ewsmath.ssm.functions import todd
from ewsmath.ssm.model import AbstractModel, complex_vector
from ewsmath.ssm.numbers import array, positive
from ewsmath.ssm.parts import Converted, Increment, Layer, Reading, Step
from ewsmath.ssm.selective import check_steps
from ewsmath.ssm.working_ring import complexified


class HeadGate(NamedTuple):
    """What the heads are given at one input; retention has (value, step, key, query) here.

    Attributes:
        x: H x P values.
        delta: The H steps Δ ≥ 0.
        B: G x N input weights; head h reads row hG/H, rounded down.
        C: G x N read-out weights.

    >>> HeadGate([[1]], [2], [[1]], [[3]]).delta
    [2]
    """

    x: Sequence[Sequence[Any]]
    delta: Sequence[Any]
    B: Sequence[Sequence[Any]]
    C: Sequence[Sequence[Any]]


class AbstractHeads(AbstractModel):
    r"""H heads with one rate each and a P x N state; states (head, value, weight) in row-major order.

    .. math:: H \gets e^{-aΔ} H + Δ\, x B^{⊤}, \qquad y = H C + D x

    Each value of a head becomes the EWS with generator aI and lift I, of width N, and

    .. math:: Δθ = Δ, \qquad ΔX = g(aΔ)\, Δ\, x B^{⊤}, \qquad g(z) = \frac{z}{1 - e^{-z}}

    A state before the first input is one more increment at the start, with Δθ = 0 and ΔX = H_0.

    Args:
        rate: The H rates a > 0.
        values: The number P of values of a head.
        weights: The number N of weights.
        groups: The number G of groups of heads, which share B and C.
        D: The H numbers of the skip, or H x P of them; None for zeros.
        initial_state: H x P x N numbers; None for zeros.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.ssm import SSDScan
    >>> scan = SSDScan([1, 2], values=3, weights=4, D=[5, 6])
    >>> scan.D
    ((5, 5, 5), (6, 6, 6))
    """

    rate: Any
    values: int
    weights: int
    groups: int
    D: Any
    initial_state: Any

    def __init__(self, rate: Any, values: int, weights: int, groups: int, D: Any, initial_state: Any) -> None:
        name = type(self).__name__
        rate = tuple(positive(a, f"{name}: a rate") for a in array(rate, [None], f"{name}: the rates"))
        P, N = whole(values, f"{name}: the number of values"), whole(weights, f"{name}: the number of weights")
        H, G = len(rate), whole(groups, f"{name}: the number of groups")
        if H % G:
            raise ValueError(f"{name}: {H} heads do not come in {G} groups")
        D = [0] * H if D is None else list(D)
        rows = [row if hasattr(row, "__len__") else [row] * P for row in D]
        self._set(rate=rate, values=P, weights=N, groups=G, D=array(rows, [H, P], f"{name}: D"))
        start = None if initial_state is None else array(initial_state, [H, P, N], f"{name}: the initial state")
        self._set(initial_state=start)

    @abstractmethod
    def gates(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[HeadGate]:
        """What the heads are given at each input.

        Args:
            ring: The working ring.
            inputs: The inputs.

        Returns:
            One gate for each input.

        >>> from ewsmath.ssm import FRACTIONS, SSDScan
        >>> SSDScan([1], values=1, weights=1).gates(FRACTIONS, [HeadGate([[3]], [2], [[1]], [[1]])])[0].delta
        [2]
        """

    def initial(self, ring: Ring[Any]) -> list[Any] | None:
        """The state before the first input.

        Args:
            ring: The working ring.

        Returns:
            Its H P N numbers, in the complex ring; None for zeros.

        >>> from ewsmath.ssm import FRACTIONS, SSDScan
        >>> SSDScan([1], values=2, weights=1).initial(FRACTIONS) is None
        True
        """
        if self.initial_state is None:
            return None
        return complex_vector(ring, [x for head in self.initial_state for row in head for x in row])

    def steps(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Step]:
        """The decays e^{-aΔ} as blocks of size 1, and the drives Δ x Bᵀ.

        Args:
            ring: The working ring.
            inputs: The inputs.

        Returns:
            One step for each input.

        >>> from ewsmath.ssm import FRACTIONS, SSDScan
        >>> (step,) = SSDScan([3], values=1, weights=2).steps(FRACTIONS, [HeadGate([[5]], [2], [[1, 7]], [[0, 0]])])
        >>> step
        Step(transition=[Matrix(Frac(EE), [[e^(-6)]]), Matrix(Frac(EE), [[e^(-6)]])], drive=[10, 70])
        """
        field: Any = complexified(ring)
        rates, found = [ring.coerce(a) for a in self.rate], []
        for gate in self.gates(ring, inputs):
            decays = [field.exp(-field.coerce(a * d)) for a, d in zip(rates, gate.delta, strict=True)]
            blocks = [Matrix.flat(field, [x], 1) for x in decays for _ in range(self.values * self.weights)]
            drive = [w for h in range(len(rates)) for w in self._outer(gate, h, gate.delta[h])]
            found.append(Step(blocks, complex_vector(ring, drive)))
        return found

    def readings(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Reading]:
        """The weights C of each head's group for each value, and the skip D x.

        Args:
            ring: The working ring.
            inputs: The inputs.

        Returns:
            One read-out for each input.

        >>> from ewsmath.ssm import FRACTIONS, SSDScan
        >>> SSDScan([3], values=2, weights=1, D=[10]).readings(FRACTIONS, [HeadGate([[5, 6]], [2], [[1]], [[4]])])
        [Reading(matrix=Matrix(Frac(EE), [[4, 0], [0, 4]]), skip=[50, 60])]
        """
        H, P, N, field, found = len(self.rate), self.values, self.weights, complexified(ring), []
        for gate in self.gates(ring, inputs):
            rows = [[field.zero] * (H * P * N) for _ in range(H * P)]
            for i, row in enumerate(rows):
                row[i * N : (i + 1) * N] = complex_vector(ring, gate.C[self._group(i // P)])
            skip = [
                ring.coerce(d) * x for ds, xs in zip(self.D, gate.x, strict=True) for d, x in zip(ds, xs, strict=True)
            ]
            found.append(Reading(Matrix(field, rows), skip))
        return found

    def convert(self, ring: Ring[Any]) -> Converted:
        """A layer for each value of each head: P of them are the generator aI on R^{PN}.

        Args:
            ring: The working ring.

        Returns:
            The layers; their states are those of the model.

        >>> from ewsmath.ssm import FRACTIONS, SSDScan
        >>> [layer.generator.matrix for layer in SSDScan([3], values=2, weights=1).convert(FRACTIONS).layers]
        [Matrix(Frac(EE), [[3]]), Matrix(Frac(EE), [[3]])]
        """
        lift = Matrix.identity(ring, self.weights)
        layers = [Layer(Diagonal([ring.coerce(a)] * self.weights, ring=ring), lift) for a in self.rate]
        return Converted([layer for layer in layers for _ in range(self.values)], None)

    def increments(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[list[Increment]]:
        """The steps as increments of the clocks, and the increments of the paths.

        Args:
            ring: The working ring.
            inputs: The inputs.

        Returns:
            For each value of each head one increment for each input, after one for a state before the first.

        >>> from ewsmath.ssm import FRACTIONS, SSDScan
        >>> scan = SSDScan([1], values=1, weights=1, initial_state=[[[7]]])
        >>> scan.increments(FRACTIONS, [HeadGate([[5]], [2], [[1]], [[0]])])
        [[Increment(dtheta=0, dx=[7]), Increment(dtheta=2, dx=[(10)/(-1/2*e^(-2) + 1/2)])]]
        """
        gates, N, found = self.gates(ring, inputs), self.weights, []
        for h, rate in enumerate(self.rate):
            a = ring.coerce(rate)
            moves = [(gate.delta[h], self._outer(gate, h, _lifted(ring, a, gate.delta[h]))) for gate in gates]
            if self.initial_state is not None:
                moves.insert(0, (ring.zero, [ring.coerce(x) for row in self.initial_state[h] for x in row]))
            for v in range(self.values):
                found.append([Increment(dtheta, dx[v * N : (v + 1) * N]) for dtheta, dx in moves])
        return found

    def _outer(self, gate: HeadGate, h: int, factor: Any) -> list[Any]:
        """The entries of factor · x Bᵀ of head h."""
        return [factor * x * b for x in gate.x[h] for b in gate.B[self._group(h)]]

    def _group(self, h: int) -> int:
        return h * self.groups // len(self.rate)


def _lifted(ring: Ring[Any], a: Any, delta: Any) -> Any:
    return todd(ring, a * delta) * delta


class SSDScan(AbstractHeads):
    """The scan of Mamba-2 by itself: its inputs are the :class:`HeadGate` of each step, with exact numbers.

    Formulas are those of :class:`AbstractHeads`.

    Args:
        rate: The H rates a > 0.
        values: The number P of values of a head.
        weights: The number N of weights.
        groups: The number G of groups of heads, which share B and C.
        D: The H numbers of the skip, or H x P of them; None for zeros.
        initial_state: H x P x N numbers, the state before the first input; None for zeros.

    Raises:
        ValueError: Shapes differ, a rate is not above 0, or in the inputs a step is below 0.
        TypeError: A number is not exact, or an input is no :class:`HeadGate`.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.ssm import FRACTIONS, Recurrence
    >>> scan = SSDScan([1], values=1, weights=1)
    >>> Recurrence(scan, FRACTIONS).run([HeadGate([[1]], [2], [[1]], [[3]])] * 2).outputs
    [[6], [6*e^(-2) + 6]]
    """

    def __init__(
        self, rate: Any, values: int, weights: int, *, groups: int = 1, D: Any = None, initial_state: Any = None
    ) -> None:
        super().__init__(rate, values, weights, groups, D, initial_state)

    def gates(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[HeadGate]:
        """The inputs, as numbers of the ring.

        Args:
            ring: The ring to work in.
            inputs: The :class:`HeadGate` of each step.

        Returns:
            One gate for each step.

        Raises:
            ValueError: A step is below 0, or a length is wrong.
            TypeError: An input is no :class:`HeadGate`, or holds floats.

        >>> from ewsmath.ssm import FRACTIONS
        >>> SSDScan([1, 2], values=1, weights=1).gates(FRACTIONS, [HeadGate([[3], [4]], [1, 0], [[5]], [[6]])])
        [HeadGate(x=[[3], [4]], delta=[1, 0], B=[[5]], C=[[6]])]
        """
        H, P, N, G = len(self.rate), self.values, self.weights, self.groups
        found = []
        for j, gate in enumerate(inputs):
            of_kind(gate, HeadGate, "SSDScan takes gates", "give HeadGate(x, delta, B, C)")
            delta = array(gate.delta, [H], f"input {j}: delta")
            check_steps(delta, j)
            parts = zip((gate.x, gate.B, gate.C), ([H, P], [G, N], [G, N]), strict=True)
            x, B, C = ([[ring.coerce(v) for v in row] for row in array(v, s, f"input {j}")] for v, s in parts)
            found.append(HeadGate(x, [ring.coerce(d) for d in delta], B, C))
        return found
