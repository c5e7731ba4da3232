"""The door of every ring: which numbers are exact rationals, and how all others are turned away."""

import numbers
import operator
from fractions import Fraction

from flint import fmpq, fmpz


def rational(x: object) -> fmpq | None:
    """The exact rational that x is, or None when it is not one.

    Takes int, ``fmpz``, ``fmpq``, ``fractions.Fraction``, NumPy integers of any width (by their exact
    value: nothing wraps at 2**63) and everything else that says of itself that it is an integer or a
        rational.

    Args:
        x: Any object.

    Returns:
        The rational, or None for floats, strings, balls and all other things.

    >>> from fractions import Fraction
    >>> rational(Fraction(1, 3)), rational(2**70), rational(0.5)
    (1/3, 1180591620717411303424, None)
    """
    if isinstance(x, fmpq):
        return x
    if isinstance(x, numbers.Rational):
        return fmpq(int(x.numerator), int(x.denominator))
    if isinstance(x, fmpz):
        return fmpq(x)
    try:
        return fmpq(operator.index(x))  # type: ignore[arg-type]  # an array of no axes holding an integer
    except TypeError:
        return None


def refusal(name: str, kinds: str, x: object) -> TypeError:
    """The error for something that a ring does not take; a float gets advice on how to write it exactly.

    Args:
        name: Name of the ring.
        kinds: What the ring takes.
        x: What came.

    Returns:
        The error, for the caller to raise.

    >>> print(refusal("QQ", "int, fmpq or Fraction", 0.1))
    QQ takes int, fmpq or Fraction, got 0.1 of type float. A float is not exact: write it as a ratio,
    QQ.ratio(1, 10), or take the binary number that it is, interop.exact(0.1), or use the ball field
    Balls(prec=128).
    """
    came = f"{name} takes {kinds}, got {x!s} of type {type(x).__name__}."
    if isinstance(x, numbers.Real):
        advice = f"or take the binary number that it is, interop.exact({x!s})"
        if not name.startswith(("Balls", "ComplexBalls")):
            advice += ", or use the ball field Balls(prec=128)"
        return TypeError(f"{came} A float is not exact: write it as a ratio, {_as_ratio(name, x)}, {advice}.")
    if isinstance(x, numbers.Complex):
        return TypeError(f"{came} A float is not exact: build it from exact parts, QQ_I.number(real, imag).")
    return TypeError(f"{came} Convert it first: nothing is converted between rings unseen.")


def _as_ratio(name: str, x: object) -> str:
    try:
        ratio = Fraction(str(x))
    except ValueError:  # NaN and infinities are no ratio at all
        return f"{name}.ratio(p, q)"
    return f"{name}.ratio({ratio.numerator}, {ratio.denominator})"
