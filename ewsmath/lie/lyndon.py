"""Lyndon words: their list, factorisations into them, and how many there are."""

from collections.abc import Iterator
from math import prod

from ewsmath.capacity import check_count
from ewsmath.rings.door import whole
from ewsmath.words import Word, checked


def is_lyndon(word: Word) -> bool:
    """Whether a word is Lyndon: not empty, and less than each of its proper suffixes.

    Args:
        word: A word.

    Returns:
        The answer.

    >>> is_lyndon((1, 1, 2)), is_lyndon((1, 2, 1)), is_lyndon((1, 1))
    (True, False, False)
    """
    word = checked(word)
    return bool(word) and lyndon_factorisation(word) == [word]


def lyndon_words(dim: int, depth: int) -> Iterator[Word]:
    """The Lyndon words of at most ``depth`` letters, in lexicographic order, by Duval's algorithm.

    As many in each length as the free Lie algebra has dimensions in that degree, by Witt's formula; the theorem of
    Chen, Fox and Lyndon writes each word as a product of them that does not increase.

    Args:
        dim: Number of letters m.
        depth: Largest length N.

    Returns:
        An iterator over the words.

    Raises:
        ValueError: ``dim`` or ``depth`` is below 1.

    >>> list(lyndon_words(2, 3))
    [(1,), (1, 1, 2), (1, 2), (1, 2, 2), (2,)]
    """
    dim, depth = whole(dim, "lyndon_words: dim"), whole(depth, "lyndon_words: depth")
    return _duval(dim, depth)


def _duval(dim: int, depth: int) -> Iterator[Word]:
    word = [1]
    while word:
        yield tuple(word)
        # The next one: repeat the word to the full length, cut the largest letters off the end, raise the last.
        word = [word[k % len(word)] for k in range(depth)]
        while word and word[-1] == dim:
            word.pop()
        if word:
            word[-1] += 1


def lyndon_factorisation(word: Word) -> list[Word]:
    r"""The factors of a word as a product of Lyndon words that do not increase.

    .. math:: w = l_1 l_2 ⋯ l_k, \qquad l_1 ≥ l_2 ≥ ⋯ ≥ l_k

    Each word has one such factorisation; Duval's algorithm finds it in linear time.

    Args:
        word: A word.

    Returns:
        The factors; none for the empty word.

    >>> lyndon_factorisation((2, 1, 2, 1, 1))
    [(2,), (1, 2), (1,), (1,)]
    """
    word = checked(word)
    factors, start = [], 0
    while start < len(word):
        # word[start:end] is a power of a Lyndon word of length end - match, followed by a prefix of it.
        end, match = start + 1, start
        while end < len(word) and word[match] <= word[end]:
            match = start if word[match] < word[end] else match + 1
            end += 1
        while start <= match:
            factors.append(word[start : start + end - match])
            start += end - match
    return factors


def standard_factorisation(word: Word) -> tuple[Word, Word]:
    """The two factors uv of a Lyndon word of which v is the longest proper suffix that is Lyndon.

    Args:
        word: A Lyndon word of at least two letters.

    Returns:
        u and v; both are Lyndon, and u < uv < v.

    Raises:
        ValueError: The word is not Lyndon, or a single letter.

    >>> standard_factorisation((1, 1, 2)), standard_factorisation((1, 3, 2))
    (((1,), (1, 2)), ((1, 3), (2,)))
    """
    if len(word) < 2 or not is_lyndon(word):
        raise ValueError(f"{word} has no standard factorisation: it needs a Lyndon word of at least two letters")
    word = checked(word)
    # The longest Lyndon suffix of any word is the last of its Lyndon factors.
    last = len(lyndon_factorisation(word[1:])[-1])
    return word[:-last], word[-last:]


def witt(dim: int, length: int) -> int:
    r"""Witt's formula: the dimension of the free Lie algebra on m letters in one degree.

    .. math:: \frac{1}{n} \sum_{k \mid n} μ(k)\, m^{n/k}

    Args:
        dim: Number of letters m.
        length: The degree n.

    Returns:
        The number of Lyndon words of that length, and of elements of each Hall basis of that degree.

    Raises:
        ValueError: ``dim`` or ``length`` is below 1.

    >>> [witt(2, n) for n in range(1, 9)]
    [2, 1, 2, 3, 6, 9, 18, 30]
    """
    m, n = whole(dim, "witt: dim"), whole(length, "witt: length")
    return sum(_moebius(k) * m ** (n // k) for k in range(1, n + 1) if n % k == 0) // n


def lie_size(dim: int, depth: int) -> int:
    """The dimension of the free Lie algebra on m letters, truncated at a depth.

    Args:
        dim: Number of letters m.
        depth: Truncation depth N.

    Returns:
        The number of coordinates of a log-signature in a basis.

    Raises:
        ValueError: ``dim`` or ``depth`` is below 1.

    >>> lie_size(2, 5), lie_size(3, 3), lie_size(1345, 2)
    (14, 14, 905185)
    """
    return sum(witt(dim, n) for n in range(1, whole(depth, "lie_size: depth") + 1))


def check_lie_size(dim: int, depth: int, use: str) -> None:
    """Nothing, if a basis of the free Lie algebra can be listed; by Witt's formula, before a word is made.

    Args:
        dim: Number of letters m.
        depth: Truncation depth N.
        use: What lists it, for the message.

    Raises:
        ValueError: ``dim`` or ``depth`` is below 1, or there are more than a million brackets.
        TypeError: ``dim`` or ``depth`` is no whole number.

    >>> check_lie_size(2, 5, "a basis")  # 14 brackets
    >>> try:
    ...     check_lie_size(10, 10, "a basis")
    ... except ValueError as error:
    ...     print(str(error).partition(": 1,")[0])
    a basis: brackets of 10 letters at depth 10 up to length 7 already
    """
    m, N = whole(dim, f"{use}: dim"), whole(depth, f"{use}: depth")
    count = 0
    for n in range(1, N + 1 if m > 1 else 2):  # one letter has no bracket but itself
        count += witt(m, n)
        reached = "" if n == N else f" up to length {n} already"
        check_count(count, f"{use}: brackets of {m} letters at depth {N}{reached}")


def _moebius(n: int) -> int:
    primes = [p for p in range(2, n + 1) if n % p == 0 and all(p % q for q in range(2, p))]
    return (-1) ** len(primes) if prod(primes) == n else 0
