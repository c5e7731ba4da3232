"""The shuffle identity of the plain signature: products of its coordinates are sums of its coordinates."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ
from ewsmath import words as _words
from ewsmath.strategies import functionals
from ewsmath.words import Word, words
from proofs_checks.agreement import agree
from proofs_checks.draws import depths, each_depth
from proofs_checks.faults import concatenated
from proofs_checks.signature_chen import by_definition, moves
from proofs_checks.statement import Mutant, Statement


def interleavings(u: Word, w: Word) -> dict[Word, int]:
    """The shuffle by its meaning: choose the places that u takes, fill the others with w, count repetitions."""
    total: Counter[Word] = Counter()
    for places in combinations(range(len(u) + len(w)), len(u)):
        of_u, of_w = iter(u), iter(w)
        total[tuple(next(of_u) if k in places else next(of_w) for k in range(len(u) + len(w)))] += 1
    return dict(total)


def at_shuffle(S: Any, u: Word, w: Word) -> Any:
    """⟨u ⧢ w, S⟩."""
    return sum((n * S[word] for word, n in interleavings(u, w).items()), QQ.zero)


@given(st.data())
def check_products_of_coordinates(data: st.DataObject) -> None:
    """⟨u, S⟩⟨w, S⟩ = ⟨u ⧢ w, S⟩ for all words with |u| + |w| ≤ N, S by the definition."""
    depth, dim = data.draw(depths(4)), data.draw(st.integers(1, 2))
    S = by_definition(data.draw(moves(dim, min_size=1, max_size=2)), depth)
    for n in range(depth + 1):
        for k in range(n, depth - n + 1):
            for u in words(dim, n):
                for w in words(dim, k):
                    agree(S[u] * S[w], at_shuffle(S, u, w), f"⟨{u}, S⟩⟨{w}, S⟩ and ⟨{u} ⧢ {w}, S⟩")


@given(st.data())
def check_products_of_functionals(data: st.DataObject) -> None:
    """⟨l, S⟩⟨k, S⟩ = ⟨l ⧢ k, S⟩ with the library's shuffle of functionals."""
    depth = data.draw(depths())
    S = by_definition(data.draw(moves(2, min_size=1, max_size=2)), depth)
    n = data.draw(st.integers(0, depth))  # the product fits the truncation
    first, second = (
        data.draw(functionals(QQ, dim=2, min_length=min(1, longest), max_length=longest)) for longest in (n, depth - n)
    )
    agree(first(S) * second(S), first.shuffle(second)(S), "⟨l, S⟩⟨k, S⟩ and ⟨l ⧢ k, S⟩")


def check_the_recursion_is_the_interleaving() -> None:
    """`words.shuffle`, a product of halves, gives all interleavings with their multiplicities."""
    for depth in each_depth(3):
        for u in words(2, depth):
            for w in words(2, depth - 1):
                agree(dict(sorted(interleavings(u, w).items())), dict(_words.shuffle(u, w)), f"{u} ⧢ {w}, twice")


def without_repetitions(u: Word, w: Word) -> dict[Word, int]:
    """Each word once, however often it arises."""
    return dict.fromkeys(interleaved(u, w), 1)


def without_the_last_place(u: Word, w: Word) -> dict[Word, int]:
    """Interleavings in which u does not end before w begins: the word uw is left out once."""
    total = Counter(interleaved(u, w))
    if u and w:
        total[u + w] -= 1
    return {word: n for word, n in total.items() if n}


interleaved: Any = interleavings  # the true one, by the name that mutants use
recursive: Any = _words.shuffle


def longest_run_first(u: Word, w: Word) -> Mapping[Word, int]:
    """The shuffle of u with w turned round."""
    return recursive(u, w[::-1])


HERE = "proofs_checks.signature_shuffle"

STATEMENT = Statement(
    title="Shuffle identity of the signature",
    claim=r"\langle u, S(X)\rangle \langle w, S(X)\rangle = \langle u ⧢ w, S(X)\rangle",
    section="Appendix B",
    label="Theorem 3",
    method="exact on draws",
    leaves_out="Paths that are not piecewise linear; widths above 2, levels above 4.",
    covers=("Theorem 3: the shuffle identity of the signature",),
    code=("ewsmath.Functional.shuffle", "ewsmath.words.shuffle"),
    mutants=(
        Mutant("shuffle without repetition count", f"{HERE}:interleavings", without_repetitions, keeps_depth_one=True),
        Mutant("one interleaving left out", f"{HERE}:interleavings", without_the_last_place, keeps_depth_one=True),
        Mutant("functionals are concatenated", "ewsmath:Functional.shuffle", concatenated, keeps_depth_one=True),
        Mutant("second word turned round", "ewsmath.words:shuffle", longest_run_first, keeps_depth_one=True),
    ),
)
