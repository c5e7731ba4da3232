"""Words: tuples of letters 1 … m, their order, and the shuffles of two of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import product
from types import MappingProxyType

from ewsmath.rings.door import integer

Word = tuple[int, ...]

EMPTY: Word = ()


def checked(letters: Iterable[int], dim: int | None = None) -> Word:
    """The word with these letters, each an int.

    Args:
        letters: The letters, whole numbers of any type.
        dim: Number of letters m; None for an alphabet without end.

    Returns:
        The word.

    Raises:
        ValueError: A letter is no whole number from 1 to m.

    >>> checked([1, 2])
    (1, 2)
    """
    found = [integer(letter) for letter in letters] if isinstance(letters, Iterable) else [None]
    if not all(j is not None and j >= 1 and (dim is None or j <= dim) for j in found):
        end = "up" if dim is None else f"to {dim}"
        raise ValueError(f"{letters} is no word: letters are the whole numbers from 1 {end}")
    return tuple(found)  # type: ignore[return-value]  # no None is left


def words(dim: int, length: int) -> Iterator[Word]:
    """All words of one length, in lexicographic order: the order of the level as a flat list.

    Args:
        dim: Number of letters m.
        length: Number of letters of each word.

    Returns:
        An iterator over the m^length words.

    >>> list(words(2, 2))
    [(1, 1), (1, 2), (2, 1), (2, 2)]
    """
    return product(range(1, dim + 1), repeat=length)


def size(dim: int, depth: int) -> int:
    r"""The number of words of at most ``depth`` letters, which is the size of the state.

    .. math:: K = \sum_{n=0}^N m^n

    Args:
        dim: Number of letters m.
        depth: Truncation depth N.

    Returns:
        K, with the empty word counted.

    Paper: Appendix C.3.

    >>> size(2, 2), size(1345, 2)
    (7, 1810371)
    """
    return depth + 1 if dim == 1 else (dim ** (depth + 1) - 1) // (dim - 1)


def place(word: Word, dim: int) -> int:
    """The place of a word in the vector of all words by length, then lexicographically; from 0.

    Args:
        word: A word over ``dim`` letters.
        dim: Number of letters m.

    Returns:
        Its index in R^K.

    Raises:
        ValueError: A letter is no whole number from 1 to m.

    Paper: Appendix C.3.

    >>> [place(w, 2) for w in [(), (1,), (2,), (1, 1), (2, 2)]]
    [0, 1, 2, 3, 6]
    """
    index = 0
    letters = checked(word, dim)
    for letter in letters:
        index = index * dim + letter - 1
    return (size(dim, len(letters) - 1) if letters else 0) + index


@lru_cache(maxsize=4096)
def shuffle(u: Word, w: Word) -> Mapping[Word, int]:
    r"""The shuffle product of two words, with multiplicities.

    .. math:: ui ⧢ wj = (u ⧢ wj)\, i + (ui ⧢ w)\, j, \qquad u ⧢ ∅ = ∅ ⧢ u = u

    Args:
        u: A word.
        w: A word.

    Returns:
        A map from words to the number of ways in which they arise.

    >>> dict(shuffle((1,), (1, 2)))
    {(1, 1, 2): 2, (1, 2, 1): 1}
    """
    # Cut the shuffles in the middle: Δ(u ⧢ w) = Δu ⧢ Δw for the deconcatenation Δ, so that their halves are
    # the shuffles of prefixes and those of what is left. No word is built letter by letter.
    if not u or not w:
        return MappingProxyType({u + w: 1})
    half = (len(u) + len(w)) // 2
    pairs: list[tuple[Word, int]] = []
    for i in range(max(0, half - len(w)), min(half, len(u)) + 1):
        ends = shuffle(u[i:], w[half - i :]).items()
        pairs += [(start + end, n * k) for start, n in shuffle(u[:i], w[: half - i]).items() for end, k in ends]
    pairs.sort()
    found = dict(pairs)
    if len(found) < len(pairs):  # u and w have letters in common, so that a word arises in several ways
        found = dict.fromkeys(found, 0)
        for word, n in pairs:
            found[word] += n
    return MappingProxyType(found)


@lru_cache(maxsize=4096)
def deshuffle(word: Word) -> Mapping[tuple[Word, Word], int]:
    r"""The deshuffle coproduct of a word, dual to the shuffle product.

    .. math:: Δ(i_1 … i_n) = \sum_{I} i_I ⊗ i_{I^c}, \qquad I ⊆ \{1, …, n\}

    Args:
        word: A word.

    Returns:
        A map from pairs of words to the number of ways in which the word is dealt out to them, letters in
        their order.

    >>> dict(deshuffle((1, 1)))
    {((1, 1), ()): 1, ((1,), (1,)): 2, ((), (1, 1)): 1}
    """
    # Each letter goes to the left or to the right word.
    dealt: dict[tuple[Word, Word], int] = {(EMPTY, EMPTY): 1}
    for letter in word:
        longer: dict[tuple[Word, Word], int] = {}
        for (u, w), n in dealt.items():
            for pair in (((*u, letter), w), (u, (*w, letter))):
                longer[pair] = longer.get(pair, 0) + n
        dealt = longer
    return MappingProxyType(dealt)


def quasi_shuffle(u: Word, w: Word, bracket: Callable[[int, int], int | None]) -> Mapping[Word, int]:
    r"""The quasi-shuffle product of two words, in which two letters may also meet and become one.

    .. math:: ui * wj = (u * wj)\, i + (ui * w)\, j + (u * w)\, [i, j], \qquad u * ∅ = ∅ * u = u

    It multiplies iterated *sums* over times i < j < ⋯, where equal times give the third term, as the shuffle
    multiplies iterated integrals.

    Args:
        u: A word.
        w: A word.
        bracket: The letter [i, j] for the product of letters i and j, or None where that is zero. It has to be
            commutative and associative; with None throughout the product is the shuffle.

    Returns:
        A map from words to the number of ways in which they arise.

    Raises:
        ValueError: The bracket is no letter.

    >>> dict(quasi_shuffle((1,), (1,), lambda i, j: i + j))
    {(1, 1): 2, (2,): 1}
    """
    above: list[dict[Word, int]] = [{w[:j]: 1} for j in range(len(w) + 1)]
    for i, last in enumerate(u, start=1):
        row = [{u[:i]: 1}]
        for j, other in enumerate(w, start=1):
            met = bracket(last, other)
            ends: list[tuple[dict[Word, int], Word]] = [(above[j], (last,)), (row[j - 1], (other,))]
            if met is not None:
                ends.append((above[j - 1], checked((met,))))
            here: dict[Word, int] = {}
            for products, end in ends:
                for v, n in products.items():
                    here[v + end] = here.get(v + end, 0) + n
            row.append(here)
        above = row
    return MappingProxyType(above[-1])
