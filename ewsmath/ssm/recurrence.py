"""A model run as its own recurrence, over a ring."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ewsmath.matrix import Matrix
from ewsmath.rings import Ring
from ewsmath.rings.door import entries, of_kind
from ewsmath.rings.immutable import Immutable
from ewsmath.ssm.model import AbstractModel, complex_vector
from ewsmath.ssm.parts import Reading
from ewsmath.ssm.working_ring import check_working_ring, real_part


class Trajectory(NamedTuple):
    """What a model does on a sequence of inputs.

    Attributes:
        states: The state after each input, complex numbers of the ring.
        outputs: The output at each input, real numbers of the ring.

    >>> from ewsmath.ssm import FRACTIONS, LRU
    >>> Recurrence(LRU([1], [0], B=[[2]], C=[[3]]), FRACTIONS).run([[1]])
    Trajectory(states=[[2]], outputs=[[6]])
    """

    states: list[list[Any]]
    outputs: list[list[Any]]


class Recurrence(Immutable):
    r"""A model as the recurrence that its release runs. Immutable.

    .. math:: h_j = \bar A_j h_{j-1} + w_j, \qquad y_j = \operatorname{Re}(C_j h_j) + c_j

    Args:
        model: The model.
        ring: ``Balls(prec)``, or ``FRACTIONS`` where the parameters allow.

    Attributes:
        model: The model.
        ring: The ring.

    Raises:
        TypeError: ``model`` is none, or ``ring`` is no working ring.

    Paper: Appendix E.

    >>> from ewsmath.ssm import FRACTIONS, LRU
    >>> Recurrence(LRU([1], [0], B=[[1]], C=[[1]]), FRACTIONS).run([[1], [1]]).states
    [[1], [e^(-1) + 1]]
    """

    __slots__ = ("model", "ring")
    model: AbstractModel
    ring: Ring[Any]

    def __init__(self, model: AbstractModel, ring: Ring[Any]) -> None:
        of_kind(model, AbstractModel, "Recurrence takes a model", "give one of ewsmath.ssm, such as S5(…)")
        self._set(model=model, ring=check_working_ring(ring))

    def __repr__(self) -> str:
        return f"Recurrence({self.model}, ring={self.ring.name})"

    def run(self, inputs: Sequence[Any]) -> Trajectory:
        """The trajectory on inputs.

        Args:
            inputs: At least one input; mostly vectors of exact numbers, see the model.

        Returns:
            States and outputs; index 0 is the state after the first input.

        Raises:
            ValueError: There is no input, or one has a wrong length.
            TypeError: An input holds floats.

        >>> from ewsmath.ssm import LRU
        >>> from ewsmath.ssm.fractions import FRACTIONS
        >>> Recurrence(LRU([1], [0], [[1]], [[1]], None), FRACTIONS).run([[1], [0]]).outputs
        [[1], [e^(-1)]]
        """
        inputs = checked_inputs(inputs)
        state, states = self.model.initial(self.ring), []
        for step in self.model.steps(self.ring, inputs):
            moved = None if state is None else _moved(step.transition, state)
            drive = complex_vector(self.ring, step.drive)
            state = drive if moved is None else [x + w for x, w in zip(moved, drive, strict=True)]
            states.append(state)
        return Trajectory(states, outputs(self.model, self.ring, inputs, states))


def _moved(blocks: Sequence[Matrix[Any]], state: list[Any]) -> list[Any]:
    found: list[Any] = []
    for block in blocks:
        found += block.apply(state[len(found) : len(found) + block.shape[0]])
    return found


def checked_inputs(inputs: Sequence[Any]) -> list[Any]:
    """The inputs as a list.

    Args:
        inputs: What came.

    Returns:
        The list.

    Raises:
        TypeError: They are no sequence.
        ValueError: There are none.

    >>> checked_inputs(([1], [2]))
    [[1], [2]]
    """
    found = entries(inputs, "a model takes its inputs")
    if not found:
        raise ValueError("a model needs at least one input, got none")
    return found


def outputs(model: AbstractModel, ring: Ring[Any], inputs: Sequence[Any], states: list[list[Any]]) -> list[list[Any]]:
    """What a model reads from its states.

    Args:
        model: The model.
        ring: The working ring.
        inputs: The inputs.
        states: The state after each.

    Returns:
        The outputs, real numbers of the ring.

    >>> from ewsmath.ssm import FRACTIONS, LRU
    >>> outputs(LRU([1], [0], B=[[1]], C=[[3]], D=[5]), FRACTIONS, [[1]], [[FRACTIONS.coerce(2)]])  # 3·2 + 5·1
    [[11]]
    """
    pairs = zip(model.readings(ring, inputs), states, strict=True)
    return model.finish(ring, inputs, [_read(reading, state) for reading, state in pairs])


def _read(reading: Reading, state: list[Any]) -> list[Any]:
    return [real_part(y) + c for y, c in zip(reading.matrix.apply(state), reading.skip, strict=True)]
