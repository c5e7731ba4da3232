"""Where paths lie on a mesh of devices."""

import dataclasses

import jax
import jax.numpy as jnp
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec
from jaxtyping import Array

from ewsnn.paths import Increments


@dataclasses.dataclass(frozen=True)
class Layout:
    """How paths lie on a mesh of devices: the first batch axis along one of its axes, the steps along another.

    Args:
        mesh: The devices; along axes that are not named here everything is copied.
        batch_axis: The mesh axis over which the paths are spread; None where each device takes all of them.
        time_axis: The mesh axis over which the steps of each path are cut into spans; None to leave paths whole.

    Raises:
        TypeError: If the mesh is none.
        ValueError: If the mesh has no such axes, or none is named, or one twice.

    >>> Layout(jax.make_mesh((1, 1), ("batch", "time"))).spans
    1
    """

    mesh: Mesh
    batch_axis: str | None = "batch"
    time_axis: str | None = "time"

    def __post_init__(self) -> None:
        if not isinstance(self.mesh, Mesh):
            raise TypeError(f"mesh must be a jax.sharding.Mesh, such as jax.make_mesh gives, got {self.mesh!r}.")
        named = [axis for axis in (self.batch_axis, self.time_axis) if axis is not None]
        for axis in named:
            if axis not in self.mesh.axis_names:
                raise ValueError(
                    f"the mesh has axes {self.mesh.axis_names} and no axis {axis!r}: name its axes by batch_axis= and "
                    "time_axis=, with None for what is not cut."
                )
        if not named or len(set(named)) < len(named):
            raise ValueError(
                "batch_axis and time_axis must name two axes of the mesh, or one of them and None, got "
                f"{self.batch_axis!r} and {self.time_axis!r}."
            )
        # With Explicit axes, the default of jax.make_mesh, every array would have to be typed for this mesh before
        # it gets here. On Auto axes JAX moves what lies elsewhere.
        object.__setattr__(self, "mesh", Mesh(self.mesh.devices, self.mesh.axis_names))

    @property
    def spans(self) -> int:
        """The number of spans into which the steps of a path are cut."""
        return 1 if self.time_axis is None else self.mesh.shape[self.time_axis]

    @property
    def of_paths(self) -> PartitionSpec:
        """Where arrays with one entry for each path lie."""
        return PartitionSpec() if self.batch_axis is None else PartitionSpec(self.batch_axis)

    def of_steps(self, increments: Increments) -> PartitionSpec:
        """Where arrays with one entry for each step lie, which have the leading axes of these paths."""
        leading = increments.dt.ndim - 1
        batch = () if leading == 0 else (self.batch_axis, *(leading - 1) * (None,))
        return PartitionSpec(*batch, self.time_axis)

    def place(self, increments: Increments) -> Increments:
        """The same paths on the devices, with as much padding behind as makes all spans equally long.

        Padding is the unit of ⋆: nothing moves, no clock runs, and the states after it do not count for a mean.
        In a run of many processes, each of them passes the same paths, or arrays that lie on all of them already.

        Args:
            increments: The paths; with a ``batch_axis``, their first axis is spread over it.

        Returns:
            The paths, of which each device holds its part; at least one step in every span.

        Raises:
            ValueError: If there is no batch to spread, or one that the devices cannot share equally.
        """
        self._check(increments)
        steps = increments.dt.shape[-1]
        length = self.spans * max(1, -(-steps // self.spans))
        on_steps = NamedSharding(self.mesh, self.of_steps(increments))
        on_paths = NamedSharding(self.mesh, self.of_paths)

        def cut(leaf: Array) -> Array:
            behind = [(0, length - steps if axis == increments.dt.ndim - 1 else 0) for axis in range(leaf.ndim)]
            return jax.device_put(jnp.pad(leaf, behind) if length > steps else leaf, on_steps)

        return Increments(
            dx=cut(increments.dx),
            dt=cut(increments.dt),
            valid=cut(increments.valid),
            elapsed=None if increments.elapsed is None else cut(increments.elapsed),
            start=None if increments.start is None else jax.device_put(increments.start, on_paths),
            lead=None if increments.lead is None else jax.device_put(increments.lead, on_paths),
            operations=increments.operations,
        )

    def _check(self, increments: Increments) -> None:
        context = jax.sharding.get_abstract_mesh()
        if AxisType.Explicit in context.axis_types:
            raise ValueError(
                f"jax.set_mesh holds a mesh whose axes {context.axis_names} are Explicit: make it with "
                "axis_types=(jax.sharding.AxisType.Auto, …), or leave jax.set_mesh away."
            )
        if self.batch_axis is None:
            return
        if increments.dt.ndim < 2:
            raise ValueError(
                f"there is one path without a batch axis, so nothing to spread over the mesh axis {self.batch_axis!r}: "
                "use batch_axis=None."
            )
        paths, devices = increments.dt.shape[0], self.mesh.shape[self.batch_axis]
        if paths % devices:
            raise ValueError(
                f"{paths} paths cannot be shared equally by the {devices} devices along the mesh axis "
                f"{self.batch_axis!r}: add paths that have no valid step, or use batch_axis=None."
            )
