"""Powers by repeated squaring. Oracle: one product after another."""

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Matrix
from ewsmath.rings.power import repeated
from ewsmath.strategies import rationals


@given(st.lists(rationals(), min_size=4, max_size=4), st.integers(0, 9))
def test_a_power_is_a_product_of_equal_factors(entries: list, n: int) -> None:
    base = Matrix.flat(QQ, entries, 2)
    product = identity = Matrix.identity(QQ, 2)
    for _ in range(n):
        product = product @ base
    assert repeated(base, n, identity, lambda a, b: a @ b) == product


def test_few_products_are_taken() -> None:
    taken = []
    assert repeated(3, 1000, 1, lambda a, b: taken.append(1) or a * b) == 3**1000
    assert len(taken) == 9 + 5  # 1000 has ten binary digits, six of them ones
