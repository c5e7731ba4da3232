"""Lie elements: members of the free Lie algebra in the coordinates of a named basis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from ewsmath.latex import NOTEBOOK_TERMS, combination, displayed, letters
from ewsmath.lie.bracket import Bracket
from ewsmath.lie.coordinates import AbstractCoordinates, Label, coordinates
from ewsmath.lie.projections import dynkin_idempotent
from ewsmath.rings import RingElement
from ewsmath.rings.door import entries, of_kind
from ewsmath.rings.immutable import Immutable
from ewsmath.tensor import Tensor, TensorAlgebra, check_tensor

R = TypeVar("R", bound=RingElement)


class LieElement(Immutable, Generic[R]):
    r"""An element of the free Lie algebra, truncated at a depth, in the coordinates of a named basis. Immutable.

    .. math:: x = \sum_b x_b\, b

    By Ree's theorem these are the logarithms of group-like tensors, and so of signatures and of EWS.

    The bases, which are named in every call since libraries differ in what they print:

    * ``"words"``: the coefficients at all words, so the element as a tensor. Complete, but not independent.
    * ``"lyndon words"``: the coefficients at the Lyndon words alone, which determine the rest.
    * ``"lyndon brackets"``: the coordinates in the Lyndon basis, each bracket along the standard factorisation.
    * ``"hall brackets by degree"`` and ``"hall brackets by foliage"``: those in the Hall basis of an order; see
      :func:`~ewsmath.lie.bases.hall_basis`.

    Args:
        algebra: The tensor algebra in which the element lies: ring, letters and depth.
        basis: The name of the basis.
        given: Labels and what stands at them. A label is a word, or a bracket, also as nested pairs or text.

    Attributes:
        algebra: The tensor algebra.
        basis: The name of the basis.
        coefficients: The map from labels to coordinates, without zeros, in the order of the basis.

    Raises:
        ValueError: There is no such basis, a label is not in it, or words are given that make no Lie element.
        TypeError: A coordinate does not belong to the ring.

    >>> from ewsmath.rings import QQ
    >>> T = TensorAlgebra(QQ, dim=3, depth=3)
    >>> x = LieElement(T, "lyndon brackets", {"[1,[2,3]]": QQ.ratio(1, 3), "[[1,3],2]": QQ.ratio(1, 6)})
    >>> x.to("lyndon words")
    1/3*(123) - 1/6*(132)
    """

    __slots__ = ("_coefficients", "algebra", "basis")
    algebra: TensorAlgebra[R]
    basis: str
    _coefficients: dict[Label, R]

    def __init__(self, algebra: TensorAlgebra[R], basis: str, given: Mapping[Any, Any]) -> None:
        of_kind(algebra, TensorAlgebra, "a Lie element lies in a tensor algebra", "TensorAlgebra(ring, dim, depth)")
        system = coordinates(basis)
        found = {system.label(label): algebra.ring.coerce(x) for label, x in given.items()}
        if strange := system.strange(algebra, found):
            raise ValueError(
                f"{min(map(str, strange))} is no label of the basis {basis!r} of {algebra}: "
                "LieElement.labels(algebra, basis) lists them; any bracket b enters by "
                "LieElement.from_tensor(b.tensor(algebra), basis)"
            )
        self._filled(algebra, basis, system, found)
        # Coordinates in a basis are free; words are no basis, and what stands at them has to be tried.
        if failure := _failure(self.tensor()):
            raise ValueError(f"these coefficients at words make no Lie element: {failure}")

    def _filled(
        self, algebra: TensorAlgebra[R], basis: str, system: AbstractCoordinates, found: Mapping[Any, R]
    ) -> LieElement[R]:
        kept = {label: found[label] for label in system.ordered(algebra, found) if found[label]}
        self._set(algebra=algebra, basis=basis, _coefficients=kept)
        return self

    @staticmethod
    def labels(algebra: TensorAlgebra[Any], basis: str) -> tuple[Label, ...]:
        """The labels of a basis, in the order of :meth:`vector`.

        Args:
            algebra: The tensor algebra.
            basis: The name of the basis.

        Returns:
            Words or brackets.

        Raises:
            ValueError: There is no such basis.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=3)
        >>> print(*LieElement.labels(T, "lyndon brackets"))
        1 2 [1,2] [1,[1,2]] [[1,2],2]
        """
        return tuple(coordinates(basis).labels(algebra))

    @classmethod
    def from_tensor(cls, a: Tensor[R], basis: str) -> LieElement[R]:
        """The Lie element that a tensor is.

        Args:
            a: A tensor.
            basis: The name of the basis.

        Returns:
            The same element in the coordinates of the basis.

        Raises:
            ValueError: The tensor is no Lie element; a word is named at which it fails.

        >>> from ewsmath.rings import QQ
        >>> e1, e2 = map(TensorAlgebra(QQ, dim=2, depth=2).letter, (1, 2))
        >>> LieElement.from_tensor(e1 + e2 @ e1 - e1 @ e2, basis="lyndon brackets")
        e1 - [1,2]
        """
        system = coordinates(basis)
        if failure := _failure(a):
            raise ValueError(f"the tensor is no Lie element: {failure}")
        return cls._read(a, basis, system)

    @classmethod
    def _read(cls, a: Tensor[R], basis: str, system: AbstractCoordinates) -> LieElement[R]:
        return cls.__new__(cls)._filled(a.algebra, basis, system, system.read(a))

    @classmethod
    def from_vector(cls, algebra: TensorAlgebra[R], basis: str, values: Sequence[Any]) -> LieElement[R]:
        """The Lie element with these coordinates, in the order of :meth:`labels`: inverse to :meth:`vector`.

        Args:
            algebra: The tensor algebra.
            basis: The name of the basis.
            values: One number for each label.

        Returns:
            The element.

        Raises:
            ValueError: Their number is not that of the labels.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=3)
        >>> LieElement.from_vector(T, "lyndon brackets", [0, 1, 3, 0, 0])
        e2 + 3*[1,2]
        """
        values, labels = entries(values, "from_vector takes coordinates"), cls.labels(algebra, basis)
        if len(values) != len(labels):
            raise ValueError(f"the basis {basis!r} of {algebra} has {len(labels)} labels, got {len(values)} numbers")
        return cls(algebra, basis, dict(zip(labels, values, strict=True)))

    @classmethod
    def log(cls, S: Tensor[R], basis: str) -> LieElement[R]:
        """The logarithm of a group-like tensor: a log-signature, or the logarithm of an EWS.

        Args:
            S: A group-like tensor.
            basis: The name of the basis.

        Returns:
            The Lie element x with exp(x) = S.

        Raises:
            ValueError: S is not group-like.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> LieElement.log(T.exp(T.letter(1)) @ T.exp(T.letter(2)), basis="lyndon brackets")
        e1 + e2 + 1/2*[1,2]
        """
        system = coordinates(basis)
        a = check_tensor(S, "a logarithm").algebra.log(S)
        if failure := _failure(a):
            raise ValueError(f"the tensor is not group-like: its logarithm is no Lie element, {failure}")
        return cls._read(a, basis, system)

    @property
    def coefficients(self) -> Mapping[Label, R]:
        """The map from labels to coordinates, without zeros."""
        return MappingProxyType(self._coefficients)

    def __getitem__(self, label: Any) -> R:
        """The coordinate at a label: a word, or a bracket as nested pairs or text."""
        system = coordinates(self.basis)
        found = system.label(label)
        if found not in self._coefficients and found not in set(system.labels(self.algebra)):
            raise ValueError(f"{found} is no label of the basis {self.basis!r} of {self.algebra}")
        return self._coefficients.get(found, self.algebra.ring.zero)

    def vector(self) -> list[R]:
        """The coordinates as a list, in the order of :meth:`labels`.

        Returns:
            One number for each label.

        >>> from ewsmath.rings import QQ
        >>> LieElement(TensorAlgebra(QQ, dim=2, depth=3), "lyndon brackets", {"[1,2]": 3}).vector()
        [0, 0, 3, 0, 0]
        """
        zero = self.algebra.ring.zero
        return [self._coefficients.get(label, zero) for label in coordinates(self.basis).labels(self.algebra)]

    def tensor(self) -> Tensor[R]:
        """The element as a tensor.

        Returns:
            A tensor of the algebra.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=3)
        >>> LieElement(T, "lyndon brackets", {"[1,2]": 3}).tensor()
        3*e12 - 3*e21
        """
        return coordinates(self.basis).expand(self.algebra, self._coefficients)

    def to(self, basis: str) -> LieElement[R]:
        """The same element in the coordinates of another basis.

        Args:
            basis: The name of the basis.

        Returns:
            The element.

        Raises:
            ValueError: There is no such basis.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=3)
        >>> LieElement(T, "lyndon brackets", {"[1,2]": 3}).to("words")
        3*(12) - 3*(21)
        """
        return self._read(self.tensor(), basis, coordinates(basis))

    def exp(self) -> Tensor[R]:
        """The exponential, a group-like tensor: the signature of which this is the logarithm.

        Returns:
            A tensor of the algebra.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=3)
        >>> LieElement(T, "lyndon brackets", {2: 1}).exp()
        1 + e2 + 1/2*e22 + 1/6*e222
        """
        return self.algebra.exp(self.tensor())

    def bracket(self, other: LieElement[R]) -> LieElement[R]:
        """The Lie bracket [x, y].

        Args:
            other: The element y, in the same basis and algebra.

        Returns:
            The bracket in the same basis.

        Raises:
            ValueError: The bases or the algebras differ.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=3)
        >>> x, y = (LieElement(T, "lyndon brackets", {j: 1}) for j in (1, 2))
        >>> y.bracket(x)
        -[1,2]
        """
        self._alike(other)
        return self._read(self.tensor().bracket(other.tensor()), self.basis, coordinates(self.basis))

    def _alike(self, other: LieElement[R]) -> LieElement[R]:
        of_kind(other, LieElement, "Lie elements go together with Lie elements", "a tensor becomes one by from_tensor")
        if other.algebra != self.algebra:
            raise ValueError(f"Lie elements of {self.algebra} and {other.algebra} are not mixed")
        if other.basis != self.basis:
            raise ValueError(
                f"coordinates in {self.basis!r} and {other.basis!r} are not mixed: take one there by to({self.basis!r})"
            )
        return other

    def _combined(self, found: Mapping[Any, Any]) -> LieElement[R]:
        element = LieElement.__new__(LieElement)
        return element._filled(self.algebra, self.basis, coordinates(self.basis), found)

    def __add__(self, other: LieElement[R]) -> LieElement[R]:
        total: dict[Label, Any] = dict(self._coefficients)
        for label, x in self._alike(other)._coefficients.items():
            total[label] = total[label] + x if label in total else x
        return self._combined(total)

    def __neg__(self) -> LieElement[R]:
        return self._combined({label: -x for label, x in self._coefficients.items()})

    def __sub__(self, other: LieElement[R]) -> LieElement[R]:
        return self + -self._alike(other)

    def __mul__(self, scalar: Any) -> LieElement[R]:
        if isinstance(scalar, LieElement):
            raise TypeError("the product of two Lie elements is x.bracket(y); x * c scales by a number")
        c: Any = self.algebra.ring.coerce(scalar)
        return self._combined({label: c * x for label, x in self._coefficients.items()})

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        """Whether two elements are the same, in whatever basis they are written."""
        if not isinstance(other, LieElement) or other.algebra != self.algebra:
            return NotImplemented
        return self.tensor() == other.tensor()

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap

    def _latex(self, limit: int | None = None) -> str:
        def name(label: Label) -> str:
            return label._latex() if isinstance(label, Bracket) else rf"\mathtt{{{letters(label)}}}"

        return combination([(x, name(label)) for label, x in self._coefficients.items()], limit)

    def _repr_latex_(self) -> str:
        return displayed(self._latex(NOTEBOOK_TERMS))

    def __repr__(self) -> str:
        terms = [_term(label, str(x)) for label, x in self._coefficients.items()]
        return " + ".join(terms).replace("+ -", "- ") or "0"


def _failure(a: Tensor[Any]) -> str | None:
    """Where a tensor fails to be a Lie element; None where it is one."""
    # Dynkin's projection keeps the Lie elements, and them alone (Specht, Wever). It is quick, and the pairs of
    # words that it does not name are sought only when something is wrong.
    if dynkin_idempotent(a) == a:
        return None
    return str(a.lie_defect() or "Dynkin's projection moves it")


def _name(label: Label) -> str:
    if isinstance(label, Bracket):
        return str(label) if label.parts else f"e{letters(label.word)}"  # a bare letter would read as a number
    return f"({letters(label)})"


def _term(label: Label, c: str) -> str:
    name = _name(label)
    if c in ("1", "-1"):
        return c.replace("1", name)
    return f"{c}*{name}" if all(sign not in c[1:] for sign in "+- ") else f"({c})*{name}"
