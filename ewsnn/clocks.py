r"""Clocks: how far the clock :math:`θ` moves over each step, from the increments of the path.

Every clock of this module is made of increments, :math:`θ_{t_j} = \sum_{i ≤ j} f(ΔX_i)`, and stands still over
steps that are no part of the path.
"""

import abc

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn.arrays import PRECISION, Numbers, as_float, default_float, is_traced
from ewsnn.parameters import AbstractParameter, Parameter, Positive, parameter, value
from ewsnn.paths import Increments


class AbstractClock(eqx.Module):
    """A causal map from paths to clock increments.

    A clock that says nothing of itself is taken for one that depends on the parametrisation and can stop.

    Paper: Definition 1.
    """

    @property
    def invariant(self) -> bool:
        """Whether the clock is known to run the same under every reparametrisation of the path."""
        return False

    @property
    def can_stop(self) -> bool:
        """Whether the clock may stand still while the path moves."""
        return True

    @abc.abstractmethod
    def increment(self, increments: Increments) -> Float[Array, "*batch steps"]:
        """The formula f for every step, also where there is no path."""

    def __call__(self, increments: Increments) -> Float[Array, "*batch steps"]:
        """The clock increments Δθ, zero over steps that are no part of the path.

        Args:
            increments: The steps of the path.

        Returns:
            Δθ for each step.
        """
        moved = self.increment(increments)
        return jnp.where(increments.valid, moved, jnp.zeros_like(moved))


class Time(AbstractClock):
    r"""The time clock, :math:`f = Δt`.

    Paper: Definition 1.
    """

    @property
    def can_stop(self) -> bool:
        """No."""
        return False

    def increment(self, increments: Increments) -> Float[Array, "*batch steps"]:
        """The differences of the time stamps."""
        return increments.dt


class Observation(AbstractClock):
    r"""The observation clock, :math:`f = 1` for each observation."""

    @property
    def can_stop(self) -> bool:
        """No."""
        return False

    def increment(self, increments: Increments) -> Float[Array, "*batch steps"]:
        """Ones."""
        return jnp.ones_like(increments.dt)


class Variation(AbstractClock):
    r"""The variation clock, :math:`f(v) = ‖v‖_2`.

    Paper: Proposition 5.
    """

    @property
    def invariant(self) -> bool:
        """Yes: f is positively homogeneous in v alone."""
        return True

    @property
    def can_stop(self) -> bool:
        """No: where it stands still, so does the path."""
        return False

    def increment(self, increments: Increments) -> Float[Array, "*batch steps"]:
        """The Euclidean lengths of the steps."""
        return norm(increments.dx)


class Blended(AbstractClock):
    r"""The blended clock, :math:`f(v) = Δt + β ‖v‖_2` with β > 0.

    Args:
        beta: The weight β: an array (or a :class:`ewsnn.parameters.Positive`) is trained, a Python number is fixed.

    Raises:
        ValueError: If β is known and not positive, or is no single number.
    """

    beta: Parameter | float

    def __init__(self, beta: Numbers | AbstractParameter) -> None:
        if isinstance(beta, int | float):
            if not 0 < beta < np.inf:
                raise ValueError(f"beta must be above 0 and finite, got {beta}.")
            self.beta = float(beta)
        else:
            learned = parameter("beta", beta)
            if value(learned).shape != ():
                raise ValueError(f"beta must be one number, got shape {value(learned).shape}.")
            if not is_traced(value(learned)) and not value(learned) > 0:
                raise ValueError(f"beta must be above 0, got {value(learned)}.")
            self.beta = learned

    @classmethod
    def init(cls, key: Key[Array, ""], d: int, *, beta: float = 1.0) -> "Blended":
        """A learned β that stays positive; it starts from the number given."""
        del key, d
        return cls(Positive(beta))

    @property
    def can_stop(self) -> bool:
        """No."""
        return False

    def increment(self, increments: Increments) -> Float[Array, "*batch steps"]:
        """Δt and β times the length of the step."""
        beta = value(self.beta) if isinstance(self.beta, jax.Array | AbstractParameter) else self.beta
        return increments.dt + beta * norm(increments.dx)


