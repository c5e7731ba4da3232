"""What is turned away at the door, and what is taken in as something else than it is written."""

import operator
import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import flint
import mpmath
import numpy as np
import pytest
from flint import fmpq

from ewsmath import (
    EE,
    EWS,
    MP,
    QQ,
    QQ_I,
    SR,
    Balls,
    ComplexBalls,
    ExpPoly,
    ExpPolyPath,
    ExpPolys,
    Functional,
    Matrix,
    PiecewiseLinearPath,
    Segment,
    Tensor,
    TensorAlgebra,
    chen,
    derivation,
    exact,
    flow,
    homomorphism,
    signature,
)
from ewsmath.clocks import Blended, Clamped, Gated, Given, Time, Variation
from ewsmath.ews import inverse, unit
from ewsmath.generators import Dense, Diagonal, DirectSum, Jordan, Rotation, Skew, Zero
from ewsmath.lie import LieElement
from ewsmath.linear_cde import LinearCDE
from ewsmath.rings import RF
from ewsmath.ssm import FRACTIONS
from ewsmath.ssm.quotient import Quotient
from ewsmath.structures import DiagonalDense, DiagonalLowRank, Sparse, WalshHadamard
from ewsmath.words import place

T = TensorAlgebra(QQ, dim=2, depth=2)
one = T.one()
l1: Any = Functional.word(QQ, 1)
A: Any = Matrix(QQ, [[1]])
B: Any = Matrix(EE, [[1]])
f: Any = ExpPolys(EE).one
e = EWS(Zero(2), depth=2)
bracket: Any = LieElement(T, "lyndon words", {(1,): 1})
X = PiecewiseLinearPath([3, 5], [[0, 0], [1, 2]])
NAMES = ("QQ", "EE", "Balls")


@pytest.mark.parametrize("ring", [QQ, QQ_I, EE, RF, SR, MP(9), Balls(53), ComplexBalls(53), ExpPolys(EE)])
@pytest.mark.parametrize("x", [True, False, np.True_])
def test_no_ring_takes_a_boolean(ring: Any, x: Any) -> None:
    with pytest.raises(TypeError, match=r"got (True|False) of type bool_?\. .*write 1 or 0"):
        ring.coerce(x)


@pytest.mark.parametrize("x", [True, [1, False], np.array([True]), np.False_])
def test_exact_takes_no_boolean(x: Any) -> None:
    with pytest.raises(TypeError, match=r"of type bool\. .*write 1 or 0"):
        exact(x)


@pytest.mark.parametrize(
    "word", [(1, 2.0), (1.0,), (True,), (1, True), (1, "2"), 1.0, True, "1", (0,), (3,), (1, 1, 1)]
)
def test_letters_are_whole_numbers_whatever_the_coefficient(word: Any) -> None:
    S = T.exp(T.vector([1, 1]))
    with pytest.raises(ValueError, match="is no word of"):
        S[word]
    with pytest.raises(ValueError, match="is no word of"):
        T.tensor({word if isinstance(word, tuple) else (word,): 1})


@pytest.mark.parametrize("word", [(0,), (3,), (1, 2.0), (True,), (1, "2")])
def test_place_takes_the_letters_of_its_alphabet_only(word: Any) -> None:
    with pytest.raises(ValueError, match="letters are the whole numbers from 1 to 2"):
        place(word, 2)


def test_integers_of_numpy_are_letters_and_are_kept_as_ints() -> None:
    S: Any = T.exp(T.vector([1, 2]))
    short: Any = (np.int8(2),)
    assert S[np.int64(2)] == S[2]
    assert S[tuple(np.array([1, 2]))] == S[1, 2]
    assert place(tuple(np.array([2, 2])), 2) == 6
    for word in (*T.tensor({short: 1}).coefficients, *Functional(QQ, {short: 1})):
        assert type(word[0]) is int


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, np.array])
def test_depth_width_and_size_take_every_whole_number_and_keep_an_int(kind: Callable[[int], Any]) -> None:
    algebra = TensorAlgebra(QQ, dim=kind(2), depth=kind(3))
    assert algebra == TensorAlgebra(QQ, 2, 3)
    assert Zero(kind(2)) == Zero(2)
    assert Jordan(1, kind(2)) == Jordan(1, 2)
    assert Rotation(1, 2) == Rotation(1, 2)
    assert EWS(Zero(1), depth=kind(3)).depth == 3
    assert Balls(kind(64)) == Balls(64)
    assert {type(n) for n in (algebra.dim, algebra.depth, Jordan(1, kind(2)).size, Balls(kind(64)).prec)} == {int}


