"""Exact and arbitrary-precision mathematics of the exponentially weighted signature."""
