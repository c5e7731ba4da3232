"""The EWS by its definition, over several pieces at once: the reference of the checks. It knows no Chen identity."""

from collections.abc import Sequence
from typing import Any

from ewsmath import ExpPoly, ExpPolys, Tensor, TensorAlgebra
from ewsmath.generators import AbstractGenerator
from ewsmath.rings import Ring
from ewsmath.words import EMPTY, Word
from proofs_checks.draws import Piece

Speed = list[ExpPoly[Any]]


def remaining(pieces: Sequence[Piece]) -> list[Any]:
    """For each piece, the clock time that elapses after it, up to the end of the last one."""
    return [sum((later.elapsed for later in pieces[j + 1 :]), 0 * pieces[j].elapsed) for j in range(len(pieces))]


def weighted_speed(generator: AbstractGenerator, piece: Piece, remains: Any) -> Speed:
    """The speed of the re-weighted path on one piece, as a function of its fraction u.

    .. math:: e^{-(R + r(1-u))A} v
    """
    functions = ExpPolys(generator.ring)
    weights = generator.kernel().map(functions, lambda f: f.substituted(remains + piece.elapsed, -piece.elapsed))
    return weights.apply([functions.coerce(x) for x in piece.v])


def append(word: Word, letter: int) -> Word:
    """The word with one letter more; the first letter is integrated first."""
    return (*word, letter)


def iterated_integrals(ring: Ring[Any], speeds: Sequence[Speed], depth: int) -> Tensor[Any]:
    """The iterated integrals of a path over consecutive pieces, of which the speeds are given."""
    algebra = TensorAlgebra(ring, len(speeds[0]), depth)
    reached = {word: ring.one if word == EMPTY else ring.zero for word in algebra.words()}
    for speed in speeds:
        # so_far[w] is the integral of word w up to the fraction u of this piece.
        so_far = {EMPTY: ExpPolys(ring).one}
        for n in range(1, depth + 1):
            for word in algebra.words(n - 1):
                for letter, g in enumerate(speed, start=1):
                    longer = append(word, letter)
                    so_far[longer] = (so_far[word] * g).integral() + ExpPolys(ring).coerce(reached[longer])
        reached = {word: function(1) for word, function in so_far.items()}
    return algebra.tensor(reached)


def ews(generator: AbstractGenerator, pieces: Sequence[Piece], depth: int) -> Tensor[Any]:
    """The EWS over all pieces, every letter weighted to the end of the last one at once.

    Paper: Definition 2.
    """
    pairs = zip(pieces, remaining(pieces), strict=True)
    speeds = [weighted_speed(generator, piece, remains) for piece, remains in pairs]
    return iterated_integrals(generator.ring, speeds, depth)
