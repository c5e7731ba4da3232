"""The closed form is a twin of the other routes: equal in exact rings, and a formula over SR."""

import mpmath
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, MP, QQ, SR, Balls, ComplexBalls, PiecewiseLinearPath, TensorAlgebra
from ewsmath.ews import closed_form, local_closed, local_group, local_iterated, local_recursion, local_structured
from ewsmath.generators import ComplexJordan, Conjugated, Dense, Diagonal, DirectSum, Jordan, Rotation, Skew
from ewsmath.strategies import FAMILIES, generators, rationals, vectors

FAMILY = pytest.mark.parametrize("family", FAMILIES)
WIDE = [
    (Diagonal([1, fmpq(1, 2)]), 4),
    (Rotation(1, 2), 4),
    (Rotation(None, 2), 4),  # undamped: partial sums coincide
    (Rotation([1, 1], [2, 2]), 2),
    (Jordan(1, 2), 4),
    (Jordan(0, 3), 3),
    (ComplexJordan(0, 1, 2), 2),
    (Skew([1, 2, 2]), 2),
    (DirectSum(Jordan(1, 2), Rotation(0, 1)), 2),
    (Dense([[1, 1, 1, 0], [-2, -1, 0, -1], [0, 0, -1, -1], [0, 0, 2, 1]]), 2),
    (Conjugated([[1, 1], [1, 2]], Jordan(fmpq(1, 2), 2)), 3),
]


@FAMILY
@given(data=st.data())
def test_it_equals_the_definition(family: str, data: st.DataObject) -> None:
    generator = data.draw(generators(family, max_dim=2))
    depth = data.draw(st.integers(1, 4 if generator.dim < 2 else 3))
    r, v = data.draw(rationals()), data.draw(vectors(QQ, generator.dim))
    assert local_closed(generator, r, v, depth) == local_iterated(generator, r, v, depth)


@pytest.mark.parametrize(("generator", "depth"), WIDE, ids=lambda x: type(x).__name__)
def test_wide_and_deep_pieces(generator, depth: int) -> None:
    v = [1, -2, fmpq(1, 3), 2][: generator.dim]
    for r in (fmpq(3, 2), -1, 0):
        found = local_closed(generator, r, v, depth)
        assert found == local_iterated(generator, r, v, depth) == local_recursion(generator, r, v, depth)
        if depth < 4:
            assert found == local_structured(generator, r, v, depth)
        for ring in (Balls(96), ComplexBalls(96)):
            enclosure = local_closed(generator.over(ring), r, v, depth)
            assert enclosure == TensorAlgebra(ring, generator.dim, depth).tensor(found.coefficients)
            assert max(c.radius for c in enclosure.vector()) < fmpq(1, 10**20)


@given(data=st.data())
def test_as_a_function_of_the_clock_time(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2))
    r, v = data.draw(st.sampled_from([fmpq(1), fmpq(-1, 2)])), data.draw(vectors(QQ, generator.dim))
    F = closed_form(generator, v, 2)
    moved = local_iterated(generator, r, [r * x for x in v], 2)
    assert moved.algebra.tensor({word: f(r) for word, f in F.coefficients.items()}) == moved
    # F' = -Λ F + F ⊗ v, the linear CDE, and F(0) = 1.
    T = F.algebra
    A = generator.matrix.map(T.ring, T.ring.coerce)
    derived = T.tensor({word: f.derivative() for word, f in F.coefficients.items()})
    slots = T.zero()
    for word, f in F.coefficients.items():
        for k, j in enumerate(word):
            for i in range(1, T.dim + 1):
                slots = slots + T.tensor({(*word[:k], i, *word[k + 1 :]): A[i - 1, j - 1] * f})
    assert derived + slots == F @ T.vector(v)
    assert T.tensor({word: T.ring.coerce(f(0)) for word, f in F.coefficients.items()}) == T.one()


def test_one_rate_in_closed_form_by_hand() -> None:
    # (1 - e^{-λr})/(λr), and its square over 2 at depth two: one letter alone makes shuffle powers.
    lam, r = SR.symbols("lambda r")
    found = local_closed(Diagonal(lam), r, [1], 3)
    level_one = (1 - SR.exp(-lam * r)) / (lam * r)
    assert found[1] == level_one
    assert found[1, 1] == level_one * level_one / 2
    assert str(found[1]) == "1/(lambda*r) - exp(-lambda*r)/(lambda*r)"
    assert found[1]._latex() == r"\frac{1}{\lambda r} - \frac{e^{- \lambda r}}{\lambda r}"