@pytest.mark.parametrize("make", [Zero, lambda n: Jordan(1, n), lambda n: TensorAlgebra(QQ, 1, n), Balls])
@pytest.mark.parametrize("n", [True, 1.5, "2", None, np.float64(2)])
def test_depth_width_and_size_take_nothing_else(make: Callable[[Any], Any], n: Any) -> None:
    with pytest.raises(TypeError, match="is a whole number, got"):
        make(n)


@pytest.mark.parametrize(
    "mixed",
    [lambda: A @ B, lambda: A + B, lambda: A - B, lambda: B @ A, lambda: A.kronecker(B), lambda: A.kronecker_sum(B)],
)
def test_matrices_over_two_rings_are_not_mixed(mixed: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r"matrices over (QQ and EE|EE and QQ) are not mixed"):
        mixed()


RINGS: list[Callable[[Any], Any]] = [
    lambda ring: TensorAlgebra(ring, 1, 1),
    lambda ring: Functional(ring, {}),
    lambda ring: PiecewiseLinearPath(None, [[0]], ring),
    lambda ring: PiecewiseLinearPath.from_increments([[0]], ring=ring),
    lambda ring: X.over(ring),
    lambda ring: Matrix(ring, [[1]]),
    lambda ring: Matrix.over(ring, A),
    lambda ring: Matrix.identity(ring, 2),
    lambda ring: ExpPolys(ring),
    lambda ring: f.over(ring),
    lambda ring: Zero(1, ring=ring),
    lambda ring: Diagonal(1, ring=ring),
    lambda ring: Jordan(1, 1, ring=ring),
    lambda ring: Rotation(1, 1, ring=ring),
    lambda ring: Skew([1], ring=ring),
    lambda ring: Dense([[1]], ring=ring),
    lambda ring: DirectSum(Zero(1), ring=ring),
    lambda ring: Zero(1).over(ring),
]


@pytest.mark.parametrize("make", RINGS)
@pytest.mark.parametrize("ring", ["QQ", 5, Balls])
def test_a_ring_is_an_object_not_a_name(make: Callable[[Any], Any], ring: Any) -> None:
    with pytest.raises(TypeError, match=r"a ring is .*, got .* of type .*: give QQ, "):
        make(ring)


bad: Any = 5
KINDS: list[tuple[Callable[[], Any], str]] = [
    (lambda: one @ bad, r"tensors, got 5 of type int: .*a \* c"),
    (lambda: one + bad, r"tensors, got 5 of type int: .*a \* c"),
    (lambda: one - bad, r"tensors, got 5 of type int: .*a \* c"),
    (lambda: T.exp(bad), "tensors, got 5 of type int"),
    (lambda: T.vector(bad), "as a sequence, got 5 of type int"),
    (lambda: T.from_vector(bad), "as a sequence, got 5 of type int"),
    (lambda: l1 + bad, "functionals, got 5 of type int"),
    (lambda: l1 - bad, "functionals, got 5 of type int"),
    (lambda: l1.shuffle(bad), "functionals, got 5 of type int"),
    (lambda: l1.left_half_shuffle(bad), "functionals, got 5 of type int"),
    (lambda: l1.right_half_shuffle(bad), "functionals, got 5 of type int"),
    (lambda: l1(bad), "takes a tensor, got 5 of type int"),
    (lambda: A + bad, "matrices, got 5 of type int"),
    (lambda: A @ bad, "matrices, got 5 of type int"),
    (lambda: chen(bad, 6), "segments, got 5 of type int: .*Segment"),  # type: ignore[arg-type]
    (lambda: chen(Segment(e.generator, 0, one), bad), "segments, got 5 of type int"),
    (lambda: inverse(bad), "segments, got 5 of type int"),
    (lambda: unit(bad, 2), "takes a generator, got 5 of type int: .*Dense"),
    (lambda: Segment(bad, 1, one), "takes a generator, got 5 of type int"),
    (lambda: Segment(e.generator, 1, bad), "takes a tensor, got 5 of type int"),
    (lambda: signature(bad, 2), r"reads a path, got 5 of type int: .*PiecewiseLinearPath\("),
    (lambda: Time()(bad), r"Time reads a path, got 5 of type int: .*PiecewiseLinearPath\("),
    (lambda: Given([1])(bad), "Given reads a path, got 5 of type int"),
    (lambda: e(bad), "EWS reads a path, got 5 of type int"),
    (lambda: X.then(bad), "reads a path, got 5 of type int"),
    (lambda: e.local(1, bad), "as a sequence, got 5 of type int"),
    (lambda: Gated(bad), r"Gated takes its weights as a sequence, got 5 of type int: write \[x\]"),
    (lambda: Given(bad), "Given takes its increments as a sequence, got 5 of type int"),
    (lambda: Clamped(bad), "Clamped takes its rows as a sequence, got 5 of type int"),
    (lambda: Clamped([bad]), "Clamped takes row 0 as a sequence, got 5 of type int"),
    (lambda: Clamped([[1]], bad), "Clamped takes its biases as a sequence, got 5 of type int"),
    (lambda: PiecewiseLinearPath.from_increments(bad), "as a sequence, got 5 of type int"),
    (lambda: PiecewiseLinearPath.from_increments([bad]), "as a sequence, got 5 of type int"),
    (lambda: flow(bad, 1, one), "takes a generator, got 5 of type int: .*Dense"),
    (lambda: flow(e.generator, 1, bad), "takes a tensor, got 5 of type int"),
    (lambda: flow(e.generator, 1, bracket), r"of type LieElement: take its tensor, \.tensor\(\)"),
    (lambda: LinearCDE([A, A]).represent(bracket), r"of type LieElement: take its tensor, \.tensor\(\)"),
    (lambda: flow(e.generator, 1, T), "of type TensorAlgebra: make one by an algebra"),  # type: ignore[arg-type]
    (lambda: flow("12", 1, one), "takes a generator, got '12' of type str"),  # type: ignore[arg-type]
    (lambda: homomorphism([[1]], bad), "takes a tensor, got 5 of type int"),
    (lambda: derivation([[1]], bad), "takes a tensor, got 5 of type int"),
]


