"""How large a tensor, a matrix or a list may be: sizes are refused by their number, before anything is computed."""

from math import log10

from ewsmath.words import size

LARGEST_SIZE = 1_000_000
"""The most words, brackets or permutations: a million exact numbers take about a gigabyte."""

LARGEST_MATRIX = 25_000_000
"""The most entries of a matrix, those of 5000 rows and columns: mostly zeros, which are one object."""

LARGEST_POWER = 100_000
"""The largest power ℓ of a kernel, whose 1/ℓ! is a number of half a million digits."""

_WRITTEN_OUT = 10**30


def check_size(dim: int, depth: int, use: str) -> int:
    """The number of words K, if a full tensor of so many coefficients can be held.

    Args:
        dim: Number of letters m.
        depth: Truncation depth N.
        use: What is computed, for the message.

    Returns:
        K, with the empty word counted.

    Raises:
        ValueError: K exceeds a million.

    >>> check_size(2, 3, "the signature")
    15
    """
    K = size(dim, depth)
    if K > LARGEST_SIZE:
        raise ValueError(
            f"{use}: {dim} letters at depth {depth} = {shown(K - 1)} features, more than {LARGEST_SIZE:,}. Take a "
            "smaller depth or a lift to fewer letters; a point has one entry for each channel, so if the letters count "
            "times, the axes are exchanged"
        )
    return K


def check_matrix(rows: int, columns: int, use: str) -> None:
    """Nothing, if a matrix of this shape can be held.

    Args:
        rows: Number of rows.
        columns: Number of columns.
        use: What is computed, for the message.

    Raises:
        ValueError: It has more than 25 million entries.

    >>> check_matrix(5000, 5000, "Zero")
    """
    if rows * columns > LARGEST_MATRIX:
        raise ValueError(
            f"{use}: a matrix of {shown(rows)} x {shown(columns)} = {shown(rows * columns)} entries, more than "
            f"{LARGEST_MATRIX:,}. Take a smaller size or depth"
        )


def check_count(count: int, things: str) -> int:
    """The number of things in a list, if they can be held.

    Args:
        count: How many there are.
        things: Who lists what, for the message.

    Returns:
        The number.

    Raises:
        ValueError: It exceeds a million.

    >>> check_count(60, "even permutations of 5 points")
    60
    """
    if count > LARGEST_SIZE:
        raise ValueError(f"{things}: {shown(count)}, more than {LARGEST_SIZE:,}. Take a smaller size or depth")
    return count


def shown(count: int) -> str:
    """A number for a message, a very long one by its power of ten.

    Args:
        count: The number, not below 0.

    Returns:
        The text.

    >>> shown(1810370), shown(100**100)
    ('1,810,370', 'about 10^200')
    """
    return f"{count:,}" if count < _WRITTEN_OUT else f"about 10^{round(log10(count))}"