def test_two_rates_in_closed_form_by_hand() -> None:
    # ⟨12⟩ = exp[0, -ar, -(a+b)r] with the first letter at the first partial sum.
    a, b, r = SR.symbols("a b r")
    f = local_closed(Diagonal([a, b]), r, [1, 1], 2)[1, 2]
    x, y = -a * r, -(a + b) * r
    expected = 1 / (x * y) + SR.exp(x) / (x * (x - y)) + SR.exp(y) / (y * (y - x))
    assert f == expected


@pytest.mark.parametrize(
    "make",
    [
        lambda x, y: (Diagonal([x, y]), 3),
        lambda x, y: (Rotation(x, y), 2),
        lambda x, y: (Rotation(None, y), 3),
        lambda x, y: (Jordan(x, 2), 2),
        lambda x, y: (Dense([[x, 1], [0, y]]), 2),
    ],
)
def test_formulas_hold_at_numbers(make) -> None:
    x, y, r = SR.symbols("x y r")
    generator, depth = make(x, y)
    formula = local_closed(generator, r, [1, 2], depth)
    assert formula == local_iterated(generator, r, [1, 2], depth)
    assert formula == local_recursion(generator, r, [1, 2], depth)
    values = {"x": fmpq(1, 2), "y": 3, "r": 2}
    exact, _ = make(EE.ratio(1, 2), EE.coerce(3))
    at_numbers = {word: c.at(values) for word, c in formula.coefficients.items()}
    assert TensorAlgebra(EE, 2, depth).tensor(at_numbers) == local_closed(exact, 2, [1, 2], depth)
    assert formula.is_group_like()


def test_the_structured_route_over_names() -> None:
    x, r = SR.symbols("x r")
    assert local_structured(Jordan(x, 2), r, [1, 2], 2) == local_closed(Jordan(x, 2), r, [1, 2], 2)


@pytest.mark.parametrize(
    ("generator", "depth"), [(Rotation(1, fmpq(1, 3)), 2), (Jordan(1, 2), 2), (Dense([[0, 1], [-2, 3]]), 1)]
)
def test_mpmath_agrees(generator, depth: int) -> None:
    ring = MP(20)
    v = [1, fmpq(-1, 3)]
    truth = TensorAlgebra(ring, 2, depth).tensor(local_iterated(generator, 2, v, depth).coefficients)
    before = mpmath.mp.dps
    assert local_closed(generator.over(ring), 2, v, depth) == truth
    assert local_structured(generator.over(ring), 2, v, depth) == truth
    assert EWS(generator.over(ring), depth=depth)(PiecewiseLinearPath([0, 2], [[0, 0], v])) == truth
    assert mpmath.mp.dps == before


def test_close_rates_cost_no_digits() -> None:
    # Quotients of differences would lose forty digits here; Opitz's matrix loses none.
    close = Diagonal([1, 1 + fmpq(1, 10**40)])
    exact = TensorAlgebra(Balls(400), 2, 3).tensor(local_closed(close, 1, [1, 1], 3).coefficients)
    found = local_closed(close.over(Balls(64)), 1, [1, 1], 3)
    assert max(c.radius for c in found.vector()) < fmpq(1, 10**17)
    assert all(
        (Balls(400).coerce(x) - y).abs_upper() < fmpq(1, 10**16)
        for x, y in zip(found.vector(), exact.vector(), strict=True)
    )
    assert found == local_group(close.over(Balls(64)), 1, [1, 1], 3)


def test_it_is_a_route_of_the_front_door() -> None:
    ews = EWS(Rotation(1, 2), depth=2)
    assert ews.local(2, [1, 3], route="closed") == ews.local(2, [1, 3])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: local_closed(Dense([[Balls(64).one]]), 1, [1], 1), ValueError, "no Jordan form is found"),
        (lambda: local_closed(Diagonal(1), EE.exp(EE.one), [1], 1), ValueError, "no Gaussian rational"),
        (lambda: local_closed(5, 1, [1], 1), TypeError, "takes a generator"),  # type: ignore[arg-type]
        (lambda: closed_form(5, [1], 1), TypeError, "takes a generator"),  # type: ignore[arg-type]
        (lambda: closed_form(Diagonal(1, ring=Balls(64)), [1], 1), ValueError, "decidable zero"),
        (lambda: local_closed(Diagonal(1), 0.5, [1], 1), TypeError, "A float is not exact"),
    ],
)
def test_what_is_refused(make, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()
