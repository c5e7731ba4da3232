"""The EWS by its definition, over several pieces at once: the reference of the checks. It knows no Chen identity."""

from collections.abc import Sequence
from typing import Any, cast

from ewsmath import ExpPoly, ExpPolys, Matrix, Tensor, TensorAlgebra, homomorphism
from ewsmath.generators import AbstractGenerator
from ewsmath.rings import Ring
from ewsmath.words import EMPTY, Word
from proofs_checks.draws import Piece

Speed = list[ExpPoly[Any]]


def remaining(pieces: Sequence[Piece]) -> list[Any]:
    """For each piece, the clock time that elapses after it, up to the end of the last one."""
    return [sum((later.elapsed for later in pieces[j + 1 :]), 0 * pieces[j].elapsed) for j in range(len(pieces))]


def propagator(generator: AbstractGenerator, start: Any, speed: Any) -> Matrix[Any]:
    """The matrix e^{-(start + speed·u)A}, as a function of u."""
    return generator.kernel().map(ExpPolys(generator.ring), lambda f: f.substituted(start, speed))


def weighted_speed(generator: AbstractGenerator, piece: Piece, remains: Any) -> Speed:
    """The speed of the re-weighted path on one piece, as a function of its fraction u.

    .. math:: e^{-(R + r(1-u))A} v
    """
    functions = ExpPolys(generator.ring)
    return propagator(generator, remains + piece.elapsed, -piece.elapsed).apply([functions.coerce(x) for x in piece.v])


def append(word: Word, letter: int) -> Word:
    """The word with one letter more; the first letter is integrated first."""
    return (*word, letter)


def running_integrals(reached: Tensor[Any], speed: Speed) -> Tensor[Any]:
    """The iterated integrals up to the fraction u of a piece, as functions of u, from those reached before it."""
    algebra, functions = reached.algebra, ExpPolys(reached.algebra.ring)
    so_far = {EMPTY: functions.one}
    for n in range(1, algebra.depth + 1):
        for word in algebra.words(n - 1):
            for letter, g in enumerate(speed, start=1):
                longer = append(word, letter)
                so_far[longer] = (so_far[word] * g).integral() + functions.coerce(reached[longer])
    return TensorAlgebra(functions, algebra.dim, algebra.depth).tensor(so_far)


def at(u: int, functions: Tensor[Any]) -> Tensor[Any]:
    """The value at u of a tensor whose coordinates are functions."""
    algebra, ring = functions.algebra, cast(ExpPolys[Any], functions.algebra.ring)
    values = TensorAlgebra(ring.base, algebra.dim, algebra.depth)
    return values.tensor({word: f(u) for word, f in functions.coefficients.items()})


def iterated_integrals(ring: Ring[Any], speeds: Sequence[Speed], depth: int) -> Tensor[Any]:
    """The iterated integrals of a path over consecutive pieces, of which the speeds are given."""
    reached = TensorAlgebra(ring, len(speeds[0]), depth).one()
    for speed in speeds:
        reached = at(1, running_integrals(reached, speed))
    return reached


def ews(generator: AbstractGenerator, pieces: Sequence[Piece], depth: int) -> Tensor[Any]:
    """The EWS over all pieces, every letter weighted to the end of the last one at once.

    Paper: Definition 2.
    """
    pairs = zip(pieces, remaining(pieces), strict=True)
    speeds = [weighted_speed(generator, piece, remains) for piece, remains in pairs]
    return iterated_integrals(generator.ring, speeds, depth)


def running_ews(generator: AbstractGenerator, pieces: Sequence[Piece], depth: int) -> Tensor[Any]:
    """The EWS from the start to the fraction u of the last piece, as a function of u.

    The letters are weighted to the start of the last piece, which gives integrals of functions of their own times
    alone; what elapses from there on, ru, acts on every letter alike.
    """
    *before, last = pieces
    algebra = TensorAlgebra(generator.ring, generator.dim, depth)
    reached = ews(generator, before, depth) if before else algebra.one()
    integrals = running_integrals(reached, weighted_speed(generator, last, -last.elapsed))
    return homomorphism(propagator(generator, 0, last.elapsed), integrals)
