r"""Generators A: the families of Table 1, each with its matrix, its propagator and a bound on its norm.

The sign is that of :math:`e^{-rA}`: eigenvalues with positive real part forget. A constructor takes its arrays
exactly as they are; ``init`` draws parameters to be trained, wrapped (see :mod:`ewsnn.parameters`) so that no
step of an optimiser makes the generator grow.
"""

import abc
from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn import propagators
from ewsnn.arrays import PRECISION, Numbers, default_float
from ewsnn.linalg import expm
from ewsnn.parameters import AbstractParameter, Dissipative, Parameter, Positive, parameter, value

Range = tuple[float, float]


class AbstractGenerator(eqx.Module):
    """A real m×m matrix A, known by what it does."""

    @property
    @abc.abstractmethod
    def size(self) -> int:
        """The number m of coordinates."""

    @property
    @abc.abstractmethod
    def dtype(self) -> np.dtype:
        """The floating-point type of the parameters."""

    @abc.abstractmethod
    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """The vectors Av."""

    @abc.abstractmethod
    def propagator(self, r: Float[Array, "*batch"]) -> propagators.AbstractPropagator:
        r"""The propagators :math:`e^{-rA}`, one for each elapsed clock time."""

    @abc.abstractmethod
    def doubled(
        self, half: propagators.AbstractPropagator, r: Float[Array, "*batch"]
    ) -> propagators.AbstractPropagator:
        r"""The propagators :math:`e^{-rA}`, where those of r/2 are known already."""

    @abc.abstractmethod
    def transported(
        self, r: Float[Array, "*batch"], v: Float[Array, "*batch m"], fractions: Float[Array, " nodes"]
    ) -> Float[Array, "*batch nodes m"]:
        r"""The vectors :math:`e^{-crA}v` for every fraction c of [0, 1], where :math:`‖rA‖ ≤ 1`."""

    @abc.abstractmethod
    def norm(self) -> Float[Array, ""]:
        r"""An upper bound of :math:`‖A‖_2`, close to it: it only chooses how finely a step is cut."""

    def matrix(self) -> Float[Array, "m m"]:
        """The matrix A in full, entry by entry exact: for tests, conversion and the oracle."""
        # Row k of the product is A e_k, which is column k of A.
        return self.multiply(jnp.eye(self.size, dtype=self.dtype)).T


class AbstractClosedForm(AbstractGenerator):
    """A generator whose propagator is a formula in r, as cheap and as exact for every r."""

    def doubled(
        self, half: propagators.AbstractPropagator, r: Float[Array, "*batch"]
    ) -> propagators.AbstractPropagator:
        """The formula again: squaring would double the relative error each time."""
        del half
        return self.propagator(r)

    def transported(
        self, r: Float[Array, "*batch"], v: Float[Array, "*batch m"], fractions: Float[Array, " nodes"]
    ) -> Float[Array, "*batch nodes m"]:
        """The formula for each fraction."""
        every = jnp.broadcast_to(v[..., None, :], (*v.shape[:-1], fractions.shape[0], v.shape[-1]))
        return self.propagator(_times(r, fractions)).apply(every)


class Zero(AbstractClosedForm):
    """The zero generator: no forgetting, the EWS is the signature.

    Args:
        m: Number of coordinates.

    Paper: Table 1.
    """

    m: int = eqx.field(static=True)

    def __init__(self, m: int) -> None:
        self.m = _count("m", m)

    @classmethod
    def init(cls, key: Key[Array, ""], m: int) -> "Zero":
        """The zero generator of size m; it has nothing to draw or train."""
        del key
        return cls(m)

    @property
    def size(self) -> int:
        """The number m of coordinates."""
        return self.m

    @property
    def dtype(self) -> np.dtype:
        """JAX's default floating-point type: there are no parameters."""
        return default_float()

    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """Zeros."""
        return jnp.zeros_like(v)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.Identity:
        """The identity."""
        del r
        return propagators.Identity()

    def norm(self) -> Float[Array, ""]:
        """Zero."""
        return jnp.zeros((), self.dtype)


