"""How large a full tensor may be: sizes are refused by their number of words, before anything is computed."""

from ewsmath.words import size

LARGEST_SIZE = 1_000_000
"""The largest K of a tensor that is computed word by word: a million exact numbers take about a gigabyte."""


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
            f"{use}: {dim} letters at depth {depth} = {K - 1:,} features, more than {LARGEST_SIZE:,}. Take a smaller "
            "depth or a lift to fewer letters; a point has one entry for each channel, so if the letters count times, "
            "the axes are exchanged"
        )
    return K
