"""Jordan blocks, real and complex."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn import propagators
from ewsnn.arrays import Numbers
from ewsnn.generators.arguments import Range, blocks_of, check_equal, count, scalar_or_vector, spread
from ewsnn.generators.base import AbstractClosedForm, over, times
from ewsnn.generators.rotation import Rotation
from ewsnn.moments import complex_moments, moments, product
from ewsnn.parameters import AbstractParameter, Parameter, Positive, value


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
        self.rate = scalar_or_vector("rate", rate)
        self.block = count("size", size)

    @classmethod
    def init(cls, key: Key[Array, ""], m: int, *, size: int | None = None, rate: Range = (0.01, 1.0)) -> "Jordan":
        """Blocks of the size given (None: one block), of positive rates spread over the range."""
        blocks = blocks_of(m, m if size is None else size)
        return cls(Positive(spread(key, blocks, rate)), m // blocks)

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
        return v * over(rate, v) + shifted.reshape(v.shape)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.Jordan:
        r"""The decays :math:`e^{-rλ}`, and r for the powers of N."""
        decay = jnp.exp(-times(r, value(self.rate).reshape(-1)))
        return propagators.Jordan(decay, r, self.block)

    def phi1(self, r: Float[Array, "*batch"], v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        r"""In each block :math:`\sum_k (-r)^k/k! \, I_k(-rλ) N^k v`."""
        x = v.reshape(*v.shape[:-1], -1, self.block)
        factors = moments(self.block, -times(r, value(self.rate).reshape(-1)))
        terms = zip(_powers(r, self.block), factors, _shifts(x, 1), strict=True)
        return sum((p[..., None, None] * f[..., None] * y for p, f, y in terms), jnp.zeros_like(x)).reshape(v.shape)

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
        self.damping = scalar_or_vector("damping", damping)
        self.frequency = scalar_or_vector("frequency", frequency)
        check_equal("damping", self.damping, "frequency", self.frequency)
        self.block = count("size", size)

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
        if count("m", m) % 2:
            raise ValueError(f"a complex Jordan block has an even number of coordinates, got m = {m}.")
        blocks = blocks_of(m // 2, m // 2 if size is None else size)
        for_damping, for_frequency = jax.random.split(key)
        return cls(
            Positive(spread(for_damping, blocks, damping)),
            spread(for_frequency, blocks, frequency),
            m // 2 // blocks,
        )

    def _one(self) -> Rotation:
        # Each Jordan block's rotation once.
        return Rotation(value(self.damping).reshape(-1), value(self.frequency).reshape(-1))

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
        return propagators.ComplexJordan(self._one().propagator(r), r, self.block)

    def propagator_within(self, r: Float[Array, "*batch"], reach: float) -> propagators.ComplexJordan:
        """The same, with the rotation's own."""
        return propagators.ComplexJordan(self._one().propagator_within(r, reach), r, self.block)

    def phi1(self, r: Float[Array, "*batch"], v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """The same as in a real block, pairs as complex numbers."""
        x = v.reshape(*v.shape[:-1], -1, 2 * self.block)
        # Of the conjugate, as in a rotation.
        growth, angle = -times(r, value(self.damping).reshape(-1)), times(r, value(self.frequency).reshape(-1))
        total = (jnp.zeros_like(x[..., 0::2]), jnp.zeros_like(x[..., 1::2]))
        terms = zip(_powers(r, self.block), complex_moments(self.block, growth, angle), _shifts(x, 2), strict=True)
        for p, f, y in terms:
            factor = (p[..., None] * f[0])[..., None], (-p[..., None] * f[1])[..., None]
            total = tuple(
                old + new for old, new in zip(total, product(factor, (y[..., 0::2], y[..., 1::2])), strict=True)
            )
        return jnp.stack(total, axis=-1).reshape(v.shape)

    def norm(self) -> Float[Array, ""]:
        """The norm of the rotations, and one for N."""
        return self._rotation().norm() + int(self.block > 1)


def _powers(r: Float[Array, "*batch"], count: int) -> list[Float[Array, "*batch"]]:
    r"""The numbers :math:`(-r)^k/k!`."""
    powers = [jnp.ones_like(r)]
    for k in range(1, count):
        powers.append(powers[-1] * (-r / k))
    return powers


def _shifts(x: Float[Array, "*batch block"], letters: int) -> list[Float[Array, "*batch block"]]:
    """The vectors N^k x of each block, in which N moves so many letters at once."""
    shifts = [x]
    for _ in range(1, x.shape[-1] // letters):
        shifts.append(jnp.concatenate([shifts[-1][..., letters:], jnp.zeros_like(x[..., :letters])], axis=-1))
    return shifts
