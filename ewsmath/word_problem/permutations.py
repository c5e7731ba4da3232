"""Permutations of 0, …, n-1 as tuples of images, and the groups that they make."""

from collections.abc import Iterable, Sequence
from itertools import accumulate, permutations
from math import factorial

from ewsmath.capacity import check_count
from ewsmath.rings.door import integer, whole

Permutation = tuple[int, ...]


def permutation(images: Sequence[int]) -> Permutation:
    """The permutation that takes i to ``images[i]``.

    Args:
        images: The images of 0, …, n-1.

    Returns:
        A tuple.

    Raises:
        ValueError: The images are not the numbers 0, …, n-1 in some order.

    >>> permutation([1, 2, 0])
    (1, 2, 0)
    """
    found = [integer(i) for i in images]
    if sorted(i for i in found if i is not None) != list(range(len(images))) or not found:
        raise ValueError(f"{images!r} is no permutation: give the images of 0, …, n-1, each of these numbers once")
    return tuple(found)  # type: ignore[arg-type]  # no None is left


def compose(p: Permutation, q: Permutation) -> Permutation:
    """The product p∘q: q acts first.

    Args:
        p: A permutation.
        q: One of the same points.

    Returns:
        The permutation i ↦ p(q(i)).

    >>> compose((1, 2, 0), (1, 0, 2))
    (2, 1, 0)
    """
    return tuple(p[i] for i in q)


def inverse(p: Permutation) -> Permutation:
    """The inverse permutation.

    Args:
        p: The permutation.

    Returns:
        The permutation that takes p(i) to i.

    >>> inverse((1, 2, 0))
    (2, 0, 1)
    """
    return tuple(sorted(range(len(p)), key=p.__getitem__))


def is_even(p: Permutation) -> bool:
    """Whether a permutation is a product of an even number of transpositions.

    Args:
        p: The permutation.

    Returns:
        The answer.

    >>> is_even((1, 2, 0)), is_even((1, 0, 2))
    (True, False)
    """
    return (len(p) - len(cycles(p))) % 2 == 0


def cycles(p: Permutation) -> list[Permutation]:
    """The cycles of a permutation, fixed points among them; each begins with its least point.

    Args:
        p: The permutation.

    Returns:
        The cycles, by their least points.

    >>> cycles((1, 0, 2))
    [(0, 1), (2,)]
    """
    found: list[Permutation] = []
    seen: set[int] = set()
    for start in range(len(p)):
        cycle = []
        while start not in seen:
            seen.add(start)
            cycle.append(start)
            start = p[start]
        if cycle:
            found.append(tuple(cycle))
    return found


def alternating_group(n: int) -> list[Permutation]:
    """The alternating group: the even permutations of n points in lexicographic order, the identity first.

    Args:
        n: The number of points; with 5 the group is A5, the smallest simple group that is not cyclic.

    Returns:
        The n!/2 permutations; for n = 1 the identity.

    Raises:
        TypeError: n is no whole number.
        ValueError: n is below 1, or the group too large to be listed: n is at most 9.

    >>> len(alternating_group(5)), alternating_group(3)
    (60, [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
    """
    n = whole(n, "the number of points")
    # n!/2 > (n/4)^(n/2) is far above the limit from 20 points on, where n! need not be written out.
    check_count(factorial(min(n, 20)) // 2, f"the even permutations of {n} points{', at least' if n > 20 else ''}")
    return [p for p in permutations(range(n)) if is_even(p)]


def cyclic_group(n: int) -> list[Permutation]:
    """The shifts i ↦ i + k mod n, for k = 0, …, n-1.

    Args:
        n: The number of points.

    Returns:
        The n permutations.

    >>> cyclic_group(3)
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    """
    n = whole(n, "the number of points")
    return [tuple((i + k) % n for i in range(n)) for k in range(n)]


def generated(generators: Iterable[Permutation]) -> list[Permutation]:
    """The group that permutations of the same points generate, in lexicographic order, the identity first.

    Args:
        generators: At least one permutation.

    Returns:
        All products of them.

    >>> generated([(1, 2, 0)])
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    """
    steps = list(generators)
    found = {tuple(range(len(steps[0])))}
    waiting = list(found)
    for p in waiting:  # grows while it is read
        for q in steps:
            pq = compose(p, q)
            if pq not in found:
                found.add(pq)
                waiting.append(pq)
    return sorted(found)


def running_products(word: Iterable[Permutation]) -> list[Permutation]:
    """The products x_1, x_1∘x_2, x_1∘x_2∘x_3, …: each new factor stands on the right and acts first.

    Args:
        word: The factors in order.

    Returns:
        As many permutations as there are factors.

    >>> running_products([(1, 2, 0), (1, 0, 2)])
    [(1, 2, 0), (2, 1, 0)]
    """
    return list(accumulate(word, compose))
