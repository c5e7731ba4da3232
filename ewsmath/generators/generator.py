"""What every generator is: a matrix A over a ring, and its exponentials e^{-rA}."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from ewsmath import spectrum
from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.jordan_form import JordanForm, Mode
from ewsmath.matrix import Matrix
from ewsmath.rings import (
    EE,
    QQ,
    QQ_I,
    SR,
    ExponentialRing,
    MatrixExponentialRing,
    Ring,
    check_ring,
    complexification,
    exponent_field,
    supports,
    taken,
)
from ewsmath.rings.door import of_kind, rational
from ewsmath.rings.immutable import Immutable


class AbstractGenerator(Immutable, ABC):
    """A generator A with its exponentials. Immutable.

    Its ring is the one in which the exponentials live: given by ``ring=``, else that of the parameters when
    they are formulas of SR, balls or numbers of MP, else QQ where A is rational and nilpotent, else EE.

    Args:
        matrix: The matrix A.
        ring: The ring that was asked for; None where it is to follow from the matrix.

    Attributes:
        ring: The ring of the matrix and of its exponentials.
        matrix: The m x m matrix A.

    Raises:
        ValueError: The matrix is not square or is empty, or its exponentials are not in the ring.

    Paper: Table 1.

    >>> from ewsmath.generators import Diagonal, Jordan
    >>> A = Jordan(2, 2)
    >>> A.matrix, A.ring, A.dim, A.eigenvalues
    (Matrix(EE, [[2, 1], [0, 2]]), EE, 2, [2, 2])
    """

    ring: Ring[Any]
    matrix: Matrix[Any]
    _spectrum: tuple[Any, ...] | None

    def __init__(self, matrix: Matrix[Any], ring: Ring[Any] | None) -> None:
        size = matrix.check_square(type(self).__name__)
        if size < 1:
            raise ValueError(f"{type(self).__name__}: a generator has at least one row, got an empty matrix")
        self._set(ring=matrix.ring, matrix=matrix, _spectrum=None)
        if supports(matrix.ring, MatrixExponentialRing):
            return
        self._set(_spectrum=tuple(Counter(self._eigenvalues()).elements()))
        if any(self.eigenvalues):
            if not supports(self.ring, ExponentialRing):
                raise ValueError(
                    f"{type(self).__name__}: the exponentials of a generator that is not nilpotent are not in "
                    f"{self.ring.name}: use ring=EE"
                )
        elif ring is None and matrix.ring == EE and all(x.is_real for x in matrix.entries):
            self._set(ring=QQ, matrix=Matrix.over(QQ, matrix))  # nilpotent: polynomials in r

    @property
    def dim(self) -> int:
        """The width m."""
        return self.matrix.shape[0]

    @property
    def eigenvalues(self) -> list[Any]:
        """The eigenvalues of A with multiplicity, equal ones side by side: Gaussian rationals, over SR elements of RF.

        Raises:
            ValueError: The ring is one of balls or MP, where equal eigenvalues cannot be told from close ones.
        """
        if self._spectrum is None:
            raise ValueError(f"{self.ring.name}: eigenvalues are decided in exact rings only, use EE")
        return list(self._spectrum)

    @abstractmethod
    def _eigenvalues(self) -> Iterable[Any]:
        """The eigenvalues of A with multiplicity, in an exact ring."""

    @abstractmethod
    def jordan_form(self) -> JordanForm:
        """The Jordan form A = P J P^{-1}, complex where A has complex eigenvalues.

        Returns:
            P and its inverse over the complexification of the ring (EE, SR, complex balls, MP), and the blocks; the
            eigenvalues are Gaussian rationals, over SR elements of RF, else numbers of that ring.

        Raises:
            ValueError: The ring is one of balls or MP, and the blocks do not follow from the parameters.

        Paper: Table 1.

        >>> from ewsmath.generators import Diagonal
        >>> Diagonal([1, 2]).jordan_form().blocks
        ((1, 1), (2, 1))
        """

    def modes(self) -> list[Mode]:
        """The terms r^ℓ e^{αr} C that r ↦ e^{-rA} is the sum of.

        Returns:
            The terms; in exact rings no two have power and exponent in common.

        Raises:
            ValueError: There is no Jordan form in the ring.

        >>> from ewsmath.generators import Diagonal
        >>> [(mode.power, mode.exponent) for mode in Diagonal([1, 2, 1]).modes()]
        [(0, -1), (0, -2)]
        """
        if self._spectrum is None:
            return list(self.jordan_form().modes())
        merged: dict[tuple[int, Any], Matrix[Any]] = {}
        for power, exponent, C in self.jordan_form().modes():
            key = power, exponent
            merged[key] = merged[key] + C if key in merged else C
        return [Mode(power, exponent, C) for (power, exponent), C in merged.items()]

    def kernel(self) -> Matrix[ExpPoly[Any]]:
        """The closed form of r ↦ e^{-rA}: entry by entry an exponential polynomial in r.

        Returns:
            A matrix over ``ExpPolys(ring)``.

        Raises:
            ValueError: The generator is given in balls or MP, where no exponent is exact.

        Paper: Table 1.

        >>> from ewsmath.generators import Jordan
        >>> Jordan(2, 2).kernel()
        Matrix(ExpPolys(EE), [[e^(-2u), -u*e^(-2u)], [0, e^(-2u)]])
        """
        return self._kernel

    @cached_property
    def _kernel(self) -> Matrix[ExpPoly[Any]]:
        functions, modes = ExpPolys(self.ring), self.modes()  # refuses balls
        entries = []
        for place in range(self.dim**2):
            f = {(mode.power, mode.exponent): mode.matrix.entries[place] for mode in modes}
            entries.append(functions.coerce(ExpPoly(complexification(self.ring), f)))
        return Matrix.flat(functions, entries, self.dim)

    @property
    def _exponents(self) -> Any:
        """The field in which rates and frequencies are taken where the eigenvalues are made of them."""
        return exponent_field(self.ring)

    @abstractmethod
    def over(self, ring: Ring[Any]) -> AbstractGenerator:
        """The same generator over another ring: ``generator.over(Balls(prec=128))``.

        Its parameters are taken as they were given, so that what came exactly is exact again: from ``Balls(64)`` to
        ``Balls(256)`` a generator with rational parameters gains 192 bits.

        Args:
            ring: The ring.

        Returns:
            A generator of the same family.

        >>> from ewsmath.generators import Diagonal
        >>> from ewsmath.rings import Balls
        >>> Diagonal(1).over(Balls(64)).ring
        Balls(prec=64)
        """

    def exponential(self, r: Any) -> Matrix[Any]:
        r"""The propagator e^{-rA} over elapsed clock time r, of either sign.

        Args:
            r: An element of the ring; in QQ, QQ_I and EE a Gaussian rational, in SR a rational function of parameters.

        Returns:
            An m x m matrix over the ring.

        Raises:
            ValueError: r is none of these; where a larger ring has it, that is named.

        Paper: Section 2; Table 1.

        >>> from ewsmath.generators import Diagonal
        >>> Diagonal([1, 2]).exponential(3)
        Matrix(EE, [[e^(-3), 0], [0, e^(-6)]])
        """
        r = taken(self.ring, r, "the generator")
        if supports(self.ring, MatrixExponentialRing):
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
    """The generator, if it is one; else TypeError that names the use.

    Args:
        generator: What came.
        use: Who takes it, for the message.

    Returns:
        The generator itself.

    Raises:
        TypeError: It is none.

    >>> check_generator([[1]], "a kernel")
    Traceback (most recent call last):
        ...
    TypeError: a kernel takes a generator, got [[1]] of type list: wrap a matrix, generators.Dense(matrix)
    """
    advice = "wrap a matrix, generators.Dense(matrix)"
    return of_kind(generator, AbstractGenerator, f"{use} takes a generator", advice)


def parameter_ring(parameters: Iterable[Any], ring: Ring[Any] | None) -> Ring[Any]:
    """The ring that parameters enter: the one given, else that of those which know their ring, else EE.

    Balls, numbers of MP and formulas of SR know their ring, and so do elements of any ring that have an attribute
    ``ring``.

    Args:
        parameters: The numbers that came.
        ring: The ring asked for, or None.

    Returns:
        The ring.

    Raises:
        ValueError: There are elements of several such rings among the parameters.

    >>> from ewsmath.rings import SR, Balls
    >>> parameter_ring([1, SR.symbol("a")], None), parameter_ring([1], None), parameter_ring([1], Balls(64))
    (SR, EE, Balls(prec=64))
    """
    if ring is not None:
        return check_ring(ring)
    return common_ring((x.ring for x in parameters if hasattr(x, "ring")), "parameters", EE)


def common_ring(rings: Iterable[Ring[Any]], what: str, least: Ring[Any] = QQ) -> Ring[Any]:
    """The ring that others go to: the largest of QQ, QQ_I, EE and SR among them, or the one of another kind.

    Args:
        rings: The rings.
        what: What is over them, in the plural, for the message.
        least: The smallest answer.

    Returns:
        The ring.

    Raises:
        ValueError: There are several of another kind, such as balls of two precisions.

    >>> from ewsmath.rings import QQ_I, Balls
    >>> common_ring([QQ, QQ_I, QQ], "parts"), common_ring([QQ, Balls(64)], "parts")
    (QQ_I, Balls(prec=64))
    """
    exact = [QQ, QQ_I, EE, SR]  # each contains the one before
    largest, others = exact.index(least), []
    for ring in rings:
        if ring in exact:
            largest = max(largest, exact.index(ring))
        elif ring not in others:
            others.append(ring)
    if len(others) > 1:
        raise ValueError(f"{what} in {' and '.join(r.name for r in others)}: say which is meant, ring={others[0].name}")
    return others[0] if others else exact[largest]


def given(x: Any) -> Any:
    """A parameter as it was given, which no ring has rounded: a rational of any kind as ``fmpq``, all else as it is.

    Generators keep these, so that :meth:`AbstractGenerator.over` goes to a ring of higher precision without a loss.

    Args:
        x: The parameter.

    Returns:
        The ``fmpq``, or x itself.

    >>> from fractions import Fraction
    >>> given(Fraction(1, 3)), given("a")
    (1/3, 'a')
    """
    number = rational(x)
    return x if number is None else number


def given_rows(rows: Sequence[Sequence[Any]]) -> tuple[tuple[Any, ...], ...]:
    """The rows of a matrix, each entry as it was given.

    Args:
        rows: The rows.

    Returns:
        A tuple of rows.

    >>> from fractions import Fraction
    >>> given_rows([[Fraction(1, 3), "a"]])
    ((1/3, 'a'),)
    """
    return tuple(tuple(map(given, row)) for row in rows)


def sequence(x: Any) -> Sequence[Any]:
    """The entries of a vector; a single number is a vector of one entry.

    Args:
        x: The vector, or the number.

    Returns:
        The entries.

    >>> sequence((1, 2)), sequence(3)
    ([1, 2], [3])
    """
    try:
        return list(x)
    except TypeError:
        return [x]
