"""Complex and real forms: a real generator in its complex eigenbasis, a complex one on the real and imaginary parts."""

from __future__ import annotations

from typing import Any

from ewsmath.generators.conjugated import Conjugated
from ewsmath.generators.dense import Dense
from ewsmath.generators.diagonal import Diagonal
from ewsmath.generators.direct_sum import DirectSum
from ewsmath.generators.generator import AbstractGenerator, check_generator
from ewsmath.generators.jordan import Jordan
from ewsmath.generators.rotation import ComplexJordan
from ewsmath.matrix import Matrix
from ewsmath.rings import QQ_I, Balls, ComplexBalls, complexification
from ewsmath.rings.gaussian import gaussian


def complex_form(generator: AbstractGenerator) -> Conjugated:
    """The same generator as P J P^{-1}, with J diagonal or a direct sum of complex Jordan blocks.

    Args:
        generator: A generator with a Jordan form in its ring; a rotation, for one.

    Returns:
        The generator with ``rows`` P and ``inner`` J, over the complexification of its ring.

    Raises:
        ValueError: The generator is dense, in balls or MP, and its Jordan form is not known.

    Paper: Table 1.

    >>> from ewsmath.generators import Rotation
    >>> form = complex_form(Rotation(1, 2))
    >>> form.inner.matrix, form.rows, form.matrix
    (Matrix(EE, [[1+2i, 0], [0, 1-2i]]), ((1, 1), (-i, i)), Matrix(EE, [[1, -2], [2, 1]]))
    """
    form = check_generator(generator, "complex_form").jordan_form()
    ring = complexification(generator.ring)
    if all(size == 1 for _, size in form.blocks):
        J: AbstractGenerator = Diagonal([z for z, _ in form.blocks], ring=ring)
    else:
        J = DirectSum(*(Jordan(z, size, ring=ring) for z, size in form.blocks))
    return Conjugated(form.basis, J, ring=ring)


def real_form(generator: AbstractGenerator) -> AbstractGenerator:
    r"""The generator on R^{2m} of a complex generator on C^m, real and imaginary parts side by side.

    Each entry a + iω of A becomes the block [[a, -ω], [ω, a]]: a diagonal generator becomes one of rotations, a Jordan
    block one of :class:`ComplexJordan`.

    Args:
        generator: The complex generator A.

    Returns:
        A real generator of twice the width, over the same ring; over real balls for complex ones.

    Paper: Table 1.

    >>> from ewsmath.rings import QQ_I
    >>> real_form(Jordan(QQ_I.number(1, 3), 2)) == ComplexJordan(1, 3, 2)
    True
    """
    ring = check_generator(generator, "real_form").ring
    if isinstance(generator, DirectSum):
        return DirectSum(*map(real_form, generator.parts))
    if isinstance(generator, Diagonal | Jordan):
        rates = (complexification(ring).coerce(z) if gaussian(z) is None else gaussian(z) for z in generator.rate)
        parts = [real_and_imaginary(z) for z in rates]
        size = generator.size if isinstance(generator, Jordan) else 1
        return ComplexJordan([a for a, _ in parts], [w for _, w in parts], size, ring=_real(ring))
    return Dense(interleaved(generator.matrix), ring=_real(ring))


def interleaved(matrix: Matrix[Any]) -> Matrix[Any]:
    """The real 2m x 2n matrix of a complex m x n matrix: each entry a + iω as the block [[a, -ω], [ω, a]].

    Args:
        matrix: The complex matrix.

    Returns:
        The real matrix; sums and products go to sums and products.

    Paper: Table 1.

    >>> interleaved(Matrix(QQ_I, [[QQ_I.i, 2]]))
    Matrix(QQ_I, [[0, -1, 2, 0], [1, 0, 0, 2]])
    """
    rows = []
    for row in matrix.rows:
        parts = [real_and_imaginary(x) for x in row]
        rows += [[x for a, w in parts for x in (a, -w)], [x for a, w in parts for x in (w, a)]]
    return Matrix(_real(matrix.ring), rows)


def real_and_imaginary(x: Any) -> tuple[Any, Any]:
    """The real and imaginary part of an element of any ring of this package.

    Args:
        x: The element.

    Returns:
        The two parts, elements that the ring takes.

    >>> from ewsmath.rings import QQ, QQ_I
    >>> real_and_imaginary(QQ_I.number(1, 2)), real_and_imaginary(QQ.ratio(1, 3))
    ((1, 2), (1/3, 0))
    """
    if hasattr(x, "real"):
        return x.real, x.imag
    if not hasattr(x, "conjugate"):  # a rational
        return x, 0 * x
    mirrored = x.conjugate()
    return (x + mirrored) / 2, (mirrored - x) * QQ_I.i / 2


def _real(ring: Any) -> Any:
    """Where the parts of elements lie: in real balls for complex ones, else in the ring itself."""
    return Balls(ring.prec) if isinstance(ring, ComplexBalls) else ring
