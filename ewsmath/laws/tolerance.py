"""How far floats may be from a law: a multiple of eps for each level, with its reason; and ``assert_close``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial
from typing import Any

from flint import fmpq

from ewsmath.floats import FloatFormat
from ewsmath.latex import letters
from ewsmath.laws.reading import leaves, read
from ewsmath.matrix_norms import magnitude
from ewsmath.rings import ComplexBalls
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.words import Word

_PREC = 256


@dataclass(frozen=True)
class Tolerance:
    r"""The error that level n of a signature may have when it is computed in floating point.

    .. math:: u · n · (J + 1) · κ · \mathrm{eps} · \frac{W^n}{n!}

    A level is a sum over pieces of products of n factors: going through J pieces, each product meets about n (J + 1)
    roundings, each of relative size eps/2, and what is rounded is at most W^n/n!, where W bounds the length of the
    path as it is seen from its end (the factorial bound). κ is what the exponentials of the clock add. The number u of
    units is the reader's to choose; 2 leaves room for another order of summation. Underflow is allowed for by the
    smallest normal number.

    Attributes:
        format: The format of the floats.
        ulps: The factor u.
        steps: The number J of pieces.
        length: The bound W; multiplied by the norm ‖B‖_∞ of the lift where that is above 1.
        condition: The factor κ.

    >>> from ewsmath.floats import float_format
    >>> tolerance = Tolerance(float_format("float32"), ulps=2, steps=3, length=fmpq(1), condition=fmpq(1))
    >>> float(tolerance.at(2)), str(tolerance)
    (9.5367431640625e-07, '2 ulps · level · 4 (pieces + 1) · eps(float32) · 1^level / level!')
    """

    format: FloatFormat
    ulps: int
    steps: int
    length: fmpq
    condition: fmpq

    def at(self, n: int) -> fmpq:
        """The error that an entry of level n may have.

        Args:
            n: The level.

        Returns:
            The error, a rational.

        >>> from ewsmath.floats import float_format
        >>> tolerance = Tolerance(float_format("float64"), ulps=2, steps=3, length=fmpq(2), condition=fmpq(1))
        >>> float(tolerance.at(1) * 2**52), float(tolerance.at(3) * 2**52)  # 2 · n · 4 · 2^n/n!, in units of eps
        (16.0, 32.0)
        """
        roundings = self.ulps * max(n, 1) * (self.steps + 1)
        underflow = (self.steps + 1) * self.format.smallest_normal * max(self.length, fmpq(1)) ** n
        return roundings * self.condition * self.format.eps * self.length**n / factorial(n) + underflow

    def __str__(self) -> str:
        condition = "" if self.condition == 1 else f" · {float(self.condition):.3g} (clock)"
        return (
            f"{self.ulps} ulps · level · {self.steps + 1} (pieces + 1){condition} · eps({self.format.name}) · "
            f"{float(self.length):.4g}^level / level!"
        )


@dataclass(frozen=True)
class Disagreement:
    """Two values that a law says are equal, and how far they are apart.

    Attributes:
        word: The word at which they stand, or the words.
        values: The two values.
        error: A bound of their distance; None in rings whose numbers have no size, such as formulas.
        allowed: The tolerance; 0 where both are exact.

    >>> Disagreement("word 1", (fmpq(1), fmpq(3, 2)), error=fmpq(1, 2), allowed=fmpq(0))
    Disagreement(word='word 1', values=(1, 3/2), error=1/2, allowed=0)
    """

    word: str
    values: tuple[Any, Any]
    error: fmpq | None
    allowed: fmpq

    @classmethod
    def between(cls, word: str, x: Any, y: Any, allowed: fmpq) -> Disagreement:
        """The disagreement of two values that differ.

        Args:
            word: The word at which they stand, or the words.
            x: An element of a ring.
            y: Another element of it.
            allowed: The tolerance; 0 where both are exact.

        Returns:
            The disagreement.

        >>> from ewsmath import SR
        >>> Disagreement.between("word 1", SR.symbol("a"), SR.one, fmpq(0)).error is None
        True
        """
        try:
            error = magnitude(x - y)
        except (TypeError, ValueError):  # a formula with free parameters, or a ring that no ball has
            error = None
        return cls(word, (x, y), error, allowed)

    @property
    def weight(self) -> fmpq:
        """How bad it is: the error in units of the tolerance, or itself where none is allowed."""
        error = fmpq(0) if self.error is None else self.error
        return error / self.allowed if self.allowed else error


def check(
    law: str,
    names: tuple[str, str],
    found: list[Disagreement],
    compared: int,
    tolerance: object = None,
    place: str = "",
) -> None:
    """AssertionError when there are disagreements; its text shows the worst of them.

    Args:
        law: The law that is checked.
        names: What the two values are.
        found: The disagreements.
        compared: How many pairs of values were compared.
        tolerance: What the tolerance is made of, for the text.
        place: Where the law was applied, for the text.

    Raises:
        AssertionError: There is a disagreement.

    >>> check("chen", ("S(X)", "S(first) ⊗ S(second)"), [], 7)
    >>> try:
    ...     check("shuffle", ("left", "right"), [Disagreement("word 1", (1, 2), fmpq(1), fmpq(0))], compared=3)
    ... except AssertionError as error:
    ...     print(str(error).splitlines()[0])
    shuffle fails at word 1 (1 of 3 comparisons fail)
    """
    if not found:
        return
    worst = max(found, key=lambda one: one.weight)
    width = max(map(len, names))
    lines = [f"{law} fails at {worst.word}{place} ({len(found)} of {compared} comparisons fail)"]
    lines += [f"  {name:<{width}} = {shown(value)}" for name, value in zip(names, worst.values, strict=True)]
    error = "" if worst.error is None else f"error {float(worst.error):.3g}"
    if worst.allowed:
        lines.append(f"  {error}, tolerance {float(worst.allowed):.3g} = {tolerance}")
    else:
        reason = "no error is allowed: both values are exact, or in balls that do not meet"
        lines.append(f"  {error}; {reason}" if error else f"  {reason}")
    raise AssertionError("\n".join(lines))


def disagreements(
    left: Tensor[Any], right: Tensor[Any], allowed: Callable[[int], fmpq] | None
) -> tuple[list[Disagreement], int]:
    """The words at which two tensors over one ring differ, and how many were compared.

    Args:
        left: A tensor.
        right: A tensor of the same algebra.
        allowed: The tolerance at each level; None where both are exact.

    Returns:
        The disagreements, and the number of words.

    Raises:
        AssertionError: The tensors have different depths.

    >>> from ewsmath.rings import QQ
    >>> T = TensorAlgebra(QQ, dim=2, depth=1)
    >>> found, compared = disagreements(T.vector([1, 2]), T.vector([1, 3]), None)
    >>> [one.word for one in found], compared
    (['word 2'], 3)
    """
    if left.algebra != right.algebra:
        raise AssertionError(f"results of different shapes: {left.algebra} and {right.algebra}")
    found, bounds = [], [fmpq(0) if allowed is None else allowed(n) for n in range(left.algebra.depth + 1)]
    for word in left.algebra.words():
        x, y, bound = left[word], right[word], bounds[len(word)]
        if differ(left.algebra.ring, x, y, bound):
            found.append(Disagreement.between(written(word), x, y, bound))
    return found, left.algebra.size


def differ(ring: Any, x: Any, y: Any, bound: fmpq) -> bool:
    """Whether two elements of a ring are further apart than a bound; whether they are different when it is 0.

    Args:
        ring: The ring.
        x: An element.
        y: Another.
        bound: The distance that is allowed; 0 for none.

    Returns:
        Whether they differ by more.

    >>> from ewsmath.rings import QQ
    >>> differ(QQ, QQ.one, QQ.ratio(3, 2), fmpq(1, 2)), differ(QQ, QQ.one, QQ.ratio(3, 2), fmpq(0))
    (False, True)
    """
    return not ring.equal(x, y) if not bound else magnitude(x - y) > bound


def written(word: Word) -> str:
    """A word for messages: ``word 12``, with commas where letters have two digits.

    Args:
        word: The word.

    Returns:
        The text.

    >>> written((1, 2)), written((11,)), written(())
    ('word 12', 'word 11,', 'word ∅')
    """
    return f"word {letters(word) or '∅'}"


def shown(x: Any) -> str:
    """A number for messages: exact ones as they are unless that is long, and then as a float, too.

    Args:
        x: A number of any ring.

    Returns:
        The text.

    >>> shown(fmpq(1, 3)), shown(fmpq(1, 3**60))
    ('1/3', '2.3589824875925728e-29')
    """
    mid = getattr(x, "mid", x)  # a ball is known to many more digits than are shown
    text = str(mid)
    if len(text) <= 24:
        return text
    try:
        value = complex(ComplexBalls(_PREC).coerce(mid).value.mid())
    except (TypeError, ValueError):  # a formula with free parameters, or a ring that no ball has
        return text
    number = repr(value if value.imag else value.real)
    return f"{text} ≈ {number}" if "e" in text else number  # a sum of exponentials, or a rational of many digits


def assert_close(
    actual: Any,
    expected: Any,
    *,
    dtype: Any = None,
    depth: int | None = None,
    dim: int | None = None,
    steps: int = 1,
    ulps: int = 2,
) -> None:
    r"""Check levels in floating point against levels that are known better.

    Level n may be off by ``ulps · n · (steps + 1) · eps`` times the largest entry of that level, where eps is that of
    the dtype: 1.2e-7 for float32, 2.2e-16 for float64, 9.8e-4 for float16.

    Args:
        actual: The levels under test, in any form that the laws read.
        expected: What they should be: a tensor over any ring, or levels.
        dtype: The dtype in which ``actual`` was computed; None for that of its arrays.
        depth: The depth N; needed over one letter.
        dim: Number of letters m; None where ``expected`` is a tensor, or its levels show it.
        steps: The number J of pieces that were gone through.
        ulps: The factor that leaves room for an algorithm with more roundings.

    Raises:
        AssertionError: A level is further off; the text shows word, values, error and tolerance.
        ValueError: The number of letters cannot be told, or a result has not the size of levels.

    >>> from ewsmath import TensorAlgebra, QQ
    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> assert_close([[0.1, 0.2], [0.005, 0.01, 0.01, 0.02]], T.exp(T.vector([QQ.ratio(1, 10), QQ.ratio(1, 5)])))
    """
    if dim is None:
        dim = expected.algebra.dim if isinstance(expected, Tensor) else _letters(expected)
    truth = read(expected, dim, depth).tensor
    reading = read(actual, dim, depth, dtype)
    if reading.format is None:
        raise ValueError("assert_close is for floats: exact results are compared with ==, or give dtype=")
    format = reading.format
    ring = ComplexBalls(_PREC)
    truth, found = (TensorAlgebra(ring, dim, a.algebra.depth).tensor(a.coefficients) for a in (truth, reading.tensor))
    largest = [max(map(magnitude, truth.level(n))) for n in range(truth.algebra.depth + 1)]

    def allowed(n: int) -> fmpq:
        return ulps * max(n, 1) * (steps + 1) * format.eps * largest[n] + format.smallest_normal

    bad, compared = disagreements(found, truth, allowed)
    reason = f"{ulps} ulps · level · {steps + 1} · eps({format.name}) · largest entry of the level"
    check("closeness", ("actual", "expected"), bad, compared, reason)


def _letters(levels: Any) -> int:
    for level in levels:  # the first that is not level 0
        if len(leaves(level)) > 1:
            return len(leaves(level))
    raise ValueError("the number of letters cannot be told from the levels: give dim=")
