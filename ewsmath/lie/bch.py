"""The Baker-Campbell-Hausdorff series in any number of factors, to any depth, exactly."""

from typing import TypeVar

from ewsmath.capacity import check_size
from ewsmath.lie.element import LieElement
from ewsmath.rings import RingElement
from ewsmath.tensor import Tensor, check_tensor
from ewsmath.words import Word, size

R = TypeVar("R", bound=RingElement)


def bch(*factors: Tensor[R], basis: str) -> LieElement[R]:
    r"""The logarithm of a product of exponentials of Lie elements.

    .. math:: \log(\exp x_1 ⊗ ⋯ ⊗ \exp x_k) = \sum_i x_i + \frac12 \sum_{i<j} [x_i, x_j] + ⋯

    The classical series of Baker, Campbell and Hausdorff; of two flows it is the logarithm of the composed one.
    With the letters of an algebra over QQ it is the series itself, with rational coefficients.

    Args:
        factors: The Lie elements x_1, …, x_k, as tensors of one algebra.
        basis: The name of the basis of the result, as in :class:`~ewsmath.lie.element.LieElement`.

    Returns:
        The logarithm, to the depth of the algebra.

    Raises:
        ValueError: There is no factor, factors belong to different algebras, one is no Lie element, or the
                series is too long to be held.

    >>> from ewsmath.rings import QQ
    >>> from ewsmath.tensor import TensorAlgebra
    >>> T = TensorAlgebra(QQ, dim=2, depth=3)
    >>> bch(T.letter(1), T.letter(2), basis="lyndon brackets")
    e1 + e2 + 1/2*[1,2] + 1/12*[1,[1,2]] + 1/12*[[1,2],2]
    """
    if not factors:
        raise ValueError("bch needs at least one factor: without any there is no algebra for the result")
    algebra = check_tensor(factors[0], "bch").algebra
    _check_words([word for x in factors for word in check_tensor(x, "bch").coefficients if word], algebra.depth)
    product = algebra.one()
    for x in factors:
        product = product @ LieElement.from_tensor(x, "words").exp()
    return LieElement.log(product, basis)


def _check_words(words: list[Word], depth: int) -> None:
    """ValueError where products of these words are too many to be held, by two bounds on their number."""
    # Every product is a word in the letters that occur, and one in the words themselves, the shortest of length s.
    letters, s = len({letter for word in words for letter in word}), min(map(len, words), default=1)
    bounds = [(letters, depth), (len(set(words)), depth // s)]
    check_size(*min(bounds, key=lambda pair: size(*pair)), "bch")
