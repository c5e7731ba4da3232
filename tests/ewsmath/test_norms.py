"""Norms: values in every ring."""

from typing import Any

import pytest

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls, norms
from ewsmath.norms import norm


class Unordered:
    """A ring that brings the five names, and no order."""

    name, zero, one = "Unordered", QQ.zero, QQ.one
    coerce, ratio, equal = QQ.coerce, QQ.ratio, QQ.equal


@pytest.mark.parametrize("ring", [QQ, QQ_I, EE, Balls(64)])
def test_known_norms(ring: Any) -> None:
    v = [ring.coerce(x) for x in (2, -3, 6)]
    assert norm(ring, v, "l1") == 11
    assert norm(ring, v, "l2") == 7
    assert norm(ring, [], "l1") == 0


def test_irrational_norms_are_at_home_in_balls() -> None:
    ring = Balls(64)
    assert norm(ring, [ring.one, ring.one], "l2") * norm(ring, [ring.one, ring.one], "l2") == 2
    with pytest.raises(ValueError, match="irrational"):
        norm(QQ, [QQ.one, QQ.one], "l2")


@pytest.mark.parametrize("kind", norms.NORMS)
@pytest.mark.parametrize("ring", [QQ_I, EE, ComplexBalls(64)])
def test_complex_vectors_are_refused(ring: Any, kind: norms.Norm) -> None:
    # Their squares i² + 1² would cancel to the norm 0.
    with pytest.raises(ValueError, match="real"):
        norm(ring, [ring.coerce(QQ_I.i), ring.one], kind)


def test_unknown_norms_and_unordered_rings_are_refused() -> None:
    with pytest.raises(ValueError, match=r"'l3'.*'l1'.*'l2'"):
        norms.check_norm("l3")
    with pytest.raises(TypeError, match="does not order"):
        norm(Unordered(), [], "l1")
