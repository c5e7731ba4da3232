"""The door of the converters: parameters and options by their names, checked once and for all."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ewsnn.arrays import check_finite

# An axis of a parameter: a name that stands for one size in all parameters, or the size itself.
Axes = tuple[str | int, ...]


class Arguments:
    """The parameters and options of one model.

    Each is asked for by its name. What was never asked for, :meth:`finish` refuses, so that no misspelt option goes
    unseen. Arrays are copied to NumPy's float64 or complex128; axes with a name have one size in all parameters, which
    is that of the first one that is asked for.

    Args:
        kind: The kind of model, for errors.
        parameters: Arrays by the release's names; ``a__b`` counts as ``a.b``. Options may come as 0-d arrays.
        options: Options that win over those among the parameters.

    >>> given = Arguments("lru", {"D": [1.0, 2.0], "C": np.zeros((3, 2))}, {})
    >>> given.array("D", ("H",)).tolist(), given.array("C", ("P", "H")).shape, given.size("P")
    ([1.0, 2.0], (3, 2), 3)
    """

    def __init__(self, kind: str, parameters: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        self.kind = kind
        self._given: dict[str, Any] = {}
        for source in (parameters, options):
            names = [_dotted(name) for name in source]
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise ValueError(f"{kind}: given twice, with a dot and with two underscores: {', '.join(twice)}.")
            self._given.update(zip(names, source.values(), strict=True))
        self._known: dict[str, None] = {}
        self._sizes: dict[str, int] = {}

    def require(self, *names: str) -> None:
        """Refuses a model in which parameters are missing, with all their names at once.

        Raises:
            ValueError: With the names that are missing, and those that were given.
        """
        self._known.update(dict.fromkeys(names))
        missing = [name for name in names if name not in self._given]
        if missing:
            given = ", ".join(self._given) or "nothing"
            raise ValueError(f"{self.kind}: missing {', '.join(missing)}; given: {given}.")

    def has(self, name: str) -> bool:
        """Whether a parameter or option was given; from now on it is one that may be given."""
        self._known[name] = None
        return name in self._given

    def array(self, name: str, axes: Axes) -> np.ndarray:
        """A parameter of real numbers, float64.

        Args:
            name: Its name.
            axes: The name or the size of each axis.

        Raises:
            ValueError: If it is missing, has another shape, or a number is not finite.
            TypeError: If it is not real numbers.
        """
        return self._fitted(name, self._real(name), axes)

    def limits(self, name: str) -> tuple[float, float] | None:
        """Where numbers are kept, as (low, high), of which the high one may be infinite; None if not given.

        Args:
            name: The name of the option.

        Raises:
            ValueError: If they are not two numbers with 0 ≤ low ≤ high.
            TypeError: If they are not real numbers.
        """
        if not self.has(name):
            return None
        found = self._real(name)
        if found.shape != (2,) or not 0 <= found[0] <= found[1] or np.isinf(found[0]):
            raise ValueError(f"{self.kind}: {name} must be 0 ≤ low ≤ high, got {found.tolist()}.")
        return float(found[0]), float(found[1])

    def complex(self, name: str, axes: Axes) -> np.ndarray:
        """A parameter of complex numbers, complex128: stored with real and imaginary parts on a last axis, or as such.

        Args:
            name: Its name.
            axes: The name or the size of each axis, without the last one of real and imaginary parts.

        Raises:
            ValueError: As for :meth:`array`.
            TypeError: If it is not numbers.
        """
        array = self._numbers(name)
        if np.iscomplexobj(array):
            return self._fitted(name, array, axes)
        pairs = self._fitted(name, array, (*axes, 2))
        return pairs[..., 0] + 1j * pairs[..., 1]

    def size(self, axis: str) -> int:
        """The size of an axis that a parameter asked for before has."""
        return self._sizes[axis]

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a parameter as it came."""
        self.require(name)
        return np.shape(self._given[name])

    def option(self, name: str, default: str, choices: Sequence[str]) -> str:
        """An option that is a word.

        Args:
            name: Its name.
            default: What it is where it is not given.
            choices: The words allowed.

        Raises:
            ValueError: If it is another word, with those allowed.
        """
        found = self._scalar(name, default)
        if not isinstance(found, str) or found not in choices:
            allowed = ", ".join(map(repr, choices))
            raise ValueError(f"{self.kind}: {name} must be one of {allowed}, got {found!r}.")
        return found

    def flag(self, name: str, default: bool) -> bool:
        """An option that is true or false, or 1 or 0.

        Raises:
            ValueError: If it is neither.
        """
        found = self._scalar(name, default)
        if found not in (0, 1):
            raise ValueError(f"{self.kind}: {name} must be True or False, got {found!r}.")
        return bool(found)

    def number(self, name: str, default: float) -> float:
        """An option that is a finite number.

        Raises:
            ValueError: If it is none.
        """
        found = self._scalar(name, default)
        if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
            raise ValueError(f"{self.kind}: {name} must be a finite number, got {found!r}.")
        return float(found)

    def integer(self, name: str, default: int, least: int = 0) -> int:
        """An option that is a whole number.

        Raises:
            ValueError: If it is none, or below the least one allowed.
        """
        found = self._scalar(name, default)
        whole = isinstance(found, int | float) and not isinstance(found, bool) and found == math.floor(found)
        if not whole or found < least:
            raise ValueError(f"{self.kind}: {name} must be a whole number of at least {least}, got {found!r}.")
        return int(found)

    def finish(self) -> None:
        """Refuses what nobody asked for.

        Raises:
            ValueError: With the unknown names and those allowed.
        """
        unknown = [name for name in self._given if name not in self._known]
        if unknown:
            raise ValueError(
                f"{self.kind} has no {', '.join(map(repr, unknown))}; its parameters and options are "
                f"{', '.join(self._known)}."
            )

    def _numbers(self, name: str) -> np.ndarray:
        self.require(name)
        try:
            array = np.asarray(self._given[name])
        except ValueError as error:
            raise ValueError(f"{self.kind}: {name} must be an array of numbers: {error}") from error
        if array.dtype.kind in "iufc":
            return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
        if array.dtype.kind == "V" and np.can_cast(array.dtype, np.float64):  # bfloat16
            return array.astype(np.float64)
        raise TypeError(f"{self.kind}: {name} must be numbers, got an array of {array.dtype}.")

    def _real(self, name: str) -> np.ndarray:
        array = self._numbers(name)
        if np.iscomplexobj(array):
            raise TypeError(f"{self.kind}: {name} must be real numbers, got an array of {array.dtype}.")
        return array

    def _fitted(self, name: str, array: np.ndarray, axes: Axes) -> np.ndarray:
        expected = tuple(axis if isinstance(axis, int) else self._sizes.get(axis, axis) for axis in axes)
        fits = array.ndim == len(axes) and all(
            isinstance(want, str) or want == came for want, came in zip(expected, array.shape, strict=True)
        )
        if not fits:
            names = ", ".join(str(axis) for axis in axes)
            sizes = ", ".join(str(want) for want in expected)
            raise ValueError(f"{self.kind}: {name} must be ({names}) = ({sizes}), got {array.shape}.")
        if 0 in array.shape:
            raise ValueError(f"{self.kind}: {name} is empty, its shape is {array.shape}.")
        for axis, came in zip(axes, array.shape, strict=True):
            if isinstance(axis, str):
                self._sizes[axis] = came
        check_finite(f"{self.kind}: {name}", array)
        return array

    def _scalar(self, name: str, default: Any) -> Any:
        self._known[name] = None
        if name not in self._given:
            return default
        array = np.asarray(self._given[name])
        if array.size != 1:
            raise ValueError(f"{self.kind}: {name} is one value, got an array of shape {array.shape}.")
        return array.reshape(()).item()


def _dotted(name: str) -> str:
    return name.replace("__", ".")
