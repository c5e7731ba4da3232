"""The door: which numbers are exact rationals or whole, and how all else is turned away."""

import numbers
import operator
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeVar

from flint import fmpq

T = TypeVar("T")


def rational(x: object) -> fmpq | None:
    """The exact rational that x is, or None when it is not one.

    Takes int, ``fmpz``, ``fmpq``, ``fractions.Fraction``, NumPy integers of any width (by their exact
    value: nothing wraps at 2**63) and everything else that says of itself that it is an integer or a
    rational. True and False are none.

    Args:
        x: Any object.

    Returns:
        The rational, or None for booleans, floats, strings, balls and all other things.

    >>> from fractions import Fraction
    >>> rational(Fraction(1, 3)), rational(2**70), rational(0.5)
    (1/3, 1180591620717411303424, None)
    """
    if isinstance(x, fmpq):
        return x
    if isinstance(x, numbers.Rational) and not isinstance(x, bool):
        return fmpq(int(x.numerator), int(x.denominator))
    n = integer(x)
    return None if n is None else fmpq(n)


def integer(x: object) -> int | None:
    """The int that x is, or None when it is no whole number. True and False are none.

    Args:
        x: Any object.

    Returns:
        The int, also for ``fmpz``, NumPy integers and arrays of no axes that hold one; else None.

    >>> integer(3), integer(3.0), integer(True)
    (3, None, None)
    """
    if isinstance(x, bool):
        return None
    try:
        return operator.index(x)  # type: ignore[arg-type]
    except TypeError:
        return None


def whole(x: object, what: str, at_least: int = 1) -> int:
    """The int that x is, if it is large enough: a width, a depth, a size.

    Args:
        x: What came.
        what: What it is to be, for the message.
        at_least: The smallest number that is allowed.

    Returns:
        The int.

    Raises:
        TypeError: x is no whole number.
        ValueError: x is below ``at_least``.

    >>> whole(3, "the depth")
    3
    >>> whole(0, "the depth")
    Traceback (most recent call last):
    ValueError: the depth must be at least 1, got 0
    """
    n = integer(x)
    if n is None:
        raise TypeError(f"{what} is a whole number, got {named(x)}")
    if n < at_least:
        raise ValueError(f"{what} must be at least {at_least}, got {n}")
    return n


def of_kind(x: object, kind: type[T], what: str, advice: str) -> T:
    """The object x, if it is of a kind.

    Args:
        x: What came.
        kind: The class that is allowed.
        what: Who takes what, for the message.
        advice: What to do, for the message.

    Returns:
        x itself.

    Raises:
        TypeError: x is of another kind.
    """
    if not isinstance(x, kind):
        raise TypeError(f"{what}, got {named(x)}: {advice}")
    return x


def operand(own: T, other: Any, kinds: str, advice: str) -> T:
    """The other operand of a sum or product, if it is of the same kind over the same ring.

    Args:
        own: The first operand, with its attribute ``ring``.
        other: What came.
        kinds: What both are, in the plural, for the message.
        advice: What to do with a number, for the message.

    Returns:
        The other operand itself.

    Raises:
        TypeError: It is of another kind.
        ValueError: The rings differ.
    """
    of_kind(other, type(own), f"{kinds} go together with {kinds}", advice)
    mine: Any = own
    if other.ring is not mine.ring and other.ring != mine.ring:
        raise ValueError(
            f"{kinds} over {mine.ring.name} and {other.ring.name} are not mixed: take one to the other's ring"
        )
    return other


def entries(x: object, what: str) -> list[Any]:
    """The entries of a sequence.

    Args:
        x: What came.
        what: Who takes what, for the message.

    Returns:
        A list.

    Raises:
        TypeError: x is no sequence.
    """
    if isinstance(x, str) or not isinstance(x, Iterable):
        raise TypeError(f"{what} as a sequence, got {named(x)}: write [x] for one alone")
    return list(x)


def named(x: object) -> str:
    """What came, for messages: the object and its type."""
    return f"{x!r} of type {type(x).__name__}"


def inexact(x: object) -> bool:
    """Whether x is a number that is no rational, such as a float of any width, or a truth value.

    Args:
        x: Any object.

    Returns:
        The answer; False for balls and for everything that Python does not take for a number.

    >>> [inexact(x) for x in (0.5, 1j, True, 2, Fraction(1, 2), "0.5")]
    [True, True, True, False, False, False]
    """
    return rational(x) is None and (isinstance(x, numbers.Number) or _is_truth_value(x))


