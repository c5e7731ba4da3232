"""The selective scan: a rate for each entry of the state, and a clock for each channel."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, NamedTuple

from ewsmath.generators import Diagonal
from ewsmath.matrix import Matrix
from ewsmath.rings import Ring
from ewsmath.rings.door import of_kind
from ewsmath.ssm.fractions import sign
from ewsmath.ssm.functions import todd
from ewsmath.ssm.model import AbstractModel
from ewsmath.ssm.numbers import AbstractEnclosed, array, positive
from ewsmath.ssm.parts import Converted, Increment, Layer, Reading, Step
from ewsmath.ssm.working_ring import complexified


class Gate(NamedTuple):
    """What a selective scan is given at one input.

    Attributes:
        x: The E values that enter, one for each channel.
        delta: The E steps Δ ≥ 0.
        B: The N input weights, shared by all channels.
        C: The N read-out weights, shared by all channels.

    >>> from ewsmath.ssm import FRACTIONS, Recurrence, SelectiveScan
    >>> Recurrence(SelectiveScan([[1]]), FRACTIONS).run([Gate([1], [2], [1], [3])]).outputs
    [[6]]
    """

    x: Sequence[Any]
    delta: Sequence[Any]
    B: Sequence[Any]
    C: Sequence[Any]


class AbstractSelective(AbstractModel):
    r"""E channels with N rates each, every channel with a clock of its own; state (channel, rate) in row-major order.

    .. math:: h_{en} \gets e^{-Δ_e a_{en}} h_{en} + Δ_e B_n x_e, \qquad y_e = \sum_n C_n h_{en} + D_e x_e

    Channel e becomes the EWS with generator diag(a_e1, …, a_eN), lift I, and

    .. math:: Δθ = Δ_e, \qquad ΔX_n = g(Δ_e a_{en})\, Δ_e B_n x_e, \qquad g(z) = \frac{z}{1 - e^{-z}}

    There is no case without a conversion: rates are positive, and where Δ = 0 nothing moves.

    Args:
        rate: The E x N rates a > 0.
        D: The E numbers of the skip; None for zeros.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.ssm import SelectiveScan
    >>> scan = SelectiveScan([[1, 2], [3, 4], [5, 6]])
    >>> scan.channels, scan.width
    (3, 2)
    """

    rate: Any
    D: Any

    def __init__(self, rate: Sequence[Sequence[Any]], D: Sequence[Any] | None) -> None:
        name = type(self).__name__
        found = array(rate, [None, None], f"{name}: the rates")
        rate = tuple(tuple(positive(a, f"{name}: a rate") for a in row) for row in found)
        self._set(rate=rate, D=array([0] * len(rate) if D is None else D, [len(rate)], f"{name}: D"))

    @property
    def channels(self) -> int:
        """The number E of channels."""
        return len(self.rate)

    @property
    def width(self) -> int:
        """The number N of rates of a channel."""
        return len(self.rate[0])

    @abstractmethod
    def gates(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Gate]:
        """What the scan is given at each input.

        Args:
            ring: The working ring.
            inputs: The inputs.

        Returns:
            One gate for each input.

        >>> from ewsmath.ssm import FRACTIONS, SelectiveScan
        >>> SelectiveScan([[1]]).gates(FRACTIONS, [Gate([1], [2], [1], [3])])[0].delta
        [2]
        """

    def steps(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Step]:
        """The decays e^{-Δa} as blocks of size 1, and the drives Δ B x.

        Args:
            ring: The working ring.
            inputs: The inputs.

        Returns:
            One step for each input.

        >>> from ewsmath.ssm import FRACTIONS, SelectiveScan
        >>> (step,) = SelectiveScan([[1, 3]]).steps(FRACTIONS, [Gate([5], [2], [1, 7], [0, 0])])
        >>> step
        Step(transition=[Matrix(Frac(EE), [[e^(-2)]]), Matrix(Frac(EE), [[e^(-6)]])], drive=[10, 70])
        """
        field: Any = complexified(ring)
        found = []
        for gate in self.gates(ring, inputs):
            rows = zip(self._rates(ring), gate.delta, gate.x, strict=True)
            pairs = [
                (-delta * a, delta * b * x) for a_row, delta, x in rows for a, b in zip(a_row, gate.B, strict=True)
            ]
            blocks = [Matrix.flat(field, [field.exp(field.coerce(z))], 1) for z, _ in pairs]
            found.append(Step(blocks, [field.coerce(w) for _, w in pairs]))
        return found

    def readings(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Reading]:
        """The weights C for each channel, and the skip D x.

        Args:
            ring: The working ring.
            inputs: The inputs.

        Returns:
            One read-out for each input.

        >>> from ewsmath.ssm import FRACTIONS, SelectiveScan
        >>> SelectiveScan([[1], [2]], D=[0, 10]).readings(FRACTIONS, [Gate([3, 4], [1, 1], [1], [9])])
        [Reading(matrix=Matrix(Frac(EE), [[9, 0], [0, 9]]), skip=[0, 40])]
        """
        E, N, field, found = self.channels, self.width, complexified(ring), []
        skip = [ring.coerce(x) for x in self.D]
        for gate in self.gates(ring, inputs):
            C, zeros = [field.coerce(c) for c in gate.C], [field.zero] * N
            rows = [[x for i in range(E) for x in (C if i == e else zeros)] for e in range(E)]
            found.append(Reading(Matrix(field, rows), [d * x for d, x in zip(skip, gate.x, strict=True)]))
        return found

    def convert(self, ring: Ring[Any]) -> Converted:
        """A layer for each channel.

        Args:
            ring: The working ring.

        Returns:
            The layers; their states are those of the model.

        >>> from ewsmath.ssm import FRACTIONS, SelectiveScan
        >>> found = SelectiveScan([[1, 2], [3, 4]]).convert(FRACTIONS)
        >>> len(found.layers), found.layers[1].generator.matrix, found.coordinates
        (2, Matrix(Frac(EE), [[3, 0], [0, 4]]), None)
        """
        lift = Matrix.identity(ring, self.width)
        return Converted([Layer(Diagonal(row, ring=ring), lift) for row in self._rates(ring)], None)

    def increments(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[list[Increment]]:
        """The steps as increments of the clocks, and the increments of the paths.

        Args:
            ring: The working ring.
            inputs: The inputs.

        Returns:
            For each channel one increment for each input.

        >>> from ewsmath.ssm import FRACTIONS, SelectiveScan
        >>> SelectiveScan([[1]]).increments(FRACTIONS, [Gate([5], [2], [1], [0])])  # 10 g(2)
        [[Increment(dtheta=2, dx=[(10)/(-1/2*e^(-2) + 1/2)])]]
        """
        found: list[list[Increment]] = [[] for _ in self.rate]
        for gate in self.gates(ring, inputs):
            rows = zip(found, self._rates(ring), gate.delta, gate.x, strict=True)
            for own, a_row, delta, x in rows:
                pairs = zip(a_row, gate.B, strict=True)
                own.append(Increment(delta, [todd(ring, delta * a) * delta * b * x for a, b in pairs]))
        return found

    def _rates(self, ring: Ring[Any]) -> list[list[Any]]:
        return [[ring.coerce(a) for a in row] for row in self.rate]


class SelectiveScan(AbstractSelective):
    """The selective scan by itself: its inputs are the :class:`Gate` of each step, with exact numbers.

    Args:
        rate: The E x N rates a > 0.
        D: The E numbers of the skip; None for zeros.

    Raises:
        ValueError: Shapes differ, a rate is not above 0, or in the inputs a step is below 0.
        TypeError: A number is not exact, or an input is no :class:`Gate`.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.ssm import FRACTIONS, Conversion, distance
    >>> scan = SelectiveScan([[1, 2]])
    >>> distance(Conversion(scan, FRACTIONS), [Gate([1], [3], [1, 1], [1, 0])] * 2).state
    0
    """

    def __init__(self, rate: Sequence[Sequence[Any]], D: Sequence[Any] | None = None) -> None:
        super().__init__(rate, D)

    def gates(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Gate]:
        """The inputs, as numbers of the ring.

        Args:
            ring: The ring to work in.
            inputs: The :class:`Gate` of each step.

        Returns:
            One gate for each step.

        Raises:
            ValueError: A step is below 0, or a length is wrong.
            TypeError: An input is no :class:`Gate`, or holds floats.

        >>> from ewsmath.ssm import FRACTIONS
        >>> SelectiveScan([[1]]).gates(FRACTIONS, [Gate([1], [-1], [1], [1])])
        Traceback (most recent call last):
            ...
        ValueError: input 0: a step is at least 0, got -1
        """
        E, N = self.channels, self.width
        found = []
        for j, gate in enumerate(inputs):
            of_kind(gate, Gate, "SelectiveScan takes gates", "give Gate(x, delta, B, C)")
            parts = [array(v, [n], f"input {j}") for v, n in zip(gate, (E, E, N, N), strict=True)]
            check_steps(parts[1], j)
            found.append(Gate(*([ring.coerce(v) for v in part] for part in parts)))
        return found


def check_steps(delta: Sequence[Any], j: int) -> None:
    """Refuse a step below 0, or one that is not real.

    Args:
        delta: The steps, exact numbers.
        j: The number of the input, for the message.

    Raises:
        ValueError: There is one.

    >>> check_steps([1, -2], 7)
    Traceback (most recent call last):
        ...
    ValueError: input 7: a step is at least 0, got -2
    """
    for step in delta:
        if not isinstance(step, AbstractEnclosed) and sign(step) < 0:
            raise ValueError(f"input {j}: a step is at least 0, got {step}")
