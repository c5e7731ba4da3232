"""Linear CDEs that solve the word problem of a finite group exactly, by a representation of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.linear_cde import LinearCDE
from ewsmath.matrix import Matrix
from ewsmath.paths import PiecewiseLinearPath
from ewsmath.rings import QQ
from ewsmath.rings.door import entries, integer
from ewsmath.rings.immutable import Immutable
from ewsmath.word_problem.permutations import Permutation, generated, inverse, permutation, running_products
from ewsmath.word_problem.representations import Representation


class WordProblem(Immutable):
    r"""A linear CDE whose state after the tokens x_1, …, x_k tells the product x_1∘⋯∘x_k. Immutable.

    The word problem is the classical one of group theory: which element is a product of given ones. For A5, which is
    not solvable, it is complete for NC¹ by Barrington's theorem.

    The newest factor stands on the right, while flows pile up on the left, F_{x_k} ⋯ F_{x_1}. So the flow of a token
    is the inverse:

    .. math:: A^x = ρ(x)^{-1} - I, \qquad F_x = I + A^x = ρ(x)^{-1}, \qquad
        h_k = ρ(x_1 ∘ ⋯ ∘ x_k)^{-1} h_0

    and the path moves by one in the channel of each token. With an inner product that ρ leaves invariant all states
    ρ(g)^{-1} h_0 have one length, so the one that is met has the largest product with h_k: a linear read-out and a
    maximum give the answer.

    Args:
        alphabet: The permutations that the tokens 0, 1, … stand for.
        represent: The representation ρ, over QQ.
        start: The state h_0, which no element but the identity may fix.

    Attributes:
        alphabet: The permutations of the tokens.
        elements: The group that they generate, the identity first; answers count in it.
        cde: The linear CDE with a matrix A^x for each token.
        readout: A row for each element; their products with a state are the scores.
        start: The state h_0.

    Raises:
        ValueError: The alphabet is empty, of different numbers of points or no permutations; the start does not fit,
            or an element fixes it.

    >>> from ewsmath.word_problem import alternating_group, standard_representation
    >>> A5 = WordProblem(alternating_group(5), standard_representation, [1, 2, 3, 4])
    >>> A5.cde.size, A5.answers([17, 4, 4, 59, 30]) == A5.products([17, 4, 4, 59, 30])
    (4, True)
    """

    __slots__ = ("alphabet", "cde", "elements", "readout", "start")
    alphabet: tuple[Permutation, ...]
    elements: tuple[Permutation, ...]
    cde: LinearCDE
    readout: Matrix[Any]
    start: tuple[Any, ...]

    def __init__(self, alphabet: Sequence[Sequence[int]], represent: Representation, start: Sequence[Any]) -> None:
        tokens = [permutation(p) for p in entries(alphabet, "a word problem takes its alphabet")]
        if not tokens or any(len(p) != len(tokens[0]) for p in tokens):
            raise ValueError(f"a word problem needs permutations of the same points as its alphabet, got {alphabet!r}")
        elements = generated(tokens)
        back = {g: Matrix.over(QQ, represent(inverse(g))) for g in elements}
        size = back[tokens[0]].shape[0]
        h = [QQ.coerce(x) for x in entries(start, "a word problem takes its start")]
        if len(h) != size:
            raise ValueError(f"a start of {len(h)} entries does not fit a representation of dimension {size}")
        states = [tuple(back[g].apply(h)) for g in elements]
        if len(set(states)) < len(states):
            raise ValueError(
                f"the start {start} is fixed by more than the identity, so its states do not tell the {len(states)} "
                "elements apart: take another start, or a faithful representation"
            )
        form = Matrix.zeros(QQ, size, size)
        for g in elements:
            form = form + back[g].transpose() @ back[g]
        self._set(
            alphabet=tuple(tokens),
            elements=tuple(elements),
            cde=LinearCDE([back[g] - Matrix.identity(QQ, size) for g in tokens]),
            readout=Matrix(QQ, states) @ form,
            start=tuple(h),
        )

    def path(self, word: Sequence[int]) -> PiecewiseLinearPath[Any]:
        """The path that moves by one in the channel of each token.

        Args:
            word: Tokens from 0 on.

        Returns:
            A path in as many channels as there are tokens in the alphabet.

        Raises:
            ValueError: A token is none.

        >>> from ewsmath.word_problem import alternating_group, standard_representation
        >>> A3 = WordProblem(alternating_group(3), standard_representation, [1, 2])
        >>> A3.path([1, 2]).values
        ((0, 0, 0), (0, 1, 0), (0, 1, 1))
        """
        points = [[0] * len(self.alphabet)]
        for token in self._tokens(word):
            points.append([x + int(j == token) for j, x in enumerate(points[-1])])
        return PiecewiseLinearPath(None, points)

    def states(self, word: Sequence[int]) -> list[tuple[Any, ...]]:
        """The states h_0, h_1, … by the Euler flow.

        Args:
            word: Tokens from 0 on.

        Returns:
            One state more than there are tokens.

        >>> from ewsmath.word_problem import alternating_group, standard_representation
        >>> A3 = WordProblem(alternating_group(3), standard_representation, [1, 2])
        >>> A3.states([1, 2])
        [(1, 2), (2, -3), (1, 2)]
        """
        return self.cde.solve(self.path(word), self.start, self.cde.euler)

    def read(self, state: Sequence[Any]) -> int:
        """The place in ``elements`` with the largest score; the first of several.

        Args:
            state: A state h_k.

        Returns:
            The place.

        >>> from ewsmath.word_problem import alternating_group, standard_representation
        >>> A3 = WordProblem(alternating_group(3), standard_representation, [1, 2])
        >>> [A3.read(state) for state in A3.states([1, 2])]
        [0, 1, 0]
        """
        scores = self.readout.apply([QQ.coerce(x) for x in state])
        return max(range(len(scores)), key=scores.__getitem__)

    def answers(self, word: Sequence[int]) -> list[int]:
        """What the read-out says after each token, as places in ``elements``.

        Args:
            word: Tokens from 0 on.

        Returns:
            As many answers as tokens.

        >>> from ewsmath.word_problem import alternating_group, standard_representation
        >>> A3 = WordProblem(alternating_group(3), standard_representation, [1, 2])
        >>> A3.answers([1, 1, 2])
        [1, 2, 1]
        """
        return [self.read(state) for state in self.states(word)[1:]]

    def products(self, word: Sequence[int]) -> list[int]:
        """The true running products x_1∘⋯∘x_k, as places in ``elements``, by permutations alone.

        Args:
            word: Tokens from 0 on.

        Returns:
            As many products as tokens.

        >>> from ewsmath.word_problem import alternating_group, standard_representation
        >>> A3 = WordProblem(alternating_group(3), standard_representation, [1, 2])
        >>> A3.products([1, 1, 2])
        [1, 2, 1]
        """
        place = {g: j for j, g in enumerate(self.elements)}
        return [place[g] for g in running_products(self.alphabet[token] for token in self._tokens(word))]

    def _tokens(self, word: Sequence[int]) -> list[int]:
        found = [integer(token) for token in entries(word, "a word problem takes a word")]
        for token in found:
            if token is None or not 0 <= token < len(self.alphabet):
                raise ValueError(f"a token is a whole number from 0 to {len(self.alphabet) - 1}, got {word!r}")
        return found  # type: ignore[return-value]  # no None is left

    def __repr__(self) -> str:
        return f"WordProblem(tokens={len(self.alphabet)}, elements={len(self.elements)}, size={self.cde.size})"
