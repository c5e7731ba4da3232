r"""The closed form: local EWS as divided differences of exp at partial sums of the exponents.

With e^{-rA} v = Σ_j r^{ℓ_j} e^{α_j r} c_j, the modes of the generator, the formula of Hermite and Genocchi says

.. math:: σ_n(r, v) = \sum_{j_1, …, j_n} r^{ℓ_1 + ⋯ + ℓ_n}\; c_{j_1} ⊗ ⋯ ⊗ c_{j_n}\;
    \Big(\prod_k ∂_{a_k}^{ℓ_k}\Big) \exp[0, A_1, …, A_n], \qquad A_k = a_1 + ⋯ + a_k, \quad a_k = r α_{j_k}.

The c_j are complex for rotations, which carries the eigenbasis into every slot of the tensor. Jordan blocks have ℓ > 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import factorial, prod
from typing import Any

from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.generators import AbstractGenerator
from ewsmath.generators.generator import check_generator
from ewsmath.rings import MatrixExponentialRing, Ring, back, complexification, exponent_of, supports
from ewsmath.spectrum import divided_differences
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.words import Word

Difference = Callable[[Sequence[Any]], Any]
"""Points z_0, …, z_k ↦ f[z_0, …, z_k]."""


def local_closed(generator: AbstractGenerator, dtheta: Any, v: Sequence[Any], depth: int) -> Tensor[Any]:
    r"""The EWS of one linear piece, by divided differences of exp.

    Points that coincide (undamped rotations, zero eigenvalues) are confluent differences, exact in exact rings. In
    balls and MP the differences are entries of matrix exponentials (Opitz), so that close points cost no digits.

    Args:
        generator: The generator A: exact, over SR, or in balls or MP where its Jordan form follows from its parameters.
        dtheta: The elapsed clock time r over the piece, of either sign; in QQ, QQ_I and EE a Gaussian rational, over
            SR a rational function of parameters, such as one named r: then the coordinates are formulas.
        v: The increment BΔX of the lifted path.
        depth: Truncation depth N.

    Returns:
        The tensor σ over R^m.

    Raises:
        ValueError: The generator is dense, in balls or MP, and its Jordan form is not known; or r is no such number.

    Paper: Def. 2; Prop. 2.

    >>> from ewsmath.generators import Diagonal
    >>> from ewsmath.rings import SR
    >>> lam, r = SR.symbols("lambda r")
    >>> local_closed(Diagonal(lam), r, [1], 1)
    1 + (1/(lambda*r) - exp(-lambda*r)/(lambda*r))*e1
    """
    ring = check_generator(generator, "the closed form").ring
    field, r = complexification(ring), ring.coerce(dtheta)
    components = _components(generator, v)
    # A nilpotent generator has no exponents, so that r need not be one.
    speed = exponent_of(ring, r) if any(alpha for _, alpha, _ in components) else 0
    difference = _opitz(field) if supports(ring, MatrixExponentialRing) else _divided(field, _exponential(field))
    scaled = [(power, speed * alpha, c) for power, alpha, c in components]
    powers = [field.one]
    for _ in range(depth * max((power for power, _, _ in scaled), default=0)):
        powers.append(powers[-1] * field.coerce(r))
    return _sum(
        ring, generator.dim, depth, field, scaled, lambda ls, z: powers[sum(ls)] * _weight(field, difference, ls, z)
    )


def closed_form(generator: AbstractGenerator, v: Sequence[Any], depth: int) -> Tensor[Any]:
    r"""The EWS of a linear piece of constant speed, as a function of the clock time r that it lasts.

    .. math:: F_n(r) = \int_{0<s_1<⋯<s_n<r} e^{-(r-s_1)A} v ⊗ ⋯ ⊗ e^{-(r-s_n)A} v\, ds = r^n\, σ_n(r, v)

    The coordinates are exponential polynomials: divided differences of z ↦ e^{rz}.

    Args:
        generator: The generator A, exact or over SR.
        v: The speed of the lifted path for one unit of clock time.
        depth: Truncation depth N.

    Returns:
        A tensor over ``ExpPolys(ring)``; F(r) is the EWS of the piece with the increment rv.

    Raises:
        ValueError: The generator is given in balls or MP.

    Paper: Def. 2; Prop. 2.

    >>> from ewsmath.generators import Jordan
    >>> closed_form(Jordan(1, 2), [0, 1], 1)
    1 + (-1 + e^(-1u) + u*e^(-1u))*e1 + (1 - e^(-1u))*e2
    """
    ring = check_generator(generator, "the closed form").ring
    functions = ExpPolys(complexification(ring))
    components = [
        (power, exponent, {word: functions.coerce(x) for word, x in c.items()})
        for power, exponent, c in _components(generator, v)
    ]

    def taylor(z: Any, k: int) -> Any:  # of z ↦ e^{rz}: the k-th derivative over k! is r^k/k! e^{rz}
        return ExpPoly(functions.base, {(k, z): functions.base.ratio(1, factorial(k))})

    difference = _divided(functions, taylor)
    return _sum(
        ExpPolys(ring), generator.dim, depth, functions, components, lambda ls, z: _weight(functions, difference, ls, z)
    )


_Component = tuple[int, Any, dict[Word, Any]]


def _components(generator: AbstractGenerator, v: Sequence[Any]) -> list[_Component]:
    """The terms r^ℓ e^{αr} c of e^{-rA} v: power, exponent, and the entries of c that are not 0 by their letters."""
    field = complexification(generator.ring)
    vector = [field.coerce(generator.ring.coerce(x)) for x in v]
    found = []
    for power, exponent, C in generator.modes():
        c = {(j,): x for j, x in enumerate(C.apply(vector), start=1) if x}
        if c:
            found.append((power, exponent, c))
    return found


def _sum(
    ring: Ring[Any],
    dim: int,
    depth: int,
    field: Ring[Any],
    components: Sequence[_Component],
    weight: Callable[[Sequence[int], Sequence[Any]], Any],
) -> Tensor[Any]:
    """The tensor Σ weight · c_{j_1} ⊗ ⋯ ⊗ c_{j_n} over all choices of components."""
    algebra = TensorAlgebra(ring, dim, depth)
    total: dict[Word, Any] = {(): field.one}
    for n in range(1, depth + 1):
        for choice in product(components, repeat=n):
            factor = weight([power for power, _, _ in choice], [exponent for _, exponent, _ in choice])
            for letters in product(*(c.items() for _, _, c in choice)):
                word, coefficient = tuple(letter for (letter,), _ in letters), factor
                for _, x in letters:
                    coefficient = coefficient * x
                total[word] = total[word] + coefficient if word in total else coefficient
    return algebra.tensor({word: back(ring, c) for word, c in total.items()})


def _weight(field: Any, difference: Difference, powers: Sequence[int], exponents: Sequence[Any]) -> Any:
    r"""The number Π_k ∂_{a_k}^{ℓ_k} f[0, A_1, …, A_n], the points being the partial sums of the exponents.

    With ∂_{a_k} = Σ_{j≥k} ∂_{A_j} it is a sum of derivatives in the points, and those are differences again:

    .. math:: ∂_{z_j}^q f[…, z_j, …] = q!\, f[…, \underbrace{z_j, …, z_j}_{q+1}, …].
    """
    points = [0 * exponents[0]]
    for exponent in exponents:
        points.append(points[-1] + exponent)
    total = field.zero
    for orders, c in _derivatives(powers).items():
        repeated = [z for z, order in zip(points, (0, *orders), strict=True) for _ in range(order + 1)]
        total = total + field.ratio(c * prod(map(factorial, orders)), 1) * difference(repeated)
    return total


def _derivatives(powers: Sequence[int]) -> Counter[tuple[int, ...]]:
    """The expansion of Π_k (D_k + … + D_n)^{ℓ_k}: how often each product of the D_j occurs, by its orders."""
    found = Counter({(0,) * len(powers): 1})
    for k, power in enumerate(powers):
        for _ in range(power):
            following: Counter[tuple[int, ...]] = Counter()
            for orders, c in found.items():
                for j in range(k, len(powers)):
                    following[(*orders[:j], orders[j] + 1, *orders[j + 1 :])] += c
            found = following
    return found


def _divided(ring: Ring[Any], taylor: Callable[[Any, int], Any]) -> Difference:
    """Divided differences by their recursion, for points whose equality is decided; each is found once."""
    known: dict[frozenset[tuple[Any, int]], Any] = {}

    def difference(points: Sequence[Any]) -> Any:
        counted = Counter(points)
        key = frozenset(counted.items())  # differences are symmetric
        if key not in known:
            known[key] = divided_differences(ring, list(counted.elements()), taylor)[-1]
        return known[key]

    return difference


def _exponential(field: Any) -> Callable[[Any, int], Any]:
    def taylor(z: Any, k: int) -> Any:
        return field.ratio(1, factorial(k)) * (field.exp(field.coerce(z)) if z else field.one)

    return taylor


def _opitz(field: Any) -> Difference:
    """Divided differences of exp as the corner of the exponential of a bidiagonal matrix, with the points on it."""
    known: dict[tuple[str, ...], Any] = {}

    def difference(points: Sequence[Any]) -> Any:
        key = tuple(sorted(map(_to_the_last_bit, points)))
        if key not in known:
            known[key] = field.matrix_exponential(list(_bidiagonal(field, points)), len(points))[len(points) - 1]
        return known[key]

    return difference


def _to_the_last_bit(x: Any) -> str:
    """What pickle keeps of a ball or a rounded number: the same for two only if they are one and the same set."""
    return str(x.__reduce__()[1][1])


def _bidiagonal(field: Any, points: Sequence[Any]) -> Iterator[Any]:
    for i, z in enumerate(points):
        for j in range(len(points)):
            yield z if i == j else field.one if j == i + 1 else field.zero
