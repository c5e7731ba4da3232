"""P A P^{-1}, complex and real forms: matrices and exponentials by ==."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ewsmath import EE, MP, QQ, QQ_I, SR, Balls, ComplexBalls, Matrix
from ewsmath.generators import (
    AbstractGenerator,
    ComplexJordan,
    Conjugated,
    Dense,
    Diagonal,
    DirectSum,
    Jordan,
    Rotation,
    Skew,
    Zero,
    complex_form,
    interleaved,
    real_form,
)
from ewsmath.spectrum import kernel
from ewsmath.strategies import gaussians, generators, rationals, square_matrices


@given(data=st.data())
def test_the_exponential_is_conjugated(data: st.DataObject) -> None:
    inner = data.draw(generators(max_dim=2))
    P = data.draw(square_matrices(inner.dim))
    try:
        back = Matrix.over(EE, P.inverse())
    except ZeroDivisionError:
        assume(False)
    P = Matrix.over(EE, P)
    found, r = Conjugated(P, inner), data.draw(rationals())
    exponential = P @ Matrix.over(EE, inner.exponential(r)) @ back
    assert Matrix.over(EE, found.exponential(r)) == exponential
    assert found.kernel() == kernel(found.matrix)
    assert sorted(map(str, found.eigenvalues)) == sorted(map(str, inner.eigenvalues))


@given(generators())
def test_the_complex_form_is_the_same_generator(generator: AbstractGenerator) -> None:
    generator = generator.over(EE)
    form = complex_form(generator)
    assert form == generator
    below = [form.inner.matrix[i, j] for i in range(form.dim) for j in range(form.dim) if j not in (i, i + 1)]
    assert not any(below)


def test_the_complex_form_of_rotations() -> None:
    a, w = SR.symbols("a omega")
    form = complex_form(Rotation(a, w))
    assert form.inner == Diagonal([a + SR.i * w, a - SR.i * w])
    assert form == Rotation(a, w)
    assert isinstance(complex_form(ComplexJordan(1, 2, 2)).inner, DirectSum)
    balls = Rotation(1, QQ.ratio(1, 3), ring=Balls(96))
    assert complex_form(balls).matrix == Matrix.over(ComplexBalls(96), balls.matrix)


@given(st.lists(gaussians(), min_size=4, max_size=4), st.lists(gaussians(), min_size=4, max_size=4))
def test_interleaving_is_a_homomorphism(x: list[Any], y: list[Any]) -> None:
    A, B = (Matrix(QQ_I, [z[:2], z[2:]]) for z in (x, y))
    assert interleaved(A @ B) == interleaved(A) @ interleaved(B)
    assert interleaved(A + B) == interleaved(A) + interleaved(B)


@given(st.integers(0, 3), gaussians(), gaussians(), st.sampled_from([1, QQ.ratio(-1, 2)]))
def test_the_real_form_has_the_real_form_of_the_exponential(kind: int, z: Any, w: Any, r: Any) -> None:
    make = [
        lambda: Diagonal([z, w]),
        lambda: Jordan([z], 2),
        lambda: Dense([[z, 1], [0, w]], ring=EE),
        lambda: DirectSum(Diagonal(z), Zero(1)),
    ]
    generator = make[kind]()
    found = real_form(generator)
    assert found.dim == 2 * generator.dim
    assert Matrix.over(EE, found.matrix) == interleaved(Matrix.over(EE, generator.matrix))
    assert Matrix.over(EE, found.exponential(r)) == interleaved(Matrix.over(EE, generator.exponential(r)))


def test_real_forms_of_known_generators() -> None:
    a, w = SR.symbols("a omega")
    assert real_form(Diagonal(a + SR.i * w)) == Rotation(a, w)
    assert real_form(Jordan(a + SR.i * w, 2)) == ComplexJordan(a, w, 2)
    assert real_form(Diagonal([QQ_I.number(1, 2)], ring=ComplexBalls(96))) == Rotation(1, 2, ring=Balls(96))
    assert real_form(Dense([[QQ_I.i]], ring=ComplexBalls(96))) == Rotation(0, 1, ring=Balls(96))
    assert interleaved(Matrix(QQ, [[2]])) == Matrix(QQ, [[2, 0], [0, 2]])


def test_rings_and_parameters() -> None:
    third = QQ.ratio(1, 3)
    found = Conjugated([[third, 1], [0, 1]], Jordan(third, 2))
    assert found.ring == EE
    assert Conjugated(Matrix(QQ, [[1, 1], [0, 1]]), Jordan(0, 2)).ring == QQ
    coarse = found.over(Balls(16))
    assert max(x.radius for x in coarse.over(Balls(512)).matrix.entries) < QQ.ratio(1, 2**480)
    assert coarse.over(EE) == found
    assert Conjugated([[Balls(64).one]], Diagonal(1)).ring == Balls(64)
    p = SR.symbol("p")
    rotated = Conjugated([[1, p], [0, 1]], Diagonal([1, 2]))
    assert rotated.matrix == Matrix(SR, [[1, p], [0, 2]])
    assert rotated.kernel() == kernel(rotated.matrix)
    assert Conjugated([[1, p], [0, 1]], Diagonal([1, 2], ring=MP(20)), ring=SR) == rotated
    # With close eigenvalues no Jordan form is found in balls, but this one is given.
    assert Conjugated([[1, 1], [0, 1]], Jordan(third, 2), ring=Balls(64)).jordan_form().blocks[0][1] == 2


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: Conjugated([[1, 2], [2, 4]], Zero(2)), ZeroDivisionError, "no inverse"),
        (lambda: Conjugated([[1, 2]], Zero(2)), ValueError, "basis P needs a square matrix"),
        (lambda: Conjugated([[1]], Zero(2)), ValueError, r"basis of R\^1 does not fit a generator of R\^2"),
        (lambda: Conjugated([[EE.exp(EE.one)]], Zero(1)), ValueError, "no Gaussian rational"),
        (lambda: Conjugated([[1]], 5), TypeError, "Conjugated takes a generator"),  # type: ignore[arg-type]
        (lambda: Conjugated(5, Zero(1)), TypeError, "made of rows"),  # type: ignore[arg-type]
        (lambda: Conjugated([[0.5]], Zero(1)), TypeError, "A float is not exact"),
        (lambda: Conjugated([[Balls(64).one]], Diagonal(1, ring=Balls(65))), ValueError, "say which is meant"),
        (lambda: complex_form(5), TypeError, "complex_form takes a generator"),  # type: ignore[arg-type]
        (lambda: real_form(5), TypeError, "real_form takes a generator"),  # type: ignore[arg-type]
        (lambda: complex_form(Dense([[Balls(64).one]])), ValueError, "no Jordan form"),
    ],
)
def test_what_is_refused(make, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda x, y: Zero(2, ring=SR),
        lambda x, y: Diagonal([x, y]),
        lambda x, y: Rotation(x, y),
        lambda x, y: Jordan(x, 3),
        lambda x, y: ComplexJordan(x, y, 2),
        lambda x, y: Skew([x]),
        lambda x, y: Skew([x, 0, 0]),
        lambda x, y: Dense([[x, 1], [0, y]]),
        lambda x, y: Dense([[x, -y], [y, x]]),
        lambda x, y: Dense([[0, x], [0, 0]]),
        lambda x, y: DirectSum(Diagonal(x), Jordan(2, 2)),
        lambda x, y: Conjugated([[1, x], [0, 1]], Rotation(0, y)),
    ],
)
def test_every_family_takes_named_parameters(make) -> None:
    x, y, r = SR.symbols("x y r")
    generator: AbstractGenerator = make(x, y)
    assert generator.ring == SR
    assert generator.kernel() == kernel(generator.matrix)
    E = generator.exponential(r)
    # E' = -AE and E(0) = I say what the exponential is.
    assert E.map(SR, lambda f: f.derivative("r")) == -(generator.matrix @ E)
    assert E.map(SR, lambda f: f.at({"r": 0})) == Matrix.identity(SR, generator.dim)
    # Values put in afterwards, and names changed before, give the same.
    numbers = generator.exponential(QQ.ratio(1, 2)).map(EE, lambda f: EE.coerce(f.at({"x": 2, "y": -1})))
    assert numbers == Matrix.over(EE, make(EE.coerce(2), EE.coerce(-1)).exponential(QQ.ratio(1, 2)))
    renamed = make(*SR.symbols("Tau_syn_in Tau")).exponential(r)
    assert renamed.map(SR, lambda f: f.at({"Tau_syn_in": x, "Tau": y})) == E


def test_symbolic_spectra_that_do_not_split_are_refused() -> None:
    x, y, z = SR.symbols("x y z")
    with pytest.raises(ValueError, match=r"split over RF, so the exponential is not in SR: .* with numbers for"):
        Dense([[0, x], [y, 0]])
    with pytest.raises(ValueError, match="does not split"):
        Skew([x, y, z])
