"""LaTeX: textbook forms of every kind of number and element, and what a notebook gets."""

from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from flint import arb, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls, ExpPolys, Functional, Matrix, TensorAlgebra
from ewsmath.kernels import cosine_kernel
from ewsmath.latex import NOTEBOOK_TERMS, combination, latex
from ewsmath.rings import MP, SR
from ewsmath.strategies import elements

e = EE.exp(EE.one)
u = ExpPolys(EE).variable
T = TensorAlgebra(EE, 12, 3)
a, w = SR.symbols("a w")


class Symbol:
    def _repr_latex_(self) -> str:
        return r"$\displaystyle \lambda - \mu$"


class Silent:
    def _repr_latex_(self) -> None:
        return None

    def __str__(self) -> str:
        return "1.5e+20"


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (3, "3"),
        (fmpz(-3), "-3"),
        (fmpq(-3), "-3"),
        (fmpq(-3, 4), r"-\frac{3}{4}"),
        (Fraction(3, 4), r"\frac{3}{4}"),
        (QQ_I.zero, "0"),
        (QQ_I.number(0, -1), "-i"),
        (QQ_I.number(fmpq(1, 2), fmpq(-3, 2)), r"\frac{1}{2} - \frac{3}{2} i"),
        (EE.zero, "0"),
        (e, "e"),
        (-e * e + 1, "1 - e^{2}"),
        (EE.exp(EE.coerce(QQ_I.number(-1, 2))) * QQ_I.number(1, 1), r"\left(1 + i\right) e^{-1 + 2 i}"),
        (Balls(53).ratio(1, 2), "0.500000000000000"),
        (Balls(53).ratio(-1, 3), r"-0.333333333333333 \pm 3.71 \cdot 10^{-16}"),
        (arb(0, 1) / 2, r"0 \pm 0.501"),
        (ComplexBalls(53).coerce(QQ_I.number(1, 2)), r"1.00000000000000 + \left(2.00000000000000\right) i"),
        (ComplexBalls(53).one, "1.00000000000000"),
        (ExpPolys(EE).zero, "0"),
        (u, "u"),
        (-u * u * ExpPolys(EE).exponential(-1) + ExpPolys(EE).one, "1 - u^{2} e^{-u}"),
        (ExpPolys(EE).exponential(QQ_I.number(-1, 2)), r"e^{\left(-1 + 2 i\right) u}"),
        (
            u * ExpPolys(EE).cosine(2) - ExpPolys(EE).sine(2) / 3,
            r"-\frac{1}{3} \sin\left(2 u\right) + u \cos\left(2 u\right)",
        ),
        (ExpPolys(QQ).exponential(QQ_I.number(1, -2)) * 3, r"3 e^{\left(1 - 2 i\right) u}"),
        (
            ExpPolys(QQ).exponential(QQ_I.number(1, -2)) + 2 * ExpPolys(QQ).exponential(QQ_I.number(1, 2)),
            r"3 e^{u} \cos\left(2 u\right) + i e^{u} \sin\left(2 u\right)",
        ),
        (cosine_kernel(a, w), r"e^{- a u} \cos\left(w u\right)"),
        (ExpPolys(EE).coerce(1 - e) * u, r"\left(1 - e\right) u"),
        (ExpPolys(SR).exponential(SR.exponents.coerce(SR.symbol("r")) * -2), "e^{- 2 r u}"),
        (TensorAlgebra(SR, 1, 1).tensor({(1,): SR.symbol("r") + 1}), r"\left(r + 1\right) e_{1}"),
        (Matrix(QQ, [[1, fmpq(1, 2)], [0, -1]]), r"\begin{pmatrix} 1 & \frac{1}{2} \\ 0 & -1 \end{pmatrix}"),
        (T.zero(), "0"),
        (T.tensor({(): 2, (1, 2): -1, (12, 1): e, (3,): 1 - e}), r"2 + \left(1 - e\right) e_{3} - e_{12} + e e_{12,1}"),
        (Functional(QQ, {(): 1, (1, 2): -3, (10,): 1}), r"\emptyset + \mathtt{10,} - 3 \mathtt{12}"),
        (Symbol(), r"\lambda - \mu"),
        (Silent(), r"1.5 \cdot 10^{20}"),
        (MP(15).ratio(-1, 3), "-0.333333333333333"),
        (MP(15).coerce(QQ_I.number(fmpq(1, 10**20), -2)), r"1.0 \cdot 10^{-20} - 2.0 i"),
        (True, r"\text{True}"),
        ("a path", r"\text{a path}"),
    ],
)
def test_everything_has_its_textbook_form(x: Any, text: str) -> None:
    assert latex(x) == text


@pytest.mark.parametrize("x", [0.5, 1j, np.float32(0.5), mpmath.mpf(1)])
def test_floats_are_refused(x: Any) -> None:
    with pytest.raises(TypeError, match=r"latex takes exact numbers and balls, got .* take the number that it is, ew"):
        latex(x)


def test_coefficients_from_elsewhere_stand_in_parentheses_when_they_are_sums() -> None:
    assert combination([(Symbol(), "x"), (-1, "y")]) == r"\left(\lambda - \mu\right) x - y"


@given(st.data())
def test_braces_and_brackets_are_closed(data: st.DataObject) -> None:
    x = data.draw(elements(EE))
    text = latex(T.tensor({(1,): x, (2, 1): x * x}))
    for opening, closing in ("{}", "()"):
        assert text.count(opening) == text.count(closing)
    assert "+ -" not in text
    assert "*" not in text


def test_a_notebook_shows_numbers_and_elements_in_display_style() -> None:
    for x in (QQ_I.i, e, Balls(53).one, u, Matrix(QQ, [[1]]), T.one(), Functional.word(QQ, 1)):
        assert x._repr_latex_() == rf"$\displaystyle {latex(x)}$"


def test_a_notebook_cuts_long_sums_and_latex_does_not() -> None:
    algebra = TensorAlgebra(QQ, 2, 5)
    S = algebra.exp(algebra.vector([1, 1]))
    left = algebra.size - NOTEBOOK_TERMS
    shown = S._repr_latex_()
    assert shown.endswith(rf" + \cdots\ ({left}\ \text{{further terms}})$")
    assert shown.count("e_") == NOTEBOOK_TERMS - 1
    assert latex(S).count("e_") == algebra.size - 1
    functional = Functional(QQ, dict.fromkeys(algebra.words(), 1))
    assert functional._repr_latex_().count(r"\mathtt") == NOTEBOOK_TERMS - 1
    exactly = algebra.tensor(dict.fromkeys(list(algebra.words())[:NOTEBOOK_TERMS], 1))
    assert "further" not in exactly._repr_latex_()
