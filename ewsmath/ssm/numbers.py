"""Parameters as exact numbers: rationals, elements of EE and Frac(EE), and what only balls enclose; never floats."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from ewsmath.rings import EE, QQ, QQ_I, Ball, ComplexBalls, Exponential, Gaussian
from ewsmath.rings.door import entries, rational, refusal
from ewsmath.rings.immutable import Immutable
from ewsmath.ssm import functions
from ewsmath.ssm.fractions import FRACTIONS, sigmoid, sign
from ewsmath.ssm.quotient import Quotient


class AbstractEnclosed(Immutable, ABC):
    """A number f(x) > 0 that no exact ring here holds, but balls of every precision enclose. Immutable.

    Args:
        argument: A rational of any kind, or a real element of EE.

    Attributes:
        argument: The number x.

    >>> Softplus(0).ball(64) == Exponentiated(0).ball(64)
    False
    """

    __slots__ = ("argument",)
    argument: Any
    is_real = True

    def __init__(self, argument: Any) -> None:
        value = rational(argument)
        self._set(argument=EE.coerce(argument) if value is None else value)

    @abstractmethod
    def ball(self, prec: int) -> Ball:
        """A ball around the number.

        Args:
            prec: The precision in bits.

        Returns:
            A ball of ``ComplexBalls(prec)``.

        >>> Softplus(0).ball(64).value.real.str(10, radius=False)
        '0.6931471806'
        """

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.argument})"


class Softplus(AbstractEnclosed):
    """The number log(1 + e^x).

    Args:
        argument: The number x.

    Attributes:
        argument: The number x.

    >>> round(float(Softplus(0).ball(64).value.real), 15)
    0.693147180559945
    """

    __slots__ = ()

    def ball(self, prec: int) -> Ball:
        """A ball around the number.

        Args:
            prec: The precision in bits.

        Returns:
            A ball of ``ComplexBalls(prec)``.

        >>> ring = ComplexBalls(64)
        >>> ring.exp(Softplus(3).ball(64)) == 1 + ring.exp(ring.coerce(3))
        True
        """
        ring = ComplexBalls(prec)
        return functions.softplus(ring, ring.coerce(self.argument))


class Exponentiated(AbstractEnclosed):
    """The number e^x of a number x of EE; where x is rational it is in EE, too.

    Args:
        argument: The number x.

    Attributes:
        argument: The number x.

    >>> round(float(Exponentiated(EE.exp(EE.one)).ball(64).value.real), 12)
    15.154262241479
    """

    __slots__ = ()

    def ball(self, prec: int) -> Ball:
        """A ball around the number.

        Args:
            prec: The precision in bits.

        Returns:
            A ball of ``ComplexBalls(prec)``.

        >>> ring = ComplexBalls(64)
        >>> Exponentiated(EE.exp(EE.one)).ball(64) == ring.exp(ring.exp(ring.one))
        True
        """
        ring = ComplexBalls(prec)
        return ring.exp(ring.coerce(self.argument))


def number(x: Any, what: str) -> Any:
    """The exact number that a parameter is.

    Args:
        x: A rational of any kind, an element of QQ_I, EE or Frac(EE), or a number that balls enclose.
        what: The parameter, for the message.

    Returns:
        x; rationals as ``fmpq``.

    Raises:
        TypeError: x is no exact number, such as a float.

    >>> number(3, "x"), number(EE.exp(EE.one), "x")
    (3, e^(1))
    """
    value = rational(x)
    if value is not None:
        return value
    if isinstance(x, Gaussian | Exponential | Quotient | AbstractEnclosed):
        return x
    raise refusal(
        f"{what}: this place", "exact numbers (int, fmpq, Fraction, elements of QQ_I, EE and Frac(EE))", x, "QQ"
    )


def array(x: Any, shape: Sequence[int | None], what: str) -> Any:
    """Nested tuples of exact numbers, of a stated shape.

    Args:
        x: Nested sequences of numbers.
        shape: The length of each axis; None where any length of at least 1 is allowed.
        what: The parameter, for messages.

    Returns:
        Nested tuples; a number where ``shape`` is empty.

    Raises:
        ValueError: A length differs.
        TypeError: An entry is no exact number, or a row no sequence.

    >>> array([[1, 2], [3, 4]], [None, 2], "x")
    ((1, 2), (3, 4))
    """
    if not shape:
        return number(x, what)
    rows = [array(row, shape[1:], what) for row in entries(x, f"{what}: this place takes entries")]
    if len(rows) != (shape[0] or len(rows)) or not rows:
        raise ValueError(f"{what}: {len(rows)} entries on an axis of {shape[0] or 'at least 1'}")
    return tuple(rows)


def positive(x: Any, what: str) -> Any:
    """An exact number, if it is above 0, which is decided.

    Args:
        x: The number.
        what: The parameter, for the message.

    Returns:
        The number, as :func:`number` gives it.

    Raises:
        TypeError: It is no exact number.
        ValueError: It is not above 0.

    >>> positive(EE.exp(EE.one) - EE.ratio(27183, 10000), "a step")
    Traceback (most recent call last):
        ...
    ValueError: a step must be above 0, got -27183/10000 + e^(1)
    """
    value = number(x, what)
    if not isinstance(value, AbstractEnclosed) and not sign(value) > 0:
        raise ValueError(f"{what} must be above 0, got {value}")
    return value


def pairs(x: Any, shape: Sequence[int | None], what: str) -> Any:
    """Complex numbers stored as pairs (real, imaginary) on a last axis, as elements of QQ_I.

    Args:
        x: Nested sequences of rationals, the last axis of length 2.
        shape: The lengths of the axes before the last, as in :func:`array`.
        what: The parameter, for messages.

    Returns:
        Nested tuples without the last axis.

    >>> pairs([[1, 2], [0, -1]], [None], "B")
    (1+2i, -i)
    """
    return _joined(array(x, [*shape, 2], what), len(shape))


def _joined(x: Any, axes: int) -> Any:
    if axes == 0:
        return QQ_I.number(*x)
    return tuple(_joined(row, axes - 1) for row in x)


def transformed(transform: str, x: Any, what: str) -> Any:
    """A stored parameter after the transform that its release names.

    Args:
        transform: ``"exp"``, ``"none"``, ``"relu"`` (to which the release adds 1/10000), ``"sigmoid"`` or
            ``"softplus"``.
        x: A rational.
        what: The parameter, for messages.

    Returns:
        An exact number.

    Raises:
        ValueError: There is no such transform.

    >>> transformed("exp", 2, "x"), transformed("sigmoid", 0, "x"), transformed("relu", -3, "x")
    (e^(2), 1/2, 1/10000)
    """
    value = QQ.coerce(x)
    if transform == "exp":
        return EE.exp(EE.coerce(value))
    if transform == "none":
        return value
    if transform == "relu":
        return QQ.maximum(value, QQ.zero) + QQ.ratio(1, 10_000)
    if transform == "sigmoid":
        return sigmoid(value)
    if transform == "softplus":
        return Softplus(value)
    raise ValueError(f"{what}: unknown transform {transform!r}: 'exp', 'none', 'relu', 'sigmoid' or 'softplus'")


def fast_step(transform: str, x: Any, what: str) -> Any:
    """A step whose release puts sinh before the transform, the option ``dt_fast``.

    Args:
        transform: ``"exp"`` or ``"softplus"``.
        x: A rational.
        what: The parameter, for messages.

    Returns:
        The number f(sinh x), which balls enclose.

    Raises:
        ValueError: The transform is another one.

    >>> fast_step("exp", 1, "x")
    Exponentiated(-1/2*e^(-1) + 1/2*e^(1))
    """
    power = EE.exp(EE.coerce(QQ.coerce(x)))
    hyperbolic = (power - power**-1) / 2
    if transform == "exp":
        return Exponentiated(hyperbolic)
    if transform == "softplus":
        return Softplus(hyperbolic)
    raise ValueError(f"{what}: no transform {transform!r} of sinh: 'exp' or 'softplus'")


def stored_eigenvalues(decays: Any, frequencies: Any, transforms: tuple[str, str], sign: int, what: str) -> Any:
    """The numbers -f(decay) ± i g(frequency) of stored arrays, S x N.

    Args:
        decays: S x N rationals.
        frequencies: S x N rationals.
        transforms: The names of f and g.
        sign: The sign of the imaginary part, 1 or -1.
        what: The model, for messages.

    Returns:
        Nested tuples of exact complex numbers.

    >>> stored_eigenvalues([[0]], [[3]], ("exp", "none"), 1, "x")
    ((-1+3i,),)
    """

    def eigenvalue(x: Any, y: Any) -> Any:
        decay = FRACTIONS.coerce(transformed(transforms[0], x, what))
        frequency = FRACTIONS.coerce(transformed(transforms[1], y, what))
        return QQ_I.i * sign * frequency - decay

    return tuple(tuple(map(eigenvalue, *rows)) for rows in zip(decays, frequencies, strict=True))