def exact_number(x: T, what: str) -> T:
    """The number x as it came, if it is no float: for parameters whose ring is not known yet.

    Args:
        x: What came.
        what: Who takes it, for the message.

    Returns:
        x itself.

    Raises:
        TypeError: x is a float, a truth value, or no number at all. Numbers of mpmath pass, for MP takes them.

    >>> exact_number(Fraction(1, 2), "the clock")
    Fraction(1, 2)
    >>> exact_number(None, "the clock")
    Traceback (most recent call last):
    TypeError: the clock takes exact numbers or balls, got None of type NoneType. Convert it first: nothing is
    converted between rings unseen.
    """
    if (inexact(x) and not hasattr(x, "context")) or not hasattr(x, "__sub__"):
        raise refusal(what, "exact numbers or balls", x, "QQ")
    return x


def quotient(p: object, q: object, ring: str) -> fmpq:
    """The rational p/q, for the ratios of every ring.

    Args:
        p: The numerator.
        q: The denominator.
        ring: The ring, as it is written in code, for the message.

    Returns:
        The rational.

    Raises:
        TypeError: One of the two is no rational.
        ZeroDivisionError: q is 0.

    >>> quotient(2, -6, "QQ")
    -1/3
    """
    if type(p) is int and type(q) is int:
        return fmpq(p, q)
    numerator, denominator = rational(p), rational(q)
    if numerator is None or denominator is None:
        raise refusal(f"{ring}.ratio", "whole numbers", p if numerator is None else q, ring)
    return numerator / denominator


def foreign(ring: str, kinds: str, x: object) -> TypeError:
    """The error for an operand that does not go together with the elements of a ring.

    Args:
        ring: The ring, as it is written in code.
        kinds: What its elements go together with.
        x: What came.

    Returns:
        The error, for the caller to raise.

    >>> print(foreign("EE", "elements of QQ, QQ_I and EE", 0.5))
    EE takes in sums and products elements of QQ, QQ_I and EE, got 0.5 of type float. A float is not exact: write it as
    a ratio, EE.ratio(1, 2), or take the binary number that it is, interop.exact(0.5), or use the ball field
    Balls(prec=128).
    """
    return refusal(ring, f"in sums and products {kinds}", x)


def refusal(name: str, kinds: str, x: object, ring: str | None = None) -> TypeError:
    """The error for something that a ring does not take; a float gets advice on how to write it exactly.

    Args:
        name: Name of the ring, or of the argument.
        kinds: What it takes.
        x: What came.
        ring: The ring whose ratios are advised, as it is written in code; None for the name.

    Returns:
        The error, for the caller to raise.

    >>> print(refusal("QQ", "int, fmpq or Fraction", 0.1))
    QQ takes int, fmpq or Fraction, got 0.1 of type float. A float is not exact: write it as a ratio,
    QQ.ratio(1, 10), or take the binary number that it is, interop.exact(0.1), or use the ball field
    Balls(prec=128).
    """
    came = f"{name} takes {kinds}, got {x!s} of type {type(x).__name__}."
    if _is_truth_value(x):
        return TypeError(f"{came} A truth value is no number: write 1 or 0.")
    if isinstance(x, numbers.Real):
        advice = f"write it as a ratio, {_as_ratio(ring or name, x)}"
        if hasattr(x, "as_integer_ratio"):
            advice += f", or take the binary number that it is, interop.exact({_as_code(x)})"
        if not name.startswith(("Balls", "ComplexBalls")):
            advice += ", or use the ball field Balls(prec=128)"
        return TypeError(f"{came} A float is not exact: {advice}.")
    if isinstance(x, numbers.Complex):
        return TypeError(f"{came} A float is not exact: build it from exact parts, QQ_I.number(real, imag).")
    return TypeError(f"{came} Convert it first: nothing is converted between rings unseen.")


def _is_truth_value(x: object) -> bool:
    return isinstance(x, bool) or type(x).__name__ in ("bool", "bool_")  # NumPy has a type of its own


def _as_code(x: object) -> str:
    """A float as code that gives the same float: what 0.1 means depends on its type."""
    kind = type(x)
    return f"np.{kind.__name__}({x!s})" if kind.__module__ == "numpy" else repr(x)


def _as_ratio(name: str, x: object) -> str:
    try:
        ratio = Fraction(str(x))
    except ValueError:  # NaN and infinities are no ratio at all
        return f"{name}.ratio(p, q)"
    return f"{name}.ratio({ratio.numerator}, {ratio.denominator})"
