"""What a state-space model supplies: its recurrence, and the generator, lift and increments that it becomes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ewsmath.generators import AbstractGenerator
from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, Ring
from ewsmath.rings.door import entries
from ewsmath.rings.immutable import Immutable
from ewsmath.ssm.functions import complexified
from ewsmath.ssm.numbers import array


class Step(NamedTuple):
    """What a recurrence does at one input: h_j = Abar_j h_{j-1} + w_j.

    Attributes:
        transition: The diagonal blocks of Abar_j, in the order of the state, over the complex ring.
        drive: The vector w_j = Bbar_j x_j that is added.

    >>> from ewsmath.ssm import FRACTIONS, LinearSSM
    >>> model = LinearSSM([[2]], [[3]])
    >>> [step.drive for step in model.steps(FRACTIONS, [[1], [5]])]
    [[3], [15]]
    """

    transition: Sequence[Matrix[Any]]
    drive: Sequence[Any]


class Reading(NamedTuple):
    """How an output is read from a state: y_j = Re(C_j h_j) + c_j.

    Attributes:
        matrix: The p x n matrix C_j over the complex ring.
        skip: The p real numbers c_j, such as D x_j.

    >>> from ewsmath.ssm import FRACTIONS, LinearSSM
    >>> model = LinearSSM([[2]], [[3]])
    >>> model.readings(FRACTIONS, [[1]])
    [Reading(matrix=Matrix(Frac(EE), [[1]]), skip=[0])]
    """

    matrix: Matrix[Any]
    skip: Sequence[Any]


@dataclass(frozen=True, eq=False)
class Layer:
    """One EWS of depth one: generator and lift. What moves it comes as :class:`Increment`.

    Attributes:
        generator: The real m x m generator A.
        lift: The real m x d lift B.

    >>> from ewsmath.ssm import FRACTIONS, LRU
    >>> layers, _ = LRU([1], [0], [[3]], [[1]], None).convert(FRACTIONS)
    >>> layers[0].generator.matrix, layers[0].lift.shape
    (Matrix(Frac(EE), [[1, 0], [0, 1]]), (2, 1))
    """

    generator: AbstractGenerator
    lift: Matrix[Any]


class Increment(NamedTuple):
    """What moves a layer at one input.

    Attributes:
        dtheta: The increment Δθ_j of the clock.
        dx: The increment ΔX_j of the path, d numbers.

    >>> from ewsmath.ssm import FRACTIONS, LinearSSM
    >>> model = LinearSSM([[2]], [[3]])
    >>> model.increments(FRACTIONS, [[1], [5]])
    [[Increment(dtheta=1, dx=[1]), Increment(dtheta=1, dx=[5])]]
    """

    dtheta: Any
    dx: Sequence[Any]


class Converted(NamedTuple):
    """What a model becomes.

    Attributes:
        layers: The layers; their states s together are real coordinates of the state h of the model.
        coordinates: The n x m complex matrix T with h = T s; None for the identity.

    >>> from ewsmath.ssm import FRACTIONS, LRU
    >>> LRU([1], [0], [[3]], [[1]], None).convert(FRACTIONS).coordinates
    Matrix(Frac(EE), [[1, i]])
    """

    layers: Sequence[Layer]
    coordinates: Matrix[Any] | None


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
        """Why there is no conversion, decided exactly; None when there is one."""
        return None

    @abstractmethod
    def steps(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Step]:
        """The recurrence of the model: one step for each input."""

    @abstractmethod
    def readings(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Reading]:
        """The read-outs of the model: one for each input."""

    @abstractmethod
    def convert(self, ring: Ring[Any]) -> Converted:
        """Generators, lifts and coordinates."""

    @abstractmethod
    def increments(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[list[Increment]]:
        """What moves the layers: for each layer one increment for each input; one list where all share it."""

    def initial(self, ring: Ring[Any]) -> list[Any] | None:
        """The state before the first input; None for 0.

        Where it is given, increments have one entry more, at their start.
        """
        return None

    def frame(self, ring: Ring[Any], j: int) -> Matrix[Any] | None:
        """What takes the coordinates at input j to the state of the model; None for the identity."""
        return None

    def finish(self, ring: Ring[Any], inputs: Sequence[Any], outputs: list[list[Any]]) -> list[list[Any]]:
        """What the model does with its outputs after the linear read-out: gates and projections."""
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
        """The diagonal blocks of Abar, over the complex ring."""

    @abstractmethod
    def input_map(self, ring: Ring[Any]) -> Matrix[Any]:
        """The n x d matrix Bbar, over the complex ring."""

    @abstractmethod
    def readout(self, ring: Ring[Any]) -> Reading:
        """The p x n matrix C over the complex ring; and D, p rows of d real numbers."""

    def checked(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[list[Any]]:
        """The inputs as vectors of the ring; ValueError for a wrong length, TypeError for floats."""
        found = entries(inputs, f"{type(self).__name__} takes its inputs")
        return [[ring.coerce(x) for x in array(u, [self.inputs], f"input {j}")] for j, u in enumerate(found)]

    def steps(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Step]:
        """The same transition at each input, and the drive Bbar x_j."""
        transition, Bbar = self.transition(ring), self.input_map(ring)
        return [Step(transition, Bbar.apply(complex_vector(ring, x))) for x in self.checked(ring, inputs)]

    def readings(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Reading]:
        """The same read-out at each input, and the skip D x_j."""
        C, D = self.readout(ring)
        return [Reading(C, Matrix(ring, D).apply(x)) for x in self.checked(ring, inputs)]

    def increments(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[list[Increment]]:
        """The unit clock, and the inputs as increments of the path: one list, shared by all layers."""
        return [[Increment(ring.one, x) for x in self.checked(ring, inputs)]]


def complex_vector(ring: Ring[Any], x: Sequence[Any]) -> list[Any]:
    """A vector over the complex ring of a working ring."""
    coerce = complexified(ring).coerce
    return [coerce(v) for v in x]


def input_vector(ring: Ring[Any], u: Any, size: int, j: int) -> list[Any]:
    """Input j as a vector of the ring; ValueError for a wrong length, TypeError for floats."""
    return [ring.coerce(x) for x in array(entries(u, f"input {j} is given"), [size], f"input {j}")]


def skip_matrix(D: Any, outputs: int, inputs: int, what: str) -> Any:
    """The p x d matrix D of a skip: None for none, p numbers for a diagonal, or its rows."""
    if D is None:
        return tuple((QQ.zero,) * inputs for _ in range(outputs))
    rows = entries(D, f"{what} takes D")
    if rows and hasattr(rows[0], "__len__"):
        return array(rows, [outputs, inputs], f"{what}: D")
    if outputs != inputs:
        raise ValueError(f"{what}: a diagonal D needs as many outputs as inputs, got {outputs} and {inputs}")
    diagonal = array(rows, [outputs], f"{what}: D")
    return tuple(tuple(x if i == j else QQ.zero for j in range(inputs)) for i, x in enumerate(diagonal))
