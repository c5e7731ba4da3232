"""The laws of operators and products: derivations, and groups such as (elapsed clock time, EWS) under ⋆."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from ewsmath.floats import FloatFormat, float_format
from ewsmath.interop import exact, to_array
from ewsmath.laws.flows import as_generator, condition, growth
from ewsmath.laws.reading import coarser, format_of, leaves, read
from ewsmath.laws.tolerance import Disagreement, check, disagreements
from ewsmath.matrix import Matrix
from ewsmath.matrix_norms import magnitude, row_norm
from ewsmath.rings import QQ
from ewsmath.rings.door import named
from ewsmath.tensor import Tensor
from ewsmath.words import size


@dataclass(frozen=True)
class _Largest:
    """A tolerance that is a multiple of eps and of the largest numbers that occur, for messages."""

    format: FloatFormat
    ulps: int
    roundings: int
    scale: fmpq
    condition: fmpq

    @property
    def bound(self) -> fmpq:
        relative = self.ulps * self.roundings * self.condition * self.format.eps
        return relative * self.scale + self.format.smallest_normal

    def __str__(self) -> str:
        condition = "" if self.condition == 1 else f" · {float(self.condition):.3g} (clock)"
        return (
            f"{self.ulps} ulps · {self.roundings}{condition} · eps({self.format.name}) · scale {float(self.scale):.4g}"
        )


def derivation(
    derive: Callable[[Any], Any],
    matrix: Any,
    a: Any,
    b: Any,
    *,
    depth: int | None = None,
    dtype: Any = None,
    ulps: int = 2,
) -> None:
    r"""The derivation that a matrix induces: Leibniz' rule, and its values on levels 0 and 1.

    .. math:: Λ_A(a ⊗ b) = Λ_A(a) ⊗ b + a ⊗ Λ_A(b), \qquad Λ_A(1) = 0, \qquad Λ_A(v) = A v

    There is one map with these properties. Refutes a slot that is left out, a transposed matrix, a wrong sign.

    Args:
        derive: The function under test; takes levels and gives levels, level 0 among them.
        matrix: The matrix A: one of this package, or an array.
        a: A tensor, or its levels as a list of arrays, such as ``strategies.level_arrays`` draws; in this form the
            function takes them.
        b: A second one of the same shape.
        depth: The depth N; needed over one letter.
        dtype: The dtype in which the function computes; None for the coarser of those of a and of the result.
        ulps: The factor of the tolerance, which is ``ulps · (N + 1) m^2 · eps · N ‖A‖_∞ · max a · max b`` with the
            largest absolute values of entries of a and b, at least 1 each.

    Raises:
        AssertionError: The law fails; the text shows word, both values, error and tolerance.
        ValueError: A result has not the size of levels.

    Paper: Section 2; Appendix C.2.

    >>> from ewsmath import QQ, TensorAlgebra
    >>> from ewsmath import derivation as right
    >>> T, A = TensorAlgebra(QQ, 2, 3), [[1, 2], [0, 1]]
    >>> derivation(lambda a: right(A, a), A, T.letter(1), T.tensor({(2, 1): 3}))
    """
    if isinstance(a, Tensor):
        m, ring, form = a.algebra.dim, a.algebra.ring, None
    else:
        m, ring, form = len(leaves(a[1])), QQ, format_of(a)
    A = matrix if isinstance(matrix, Matrix) else Matrix.over(ring, exact(matrix))
    first, second = (read(x, m, depth).tensor for x in (a, b))
    algebra = first.algebra
    found: list[FloatFormat | None] = []

    def applied(x: Tensor[Any]) -> Tensor[Any]:
        given = x if form is None else [to_array(x.level(n), form.name, (m,) * n) for n in range(algebra.depth + 1)]
        reading = read(derive(given), m, depth or algebra.depth, dtype)
        found.append(reading.format if dtype is not None else coarser(reading.format, form))
        return reading.tensor

    together = applied(first @ second)
    by_leibniz = applied(first) @ second + first @ applied(second)
    linear = algebra.vector(first.level(1))
    on_vector = applied(linear), algebra.vector(A.apply(first.level(1)))
    on_one = applied(algebra.one()), algebra.zero()
    tolerance = None
    if any(found):
        sizes = [max([fmpq(1), *map(magnitude, x.vector())]) for x in (first, second)]
        scale = algebra.depth * row_norm(A) * sizes[0] * sizes[1]
        coarsest = min((one for one in found if one is not None), key=lambda one: one.bits)
        tolerance = _Largest(coarsest, ulps, (algebra.depth + 1) * m * m, scale, fmpq(1))
    allowed = None if tolerance is None else lambda n: tolerance.bound
    for (left, right), names in (
        (on_one, ("Λ(1)", "0")),
        (on_vector, ("Λ(v)", "A v")),
        ((together, by_leibniz), ("Λ(a ⊗ b)", "Λ(a) ⊗ b + a ⊗ Λ(b)")),
    ):
        bad, compared = disagreements(left, right, allowed)
        check("derivation", names, bad, compared, tolerance)


def group_law(
    product: Callable[[Any, Any], Any],
    a: Any,
    b: Any,
    c: Any,
    *,
    unit: Any = None,
    inverse: Callable[[Any], Any] | None = None,
    generator: Any = None,
    dtype: Any = None,
    ulps: int = 2,
) -> None:
    r"""The laws of a group: associativity, and unit and inverse where they are given.

    .. math:: (a ⋆ b) ⋆ c = a ⋆ (b ⋆ c), \qquad 1 ⋆ a = a = a ⋆ 1, \qquad a ⋆ a^{-1} = 1 = a^{-1} ⋆ a

    Refutes a product with the flow on the wrong factor, or of the wrong sign where the clock adds up.

    The tolerance is ``ulps · k · eps · scale`` for k numbers in an element; scale is the product of the largest
    entries, at least 1 each, of a, b, c and of all results. In pairs (r, levels) a clock that goes back enlarges what
    is rounded, even where it cancels in the result, and an exponential is the less precise the further it reaches:
    with a generator the tolerance is also multiplied by g^N κ, where g is the largest ‖e^{-ρA}‖ over the clock times ρ
    that flows take, and κ = 1 + ‖A‖ Σ ``|r|``.

    Args:
        product: The product under test.
        a: An element, in the form that the product takes: any nest of lists, tuples, arrays and tensors, such as a pair
            (r, levels).
        b: A second one.
        c: A third one.
        unit: The unit; None for no claim.
        inverse: The inverse; None for no claim. It needs the unit.
        generator: The generator A, or its matrix, where the elements are pairs (r, levels) and the product flows by A;
            None for any other group.
        dtype: The dtype in which the product is computed; None for the coarser of those of factors and results.
        ulps: The factor of the tolerance.

    Raises:
        AssertionError: A law fails; the text shows the entry, both values, error and tolerance.
        ValueError: An inverse comes without the unit.
        TypeError: A generator comes with elements that are no pairs.

    Paper: Theorem 1(ii).

    >>> group_law(lambda x, y: x + y, 0.5, 0.25, 3.0, unit=0.0, inverse=lambda x: -x)
    """
    if inverse is not None and unit is None:
        raise ValueError("an inverse is an inverse with respect to the unit: give unit=, too")
    ab, bc = product(a, b), product(b, c)
    claims = [("(a ⋆ b) ⋆ c", product(ab, c), "a ⋆ (b ⋆ c)", product(a, bc))]
    results = [ab, bc]
    if unit is not None:
        claims += [("1 ⋆ a", product(unit, a), "a", a), ("a ⋆ 1", product(a, unit), "a", a)]
    if inverse is not None:
        back = inverse(a)
        results.append(back)
        claims += [("a ⋆ a^-1", product(a, back), "1", unit), ("a^-1 ⋆ a", product(back, a), "1", unit)]
    enlarged, turned = (fmpq(1), fmpq(1)) if generator is None else _flown(generator, a, b, c)
    for left, x, right, y in claims:
        ours, theirs = _numbers(x), _numbers(y)
        if len(ours) != len(theirs):
            raise AssertionError(f"group_law: {left} has {len(ours)} entries, {right} has {len(theirs)}")
        format = coarser(format_of([x, y]), format_of([a, b, c])) if dtype is None else float_format(dtype)
        tolerance = None
        if format is not None:
            scale = max([_largest([a, b, c, *results]), *map(magnitude, ours + theirs)]) * enlarged
            tolerance = _Largest(format, ulps, len(ours), scale, turned)
        bound = fmpq(0) if tolerance is None else tolerance.bound
        pairs = list(zip(ours, theirs, strict=True))
        bad = [
            Disagreement.between(f"entry {j}", p, q, bound)
            for j, (p, q) in enumerate(pairs)
            if (magnitude(p - q) > bound if bound else p != q)
        ]
        check("group_law", (left, right), bad, len(pairs), tolerance)


def _largest(elements: list[Any]) -> fmpq:
    """The product of the largest entries, at least 1 each."""
    scale = fmpq(1)
    for x in elements:
        scale *= max([fmpq(1), *map(magnitude, _numbers(x))])
    return scale


def _flown(generator: Any, *elements: Any) -> tuple[fmpq, fmpq]:
    """g^N and κ for the flows in the products of pairs a, b, c, and of a and its inverse."""
    for x in elements:
        if not (isinstance(x, list | tuple) and len(x) == 2):
            raise TypeError(f"group_law: with a generator the elements are pairs (r, levels), got {named(x)}")
    A = as_generator(generator)
    first, second, third = (exact(r) for r, _ in elements)
    depth = 1
    while size(A.dim, depth + 1) - 1 <= len(_numbers(elements[0][1])):
        depth += 1
    spans = [first, -first, second, third, second + third]
    return growth(A, spans) ** depth, condition(A, [first, second, third])


def _numbers(x: Any) -> list[Any]:
    if isinstance(x, Tensor):
        return x.vector()
    if isinstance(x, list | tuple):
        return [number for entry in x for number in _numbers(entry)]
    return leaves(x) if hasattr(x, "tolist") or isinstance(x, float | int) else [x]
