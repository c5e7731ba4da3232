"""What a state-space model supplies: its recurrence, and the generator, lift and increments that it becomes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, Ring
from ewsmath.rings.door import entries
from ewsmath.rings.immutable import Immutable
from ewsmath.ssm.numbers import array
from ewsmath.ssm.parts import Converted, Increment, Reading, Step
from ewsmath.ssm.working_ring import complexified


class AbstractModel(Immutable, ABC):
    """A state-space model with exact parameters. Immutable.

    Every method takes the ring to work in: ``Balls(prec)``, or the exact field ``FRACTIONS`` where the
    formula stays in it. States are numbers of the complex ring over it; the state with index j is the one
    after input j, and the state before the first input is 0.

    To add a converter, subclass this (or :class:`AbstractLinear` where the recurrence does not depend on
    the input) and supply the formulas; running and certifying come with it.

    >>> from ewsmath.ssm import FRACTIONS, LinearSSM
    >>> model = LinearSSM([[2]], [[3]])
    >>> model.obstacle(), LinearSSM([[0]], [[3]]).obstacle()
    (None, 'transition is singular: no logarithm')
    """

    def __repr__(self) -> str:
        # Sizes and options; the arrays of a trained model would fill pages.
        options = [f"{name}={x!r}" for name, x in vars(self).items() if isinstance(x, int | str)]
        return f"{type(self).__name__}({', '.join(options)})"

    def obstacle(self) -> str | None:
        """Why there is no conversion, decided exactly.

        Returns:
            The reason, as a sentence; None where there is a conversion.

        >>> from ewsmath.ssm import Retention
        >>> Retention([0], keys=2, values=1).obstacle()
        'transition is singular: no logarithm'
        """
        return None

    @abstractmethod
    def steps(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Step]:
        """The recurrence of the model.

        Args:
            ring: The ring to work in.
            inputs: The inputs.

        Returns:
            One step for each input.

        >>> from ewsmath.ssm import FRACTIONS, LRU
        >>> (step,) = LRU([1], [0], B=[[3]], C=[[1]]).steps(FRACTIONS, [[2]])
        >>> step.transition, step.drive
        ([Matrix(Frac(EE), [[e^(-1)]])], [6])
        """

    @abstractmethod
    def readings(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Reading]:
        """The read-outs of the model.

        Args:
            ring: The ring to work in.
            inputs: The inputs.

        Returns:
            One read-out for each input.

        >>> from ewsmath.ssm import FRACTIONS, LRU
        >>> LRU([1], [0], B=[[3]], C=[[1]], D=[5]).readings(FRACTIONS, [[2]])
        [Reading(matrix=Matrix(Frac(EE), [[1]]), skip=[10])]
        """

    @abstractmethod
    def convert(self, ring: Ring[Any]) -> Converted:
        """Generators, lifts and coordinates.

        Args:
            ring: The ring to work in.

        Returns:
            The layers of the EWS, and what takes their states to those of the model.

        >>> from ewsmath.ssm import FRACTIONS, SelectiveScan
        >>> [layer.generator.matrix for layer in SelectiveScan([[1, 2], [3, 4]]).convert(FRACTIONS).layers]
        [Matrix(Frac(EE), [[1, 0], [0, 2]]), Matrix(Frac(EE), [[3, 0], [0, 4]])]
        """

    @abstractmethod
    def increments(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[list[Increment]]:
        """What moves the layers.

        Args:
            ring: The ring to work in.
            inputs: The inputs.

        Returns:
            For each layer one increment for each input; one list where all layers share it.

        >>> from ewsmath.ssm import FRACTIONS, HeadGate, SSDScan
        >>> moves = SSDScan([1], values=2, weights=1).increments(FRACTIONS, [HeadGate([[3, 4]], [2], [[1]], [[1]])])
        >>> [move.dtheta for layer in moves for move in layer]
        [2, 2]
        """

    def initial(self, ring: Ring[Any]) -> list[Any] | None:
        """The state before the first input.

        Where it is given, increments have one entry more, at their start.

        Args:
            ring: The ring to work in.

        Returns:
            The state, numbers of the complex ring; None for 0.

        >>> from ewsmath.ssm import FRACTIONS, SSDScan
        >>> SSDScan([1], values=1, weights=2, initial_state=[[[7, 8]]]).initial(FRACTIONS)
        [7, 8]
        """
        return None

    def frame(self, ring: Ring[Any], j: int) -> Matrix[Any] | None:
        """What takes the coordinates at an input to the state of the model.

        Args:
            ring: The ring to work in.
            j: The number of the input, from 0.

        Returns:
            A square complex matrix; None for the identity.

        >>> from ewsmath.ssm import FRACTIONS, Retention
        >>> Retention([1], keys=2, values=1, scale=[2]).frame(FRACTIONS, 3)
        Matrix(Frac(EE), [[1/8, 0], [0, 1/8]])
        """
        return None

    def finish(self, ring: Ring[Any], inputs: Sequence[Any], outputs: list[list[Any]]) -> list[list[Any]]:
        """What the model does with its outputs after the linear read-out: gates and projections.

        Args:
            ring: The ring to work in.
            inputs: The inputs.
            outputs: The output read at each input.

        Returns:
            The outputs of the model, the same where it has neither gates nor projections.

        >>> from ewsmath.ssm import FRACTIONS, LinearSSM
        >>> LinearSSM([[2]], [[3]]).finish(FRACTIONS, [[1]], [[6]])
        [[6]]
        """
        return outputs


class AbstractLinear(AbstractModel):
    r"""A model with one recurrence for all inputs, in the unit-clock convention.

    .. math:: h_j = \bar A h_{j-1} + \bar B x_j, \qquad y_j = \operatorname{Re}(C h_j) + D x_j

    As an EWS of depth one its clock moves by 1 at each input and its path by x_j, so that

    .. math:: e^{-A} = \bar A, \qquad φ_1(-A) B = \bar B

    Attributes:
        inputs: The number d of input channels.

    Paper: Appendix E.

    >>> from ewsmath.ssm import FRACTIONS, LinearSSM
    >>> model = LinearSSM([[2]], [[3]])
    >>> model.transition(FRACTIONS), model.input_map(FRACTIONS)
    ([Matrix(Frac(EE), [[2]])], Matrix(Frac(EE), [[3]]))
    """

    inputs: int

    @abstractmethod
    def transition(self, ring: Ring[Any]) -> list[Matrix[Any]]:
        """The matrix Abar.

        Args:
            ring: The ring to work in.

        Returns:
            Its diagonal blocks, over the complex ring.

        >>> from ewsmath.ssm import FRACTIONS, LRU
        >>> LRU([1, 2], [0, 0], B=[[1], [1]], C=[[1, 1]]).transition(FRACTIONS)
        [Matrix(Frac(EE), [[e^(-1)]]), Matrix(Frac(EE), [[e^(-2)]])]
        """

    @abstractmethod
    def input_map(self, ring: Ring[Any]) -> Matrix[Any]:
        """The matrix Bbar.

        Args:
            ring: The ring to work in.

        Returns:
            An n x d matrix over the complex ring.

        >>> from ewsmath.ssm import FRACTIONS, S5
        >>> S5([-1], [2], B=[[3]], C=[[1]]).input_map(FRACTIONS)  # φ_1(-2)·2·3
        Matrix(Frac(EE), [[-3*e^(-2) + 3]])
        """

    @abstractmethod
    def readout(self, ring: Ring[Any]) -> Reading:
        """The matrices C and D.

        Args:
            ring: The ring to work in.

        Returns:
            The p x n matrix C over the complex ring; and D, p rows of d real numbers.

        >>> from ewsmath.ssm import FRACTIONS, LinearSSM
        >>> LinearSSM([[2]], [[3]], C=[[5]], D=[7]).readout(FRACTIONS)
        Reading(matrix=Matrix(Frac(EE), [[5]]), skip=((7,),))
        """

    def checked(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[list[Any]]:
        """The inputs as vectors of the ring.

        Args:
            ring: The ring to work in.
            inputs: The inputs.

        Returns:
            A vector of d numbers of the ring for each input.

        Raises:
            ValueError: An input has a wrong length.
            TypeError: One holds floats.

        >>> from ewsmath.ssm import FRACTIONS, LinearSSM
        >>> LinearSSM([[2]], [[3]]).checked(FRACTIONS, [[1, 2]])
        Traceback (most recent call last):
            ...
        ValueError: input 0: 2 entries on an axis of 1
        """
        found = entries(inputs, f"{type(self).__name__} takes its inputs")
        return [[ring.coerce(x) for x in array(u, [self.inputs], f"input {j}")] for j, u in enumerate(found)]

    def steps(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Step]:
        """The same transition at each input, and the drive Bbar x_j.

        Args:
            ring: The ring to work in.
            inputs: The inputs.

        Returns:
            One step for each input.

        >>> from ewsmath.ssm import FRACTIONS, LinearSSM
        >>> [(step.transition[0][0, 0], step.drive) for step in LinearSSM([[2]], [[3]]).steps(FRACTIONS, [[1], [5]])]
        [(2, [3]), (2, [15])]
        """
        transition, Bbar = self.transition(ring), self.input_map(ring)
        return [Step(transition, Bbar.apply(complex_vector(ring, x))) for x in self.checked(ring, inputs)]

    def readings(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Reading]:
        """The same read-out at each input, and the skip D x_j.

        Args:
            ring: The ring to work in.
            inputs: The inputs.

        Returns:
            One read-out for each input.

        >>> from ewsmath.ssm import FRACTIONS, LinearSSM
        >>> [reading.skip for reading in LinearSSM([[2]], [[3]], D=[7]).readings(FRACTIONS, [[1], [5]])]
        [[7], [35]]
        """
        C, D = self.readout(ring)
        return [Reading(C, Matrix(ring, D).apply(x)) for x in self.checked(ring, inputs)]

    def increments(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[list[Increment]]:
        """The unit clock, and the inputs as increments of the path.

        Args:
            ring: The ring to work in.
            inputs: The inputs.

        Returns:
            One list, shared by all layers.

        >>> from ewsmath.ssm import FRACTIONS, LinearSSM
        >>> LinearSSM([[2]], [[3, 4]]).increments(FRACTIONS, [[1, 5]])
        [[Increment(dtheta=1, dx=[1, 5])]]
        """
        return [[Increment(ring.one, x) for x in self.checked(ring, inputs)]]


def complex_vector(ring: Ring[Any], x: Sequence[Any]) -> list[Any]:
    """A vector over the complex ring of a working ring.

    Args:
        ring: The working ring.
        x: The numbers.

    Returns:
        The same numbers in the complex ring.

    >>> from ewsmath.rings import Balls
    >>> complex_vector(Balls(64), [1])[0].ring.name
    'ComplexBalls(prec=64)'
    """
    coerce = complexified(ring).coerce
    return [coerce(v) for v in x]


def input_vector(ring: Ring[Any], u: Any, size: int, j: int) -> list[Any]:
    """Input j as a vector of the ring; ValueError for a wrong length, TypeError for floats.

    Args:
        ring: The ring.
        u: What came.
        size: The number of entries that it is to have.
        j: Its number, for messages.

    Returns:
        The entries.

    Raises:
        ValueError: It has another length.
        TypeError: It is no sequence, or the ring does not take an entry.

    >>> input_vector(QQ, [1, QQ.ratio(1, 2)], 2, j=0)
    [1, 1/2]
    """
    return [ring.coerce(x) for x in array(entries(u, f"input {j} is given"), [size], f"input {j}")]


def skip_matrix(D: Any, outputs: int, inputs: int, what: str) -> Any:
    """The p x d matrix D of a skip: None for none, p numbers for a diagonal, or its rows.

    Args:
        D: What came.
        outputs: The number p of outputs.
        inputs: The number d of inputs.
        what: Who takes it, for messages.

    Returns:
        The rows.

    Raises:
        ValueError: The shape is another, or a diagonal comes with p ≠ d.
        TypeError: D is neither, or an entry is no number.

    >>> skip_matrix([5, 7], 2, 2, "LRU"), skip_matrix(None, 1, 2, "LRU")
    (((5, 0), (0, 7)), ((0, 0),))
    """
    if D is None:
        return tuple((QQ.zero,) * inputs for _ in range(outputs))
    rows = entries(D, f"{what} takes D")
    if rows and hasattr(rows[0], "__len__"):
        return array(rows, [outputs, inputs], f"{what}: D")
    if outputs != inputs:
        raise ValueError(f"{what}: a diagonal D needs as many outputs as inputs, got {outputs} and {inputs}")
    diagonal = array(rows, [outputs], f"{what}: D")
    return tuple(tuple(x if i == j else QQ.zero for j in range(inputs)) for i, x in enumerate(diagonal))
