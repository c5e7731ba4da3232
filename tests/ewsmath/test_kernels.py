"""Kernels: the textbook formulas, what the generators give, and the LaTeX of both."""

from typing import Any

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, SR, latex
from ewsmath.generators import ComplexJordan, Diagonal, Jordan, Rotation
from ewsmath.kernels import cosine_kernel, exponential_kernel, gamma_kernel, kernels, sine_kernel, table
from ewsmath.strategies import rationals

a, omega, lam, r = SR.symbols("a omega lambda r")
A, W, L, T = sympy.symbols("a omega lambda r")


def test_the_formulas_are_those_of_the_textbook() -> None:
    assert exponential_kernel(lam)(r) == SR.coerce(sympy.exp(-L * T))
    assert gamma_kernel(3, lam)(r) == SR.coerce(T**3 / 6 * sympy.exp(-L * T))
    assert cosine_kernel(a, omega)(r) == SR.coerce(sympy.exp(-A * T) * sympy.cos(W * T))
    assert sine_kernel(a, omega, 2)(r) == SR.coerce(T**2 * sympy.exp(-A * T) * sympy.sin(W * T))


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_jordan_block_has_gamma_kernels_up_to_sign(size: int) -> None:
    kernel = Jordan(lam, size).kernel()
    for ell in range(size):  # counted from the last coordinate, which is fed
        assert kernel[size - 1 - ell, size - 1] == gamma_kernel(ell, lam).scaled(SR.coerce((-1) ** ell))


def test_rotations_have_damped_waves() -> None:
    kernel = Rotation(a, omega).kernel()
    cosine, sine = cosine_kernel(a, omega), sine_kernel(a, omega)
    assert kernel.rows == [(cosine, sine), (-sine, cosine)]
    chain = ComplexJordan(a, omega, 2).kernel()
    assert chain.rows[0] == (cosine, sine, -cosine_kernel(a, omega, 1), -sine_kernel(a, omega, 1))


@given(rationals(), rationals(), st.integers(0, 3), st.integers(0, 2))
def test_numbers_and_names_agree(x: Any, y: Any, power: int, kind: int) -> None:
    number, formula = [
        lambda: (gamma_kernel(power, x), gamma_kernel(power, lam)),
        lambda: (cosine_kernel(x, y, power), cosine_kernel(a, omega, power)),
        lambda: (sine_kernel(x, y, power), sine_kernel(a, omega, power)),
    ][kind]()
    assert EE.coerce(formula(r).at({"a": x, "omega": y, "lambda": x, "r": 2})) == number(2)
    assert number(2).is_real


def test_the_table_is_written_as_a_reader_expects() -> None:
    rows = {row.family: [latex(f) for f in row.kernels] for row in table()}
    assert rows == {
        "Zero": ["1"],
        "Diagonal": [r"e^{- \lambda_{1} r}", r"e^{- \lambda_{2} r}"],
        "Rotation": [r"e^{- a r} \cos{\left(\omega r \right)}", r"e^{- a r} \sin{\left(\omega r \right)}"],
        "Skew": [r"\cos{\left(\omega r \right)}", r"- \sin{\left(\omega r \right)}"],
        "Dense": [
            r"\frac{e^{- a r - b r}}{2} + \frac{e^{- a r + b r}}{2}",
            r"\frac{e^{- a r - b r}}{2} - \frac{e^{- a r + b r}}{2}",
        ],
        "Jordan": [r"e^{- \lambda r}", r"- r e^{- \lambda r}", r"\frac{r^{2} e^{- \lambda r}}{2}"],
        "ComplexJordan": [
            r"e^{- a r} \cos{\left(\omega r \right)}",
            r"e^{- a r} \sin{\left(\omega r \right)}",
            r"- r e^{- a r} \cos{\left(\omega r \right)}",
            r"- r e^{- a r} \sin{\left(\omega r \right)}",
        ],
    }
    assert all(row.generator.ring == SR for row in table())


def test_the_table_has_every_family_that_the_paper_names() -> None:
    named = ["Zero", "Diagonal", "Rotation", "Skew", "Dense", "Jordan", "ComplexJordan"]
    assert [row.family for row in table()] == named
    dense = next(row for row in table() if row.family == "Dense")
    b = SR.symbol("b")
    assert dense.generator.matrix.rows == [(a, b), (b, a)]
    # e^{-rA} = e^{-ar} (cosh br - E sinh br), where E exchanges the two coordinates.
    fading, angle = sympy.exp(-A * T), sympy.Symbol("b") * T
    assert dense.kernels == (SR.coerce(fading * sympy.cosh(angle)), SR.coerce(-fading * sympy.sinh(angle)))


def test_kernels_are_given_once() -> None:
    assert kernels(Diagonal([1, 2, 1])) == [exponential_kernel(1), exponential_kernel(2)]
    assert kernels(Rotation(1, 2)) == [cosine_kernel(1, 2), sine_kernel(1, 2)]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: gamma_kernel(-1, 1), ValueError, "at least 0, got -1"),
        (lambda: gamma_kernel(1.5, 1), TypeError, "a whole number, got 1.5"),  # type: ignore[arg-type]
        (lambda: exponential_kernel(0.5), TypeError, "A float is not exact"),
        (lambda: kernels(5), TypeError, "kernels takes a generator"),  # type: ignore[arg-type]
    ],
)
def test_what_is_refused(make, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()