class Diagonal(AbstractClosedForm):
    r"""A diagonal generator :math:`\operatorname{diag}(λ_1, …, λ_m)`: kernels :math:`e^{-λr}`.

    Args:
        rate: The rates λ, (m,).

    Paper: Table 1.

    >>> Diagonal(jnp.array([1.0, 2.0])).matrix().tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """

    rate: Parameter

    def __init__(self, rate: Numbers | AbstractParameter) -> None:
        self.rate = _vector("rate", rate)

    @classmethod
    def init(cls, key: Key[Array, ""], m: int, *, rate: Range = (0.01, 1.0)) -> "Diagonal":
        """Positive rates, spread evenly in the logarithm over the range."""
        return cls(Positive(_spread(key, _count("m", m), rate)))

    @property
    def size(self) -> int:
        """The number m of coordinates."""
        return value(self.rate).shape[0]

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type of the rates."""
        return value(self.rate).dtype

    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """Each coordinate times its rate."""
        return v * _over(value(self.rate), v)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.Diagonal:
        r"""The decays :math:`e^{-rλ}`."""
        return propagators.Diagonal(jnp.exp(-_times(r, value(self.rate))))

    def norm(self) -> Float[Array, ""]:
        """The largest absolute rate."""
        return jnp.max(jnp.abs(value(self.rate)))


class Rotation(AbstractClosedForm):
    r"""Damped rotations: 2×2 blocks [[a, −ω], [ω, a]], kernels :math:`e^{-ar}\cos ωr, e^{-ar}\sin ωr`.

    Args:
        damping: The dampings a, (m/2,), or None for none.
        frequency: The frequencies ω in radians for one unit of clock time, (m/2,).

    Raises:
        ValueError: If the two have different shapes.

    Paper: Table 1.

    >>> Rotation(jnp.array([0.5]), jnp.array([2.0])).matrix().tolist()
    [[0.5, -2.0], [2.0, 0.5]]
    """

    damping: Parameter | None
    frequency: Parameter

    def __init__(self, damping: Numbers | AbstractParameter | None, frequency: Numbers | AbstractParameter) -> None:
        self.frequency = _vector("frequency", frequency)
        self.damping = None if damping is None else _vector("damping", damping)
        if self.damping is not None:
            _check_equal("damping", self.damping, "frequency", self.frequency)

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        m: int,
        *,
        damping: Range | None = (0.01, 1.0),
        frequency: Range = (0.01, 3.0),
    ) -> "Rotation":
        """Positive dampings (None: undamped) and frequencies, spread evenly in the logarithm over the ranges."""
        if _count("m", m) % 2:
            raise ValueError(f"a rotation has an even number of coordinates, got m = {m}.")
        for_damping, for_frequency = jax.random.split(key)
        return cls(
            None if damping is None else Positive(_spread(for_damping, m // 2, damping)),
            _spread(for_frequency, m // 2, frequency),
        )

    @property
    def size(self) -> int:
        """The number m of coordinates, twice the number of blocks."""
        return 2 * value(self.frequency).shape[0]

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type of the frequencies."""
        return value(self.frequency).dtype

    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """Each pair times its block."""
        x, y = v[..., 0::2], v[..., 1::2]
        w = _over(value(self.frequency), x)
        turned = jnp.stack((-w * y, w * x), axis=-1)
        if self.damping is not None:
            a = _over(value(self.damping), x)[..., None]
            turned = turned + a * jnp.stack((x, y), axis=-1)
        return turned.reshape(v.shape)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.Rotation:
        r"""The damped cosines and sines of ωr."""
        angle = _times(r, value(self.frequency))
        if self.damping is None:
            return propagators.Rotation(jnp.cos(angle), jnp.sin(angle))
        decay = jnp.exp(-_times(r, value(self.damping)))
        return propagators.Rotation(decay * jnp.cos(angle), decay * jnp.sin(angle))

    def norm(self) -> Float[Array, ""]:
        """The largest modulus of an eigenvalue, bounded by the sum of its parts."""
        damping = 0 if self.damping is None else jnp.abs(value(self.damping))
        return jnp.max(jnp.abs(value(self.frequency)) + damping)