class Gated(AbstractClock):
    r"""The gated clock, :math:`f(v) = \operatorname{relu}(w·v + bΔt)`: it learns when to stop.

    Args:
        weight: The weight w, (d,).
        bias: The weight b of time, one number; None leaves it out, and the clock is invariant.

    Raises:
        ValueError: If the shapes are others.
    """

    weight: Float[Array, " d"]
    bias: Float[Array, ""] | None

    def __init__(self, weight: Numbers, bias: Numbers | None = None) -> None:
        self.weight = as_float("weight", weight)
        self.bias = None if bias is None else as_float("bias", bias)
        if self.weight.ndim != 1 or (self.bias is not None and self.bias.shape != ()):
            raise ValueError(
                "a gated clock has a weight (d,) and a bias (), got shapes "
                f"{self.weight.shape} and {None if self.bias is None else self.bias.shape}."
            )

    @classmethod
    def init(cls, key: Key[Array, ""], d: int, *, scale: float = 0.1, bias: float | None = 1.0) -> "Gated":
        """A clock near the time clock: a small random weight, and the bias given."""
        weight = scale / np.sqrt(d).item() * jax.random.normal(key, (d,), default_float())
        return cls(weight, None if bias is None else bias)

    @property
    def invariant(self) -> bool:
        """Whether the bias is absent (an array may be trained away from zero)."""
        return self.bias is None

    def increment(self, increments: Increments) -> Float[Array, "*batch steps"]:
        """The gate of each step."""
        _check_channels(self.weight.shape[0], increments)
        moved = jnp.einsum("...d,d->...", increments.dx, self.weight, precision=PRECISION)
        return jax.nn.relu(moved if self.bias is None else moved + self.bias * increments.dt)


class Clamped(AbstractClock):
    r"""The clamped clock of k units, :math:`f(v) = \sum_{i ≤ k} \operatorname{clip}(w_i·v + b_iΔt, 0, 1)`.

    It is bounded by the number of units, however wild the path.

    Args:
        weight: The weights, (units, d).
        bias: The weights of time, (units,).

    Raises:
        ValueError: If the shapes are others.
    """

    weight: Float[Array, "units d"]
    bias: Float[Array, " units"]

    def __init__(self, weight: Numbers, bias: Numbers) -> None:
        self.weight = as_float("weight", weight)
        self.bias = as_float("bias", bias)
        if self.weight.ndim != 2 or self.bias.shape != self.weight.shape[:1]:
            raise ValueError(
                "a clamped clock has weights (units, d) and biases (units,), got shapes "
                f"{self.weight.shape} and {self.bias.shape}."
            )

    @classmethod
    def init(cls, key: Key[Array, ""], d: int, *, units: int = 4, scale: float = 0.1) -> "Clamped":
        """A clock near the time clock: small random weights, biases that sum to one."""
        weight = scale / np.sqrt(d).item() * jax.random.normal(key, (units, d), default_float())
        return cls(weight, jnp.full((units,), 1 / units, default_float()))

    def increment(self, increments: Increments) -> Float[Array, "*batch steps"]:
        """The sum of the clipped units for each step."""
        _check_channels(self.weight.shape[1], increments)
        moved = jnp.einsum("...d,kd->...k", increments.dx, self.weight, precision=PRECISION)
        rhythm = increments.dt[..., None] * jnp.broadcast_to(self.bias, moved.shape)
        return jnp.sum(jnp.clip(moved + rhythm, 0, 1), axis=-1)


class Given(AbstractClock):
    """A clock whose increments come with the path, such as the accumulated step of a selective model."""

    def increment(self, increments: Increments) -> Float[Array, "*batch steps"]:
        """The increments given.

        Raises:
            ValueError: If the path brings none.
        """
        if increments.elapsed is None:
            raise ValueError("the clock Given reads increments.elapsed, which is None: use with_elapsed first.")
        return increments.elapsed


def norm(v: Float[Array, "*batch d"]) -> Float[Array, "*batch"]:
    """The Euclidean length of each vector: no square overflows, and the gradient at zero is zero."""
    # The scale cancels, so it takes no part in the gradient.
    largest = jax.lax.stop_gradient(jnp.max(jnp.abs(v), axis=-1, initial=0.0))
    scale = jnp.where(largest > 0, largest, jnp.ones_like(largest))
    squares = jnp.sum((v / scale[..., None]) ** 2, axis=-1)
    # Both branches of the choice have finite gradients: NaN in the one not taken would get through.
    moved = squares > 0
    root = jnp.sqrt(jnp.where(moved, squares, jnp.ones_like(squares)))
    return scale * jnp.where(moved, root, jnp.zeros_like(root))


def _check_channels(expected: int, increments: Increments) -> None:
    if increments.dx.shape[-1] != expected:
        raise ValueError(f"the clock's weight is for {expected} channels, the path has {increments.dx.shape[-1]}.")
