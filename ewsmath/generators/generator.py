"""What every generator is: a matrix A over a ring, and its exponentials e^{-rA}."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from ewsmath import spectrum
from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.matrix import Matrix
from ewsmath.rings import (
    EE,
    QQ,
    AbstractBalls,
    Ball,
    ExponentialRing,
    Gaussian,
    MatrixExponentialRing,
    Ring,
    check_ring,
)
from ewsmath.rings.door import of_kind, rational
from ewsmath.rings.immutable import Immutable


class AbstractGenerator(Immutable, ABC):
    """A generator A with its exponentials. Immutable.

    Its ring is the one in which the exponentials live: given by ``ring=``, else that of the parameters when
    they are balls, else QQ where A is rational and nilpotent, else EE.

    Attributes:
        ring: The ring of the matrix and of its exponentials.
        matrix: The m x m matrix A.

    Paper: Table 1.
    """

    ring: Ring[Any]
    matrix: Matrix[Any]
    _spectrum: tuple[Gaussian, ...] | None

    def __init__(self, matrix: Matrix[Any], ring: Ring[Any] | None) -> None:
        size = matrix.check_square(type(self).__name__)
        if size < 1:
            raise ValueError(f"{type(self).__name__}: a generator has at least one row, got an empty matrix")
        self._set(ring=matrix.ring, matrix=matrix, _spectrum=None)
        if isinstance(matrix.ring, MatrixExponentialRing):
            return
        self._set(_spectrum=tuple(spectrum.eigenvalues(matrix)))
        if any(self.eigenvalues):
            if not isinstance(self.ring, ExponentialRing):
                raise ValueError(
                    f"{type(self).__name__}: the exponentials of a generator that is not nilpotent "
                    f"are not in "
                    f"{self.ring.name}: use ring=EE"
                )
        elif ring is None and all(x.is_real for x in matrix.entries):
            self._set(ring=QQ, matrix=Matrix.over(QQ, matrix))  # nilpotent: polynomials in r

    @property
    def dim(self) -> int:
        """The width m."""
        return self.matrix.shape[0]

    @property
    def eigenvalues(self) -> list[Gaussian]:
        """The eigenvalues of A with multiplicity, equal ones side by side; ValueError in balls."""
        if self._spectrum is None:
            raise ValueError(f"{self.ring.name}: eigenvalues are decided in exact rings only, use EE")
        return list(self._spectrum)

    def kernel(self) -> Matrix[ExpPoly[Any]]:
        """The closed form of r ↦ e^{-rA}: entry by entry an exponential polynomial in r.

        Returns:
            A matrix over ``ExpPolys(ring)``.

        Raises:
            ValueError: The generator is given in balls, where no exponent is exact.

        Paper: Table 1.
        """
        functions = ExpPolys(self.ring)  # refuses balls
        return self._closed_form().map(functions, functions.coerce)

    @abstractmethod
    def _closed_form(self) -> Matrix[ExpPoly[Any]]:
        """The closed form of r ↦ e^{-rA}, over ``ExpPolys`` of EE or of the ring."""

    @abstractmethod
    def over(self, ring: Ring[Any]) -> AbstractGenerator:
        """The same generator over another ring: ``generator.over(Balls(prec=128))``.

        Its parameters are taken as they were given, so that what came exactly is exact again: from ``Balls(64)`` to
        ``Balls(256)`` a generator with rational parameters gains 192 bits.
        """

    def exponential(self, r: Any) -> Matrix[Any]:
        r"""The propagator e^{-rA} over elapsed clock time r, of either sign.

        Args:
            r: An element of the ring; in exact rings a Gaussian rational.

        Returns:
            An m x m matrix over the ring.

        Raises:
            ValueError: r is no Gaussian rational, and the ring is exact.

        Paper: Section 2; Table 1.
        """
        r = self.ring.coerce(r)
        if isinstance(self.ring, MatrixExponentialRing):
            return spectrum.exponential(self.matrix * -r)
        return self.kernel().map(self.ring, lambda f: f(r))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AbstractGenerator):
            return NotImplemented
        return self is other or (self.ring == other.ring and self.matrix == other.matrix)

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap

    def __repr__(self) -> str:
        return f"{type(self).__name__}(matrix={self.matrix})"


def check_generator(generator: object, use: str) -> AbstractGenerator:
    """The generator, if it is one; else TypeError that names the use."""
    advice = "wrap a matrix, generators.Dense(matrix)"
    return of_kind(generator, AbstractGenerator, f"{use} takes a generator", advice)


def parameter_ring(parameters: Iterable[Any], ring: Ring[Any] | None) -> Ring[Any]:
    """The ring that parameters enter: the one given, else that of the balls among them, else EE.

    Args:
        parameters: The numbers that came.
        ring: The ring asked for, or None.

    Returns:
        The ring.

    Raises:
        ValueError: There are balls of several rings among the parameters.
    """
    if ring is not None:
        return check_ring(ring)
    found: list[AbstractBalls] = []
    for x in parameters:
        if isinstance(x, Ball) and x.ring not in found:
            found.append(x.ring)
    if len(found) > 1:
        raise ValueError(
            f"parameters in {' and '.join(r.name for r in found)}: say which is meant, ring={found[0].name}"
        )
    return found[0] if found else EE


def given(x: Any) -> Any:
    """A parameter as it was given, which no ring has rounded: a rational of any kind as ``fmpq``, all else as it is.

    Generators keep these, so that :meth:`AbstractGenerator.over` goes to a ring of higher precision without a loss.
    """
    number = rational(x)
    return x if number is None else number


def sequence(x: Any) -> Sequence[Any]:
    """The entries of a vector; a single number is a vector of one entry."""
    try:
        return list(x)
    except TypeError:
        return [x]
