"""The ball route: a Taylor series on a small piece, its remainder bounded, then squarings in the group.

No K x K matrix is formed, so it reaches wide and deep states. Work is done on flint matrices, level n as
one of shape (m^{n-1}, m), in one block of working precision.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any

from flint import acb, arb

from ewsmath.generators import AbstractGenerator
from ewsmath.matrix import Matrix
from ewsmath.rings import AbstractBalls, WorkingPrecision
from ewsmath.tensor import Tensor, TensorAlgebra

_SMALL_NORM_BITS = 4
"""Pieces are halved until ‖rA‖ ≤ 2^-4: about as many Taylor terms as squarings cost least."""

_GOAL_BITS = 64
"""Bits of the goals of the remainder: in a few bits the ball of a power would reach zero, which none meets."""


def local_group(generator: AbstractGenerator, dtheta: Any, v: Sequence[Any], depth: int) -> Tensor[Any]:
    r"""The EWS of one linear piece in balls, by scaling and squaring in the group of pairs.

    .. math:: σ(r, v) = D_A^{r/2} σ(r/2, v/2) ⊗ σ(r/2, v/2)

    The small piece is summed as a Taylor series y_{k+1} = (-rΛ_A y_k + y_k ⊗ v)/(k+1). Its remainder is
    bounded level by level: with a = ‖rA‖_∞ and b = max ``|v_i|``, the numbers c_{k+1}^{(n)} = (n a c_k^{(n)} + b
    c_k^{(n-1)})/(k+1) bound the entries of y_k, and the sum of all from k on is at most t with
    t^{(n)} (1 - na/(k+1)) = c_k^{(n)} + b t^{(n-1)}/(k+1). That bound is added to the radii. Letters that neither v
    nor A leads to are left out, so that their coordinates are exactly zero.

    Args:
        generator: The generator A in balls; any matrix.
        dtheta: The elapsed clock time r over the piece, of either sign.
        v: The increment BΔX of the lifted path.
        depth: Truncation depth N.

    Returns:
        The tensor σ over R^m, each coefficient a ball that contains the true one.

    Raises:
        ValueError: The generator is exact, or ‖rA‖ is unbounded or too large for the precision, or v is
            unbounded.

    Paper: Theorem 1(ii).

    >>> from ewsmath.generators import Diagonal
    >>> from ewsmath.rings import Balls
    >>> R = Balls(prec=64)
    >>> local_group(Diagonal(1, ring=R), 1, [1], 2)[1] == R.one - R.exp(-R.one)
    True
    """
    ring = generator.ring
    if not isinstance(ring, AbstractBalls):
        raise ValueError(f"the group route works in balls, got {ring.name}: generator.over(Balls(prec=128))")
    algebra = TensorAlgebra(ring, generator.dim, depth)
    r, increment = ring.coerce(dtheta), [ring.coerce(x) for x in v]
    algebra.vector(increment)  # the length of v is checked at the door
    matrix = generator.matrix * -r
    letters = _reached(matrix, increment)
    if not letters:
        return algebra.one()
    with WorkingPrecision(ring.prec):
        scaled = ring.matrix([matrix[i, j] for i in letters for j in letters], len(letters))
        halvings = _halvings(_row_norm(scaled), ring.prec)
        factor = arb(1) / arb(2) ** halvings
        X, w = scaled * factor, ring.matrix([increment[i] for i in letters], len(letters)) * factor
        if not _largest(w).is_finite():
            raise ValueError(f"the group route needs a bounded increment, got {increment}: raise the precision")
        S = _taylor(ring, X, w, depth)
        P = X.exp()
        for _ in range(halvings):
            S = _product(_flow(P, S), S)
            P = P * P
        alphabet = [i + 1 for i in letters]
        words = [product(alphabet, repeat=n) for n in range(depth + 1)]
        pairs = (zip(own, ring.wrap(level), strict=True) for own, level in zip(words, S, strict=True))
        return Tensor._of(algebra, {word: c for level in pairs for word, c in level})


def _reached(matrix: Matrix[Any], v: Sequence[Any]) -> list[int]:
    """The places that v and then the matrix lead to. All coordinates with other letters are exactly zero."""
    found = {i for i, x in enumerate(v) if x}
    new = found
    while new:
        new = {i for i in range(len(v)) for j in new if matrix[i, j]} - found
        found = found | new
    return sorted(found)


def _halvings(norm: arb, prec: int) -> int:
    # A squaring costs a bit or more, so that a norm beyond 2^prec leaves no digit, whatever is done.
    if not norm < arb(2) ** prec:
        raise ValueError(f"the group route at {prec} bits needs ‖rA‖ < 2^{prec}, got {norm}: raise prec")
    halvings = 0
    while norm * 2**_SMALL_NORM_BITS > 2**halvings:
        halvings += 1
    return halvings


def _taylor(ring: AbstractBalls, X: Any, w: Any, depth: int) -> list[Any]:
    """The EWS of the piece with -rA = X and increment w, with the bound of the remainder in the radii."""
    kind = type(X)
    m = X.ncols()
    a, b = _row_norm(X), _largest(w)
    term = [kind(1, 1, [1])] + [kind(m ** (n - 1), m) for n in range(1, depth + 1)]
    bound = [arb(1)] + [arb(0)] * depth
    total = [kind(y.nrows(), y.ncols()) for y in term]
    with WorkingPrecision(_GOAL_BITS):
        goal = [(arb(2) ** -ring.prec * b**n / arb(n).fac()).lower() for n in range(depth + 1)]
    k = 0
    while True:
        total = [s + y for s, y in zip(total, term, strict=True)]
        step = arb(1) / (k + 1)
        above = [_attach(term[n - 1], w) for n in range(1, depth + 1)]
        term = [term[0] * 0] + [(_derivation(X, term[n], n) + above[n - 1]) * step for n in range(1, depth + 1)]
        bound = [arb(0)] + [((n * a * bound[n] + b * bound[n - 1]) * step).upper() for n in range(1, depth + 1)]
        k += 1
        if k <= depth or depth * a >= k:
            continue
        tail = _tail(bound, a, b, k)
        if all(t <= g for t, g in zip(tail, goal, strict=True)):
            return [_widened(s, t) for s, t in zip(total, tail, strict=True)]


def _tail(bound: list[arb], a: arb, b: arb, k: int) -> list[arb]:
    tail = [bound[0]]
    for n in range(1, len(bound)):
        tail.append(((bound[n] + b * tail[n - 1] / (k + 1)) / (1 - n * a / (k + 1))).upper())
    return tail


def _widened(matrix: Any, radius: arb) -> Any:
    if radius.is_zero():
        return matrix
    error = arb(0, radius)
    complex_error = acb(error, error)
    entries = [x + (error if isinstance(x, arb) else complex_error) for x in matrix.entries()]
    return type(matrix)(matrix.nrows(), matrix.ncols(), entries)


def _reshaped(matrix: Any, rows: int, columns: int) -> Any:
    return type(matrix)(rows, columns, matrix.entries())


def _turned(level: Any) -> Any:
    """The level with its last slot moved to the front."""
    return _reshaped(level.transpose(), level.nrows(), level.ncols())


def _derivation(X: Any, level: Any, n: int) -> Any:
    """Λ_X on level n: the last slot is acted on, then sum and level are turned, once for every slot."""
    transposed = X.transpose()
    total = type(level)(level.nrows(), level.ncols())
    for _ in range(n):
        total = _turned(total + level * transposed)
        level = _turned(level)
    return total


def _flow(P: Any, levels: list[Any]) -> list[Any]:
    transposed = P.transpose()
    moved = levels[:1]
    for n, level in enumerate(levels[1:], start=1):
        for _ in range(n):
            level = _turned(level * transposed)
        moved.append(level)
    return moved


def _attach(level: Any, w: Any) -> Any:
    """The product level ⊗ w: a column of entries times a row."""
    return _reshaped(level, level.nrows() * level.ncols(), 1) * w


def _product(first: list[Any], second: list[Any]) -> list[Any]:
    result = []
    for n, level in enumerate(second):
        total = first[n] + level if n else level
        for k in range(1, n):
            left, right = first[k], second[n - k]
            outer = _reshaped(left, left.nrows() * left.ncols(), 1) * _reshaped(right, 1, right.nrows() * right.ncols())
            total = total + _reshaped(outer, level.nrows(), level.ncols())
        result.append(total)
    return result


def _row_norm(matrix: Any) -> arb:
    """An upper bound of the largest row sum of |entries|."""
    return _maximum([sum((x.abs_upper() for x in row), arb(0)) for row in matrix.tolist()])


def _largest(matrix: Any) -> arb:
    """An upper bound of the largest |entry|."""
    return _maximum([x.abs_upper() for x in matrix.entries()])


def _maximum(bounds: list[arb]) -> arb:
    largest = arb(0)
    for bound in bounds:
        largest = largest.max(bound)
    return largest.upper()
