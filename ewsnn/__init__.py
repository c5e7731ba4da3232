"""JAX layers of the exponentially weighted signature: fast, differentiable, checked against ewsmath."""
