"""The Baker-Campbell-Hausdorff series: textbook values, Goldberg's coefficients as a second route, laws on draws."""

from itertools import groupby
from time import process_time

import pytest
from flint import fmpq, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Functional, TensorAlgebra
from ewsmath.lie import Bracket, LieElement, bch, dynkin_idempotent, lyndon_basis
from ewsmath.strategies import tensors, vectors
from ewsmath.tensor import Tensor
from ewsmath.words import Word


def letters(dim: int, depth: int) -> list:
    algebra = TensorAlgebra(QQ, dim, depth)
    return [algebra.letter(j) for j in range(1, dim + 1)]


def goldberg(word: Word) -> fmpq:
    """Goldberg's coefficient of a word that begins with letter 1, by one integral of polynomials of its runs.

    For the lengths s of its m runs it is ∫_0^1 t^{⌊m/2⌋} (t−1)^{⌊(m−1)/2⌋} Π G_s(t) dt, where G_1 = 1 and
    s G_s = (t(t−1) G_{s−1})'.
    """
    t = fmpq_poly([0, 1])
    runs = [len(list(run)) for _, run in groupby(word)]
    product = t ** (len(runs) // 2) * (t - 1) ** ((len(runs) - 1) // 2)
    for s in runs:
        G = fmpq_poly([1])
        for k in range(2, s + 1):
            G = (t * (t - 1) * G).derivative() / k
        product = product * G
    return product.integral()(1)


def test_textbook_values_to_depth_five() -> None:
    found = bch(*letters(2, 5), basis="lyndon brackets")
    assert {str(b): str(x) for b, x in found.coefficients.items()} == {
        "1": "1",
        "2": "1",
        "[1,2]": "1/2",
        "[1,[1,2]]": "1/12",
        "[[1,2],2]": "1/12",
        "[1,[[1,2],2]]": "1/24",
        "[1,[1,[1,[1,2]]]]": "-1/720",
        "[1,[1,[[1,2],2]]]": "1/180",
        "[[1,[1,2]],[1,2]]": "1/360",
        "[1,[[[1,2],2],2]]": "1/180",
        "[[1,2],[[1,2],2]]": "1/120",
        "[[[[1,2],2],2],2]": "-1/720",
    }


def test_it_has_goldbergs_coefficients() -> None:
    series = bch(*letters(2, 8), basis="words")
    for word in LieElement.labels(series.algebra, "words"):
        if word[0] == 1:  # type: ignore[index]  # these labels are words
            assert series[word] == goldberg(word)  # type: ignore[arg-type]
            # Reversing all, exp(X) exp(Y) turns into exp(Y) exp(X): the sign is that of the length.
            swapped = tuple(3 - j for j in word[::-1])  # type: ignore[index]
            assert series[swapped] == series[word]


def test_the_letter_twice_in_front_has_bernoullis_numbers() -> None:
    # log(exp x exp y) is linear in y as ad_x / (1 - e^{-ad_x}): B_n^+ / n! at n brackets.
    series = bch(*letters(2, 9), basis="lyndon brackets")
    bracket, factorial, found = Bracket(2), 1, []
    for n in range(1, 9):
        bracket, factorial = Bracket((1, bracket)), factorial * n
        found.append(series[bracket] * factorial)
    bernoulli = [(1, 2), (1, 6), (0, 1), (-1, 30), (0, 1), (1, 42), (0, 1), (-1, 30)]
    assert found == [QQ.ratio(p, q) for p, q in bernoulli]


@given(*[tensors(TensorAlgebra(QQ, 2, 3), max_terms=2).map(dynkin_idempotent) for _ in range(2)])
def test_it_is_the_logarithm_of_the_product_of_exponentials(x: Tensor, y: Tensor) -> None:
    exp = x.algebra.exp
    assert bch(x, y, basis="lyndon words").exp() == exp(x) @ exp(y)


def test_over_exponentials() -> None:
    # In EE, with x = e·e1 and y = e^{-1}·e2: the bracket has coefficient 1/2 again, [1,[1,2]] has e/12.
    algebra = TensorAlgebra(EE, 2, 3)
    e = EE.exp(EE.one)
    series = bch(algebra.letter(1) * e, algebra.letter(2) * EE.exp(-EE.one), basis="lyndon brackets")
    assert (series["[1,2]"], series["[1,[1,2]]"]) == (EE.ratio(1, 2), e * EE.ratio(1, 12))


@given(st.lists(vectors(QQ, 2), min_size=3, max_size=3))
def test_it_is_associative_and_has_inverses(rows: list) -> None:
    algebra = TensorAlgebra(QQ, 2, 3)
    x, y, z = map(algebra.vector, rows)
    whole = bch(x, y, z, basis="words")
    assert whole == bch(bch(x, y, basis="lyndon brackets").tensor(), z, basis="words")
    assert whole == bch(x, bch(y, z, basis="hall brackets by foliage").tensor(), basis="words")
    assert bch(x, -x, basis="words").tensor() == algebra.zero()
    assert bch(x, basis="lyndon words").tensor() == x


@given(st.lists(vectors(QQ, 3), min_size=2, max_size=2))
def test_the_series_in_letters_holds_for_all_elements(rows: list) -> None:
    # Substitute: brackets of letters become brackets of the elements, as in any Lie algebra.
    algebra = TensorAlgebra(QQ, 3, 3)
    x, y = map(algebra.vector, rows)
    total = algebra.zero()
    for bracket, c in bch(*letters(2, 3), basis="hall brackets by degree").coefficients.items():
        assert isinstance(bracket, Bracket)
        total = total + bracket.fold(lambda i: (x, y)[i - 1], Tensor.bracket) * c
    assert bch(x, y, basis="words").tensor() == total


def test_many_letters() -> None:
    # The multilinear part of log(exp e1 ⋯ exp en) is the first Eulerian idempotent: (-1)^d / (n binom(n-1, d)).
    series = bch(*letters(5, 5), basis="words")
    assert [series[w] for w in [(1, 2, 3, 4, 5), (2, 1, 3, 4, 5), (3, 2, 1, 5, 4), (5, 4, 3, 2, 1)]] == [
        QQ.ratio(1, 5), QQ.ratio(-1, 20), QQ.ratio(-1, 20), QQ.ratio(1, 5)
    ]  # fmt: skip


def test_depth_ten_takes_less_than_three_seconds() -> None:
    started = process_time()
    found = bch(*letters(2, 10), basis="lyndon brackets")
    assert process_time() - started < 3
    assert len(LieElement.labels(found.algebra, "lyndon brackets")) == len(lyndon_basis(2, 10)) == 226
    assert found.exp() == found.algebra.exp(letters(2, 10)[0]) @ found.algebra.exp(letters(2, 10)[1])


def test_factors_are_lie_elements_of_one_algebra() -> None:
    e1, e2 = letters(2, 2)
    with pytest.raises(ValueError, match="bch needs at least one factor"):
        bch(basis="words")
    with pytest.raises(ValueError, match="are not mixed"):
        bch(e1, letters(2, 3)[0], basis="words")
    with pytest.raises(ValueError, match=r"no Lie element: .*\(1\) ⧢ \(2\), a"):
        bch(e1, e1 @ e2, basis="words")
    with pytest.raises(TypeError, match="bch takes a tensor, got"):
        bch(Functional.word(QQ, 1), basis="words")  # type: ignore[arg-type]
