"""Whether a rational matrix has a real logarithm, decided; and the complex structure that makes one."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from flint import acb, fmpq, fmpq_mat, fmpq_poly

from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, Ball, ComplexBalls, WorkingPrecision


class Factor(NamedTuple):
    """One irreducible factor of the characteristic polynomial of a rational matrix, with its Jordan structure.

    Attributes:
        polynomial: The irreducible polynomial p over Q.
        sizes: The sizes of the Jordan blocks of each of its roots, the largest first; all roots have the same.
        negative: Whether one of its roots is real and negative.

    >>> jordan_structure(Matrix(QQ, [[-1, 1], [0, -1]]))
    [Factor(polynomial=x + 1, sizes=(2,), negative=True)]
    """

    polynomial: fmpq_poly
    sizes: tuple[int, ...]
    negative: bool


def jordan_structure(A: Matrix[Any]) -> list[Factor]:
    """The Jordan structure of a rational matrix, exactly: no eigenvalue is computed.

    The number of blocks of size at least k of each root of p is (rank p(A)^{k-1} - rank p(A)^k)/deg p.

    Args:
        A: A square matrix over QQ.

    Returns:
        The irreducible factors of the characteristic polynomial.

    >>> [f.sizes for f in jordan_structure(Matrix(QQ, [[-1, 1, 0], [0, -1, 0], [0, 0, 2]]))]
    [(1,), (2,)]
    """
    size = A.check_square("the Jordan structure")
    M = _flint(A)
    found = []
    for p, multiplicity in M.charpoly().factor()[1]:
        degree, power, value = p.degree(), _identity(size), _value(p, M)
        ranks = [size]
        for _ in range(multiplicity):
            power = power * value
            ranks.append(power.rank())
        at_least = [(a - b) // degree for a, b in pairwise(ranks)] + [0]
        sizes = [k + 1 for k in reversed(range(multiplicity)) for _ in range(at_least[k] - at_least[k + 1])]
        complex_roots: Any = p.complex_roots()
        negative = any(z.imag.is_zero() and z.real < 0 for z, _ in complex_roots)
        found.append(Factor(p, tuple(sizes), negative))
    return found


def obstacle(A: Matrix[Any]) -> str | None:
    """Why a rational matrix has no real logarithm, by Culver's condition; None when it has one.

    A real logarithm exists exactly when the matrix is regular, and Jordan blocks of each size of each negative
    eigenvalue occur an even number of times.

    Args:
        A: A square matrix over QQ.

    Returns:
        The text of the error, or None.

    Paper: Appendix E.

    >>> obstacle(Matrix(QQ, [[-1, 1], [0, -1]]))
    'no real logarithm; use the doubled form'
    >>> obstacle(Matrix(QQ, [[-1, 0], [0, -1]])) is None
    True
    """
    structure = jordan_structure(A)
    if any(factor.polynomial(0) == 0 for factor in structure):
        return SINGULAR
    if any(factor.negative and not _is_paired(factor) for factor in structure):
        return NOT_REAL
    return None


SINGULAR = "transition is singular: no logarithm"
NOT_REAL = "no real logarithm; use the doubled form"


def _is_paired(factor: Factor) -> bool:
    return all(factor.sizes.count(size) % 2 == 0 for size in set(factor.sizes))


def complex_structure(A: Matrix[Any]) -> Matrix[Any]:
    r"""A rational J that commutes with A, with J² = -I on the generalised eigenspaces of negative eigenvalues.

    The space ker p(A)^e of a factor p with a negative root is a sum of cyclic spaces, with equal ones in pairs:
    J swaps the two of each pair, A^i v ↦ A^i w ↦ -A^i v. On the spaces of the other factors J is 0.

    Args:
        A: A square matrix over QQ that has a real logarithm.

    Returns:
        The matrix J over QQ.

    >>> complex_structure(Matrix(QQ, [[-1, 0], [0, -1]]))
    Matrix(QQ, [[0, -1], [1, 0]])
    """
    M, size = _flint(A), A.shape[0]
    columns: list[fmpq_mat] = []
    images: list[fmpq_mat] = []
    for factor in jordan_structure(A):
        p, sizes = factor.polynomial, factor.sizes
        if not factor.negative:
            kernel = _kernel(_value(p, M) ** max(sizes))
            columns += kernel
            images += [fmpq_mat(size, 1)] * len(kernel)
            continue
        tops = _cyclic_vectors(M, p, sizes)
        for v, w, k in zip(tops[::2], tops[1::2], sizes[::2], strict=True):
            first, second = _orbit(M, v, k * p.degree()), _orbit(M, w, k * p.degree())
            columns += first + second
            images += second + [-x for x in first]
    J = _joined(images) * _joined(columns).inv()
    return Matrix.flat(QQ, J.entries(), size)


def _cyclic_vectors(M: fmpq_mat, p: fmpq_poly, sizes: tuple[int, ...]) -> list[fmpq_mat]:
    """Vectors that generate the cyclic summands of ker p(M)^e, for the sizes in order.

    Those for size k are independent over Q[x]/p modulo ker p^{k-1} + p(M) ker p^{k+1}.
    """
    P, found = _value(p, M), []
    for size in sorted(set(sizes), reverse=True):
        below = _kernel(P ** (size - 1)) if size > 1 else []
        space = below + [P * x for x in _kernel(P ** (size + 1))]
        for v in _kernel(P**size):
            if len([k for k in sizes if k >= size]) == len(found):
                break
            grown = space + _orbit(M, v, p.degree())
            if _rank(grown) > _rank(space):
                space = grown
                found.append(v)
    return found


def roots(A: Matrix[Any], ring: ComplexBalls) -> list[Ball]:
    """The eigenvalues of a rational matrix with multiplicity, as balls; a real one is a ball with imaginary part 0.

    Args:
        A: A square matrix over QQ.
        ring: The ring of the balls.

    Returns:
        As many balls as rows, equal eigenvalues side by side as the same ball.

    >>> from ewsmath.rings import ComplexBalls
    >>> roots(Matrix(QQ, [[2, 1], [0, 2]]), ComplexBalls(64))
    [2.00000000000000000, 2.00000000000000000]
    """
    with WorkingPrecision(ring.prec):
        found: Any = _flint(A).charpoly().complex_roots()
        return [Ball(ring, acb(z)) for z, multiplicity in found for _ in range(multiplicity)]


def _flint(A: Matrix[Any]) -> fmpq_mat:
    return fmpq_mat(*A.shape, [QQ.coerce(x) for x in A.entries])


def _identity(size: int) -> fmpq_mat:
    return fmpq_mat(size, size, [fmpq(int(i == j)) for i in range(size) for j in range(size)])


def _value(p: fmpq_poly, M: fmpq_mat) -> fmpq_mat:
    total = fmpq_mat(M.nrows(), M.nrows())
    for c in reversed(p.coeffs()):
        total = total * M + _identity(M.nrows()) * c
    return total


def _orbit(M: fmpq_mat, v: fmpq_mat, length: int) -> list[fmpq_mat]:
    found = [v]
    while len(found) < length:
        found.append(M * found[-1])
    return found


def _joined(columns: list[fmpq_mat]) -> fmpq_mat:
    rows = columns[0].nrows()
    return fmpq_mat(rows, len(columns), [column[i, 0] for i in range(rows) for column in columns])


def _rank(columns: list[fmpq_mat]) -> int:
    return _joined(columns).rank() if columns else 0


def _kernel(M: fmpq_mat) -> list[fmpq_mat]:
    """A basis of the kernel."""
    echelon, rank = M.rref()
    size = M.ncols()
    pivots = [next(j for j in range(size) if echelon[i, j]) for i in range(rank)]
    found = []
    for free in set(range(size)) - set(pivots):
        column = fmpq_mat(size, 1)
        column[free, 0] = 1
        for i, j in enumerate(pivots):
            column[j, 0] = -echelon[i, free]
        found.append(column)
    return found
