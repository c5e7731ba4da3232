"""Certified distances between a recurrence and the EWS that it became."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb, fmpq

from ewsmath.rings import QQ, Ball, Balls, Ring, WorkingPrecision
from ewsmath.rings.door import whole
from ewsmath.ssm.conversion import Conversion
from ewsmath.ssm.model import AbstractModel
from ewsmath.ssm.recurrence import Recurrence, checked_inputs
from ewsmath.ssm.working_ring import UndecidedError

_BOUND_BITS = 64
LARGEST_PRECISION = 2**14
"""The precision in bits at which :func:`certify` gives up."""


@dataclass(frozen=True, repr=False)
class Certificate:
    """Rigorous bounds of the distance between the recurrence of a model and its EWS on given inputs.

    Attributes:
        state: No ``|h_j - T_j S_j|``, of any entry and any j, exceeds it.
        output: No difference of outputs exceeds it.
        state_scale: The largest ``|h_j|`` is at least this.
        output_scale: The largest output is at least this.
        refuted: Whether the two are certainly different: some difference is certainly not 0.
        ring: The ring in which both were run, with its precision.

    >>> from ewsmath.ssm import FRACTIONS, LRU
    >>> found = distance(Conversion(LRU([1], [0], B=[[1]], C=[[1]]), FRACTIONS), [[1], [2]])
    >>> found
    Certificate(state=0, output=0, refuted=False, ring=Frac(EE))
    >>> found.holds(digits=50)
    True
    """

    state: fmpq
    output: fmpq
    state_scale: fmpq
    output_scale: fmpq
    refuted: bool
    ring: Ring[Any]

    def __repr__(self) -> str:
        with WorkingPrecision(_BOUND_BITS):
            bounds = [arb(x).str(3, radius=False) for x in (self.state, self.output)]
        return f"Certificate(state={bounds[0]}, output={bounds[1]}, refuted={self.refuted}, ring={self.ring.name})"

    def holds(self, digits: int) -> bool:
        """Whether both distances are at most 10^-digits times their scale (times 1 where all is zero).

        Args:
            digits: Number of decimal digits.

        Returns:
            Whether the digits are certain; they may be true without that.

        >>> from ewsmath.rings import Balls
        >>> from ewsmath.ssm import LRU
        >>> found = distance(Conversion(LRU([1], [1], B=[[1]], C=[[1]]), Balls(64)), [[1], [2]])
        >>> found.holds(digits=10), found.holds(digits=30)
        (True, False)
        """
        pairs = [(self.state, self.state_scale), (self.output, self.output_scale)]
        return all(bound * 10**digits <= (scale or 1) for bound, scale in pairs)


def distance(conversion: Conversion, inputs: Sequence[Any]) -> Certificate:
    """The certified distance of a conversion from the recurrence of its model, in the ring of the conversion.

    Both are run on the same inputs. In balls the bounds hold for the true numbers, whatever the precision; a
    correct conversion is at distance 0, and its bound goes to 0 with more bits. In ``FRACTIONS`` the
    bound of a correct conversion is 0.

    Args:
        conversion: The conversion, also one with generators and lifts from elsewhere.
        inputs: The inputs.

    Returns:
        The certificate.

    Raises:
        ValueError: There is no input, or one has a wrong length.
        TypeError: An input holds floats.

    >>> from ewsmath.ssm import FRACTIONS, LRU
    >>> conversion = Conversion(LRU([1], [0], B=[[1]], C=[[1]]), FRACTIONS)
    >>> distance(conversion, [[1], [2]]).state
    0
    """
    inputs = checked_inputs(inputs)
    own, converted = Recurrence(conversion.model, conversion.ring).run(inputs), conversion.run(inputs)
    state = [x - y for a, b in zip(own.states, converted.states, strict=True) for x, y in zip(a, b, strict=True)]
    output = [x - y for a, b in zip(own.outputs, converted.outputs, strict=True) for x, y in zip(a, b, strict=True)]
    return Certificate(
        state=_upper(state),
        output=_upper(output),
        state_scale=_lower(x for h in own.states for x in h),
        output_scale=_lower(y for row in own.outputs for y in row),
        refuted=any(_lower([x]) > 0 for x in state + output),
        ring=conversion.ring,
    )


def certify(model: AbstractModel, inputs: Sequence[Any], digits: int = 30) -> Certificate:
    """The distance of a conversion from its model, with as many certified digits as are asked for.

    The precision is raised until the bounds are at most 10^-digits times the largest state and output.

    Args:
        model: The model.
        inputs: The inputs.
        digits: Number of decimal digits.

    Returns:
        The certificate; its ring says the precision that was needed.

    Raises:
        ValueError: There is no conversion.
        ArithmeticError: The conversion is wrong, or the digits are not reached at ``LARGEST_PRECISION`` bits.

    Paper: Appendix E.

    >>> from ewsmath.rings import QQ
    >>> from ewsmath.ssm import LRU
    >>> model = LRU([1], [QQ.ratio(1, 2)], B=[[1]], C=[[1]])
    >>> certify(model, [[1], [QQ.ratio(1, 3)]], digits=40).holds(40)
    True
    """
    digits = whole(digits, "certify: the number of digits")
    prec = _BOUND_BITS + 4 * digits
    while prec <= LARGEST_PRECISION:
        try:
            found = distance(Conversion(model, Balls(prec)), inputs)
        except (UndecidedError, ZeroDivisionError):
            prec *= 2
            continue
        if found.refuted:
            raise ArithmeticError(
                f"the recurrence of {type(model).__name__} and its EWS are certainly different: {found}"
            )
        if found.holds(digits):
            return found
        prec *= 2
    raise ArithmeticError(f"{digits} digits were not reached at {LARGEST_PRECISION} bits: ask for fewer")


def _upper(numbers: Iterable[Any]) -> fmpq:
    """A rational that no |x| exceeds."""
    largest = QQ.zero
    for x in numbers:
        if x:
            largest = QQ.maximum(largest, _ball(x).abs_upper())
    return largest


def _lower(numbers: Iterable[Any]) -> fmpq:
    """A rational that the largest |x| is not below."""
    largest = QQ.zero
    for x in numbers:
        if x:
            with WorkingPrecision(_BOUND_BITS):
                bound = Ball(Balls(_BOUND_BITS), _ball(x).value.abs_lower())
            largest = QQ.maximum(largest, bound.mid)
    return largest


def _ball(x: Any) -> Ball:
    return x if isinstance(x, Ball) else x.ball(_BOUND_BITS)