class Jordan(AbstractClosedForm):
    r"""Real Jordan blocks λI + N of equal size: kernels :math:`r^ℓ e^{-λr}`. N is the superdiagonal.

    Args:
        rate: The rate λ of one block, or the rates of several, (blocks,).
        size: Number of coordinates of a block.

    Paper: Table 1; Proposition 2.

    >>> Jordan(jnp.array(0.5), 2).matrix().tolist()
    [[0.5, 1.0], [0.0, 0.5]]
    """

    rate: Parameter
    block: int = eqx.field(static=True)

    def __init__(self, rate: Numbers | AbstractParameter, size: int) -> None:
        self.rate = _scalar_or_vector("rate", rate)
        self.block = _count("size", size)

    @classmethod
    def init(cls, key: Key[Array, ""], m: int, *, size: int | None = None, rate: Range = (0.01, 1.0)) -> "Jordan":
        """Blocks of the size given (None: one block), of positive rates spread over the range."""
        blocks = _blocks(m, m if size is None else size)
        return cls(Positive(_spread(key, blocks, rate)), m // blocks)

    @property
    def size(self) -> int:
        """The number m of coordinates of all blocks."""
        return value(self.rate).size * self.block

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type of the rates."""
        return value(self.rate).dtype

    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """Each block times its part."""
        x = v.reshape(*v.shape[:-1], -1, self.block)
        shifted = jnp.concatenate([x[..., 1:], jnp.zeros_like(x[..., :1])], axis=-1)
        rate = jnp.repeat(value(self.rate).reshape(-1), self.block)
        return v * _over(rate, v) + shifted.reshape(v.shape)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.Jordan:
        r"""The decays :math:`e^{-rλ}`, and r for the powers of N."""
        decay = jnp.exp(-_times(r, value(self.rate).reshape(-1)))
        return propagators.Jordan(decay, r, self.block)

    def norm(self) -> Float[Array, ""]:
        """The largest absolute rate, and one for N."""
        return jnp.max(jnp.abs(value(self.rate))) + int(self.block > 1)


class ComplexJordan(AbstractClosedForm):
    r"""Complex Jordan blocks in real form: [[a, −ω], [ω, a]] on the diagonal, I₂ on the superdiagonal.

    Kernels :math:`r^ℓ e^{-ar}\cos ωr, r^ℓ e^{-ar}\sin ωr`.

    Args:
        damping: The damping a of one block, or those of several, (blocks,).
        frequency: The frequency ω of each block, of the same shape.
        size: Number of 2×2 blocks on the diagonal of each Jordan block: 2·size coordinates.

    Raises:
        ValueError: If damping and frequency have different shapes.

    Paper: Table 1; Appendix E.

    >>> ComplexJordan(jnp.array(0.5), jnp.array(2.0), 2).matrix().tolist()
    [[0.5, -2.0, 1.0, 0.0], [2.0, 0.5, 0.0, 1.0], [0.0, 0.0, 0.5, -2.0], [0.0, 0.0, 2.0, 0.5]]
    """

    damping: Parameter
    frequency: Parameter
    block: int = eqx.field(static=True)

    def __init__(
        self,
        damping: Numbers | AbstractParameter,
        frequency: Numbers | AbstractParameter,
        size: int,
    ) -> None:
        self.damping = _scalar_or_vector("damping", damping)
        self.frequency = _scalar_or_vector("frequency", frequency)
        _check_equal("damping", self.damping, "frequency", self.frequency)
        self.block = _count("size", size)

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        m: int,
        *,
        size: int | None = None,
        damping: Range = (0.01, 1.0),
        frequency: Range = (0.01, 3.0),
    ) -> "ComplexJordan":
        """Blocks of the size given (None: one block), of positive dampings and frequencies spread over ranges."""
        if _count("m", m) % 2:
            raise ValueError(f"a complex Jordan block has an even number of coordinates, got m = {m}.")
        blocks = _blocks(m // 2, m // 2 if size is None else size)
        for_damping, for_frequency = jax.random.split(key)
        return cls(
            Positive(_spread(for_damping, blocks, damping)),
            _spread(for_frequency, blocks, frequency),
            m // 2 // blocks,
        )

    def _rotation(self) -> Rotation:
        # The same rotation in every 2×2 block of a Jordan block.
        return Rotation(
            jnp.repeat(value(self.damping).reshape(-1), self.block),
            jnp.repeat(value(self.frequency).reshape(-1), self.block),
        )

    @property
    def size(self) -> int:
        """The number m of coordinates of all blocks."""
        return 2 * value(self.frequency).size * self.block

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type of the frequencies."""
        return value(self.frequency).dtype

    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """Each block times its part."""
        x = v.reshape(*v.shape[:-1], -1, 2 * self.block)
        shifted = jnp.concatenate([x[..., 2:], jnp.zeros_like(x[..., :2])], axis=-1)
        return self._rotation().multiply(v) + shifted.reshape(v.shape)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.ComplexJordan:
        """The rotation of each block, and r for the powers of N."""
        one = Rotation(value(self.damping).reshape(-1), value(self.frequency).reshape(-1))
        return propagators.ComplexJordan(one.propagator(r), r, self.block)

    def norm(self) -> Float[Array, ""]:
        """The norm of the rotations, and one for N."""
        return self._rotation().norm() + int(self.block > 1)


class AbstractDense(AbstractGenerator):
    """A generator without a formula for its propagator: the matrix exponential of all of it."""

    @abc.abstractmethod
    def full(self) -> Float[Array, "m m"]:
        """The matrix A."""

    @property
    def size(self) -> int:
        """The number m of coordinates."""
        return self.full().shape[0]

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type of the entries."""
        return self.full().dtype

    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """The matrix on the last axis."""
        return jnp.einsum("ij,...j->...i", self.full(), v, precision=PRECISION)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.Dense:
        r"""The matrix exponentials :math:`e^{-rA}`."""
        A = self.full()
        return propagators.Dense(expm(-r[..., None, None] * jnp.broadcast_to(A, (*r.shape, *A.shape))))

    def doubled(
        self, half: propagators.AbstractPropagator, r: Float[Array, "*batch"]
    ) -> propagators.AbstractPropagator:
        """The square of the half, as in the matrix exponential itself."""
        del r
        return half.then(half)

    def transported(
        self, r: Float[Array, "*batch"], v: Float[Array, "*batch m"], fractions: Float[Array, " nodes"]
    ) -> Float[Array, "*batch nodes m"]:
        """Taylor's series in c, with one product by A a term for all fractions."""
        # The remainder at ‖rA‖ = 1 is 1/19! = 8e-18, and 1/12! = 2e-9 in single precision.
        orders = np.arange(1, 19 if v.dtype == np.float64 else 12)

        def advance(term: Array, k: Array) -> tuple[Array, Array]:
            term = self.multiply(term) * (-r / k)[..., None]
            return term, term

        terms = jnp.concatenate([v[None], jax.lax.scan(advance, v, jnp.asarray(orders, v.dtype))[1]])
        powers = jnp.concatenate([jnp.ones((1, *fractions.shape), v.dtype), *[fractions[None] ** k for k in orders]])
        return jnp.einsum("kj,k...m->...jm", powers, terms, precision=PRECISION)


class Skew(AbstractDense):
    r"""A skew-symmetric generator: undamped mixtures of all rotations, :math:`e^{-rQ}` is orthogonal.

    Args:
        entries: The entries above the diagonal row by row, (m(m−1)/2,), with Q[i, j] = +entry and Q[j, i] = −entry for
            i < j; or a matrix W, (m, m), read as :math:`W - W^⊤`.

    Raises:
        ValueError: If the number of entries belongs to no m.

    Paper: Table 1.

    >>> Skew(jnp.array([2.0])).matrix().tolist()
    [[0.0, 2.0], [-2.0, 0.0]]
    """

    entries: Parameter

    def __init__(self, entries: Numbers | AbstractParameter) -> None:
        self.entries = parameter("entries", entries)
        shape = value(self.entries).shape
        if not (len(shape) == 2 and shape[0] == shape[1] > 0) and not (
            len(shape) == 1 and shape[0] > 0 and _letters(shape[0]) * (_letters(shape[0]) - 1) // 2 == shape[0]
        ):
            raise ValueError(
                f"entries must be the m(m-1)/2 entries above the diagonal or an (m, m) matrix, got shape {shape}."
            )

    @classmethod
    def init(cls, key: Key[Array, ""], m: int, *, scale: float = 1.0) -> "Skew":
        """Normal entries, so that frequencies spread up to about twice the scale."""
        entries = jax.random.normal(key, (_count("m", m) * (m - 1) // 2,), default_float())
        return cls(scale / np.sqrt(m).item() * entries)

    def full(self) -> Float[Array, "m m"]:
        """The matrix Q."""
        entries = value(self.entries)
        if entries.ndim == 2:
            return entries - entries.T
        m = _letters(entries.shape[0])
        upper = jnp.zeros((m, m), entries.dtype).at[np.triu_indices(m, 1)].set(entries)
        return upper - upper.T

    def norm(self) -> Float[Array, ""]:
        """The smaller of the 1-norm and, as singular values come in pairs, the Frobenius norm over √2."""
        Q = self.full()
        return jnp.minimum(jnp.max(jnp.sum(jnp.abs(Q), axis=0)), _frobenius(Q) / np.sqrt(2).item())


class Dense(AbstractDense):
    r"""Any real matrix as a generator.

    Args:
        dense: The matrix A, (m, m).

    Raises:
        ValueError: If it is not square.

    Paper: Table 1.

    >>> Dense(jnp.array([[0.5, 1.0], [0.0, 2.0]])).matrix().tolist()
    [[0.5, 1.0], [0.0, 2.0]]
    """

    dense: Parameter

    def __init__(self, matrix: Numbers | AbstractParameter) -> None:
        self.dense = parameter("matrix", matrix)
        shape = value(self.dense).shape
        if len(shape) != 2 or shape[0] != shape[1] or shape[0] == 0:
            raise ValueError(f"a dense generator is a square matrix (m, m), got shape {shape}.")

    @classmethod
    def init(cls, key: Key[Array, ""], m: int, *, scale: float = 1.0, rate: Range = (0.01, 1.0)) -> "Dense":
        """A dissipative matrix: a random skew part of the scale given, rates spread over the range."""
        for_skew, for_rate = jax.random.split(key)
        skew = jax.random.normal(for_skew, (_count("m", m), m), default_float())
        roots = jnp.sqrt(_spread(for_rate, m, rate))
        return cls(Dissipative(jnp.triu(scale / np.sqrt(m).item() * skew, 1) + jnp.diag(roots)))

    def full(self) -> Float[Array, "m m"]:
        """The matrix A."""
        return value(self.dense)

    def norm(self) -> Float[Array, ""]:
        """The smaller of the Frobenius norm and √(‖A‖₁‖A‖∞)."""
        absolute = jnp.abs(self.full())
        columns, rows = jnp.max(jnp.sum(absolute, axis=0)), jnp.max(jnp.sum(absolute, axis=1))
        return jnp.minimum(jnp.sqrt(columns) * jnp.sqrt(rows), _frobenius(absolute))


class DirectSum(AbstractGenerator):
    """Generators side by side: the block-diagonal matrix of its parts.

    Args:
        parts: The generators, in the order of their coordinates.

    Raises:
        ValueError: If there are none.
        TypeError: If one is not a generator.

    Paper: Section 2.2.

    >>> DirectSum(Diagonal(jnp.array([1.0])), Skew(jnp.array([2.0]))).matrix().tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, -2.0, 0.0]]
    """

    parts: tuple[AbstractGenerator, ...]

    def __init__(self, *parts: AbstractGenerator) -> None:
        if not parts:
            raise ValueError("DirectSum needs at least one generator.")
        for part in parts:
            if not isinstance(part, AbstractGenerator):
                raise TypeError(f"DirectSum takes generators, got {type(part).__name__}; wrap a matrix in Dense.")
        self.parts = parts

    @classmethod
    def init(cls, key: Key[Array, ""], *inits: Callable[[Key[Array, ""]], AbstractGenerator]) -> "DirectSum":
        """Parts drawn one after the other, each by a function of a key."""
        return cls(*(init(k) for init, k in zip(inits, jax.random.split(key, len(inits)), strict=True)))

    @property
    def size(self) -> int:
        """The number m of coordinates of all parts."""
        return sum(part.size for part in self.parts)

    @property
    def dtype(self) -> np.dtype:
        """The common floating-point type of those parts that have parameters."""
        return next((part.dtype for part in self.parts if not isinstance(part, Zero)), default_float())

    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """Each part on its coordinates."""
        pieces = zip(self.parts, self._split(v), strict=True)
        return jnp.concatenate([part.multiply(piece) for part, piece in pieces], axis=-1)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.DirectSum:
        """The propagators of the parts."""
        sizes = tuple(part.size for part in self.parts)
        return propagators.DirectSum(tuple(part.propagator(r) for part in self.parts), sizes)

    def doubled(
        self, half: propagators.AbstractPropagator, r: Float[Array, "*batch"]
    ) -> propagators.AbstractPropagator:
        """Part by part."""
        if not isinstance(half, propagators.DirectSum):
            raise TypeError(f"the propagator of a direct sum is a DirectSum, got {type(half).__name__}.")
        parts = (part.doubled(p, r) for part, p in zip(self.parts, half.parts, strict=True))
        return propagators.DirectSum(tuple(parts), half.sizes)

    def transported(
        self, r: Float[Array, "*batch"], v: Float[Array, "*batch m"], fractions: Float[Array, " nodes"]
    ) -> Float[Array, "*batch nodes m"]:
        """Each part on its coordinates."""
        pieces = zip(self.parts, self._split(v), strict=True)
        return jnp.concatenate([part.transported(r, piece, fractions) for part, piece in pieces], axis=-1)

    def _split(self, v: Float[Array, "*batch m"]) -> list[Array]:
        starts = [sum(part.size for part in self.parts[:k]) for k in range(1, len(self.parts))]
        return jnp.split(v, starts, axis=-1)

    def norm(self) -> Float[Array, ""]:
        """The largest norm of a part."""
        return jnp.max(jnp.stack([part.norm().astype(self.dtype) for part in self.parts]))


def _over(coefficients: Float[Array, " m"], v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
    # Ranks are equal on purpose: the tests refuse any silent broadcast of them.
    return jnp.broadcast_to(coefficients, v.shape)


def _times(r: Float[Array, "*batch"], coefficients: Float[Array, " k"]) -> Float[Array, "*batch k"]:
    return r[..., None] * jnp.broadcast_to(coefficients, (*r.shape, coefficients.shape[0]))


def _frobenius(A: Float[Array, "m m"]) -> Float[Array, ""]:
    # Scaled, so that no square overflows where the norm itself does not.
    largest = jnp.max(jnp.abs(A))
    scale = jnp.where(largest > 0, largest, 1)
    return scale * jnp.sqrt(jnp.sum((A / scale) ** 2))


def _letters(entries: int) -> int:
    return (1 + int(np.sqrt(1 + 8 * entries))) // 2


def _count(name: str, given: int) -> int:
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or given < 1:
        raise ValueError(f"{name} must be an integer of at least 1, got {given!r}.")
    return int(given)


def _blocks(m: int, size: int) -> int:
    if _count("m", m) % _count("size", size):
        raise ValueError(f"blocks of size {size} do not fill {m} places.")
    return m // size


def _vector(name: str, given: Numbers | AbstractParameter) -> Parameter:
    stored = parameter(name, given)
    if value(stored).ndim != 1 or value(stored).shape[0] == 0:
        raise ValueError(f"{name} must be a vector with at least one entry, got shape {value(stored).shape}.")
    return stored


def _scalar_or_vector(name: str, given: Numbers | AbstractParameter) -> Parameter:
    stored = parameter(name, given)
    if value(stored).ndim > 1 or value(stored).size == 0:
        raise ValueError(f"{name} must be a number or a vector (blocks,), got shape {value(stored).shape}.")
    return stored


def _check_equal(name: str, one: Parameter, other_name: str, other: Parameter) -> None:
    if value(one).shape != value(other).shape:
        raise ValueError(
            f"{name} has shape {value(one).shape} and {other_name} {value(other).shape}: they must be equal."
        )


def _spread(key: Key[Array, ""], n: int, ends: Range) -> Float[Array, " n"]:
    # One draw in each of n equal parts of the logarithmic range, in random order: even for small n the
    # whole range is covered.
    low, high = ends
    if not 0 < low <= high < np.inf:
        raise ValueError(f"a range must be two numbers with 0 < low ≤ high, got {ends}.")
    for_place, for_order = jax.random.split(key)
    places = (jnp.arange(n) + jax.random.uniform(for_place, (n,), default_float())) / n
    return low * (high / low) ** jax.random.permutation(for_order, places)
