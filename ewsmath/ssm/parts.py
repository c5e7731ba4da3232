"""What a state-space model is made of, input by input, and the parts of the EWS that it becomes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ewsmath.generators import AbstractGenerator
from ewsmath.matrix import Matrix


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
