"""The code of the how-to pages runs as it is printed, block after block."""

import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ewsmath import QQ, SR, Balls, PiecewiseLinearPath, TensorAlgebra, signature
from ewsmath.rings import ExponentialRing, Ring, supports

PAGES = Path(__file__).parents[2] / "docs" / "how_to"


def run(page: str) -> dict[str, Any]:
    """What the names of a page stand for after its blocks have run."""
    module = ModuleType(page)
    blocks = re.findall(
        r"^```python\n(.*?)^```$", (PAGES / f"{page}.md").read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    assert blocks
    for block in blocks:
        exec(compile(block, f"{page}.md", "exec"), module.__dict__)
    return module.__dict__


def test_a_ring_in_thirty_lines() -> None:
    page = run("add_a_ring")
    D, Dual = page["D"], page["Dual"]
    assert supports(D, Ring)
    assert supports(D, ExponentialRing)
    # Its door refuses what the doors of the package refuse, and rings are not mixed.
    with pytest.raises(TypeError, match="A float is not exact"):
        D.coerce(0.5)
    with pytest.raises(ValueError, match="are not mixed"):
        _ = TensorAlgebra(D, 2, 2).one() + TensorAlgebra(QQ, 2, 2).one()
    # d/dx of the area between (x, 0) and (x, 1) by the product rule.
    x = Dual(D.coerce(3).x, D.one.x)
    S = signature(PiecewiseLinearPath(None, [[D.zero, 0], [x, 0], [x, 1]], D), 2)
    assert S[1, 2] == x
    assert S[2, 1] == D.zero


def test_a_generator_in_one_class() -> None:
    page = run("add_a_generator")
    make = page["CriticallyDamped"]
    coarse = make(QQ.ratio(1, 3), ring=Balls(16))
    assert max(x.radius for x in coarse.over(Balls(512)).matrix.entries) < QQ.ratio(1, 2**500)
    a = SR.symbol("a")
    E = make(a).exponential(SR.symbol("r"))
    assert E.map(SR, lambda f: f.derivative("r")) == -(make(a).matrix @ E)
