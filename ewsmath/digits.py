"""Certified decimal digits of exact numbers: balls are sharpened until every coordinate has as many as asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import arb

from ewsmath.latex import letters
from ewsmath.rings import MP, AbstractBalls, Ball, Balls, ComplexBalls, WorkingPrecision
from ewsmath.rings.door import whole
from ewsmath.tensor import Tensor, TensorAlgebra, check_tensor
from ewsmath.words import Word

_FIRST_GUARD_BITS = 64
_BITS = 4
"""Bits that are reckoned for a decimal digit; log2(10) is 3.33."""

_GIVE_UP = 8
"""The working precision is raised to at most this multiple of the first one, unless a limit is said."""

_BOUND_BITS = 64


@dataclass(frozen=True, eq=False)
class Digits:
    """Decimal digits of the coordinates of a tensor, certified where ``undecided`` does not name the word.

    A coordinate has n certified digits when the radius of its ball is at most 10^(-n) times every number in the
    ball (for a complex number, of its modulus); or when it is known to be zero exactly.

    Attributes:
        digits: The number n of digits that was asked for.
        prec: The working precision in bits at which they were reached, or at which it was given up.
        tensor: The tensor over ``Balls(prec)``, or ``ComplexBalls(prec)`` where a coordinate is not real.
        undecided: The words whose coordinates have fewer digits; empty when all have n.

    >>> from ewsmath.rings import EE
    >>> found = digits(TensorAlgebra(EE, dim=1, depth=1).vector([EE.exp(EE.one)]), 10)
    >>> found[1], bool(found), found
    ('2.718281828', True, Digits(digits=10, prec=104, undecided=()))
    """

    digits: int
    prec: int
    tensor: Tensor[Ball]
    undecided: tuple[Word, ...]

    def __bool__(self) -> bool:
        """Whether every coordinate has its digits."""
        return not self.undecided

    def __getitem__(self, word: Word | int) -> str:
        """The digits of one coordinate; a ball that was given up reads [m +/- r]."""
        ball = self.tensor[word]
        with WorkingPrecision(self.prec):
            if (word if isinstance(word, tuple) else (word,)) in self.undecided:
                return str(ball)
            parts = [ball.value] if isinstance(ball.value, arb) else [ball.value.real, ball.value.imag]
            texts = [part.str(self.digits, radius=False) for part in parts]
        return texts[0] if len(texts) == 1 else f"{texts[0]} + {texts[1]}i".replace("+ -", "- ")

    def __repr__(self) -> str:
        return f"Digits(digits={self.digits}, prec={self.prec}, undecided={self.undecided})"

    def __str__(self) -> str:
        words = list(self.tensor.algebra.words())
        names = [f"e{letters(word)}" if word else "1" for word in words]
        width = max(map(len, names))
        lines = [f"{name:<{width}}  {self[word]}" for name, word in zip(names, words, strict=True)]
        if self.undecided:
            end = f"gave up at {self.prec} bits with {len(self.undecided)} of {len(words)} coordinates undecided"
        else:
            end = f"{self.digits} certified digits, at {self.prec} bits"
        return "\n".join([*lines, end])


def digits(tensor: Tensor[Any], n: int, *, limit: int | None = None) -> Digits:
    """The coordinates of an exact tensor to n certified digits.

    Args:
        tensor: A tensor over QQ, QQ_I, EE or another ring whose elements balls of every precision take.
        n: The number of significant decimal digits.
        limit: The working precision in bits at which to give up; None for eight times the first one.

    Returns:
        The digits.

    Raises:
        TypeError: The ring is none of numbers; n is no whole number.
        ValueError: n is below 1; or the tensor is over balls or MP, which nothing sharpens.

    >>> from ewsmath.rings import EE
    >>> T = TensorAlgebra(EE, dim=1, depth=2)
    >>> print(digits(T.exp(T.vector([EE.exp(EE.one)])), 20))
    1    1.0000000000000000000
    e1   2.7182818284590452354
    e11  3.6945280494653251136
    20 certified digits, at 144 bits
    """
    algebra = check_tensor(tensor, "digits").algebra
    if isinstance(algebra.ring, AbstractBalls):
        raise ValueError(
            f"a tensor over {algebra.ring.name} has the digits that it has: raise the precision where it is made, "
            "or ask the value of an EWS, ews(path).digits(n)"
        )
    if isinstance(algebra.ring, MP):
        raise ValueError(
            f"a tensor over {algebra.ring.name} has digits without a bound of their error, and none is certified: make "
            "it over an exact ring such as EE, or ask the value of an EWS with exact data, ews(path).digits(n)"
        )

    def over(ring: AbstractBalls) -> Tensor[Any]:
        return TensorAlgebra(ring, algebra.dim, algebra.depth).tensor(tensor.coefficients)

    real = all(getattr(c, "is_real", True) for c in tensor.coefficients.values())
    return sharpened(over, Balls if real else ComplexBalls, n, limit)


def sharpened(
    evaluate: Callable[[AbstractBalls], Tensor[Any]], balls: type[AbstractBalls], n: int, limit: int | None = None
) -> Digits:
    """The coordinates that an evaluation at any precision encloses, to n certified digits.

    The working precision starts at 64 + 4n bits and is doubled until every coordinate has its digits or the
    limit is reached. A coordinate that is zero without being known to be exactly zero never gets any: it is what
    the limit is for, and of it the record holds a ball around 0.

    Args:
        evaluate: ring ↦ a tensor over that ring of balls.
        balls: ``Balls`` or ``ComplexBalls``.
        n: The number of significant decimal digits.
        limit: The working precision in bits at which to give up; None for eight times the first one.

    Returns:
        The digits.

    Raises:
        TypeError: n or the limit is no whole number.
        ValueError: n or the limit is below 1.

    >>> from ewsmath.rings import EE
    >>> from ewsmath.tensor import TensorAlgebra
    >>> print(sharpened(lambda ring: TensorAlgebra(ring, 1, 1).vector([ring.exp(ring.one)]), Balls, 5))
    1   0
    e1  2.7183
    5 certified digits, at 84 bits
    """
    n = whole(n, "the number of digits")
    prec = _FIRST_GUARD_BITS + _BITS * n
    limit = _GIVE_UP * prec if limit is None else whole(limit, "the limit, a number of bits,")
    prec = min(prec, limit)
    while True:
        tensor = evaluate(balls(prec))
        undecided = tuple(word for word, ball in tensor.coefficients.items() if not _has_digits(ball, n))
        if not undecided or prec >= limit:
            return Digits(n, prec, tensor, undecided)
        prec = min(2 * prec, limit)


def _has_digits(ball: Ball, n: int) -> bool:
    value = ball.value
    with WorkingPrecision(_BOUND_BITS):
        radius = arb(value.real.rad()) + arb(value.imag.rad())
        return bool(radius * arb(10) ** n <= arb(abs(value).lower()))
