"""The families of generators and clocks, once for all tests: a new one joins every test by one line here."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ewsmath.clocks
import ewsmath.generators
import ewsnn.clocks
import ewsnn.generators
from ewsmath.rings import Balls

Draw = Callable[[np.random.Generator, int], tuple[Any, ...]]


def _exact(argument: Any) -> Any:
    return ewsmath.exact(argument) if isinstance(argument, np.ndarray | float) else argument


@dataclasses.dataclass(frozen=True)
class GeneratorCase:
    """A family, called the same on both sides, and how its arguments are drawn for width m."""

    name: str
    draw: Draw
    note: str = ""

    def __str__(self) -> str:
        return self.name + self.note

    def arguments(self, seed: int, m: int) -> tuple[Any, ...]:
        return self.draw(np.random.default_rng(seed), m)

    def fast(self, arguments: tuple[Any, ...]) -> ewsnn.generators.AbstractGenerator:
        return getattr(ewsnn.generators, self.name)(*arguments)

    def exact(self, arguments: tuple[Any, ...], prec: int = 128) -> ewsmath.generators.AbstractGenerator:
        """The same family of the exact side, with the same binary numbers."""
        family = getattr(ewsmath.generators, self.name)
        return family(*map(_exact, arguments), ring=Balls(prec))


@dataclasses.dataclass(frozen=True)
class SumCase(GeneratorCase):
    """Two families side by side."""

    parts: tuple[GeneratorCase, ...] = ()

    def arguments(self, seed: int, m: int) -> tuple[Any, ...]:
        return tuple(part.arguments(seed, m // 2) for part in self.parts)

    def fast(self, arguments: tuple[Any, ...]) -> ewsnn.generators.AbstractGenerator:
        pairs = zip(self.parts, arguments, strict=True)
        return ewsnn.generators.DirectSum(*(part.fast(own) for part, own in pairs))

    def exact(self, arguments: tuple[Any, ...], prec: int = 128) -> ewsmath.generators.AbstractGenerator:
        pairs = zip(self.parts, arguments, strict=True)
        return ewsmath.generators.DirectSum(*(part.exact(own, prec) for part, own in pairs))


@dataclasses.dataclass(frozen=True)
class ClockCase:
    """A clock, called the same on both sides, and how its arguments are drawn for d channels."""

    name: str
    draw: Draw
    note: str = ""

    def __str__(self) -> str:
        return self.name + self.note

    def arguments(self, seed: int, d: int) -> tuple[Any, ...]:
        return self.draw(np.random.default_rng(seed), d)

    def fast(self, arguments: tuple[Any, ...]) -> ewsnn.clocks.AbstractClock:
        return getattr(ewsnn.clocks, self.name)(*arguments)

    def exact(self, arguments: tuple[Any, ...]) -> ewsmath.clocks.AbstractClock:
        """The same clock of the exact side; the increments of ``Given`` come with each path, so it has none."""
        return getattr(ewsmath.clocks, self.name)(*map(_exact, arguments))


def _rotation(rng: np.random.Generator, m: int) -> tuple[Any, ...]:
    return rng.uniform(0.1, 1, m // 2), rng.uniform(-3, 3, m // 2)


ROTATION = GeneratorCase("Rotation", _rotation)
JORDAN = GeneratorCase("Jordan", lambda rng, m: (rng.uniform(0.1, 1, ()), m))
GENERATORS = [
    GeneratorCase("Zero", lambda rng, m: (m,)),
    GeneratorCase("Diagonal", lambda rng, m: (rng.uniform(-0.2, 1, m),), " of either sign"),
    ROTATION,
    GeneratorCase("Rotation", lambda rng, m: (None, rng.uniform(-3, 3, m // 2)), " undamped"),
    JORDAN,
    GeneratorCase("ComplexJordan", lambda rng, m: (*(x[0] for x in _rotation(rng, 2)), m // 2)),
    GeneratorCase("Skew", lambda rng, m: (rng.normal(size=m * (m - 1) // 2),)),
    # Quarters: the difference W − Wᵀ is exact, so both sides hold the same numbers.
    GeneratorCase("Skew", lambda rng, m: (rng.integers(-8, 8, (m, m)) / 4,), " of a full matrix"),
    GeneratorCase("Dense", lambda rng, m: (rng.normal(size=(m, m)) / 2,)),
    SumCase("DirectSum", lambda rng, m: (), parts=(ROTATION, JORDAN)),
]
CLOCKS = [
    ClockCase("Time", lambda rng, d: ()),
    ClockCase("Observation", lambda rng, d: ()),
    ClockCase("Variation", lambda rng, d: ()),
    ClockCase("Blended", lambda rng, d: (0.7,)),
    ClockCase("Gated", lambda rng, d: (rng.normal(size=d), rng.normal(size=()))),
    ClockCase("Gated", lambda rng, d: (rng.normal(size=d),), " without bias"),
    ClockCase("Clamped", lambda rng, d: (rng.normal(size=(3, d)), rng.normal(size=3))),
    ClockCase("Given", lambda rng, d: ()),
]


@pytest.fixture(params=GENERATORS, ids=str)
def generator_case(request: pytest.FixtureRequest) -> GeneratorCase:
    """Every family of generators in turn."""
    return request.param


@pytest.fixture(params=CLOCKS, ids=str)
def clock_case(request: pytest.FixtureRequest) -> ClockCase:
    """Every clock in turn."""
    return request.param
