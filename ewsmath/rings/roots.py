"""Roots, in the field of rational functions, of polynomials over it."""

from functools import reduce

from flint import fmpq_mpoly

from ewsmath.rings.polynomial import polynomials, square_root

Fraction = tuple[fmpq_mpoly, fmpq_mpoly, fmpq_mpoly]
"""(p, q, n) for the rational function (p + i q)/n."""


def roots(coefficients: list[Fraction], count: int) -> list[Fraction]:
    """Candidates for the roots of a polynomial over Q(i)(x, y, …), by factoring over Q.

    Args:
        coefficients: The coefficients from the constant one up, over one parameter more than occurs in them: the last
            one is the unknown.
        count: The number of the other parameters.

    Returns:
        Candidates over these, among them every root; some may come twice.

    >>> x, z = polynomials(2).gens()
    >>> zero, one = 0 * z, z**0
    >>> found = roots([(x**2, zero, one), (zero, zero, one), (one, zero, one)], 1)  # x² + z²
    >>> [[f.to_dict() for f in root] for root in found]
    [[{}, {(1,): 2}, {(0,): 2}], [{}, {(1,): -2}, {(0,): 2}]]
    """
    z = polynomials(count + 1).gens()[-1]
    denominator = reduce(lambda total, part: total * (part[2] / total.gcd(part[2])), coefficients, z**0)
    real = imag = 0 * z
    for k, (p, q, n) in enumerate(coefficients):
        scale = z**k * (denominator / n)
        real, imag = real + p * scale, imag + q * scale
    if imag:
        real = real * real + imag * imag  # the product with the conjugate polynomial: it has the roots, and more
    found: list[Fraction] = []
    for factor, _ in real.factor()[1]:
        found += _roots_of_factor([_coefficient(factor, k, count) for k in range(factor.degrees()[-1] + 1)])
    return found


def _coefficient(f: fmpq_mpoly, power: int, count: int) -> fmpq_mpoly:
    terms = {monomial[:-1]: c for monomial, c in f.to_dict().items() if monomial[-1] == power}
    return polynomials(count).from_dict(terms)


def _roots_of_factor(c: list[fmpq_mpoly]) -> list[Fraction]:
    """The roots of a factor that is irreducible over Q(x, …): of degree 1, or 2 where they are complex."""
    if len(c) == 2:
        return [(-c[0], 0 * c[0], c[1])]
    if len(c) == 3:
        w = square_root(4 * c[0] * c[2] - c[1] * c[1])  # (2 c₂ z + c₁)² = -w²
        return [] if w is None else [(-c[1], w, 2 * c[2]), (-c[1], -w, 2 * c[2])]
    return []