@pytest.mark.parametrize(("wrong", "message"), KINDS)
def test_a_wrong_kind_is_named_with_what_to_do(wrong: Callable[[], Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        wrong()


def test_an_interval_before_the_first_time_is_empty_however_it_is_written() -> None:
    assert e(X, None, 2) == e(X, 0, 2) == one
    assert X.portions(None, 2) == []
    assert X.restrict(None, 2).values == X.restrict(0, 2).values == ((0, 0),)
    assert e(X, None, 5) == e(X)


TAKES_NUMBERS: list[Callable[[Any], Any]] = [
    lambda x: T.from_levels([[0], [x, 1]]),
    lambda x: T.from_levels([[x]]),
    lambda x: T.tensor({(1,): x}),
    lambda x: Tensor(T, {(1,): x}),
    lambda x: T.letter(1).scaled(x),
    lambda x: T.letter(1) * x,
    lambda x: x * T.letter(1),
    lambda x: T.letter(1).dilated(x),
    lambda x: Matrix.flat(QQ, [x], 1),
    lambda x: Matrix.column(QQ, [x]),
    lambda x: A.map(QQ, lambda _: x),
    lambda x: A.scaled(x),
    lambda x: A * x,
    lambda x: x * A,
    lambda x: A.apply([x]),
    lambda x: WalshHadamard(QQ, [1]).scaled(x),
    lambda x: DiagonalLowRank([1], A, A).scaled(x),
    lambda x: Sparse(QQ, 1, {(0, 0): 1}).scaled(x),
    lambda x: DiagonalDense([2], A).scaled(x),
    lambda x: ExpPoly(QQ, {(1, 0): x}),
    lambda x: ExpPolys(QQ).one.scaled(x),
]


@pytest.mark.parametrize("make", TAKES_NUMBERS)
@pytest.mark.parametrize(
    "x", [0.5, np.float32(0.5), True, "a", None, 1j, Balls(64).one, SR.symbol("a"), EE.exp(EE.one)]
)
def test_numbers_of_no_ring_get_in_nowhere(make: Callable[[Any], Any], x: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="QQ"):
        make(x)


@pytest.mark.parametrize("make", TAKES_NUMBERS)
@pytest.mark.parametrize("x", [2, np.int8(2), Fraction(1, 2), QQ.ratio(1, 2), EE.ratio(1, 2)])
def test_every_kind_of_rational_is_taken_for_the_number_of_the_ring(make: Callable[[Any], Any], x: Any) -> None:
    found = make(x)
    assert found == make(QQ.coerce(x))
    if isinstance(found, Tensor):
        assert {type(c) for c in found.coefficients.values()} == {fmpq}
    elif isinstance(found, Matrix):
        assert {type(c) for c in found.entries} == {fmpq}


def test_halves_of_whole_numbers_stay_exact() -> None:
    assert T.from_levels([[1], [1, 2]])[1] / 2 == fmpq(1, 2)
    assert Matrix.flat(QQ, [1, 2], 2)[0, 0] / 2 == fmpq(1, 2)


@pytest.mark.parametrize("word", [(9, 9, 9, 9, 9), (3,), (1, 1, 1), (0,), (1.0,), (True,), 1, "1", None])
def test_a_tensor_holds_words_of_its_algebra_only(word: Any) -> None:
    with pytest.raises(ValueError, match=r"is no word of TensorAlgebra\(ring=QQ, dim=2, depth=2\)"):
        Tensor(T, {word: 1})
    with pytest.raises(ValueError, match="is no word"):
        T.tensor({word: 1})


def test_a_tensor_is_made_in_an_algebra() -> None:
    assert Tensor(T, {(1, 2): 0, (2,): 3}) == T.letter(2) * 3
    with pytest.raises(TypeError, match=r"a tensor belongs to an algebra, got Q.*: give TensorAlgebra\(ring"):
        Tensor(QQ, {})  # type: ignore[arg-type]
    for levels in (5, [5], ["ab"]):
        with pytest.raises(TypeError, match=r"takes levels? ?0? ?as a sequence|QQ takes"):
            T.from_levels(levels)  # type: ignore[arg-type]


@pytest.mark.parametrize("columns", [0, 2, -1, 1.5, True])
def test_a_flat_matrix_has_full_rows(columns: Any) -> None:
    with pytest.raises(ValueError, match=r"3 numbers do not fill rows of .* entries"):
        Matrix.flat(QQ, [1, 2, 3], columns)
    assert Matrix.flat(QQ, [], 2).shape == (0, 2)
    assert Matrix.flat(QQ, [], 0).shape == (0, 0)


WRONG_TERMS: list[tuple[Any, Any, str]] = [
    (QQ, {(0, 0.5): 1}, "QQ_I takes .*0.5 of type float"),
    (QQ, {(0.5, 0): 1}, r"a power u\^k has a whole number k ≥ 0, got 0.5 of type float"),
    (QQ, {(-1, 0): 1}, "a power .*, got -1"),
    (QQ, {(True, 0): 1}, "a power .*, got True"),
    (QQ, {0: 1}, r"a pair \(k, α\) ↦ c, got 0"),
    (QQ, {(1, 2, 3): 1}, "a pair"),
    ("QQ", {}, "a ring is an object"),
    (Balls(64), {}, "need a decidable zero"),
    (MP(9), {(0, 0): 1}, "need a decidable zero"),
]


@pytest.mark.parametrize(("ring", "terms", "message"), WRONG_TERMS)
def test_an_exponential_polynomial_holds_powers_exponents_and_numbers_only(ring: Any, terms: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        ExpPoly(ring, terms)


def test_terms_of_an_exponential_polynomial_are_taken_for_what_they_are() -> None:
    u = ExpPolys(QQ).variable
    terms: Any = {(np.int64(1), 0): 2, (0, Fraction(1, 2)): 0, (0, -1): 3}
    f = ExpPoly(QQ, terms)
    assert f == u * 2 + ExpPolys(QQ).exponential(-1) * 3
    assert f.terms == {(1, QQ_I.zero): 2, (0, QQ_I.coerce(-1)): 3}
    assert {type(c) for c in f.terms.values()} == {fmpq}
    with pytest.raises(ValueError, match="need a decidable zero"):
        u.over(Balls(64))


@pytest.mark.parametrize(
    ("clock", "name"),
    [
        (lambda x: Gated([x, 1]), "Gated"),
        (lambda x: Gated([1], x), "Gated"),
        (lambda x: Clamped([[1], [x]]), "Clamped"),
        (lambda x: Clamped([[1]], [x]), "Clamped"),
        (lambda x: Given([1, x]), "Given"),
        (lambda x: Blended(x), "QQ"),
    ],
)
@pytest.mark.parametrize("x", [0.5, np.float32(0.5), True, np.True_, 1j, "a", None, Decimal("0.5")])
def test_clocks_take_no_floats_when_they_are_made(clock: Callable[[Any], Any], name: str, x: Any) -> None:
    with pytest.raises(TypeError, match=rf"^{name} takes .* of type {type(x).__name__}"):
        clock(x)


def test_clocks_take_the_numbers_of_every_ring() -> None:
    path = PiecewiseLinearPath(None, [[0], [1]])
    third = mpmath.mpf(1) / 4
    for ring, x in ((QQ, Fraction(1, 4)), (EE, QQ_I.ratio(1, 4)), (Balls(64), Balls(64).ratio(1, 4)), (MP(9), third)):
        over = path.over(ring)
        clocks = Gated([x]), Gated([0], x), Clamped([[x]]), Clamped([[0]], [x]), Given([x])
        assert [clock.increments(over)[0] for clock in clocks] == [ring.ratio(1, 4)] * 5


def test_a_float_is_advised_to_be_written_as_the_number_that_it_is() -> None:
    for x in (np.float32(0.1), np.float16(0.1), np.float64(0.1), 0.1):
        with pytest.raises(TypeError) as refused:
            QQ.coerce(x)
        code = re.search(r"interop\.exact\((.*)\), or use", str(refused.value))
        assert code is not None
        assert exact(eval(code[1], {"np": np})) == exact(x)
    with pytest.raises(TypeError, match=r"write it as a ratio, QQ.ratio\(1, 4\), or use the ball field"):
        QQ.coerce(mpmath.mpf(1) / 4)  # which interop.exact does not take


FRACTION: Any = Quotient(EE.exp(EE.one), EE.exp(EE.one) + 1)
ELEMENTS: list[tuple[Any, str]] = [
    (QQ_I.number(1, 2), "QQ_I"),
    (EE.exp(EE.one), "EE"),
    (SR.symbol("a"), "SR"),
    (RF.symbol("a"), "RF"),
    (Balls(64).one, r"Balls\(prec=64\)"),
    (ComplexBalls(64).one, r"ComplexBalls\(prec=64\)"),
    (MP(9).one, r"MP\(9\)"),
    (ExpPolys(QQ).variable, r"ExpPolys\(QQ\)"),
    (FRACTION, "FRACTIONS"),
]
OPERATIONS: list[Callable[[Any, Any], Any]] = [operator.add, operator.sub, operator.mul, operator.truediv]


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(("element", "name"), ELEMENTS)
@pytest.mark.parametrize("x", [0.5, True, 1j, np.float32(0.5), np.float64(0.5), np.True_, np.complex64(1j)])
def test_elements_of_rings_teach_how_a_float_is_written(operation: Any, element: Any, name: str, x: Any) -> None:
    message = rf"^{name} takes .* (A float is not exact: |A truth value is no number: )"
    with pytest.raises(TypeError, match=message):
        operation(element, x)
    with pytest.raises(TypeError, match=message):
        operation(x, element)


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(
    ("x", "y"),
    [
        (EE.exp(EE.one), Balls(64).one),
        (QQ_I.i, ComplexBalls(64).one),
        (SR.symbol("a"), MP(9).one),
        (RF.symbol("a"), EE.exp(EE.one)),
        (MP(9).one, Balls(64).one),
        (ExpPolys(QQ).variable, Balls(64).one),
        (FRACTION, Balls(64).one),
    ],
)
def test_elements_of_rings_that_do_not_mix_say_so_in_either_order(operation: Any, x: Any, y: Any) -> None:
    for first, second in ((x, y), (y, x)):
        with pytest.raises(TypeError, match=r"takes in sums and products .*, got .* Convert it first: nothing is"):
            operation(first, second)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_other_operand_is_asked_before_an_element_refuses(operation: Any) -> None:
    class Answering:
        def answer(self, other: Any) -> str:
            return "answered"

        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = answer

    for element, _ in ELEMENTS:
        assert operation(element, Answering()) == "answered"
    for element in (QQ_I.one, EE.one, SR.one, RF.one, FRACTION, Balls(64).one, ComplexBalls(64).one, MP(9).one):
        numbers: list[Any] = [Fraction(3, 2), fmpq(3, 2), 3, np.int64(3)]
        for x, halves in zip(numbers, (3, 3, 6, 6), strict=True):
            number = element * 0 + fmpq(halves, 2)
            assert operation(element, x) == operation(element, number)
            assert operation(x, element) == operation(number, element)


def test_an_element_times_a_matrix_or_a_tensor_is_their_multiple() -> None:
    tensor = TensorAlgebra(EE, 1, 1).letter(1)
    assert EE.exp(EE.one) * tensor == tensor * EE.exp(EE.one)
    assert EE.exp(EE.one) * B == B * EE.exp(EE.one)
    row: Any = np.array([1, 2])
    assert (EE.exp(EE.one) * row).tolist() == [EE.exp(EE.one), 2 * EE.exp(EE.one)]


RATIOS = [QQ, QQ_I, EE, RF, SR, MP(9), Balls(53), ComplexBalls(53), ExpPolys(EE), FRACTIONS]


@pytest.mark.parametrize("ring", RATIOS)
def test_ratios_are_of_whole_numbers(ring: Any) -> None:
    for p, q in ((np.int64(3), 4), (3, np.int8(4)), (flint.fmpz(3), flint.fmpz(4)), (Fraction(3, 2), 2)):
        assert ring.equal(ring.ratio(p, q), ring.coerce(fmpq(3, 4)))
    for p, q, bad in ((0.5, 1, "0.5 of type float"), (1, np.float32(0.5), "0.5 of type float32"), (True, 1, "True")):
        with pytest.raises(TypeError, match=rf"ratio takes whole numbers, got {bad}"):
            ring.ratio(p, q)
    with pytest.raises(TypeError, match=r"ratio takes whole numbers, got a of type str"):
        ring.ratio(1, "a")
    for zero in (0, np.int64(0)):
        with pytest.raises(ZeroDivisionError):
            ring.ratio(1, zero)


a: Any = SR.symbol("a")
e1: Any = EE.exp(EE.one)


def over(ring: Any, x: Any) -> PiecewiseLinearPath:
    return PiecewiseLinearPath(None, [[0], [x]], ring)


LARGER: list[tuple[Callable[[], Any], str]] = [
    (lambda: EWS(Zero(1), depth=1)(over(EE, e1)), r"^e\^\(1\) is not in QQ, .* give the generator .*ring=EE$"),
    (
        lambda: EWS(Zero(1), depth=1, clock=Variation())(over(EE, e1)),
        "give the generator a ring that holds it, ring=EE$",
    ),
    (lambda: EWS(Zero(1), depth=1)(over(QQ_I, QQ_I.i)), "^i is not in QQ, .* ring=EE$"),
    (lambda: EWS(Zero(1), depth=1)(over(SR, a)), "^a is not in QQ, .* ring=SR$"),
    (lambda: EWS(Diagonal(1), depth=1)(over(SR, a)), "^a is not in EE, .* ring=SR$"),
    (lambda: EWS(Zero(1), depth=1)(over(Balls(64), 1)), r"is not in QQ, .* ring=Balls\(prec=64\)$"),
    (lambda: EWS(Zero(1), depth=1)(over(EE, e1).curved()), "is not in ExpPolys\\(QQ\\), .* ring=EE$"),
    (lambda: Given([e1]).increments(over(QQ, 1)), r"^e\^\(1\) is not in QQ, the ring of the path or .* ring=EE$"),
    (lambda: Jordan(2, 3).exponential(a), "^a is not in EE, the ring of the generator: .* ring=SR$"),
    (lambda: Jordan(0, 3).exponential(e1), "is not in QQ, the ring of the generator: .* ring=EE$"),
    (lambda: Jordan(2, 3).exponential(e1), r"is to stand in an exponent, .* ring=Balls\(prec=128\)$"),
    (lambda: Jordan(a, 2).exponential(SR.exp(a)), "is to stand in an exponent, and is no number of RF: .* ring=Balls"),
]


@pytest.mark.parametrize(("small", "message"), LARGER)
def test_a_ring_that_is_too_small_is_named_with_the_one_to_give(small: Callable[[], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        small()


def test_an_exponential_under_a_bent_function_says_which_ones_it_takes() -> None:
    u = ExpPolys(EE).variable
    bent = ExpPolyPath.from_functions([0, 1], [ExpPolys(QQ).variable ** 2], QQ)
    message = r"e\^\(1u\) is no polynomial, so that with u\^2 for u .*an affine function; .* piecewise linear$"
    with pytest.raises(ValueError, match=message):
        ExpPolyPath.from_functions([0, 1], [ExpPolys(EE).exponential(1)]).compose(bent)
    assert (u * u).composed(u * u) == u**4


def test_functions_of_the_rationals_give_rationals() -> None:
    number: Any = 2
    for found in (QQ.inverse(number), QQ.maximum(number, number), QQ.square_root(number * number)):
        assert type(found) is fmpq
    half: Any = 0.5
    for wrong in (QQ.inverse, lambda x: QQ.maximum(x, QQ.one), lambda x: QQ.maximum(QQ.one, x), QQ.square_root):
        with pytest.raises(TypeError, match=r"got 0\.5 of type float\. A float is not exact"):
            wrong(half)
