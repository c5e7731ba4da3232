"""What the tests of the fast side share."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gpu: also run on a GPU by python -m ewsnn.benchmarks.gpu; needs no ewsmath.")
