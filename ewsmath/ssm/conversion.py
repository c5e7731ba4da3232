"""A model as EWS of depth one: what it becomes, and its trajectory by the modified Chen product."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.clocks import Observation
from ewsmath.ews import EWS
from ewsmath.ews.chen import Segment, prefixes, unit
from ewsmath.generators import AbstractGenerator, DirectSum
from ewsmath.matrix import Matrix
from ewsmath.rings import Ring
from ewsmath.rings.door import of_kind
from ewsmath.rings.immutable import Immutable
from ewsmath.ssm.model import AbstractLinear, AbstractModel, complex_vector
from ewsmath.ssm.parts import Converted, Increment, Layer
from ewsmath.ssm.recurrence import Trajectory, checked_inputs, outputs
from ewsmath.ssm.working_ring import check_working_ring, real_part


class Conversion(Immutable):
    r"""A model as one or several EWS of depth one. Immutable.

    .. math:: S_j = e^{-Δθ_j A} S_{j-1} + φ_1(-Δθ_j A)\, B\, ΔX_j, \qquad h_j = T_j S_j, \qquad S_0 = 0

    Args:
        model: The model.
        ring: ``Balls(prec)``, or ``FRACTIONS`` where generator and lift lie in it.
        converted: Generators, lifts and coordinates where they are not to be computed: those of another
            converter, such as one that works in floats, to be judged by :func:`certify`.

    Attributes:
        model: The model.
        ring: The ring of generators, lifts and states.
        layers: The layers, each with a generator and a lift; selective models have a layer for each clock.
        coordinates: The n x m complex matrix T with h = T S; None for the identity.

    Raises:
        ValueError: There is no conversion; the text says why.
        TypeError: ``model`` is none, or ``ring`` is no working ring.

    Paper: Appendix E.

    >>> from ewsmath.rings import Balls, QQ_I
    >>> from ewsmath.ssm import FRACTIONS, S5
    >>> model = S5([-1 + 2 * QQ_I.i], [1], B=[[1]], C=[[1]])
    >>> Conversion(model, FRACTIONS).generator
    DirectSum(matrix=Matrix(Frac(EE), [[1, 2], [-2, 1]]))
    """

    __slots__ = ("coordinates", "layers", "model", "ring")
    model: AbstractModel
    ring: Ring[Any]
    layers: tuple[Layer, ...]
    coordinates: Matrix[Any] | None

    def __init__(self, model: AbstractModel, ring: Ring[Any], converted: Converted | None = None) -> None:
        of_kind(model, AbstractModel, "Conversion takes a model", "give one of ewsmath.ssm, such as S5(…)")
        check_working_ring(ring)
        if converted is None:
            obstacle = model.obstacle()
            if obstacle is not None:
                raise ValueError(obstacle)
            converted = model.convert(ring)
        self._set(model=model, ring=ring, layers=tuple(converted.layers), coordinates=converted.coordinates)

    def __repr__(self) -> str:
        return f"Conversion({self.model}, ring={self.ring.name}, layers={len(self.layers)})"

    @property
    def generator(self) -> AbstractGenerator:
        """The generator of all layers together, which share the unit clock; ValueError for a selective model."""
        self._check_linear("generator")
        return DirectSum(*(layer.generator for layer in self.layers))

    @property
    def lift(self) -> Matrix[Any]:
        """The lift of all layers together, one below the other; ValueError for a selective model."""
        self._check_linear("lift")
        return Matrix(self.ring, [row for layer in self.layers for row in layer.lift.rows])

    @property
    def ews(self) -> EWS:
        """The EWS of depth one with the observation clock, for the path whose increments are the inputs.

        ValueError for a selective model.
        """
        return EWS(self.generator, self.lift, Observation(), depth=1)

    @property
    def readout(self) -> Matrix[Any]:
        """The real p x m matrix Re(C T) that reads the outputs from the EWS; ValueError for a selective model."""
        self._check_linear("readout")
        C = self.model.readout(self.ring).matrix  # type: ignore[attr-defined]
        return (C if self.coordinates is None else C @ self.coordinates).map(self.ring, real_part)

    def _check_linear(self, what: str) -> None:
        if not isinstance(self.model, AbstractLinear):
            raise ValueError(f"{type(self.model).__name__} has no one {what}: its layers have clocks of their own")

    def increments(self, inputs: Sequence[Any]) -> list[list[Increment]]:
        """What moves each layer on inputs.

        Args:
            inputs: The inputs, as for :class:`Recurrence`.

        Returns:
            For each layer (Δθ_j, ΔX_j) for each input.

        >>> from ewsmath.ssm import LRU
        >>> from ewsmath.ssm.fractions import FRACTIONS
        >>> Conversion(LRU([1], [0], [[1]], [[1]], None), FRACTIONS).increments([[3]])
        [[Increment(dtheta=1, dx=[3])]]
        """
        found = self.model.increments(self.ring, checked_inputs(inputs))
        return found * len(self.layers) if len(found) == 1 else found

    def run(self, inputs: Sequence[Any]) -> Trajectory:
        """The trajectory of the model, by its EWS.

        Args:
            inputs: The inputs, as for :class:`Recurrence`.

        Returns:
            The states h_j = T_j S_j and the outputs read from them.

        >>> from ewsmath.ssm import LRU
        >>> from ewsmath.ssm.fractions import FRACTIONS
        >>> found = Conversion(LRU([1], [0], [[1]], [[1]], None), FRACTIONS).run([[1], [0]])
        >>> found.outputs == [[1], [FRACTIONS.exp(-FRACTIONS.one)]]
        True
        """
        inputs = checked_inputs(inputs)
        pairs = zip(self.layers, self.increments(inputs), strict=True)
        streams = [_stream(layer, moves) for layer, moves in pairs]
        states = []
        for j, parts in enumerate(zip(*(stream[-len(inputs) :] for stream in streams), strict=True)):
            state = complex_vector(self.ring, [x for part in parts for x in part])
            for matrix in (self.coordinates, self.model.frame(self.ring, j)):
                state = state if matrix is None else matrix.apply(state)
            states.append(state)
        return Trajectory(states, outputs(self.model, self.ring, inputs, states))


def _stream(layer: Layer, increments: Sequence[Increment]) -> list[list[Any]]:
    """Level one of the EWS of a layer after each increment."""
    ews = EWS(layer.generator, layer.lift, depth=1)
    segments = [Segment(layer.generator, dtheta, ews.local(dtheta, dx)) for dtheta, dx in increments]
    return [g.ews.level(1) for g in prefixes(segments, unit(layer.generator, 1))[1:]]
