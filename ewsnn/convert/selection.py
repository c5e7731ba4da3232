"""A selective model: the mechanism that turns inputs into the path and the clock of each head."""

import abc

import equinox as eqx

from ewsnn.convert import depth_one
from ewsnn.convert.depth_one import Gates
from ewsnn.convert.mechanism import Either, namespace


class AbstractSelection(eqx.Module):
    r"""What a model does around its states, :math:`S \gets e^{-Δθ A} S + \text{drive}`.

    Its arrays are NumPy's, for conversion, or JAX's, for training; its results are of the same kind.
    """

    @property
    @abc.abstractmethod
    def width(self) -> int:
        """The width of the inputs."""

    @property
    @abc.abstractmethod
    def exponent(self) -> Either:
        """The generator of each head: rates (heads, m), or a + iω of its pairs of letters (heads, m/2)."""

    @abc.abstractmethod
    def gates(self, inputs: Either) -> Gates:
        """Clock increments, drives, read-outs and skips for inputs (…, steps, width)."""

    @abc.abstractmethod
    def finish(self, inputs: Either, outputs: Either) -> Either:
        """What the model makes of the outputs of its heads, (…, steps, heads)."""

    @property
    def initial(self) -> Either | None:
        """The states before the first input, (heads, m); None for zeros."""
        return None

    def framed(self, states: Either) -> Either:
        """The states of the release from those of the EWS, (…, steps, heads, m) both."""
        return states

    def arranged(self, states: Either) -> Either:
        """States (…, steps, heads, m) in the layout of the release."""
        return states

    def released(self, gates: Gates) -> tuple[Either, Either]:
        """The factors and drives of the release's own recurrence, (…, steps, heads, m)."""
        factors = namespace(gates.drive).exp(-depth_one.elapsed(self.exponent, gates.dtheta))
        return factors, gates.drive

    def recurrence(self, inputs: Either) -> Either:
        """The states by the recurrence of the release alone, in its layout: what a conversion is held against."""
        factors, drives = self.released(self.gates(inputs))
        xp = namespace(drives)
        state = xp.zeros_like(drives[..., 0, :, :])
        if self.initial is not None:
            state = state + xp.broadcast_to(self.initial, state.shape)
        states = []
        for step in range(drives.shape[-3]):
            state = factors[..., step, :, :] * state + drives[..., step, :, :]
            states.append(state)
        return self.arranged(xp.stack(states, axis=-3))
