"""Run the laws of signatures on other libraries, as far as they are installed, and print what was found.

    python laws_on_other_libraries.py

Each law is tried on 200 paths of each dtype, the same ones every time. What fails is shrunk and shown in full.
"""

import sys
from collections.abc import Callable
from importlib import import_module, metadata
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ewsmath import laws, strategies

EXAMPLES = 200
DEPTH = 4

Signature = Callable[[Any], Any]


def signax() -> dict[str, Signature]:
    """The functions of signax, in single precision and, where JAX is told so, in double."""
    import_module("jax").config.update("jax_enable_x64", True)
    signature = import_module("signax").signature
    return dict.fromkeys(("float32", "float64"), lambda path: np.asarray(signature(path, DEPTH)))


def roughpy() -> dict[str, Signature]:
    """The functions of RoughPy over its single and its double precision numbers."""
    rp = import_module("roughpy")

    def over(scalars: Any) -> Signature:
        def signature(path: Any) -> Any:
            context = rp.get_context(path.shape[1], DEPTH, scalars)
            steps = len(path) - 1
            indices = np.arange(1.0, steps + 1)
            stream = rp.LieIncrementStream.from_increments(np.diff(path, axis=0), indices=indices, ctx=context)
            return np.array(stream.signature(rp.RealInterval(0.0, steps + 1.0), ctx=context))

        return signature

    return {"float32": over(rp.SPReal), "float64": over(rp.DPReal)}


def iisignature() -> dict[str, Signature]:
    """The function of iisignature, which computes in double precision."""
    sig = import_module("iisignature").sig
    return {"float64": lambda path: sig(path, DEPTH)}


LIBRARIES: dict[str, Callable[[], dict[str, Signature]]] = {
    "signax": signax,
    "roughpy": roughpy,
    "iisignature": iisignature,
}

LAWS: dict[str, Callable[[Signature, Any, Any], None]] = {
    "chen at a point": lambda f, path, phi: laws.chen(f, path, 1),
    "chen inside a piece": lambda f, path, phi: laws.chen(f, path, 0.5),
    "level one": lambda f, path, phi: laws.level_one(f, path),
    "shuffle": lambda f, path, phi: laws.shuffle(f, path),
    "reparametrisation": lambda f, path, phi: laws.reparametrisation(f, path, phi),
    "scaling": lambda f, path, phi: laws.scaling(f, path),
    "time reversal": lambda f, path, phi: laws.time_reversal(f, path),
    "one point gives 1": lambda f, path, phi: laws.assert_close(f(path[:1]), [0.0] * 30, dtype=path.dtype, dim=2),
}


def outcome(law: Callable[[Signature, Any, Any], None], signature: Signature, dtype: str) -> str:
    """What became of a law: "holds", or the shrunk example and the message."""
    last: list[Any] = []

    @settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None)
    @given(strategies.path_arrays(2, dtype=dtype, max_points=5), st.one_of(st.none(), strategies.reparametrisations()))
    def tried(path: Any, phi: Any) -> None:
        last[:] = [path, phi]
        law(signature, path, phi)

    try:
        tried()
    except AssertionError as failure:
        return f"FAILS for path {last[0].tolist()}, φ {last[1]}\n{failure}".replace("\n", "\n    ")
    except Exception as error:
        return f"RAISES {type(error).__name__} for path {last[0].tolist()}: {str(error).splitlines()[0][:100]}"
    return "holds"


def main() -> int:
    """Try all laws on all libraries; 0 when a library was there, else 1."""
    tried = 0
    for library, functions in LIBRARIES.items():
        try:
            found = functions()
        except ImportError:
            sys.stdout.write(f"{library}: not installed, skipped\n")
            continue
        tried += 1
        for dtype, signature in found.items():
            for name, law in LAWS.items():
                report = outcome(law, signature, dtype)
                sys.stdout.write(f"{library} {metadata.version(library)}, {dtype}, {name}: {report}\n")
                sys.stdout.flush()
    return 0 if tried else 1


if __name__ == "__main__":
    sys.exit(main())
