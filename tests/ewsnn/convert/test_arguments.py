"""The door of the converters: names, shapes, options, and what it says of wrong ones. Kind: identity."""

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.convert import KINDS, Arguments, convert


def given(parameters: dict[str, Any], **options: Any) -> Arguments:
    return Arguments("kind", parameters, options)


def test_names_have_two_spellings_and_keywords_win() -> None:
    arguments = given({"a__weight": [1, 2], "b.weight": [3.0], "rule": np.array("zoh")}, rule="bilinear")
    assert arguments.array("a.weight", ("H",)).tolist() == [1.0, 2.0]
    assert arguments.array("b.weight", (1,)).dtype == np.float64
    assert arguments.option("rule", "zoh", ("zoh", "bilinear")) == "bilinear"
    arguments.finish()
    with pytest.raises(ValueError, match=r"given twice, with a dot and with two underscores: a\.b"):
        given({"a.b": 1, "a__b": 1})


def test_arrays_become_double_and_are_copies() -> None:
    stored = np.array([0.1, 0.2], np.float32)
    found = given({"x": stored}).array("x", ("H",))
    assert found.dtype == np.float64
    assert found.tolist() == [float(np.float32(0.1)), float(np.float32(0.2))]
    own = np.zeros(2)
    assert not np.shares_memory(given({"x": own}).array("x", ("H",)), own)
    assert given({"x": jnp.array([1.5, 2.0], jnp.bfloat16)}).array("x", ("H",)).tolist() == [1.5, 2.0]
    assert given({"x": jnp.arange(2)}).array("x", ("H",)).tolist() == [0.0, 1.0]


def test_complex_numbers_are_pairs_or_themselves() -> None:
    for stored in (np.array([[1.0, 2.0]]), np.array([1 + 2j], np.complex64)):
        found = given({"x": stored}).complex("x", ("H",))
        assert found.dtype == np.complex128
        assert found.tolist() == [1 + 2j]


def test_options_are_words_numbers_and_flags() -> None:
    arguments = given({"word": np.array("a"), "flag": np.array(1), "number": np.array([0.5]), "whole": np.array(3.0)})
    assert arguments.option("word", "b", ("a", "b")) == "a"
    assert arguments.flag("flag", False)
    assert arguments.number("number", 1.0) == 0.5
    assert arguments.integer("whole", 0) == 3
    assert (arguments.flag("no", False), arguments.number("nor", 2.0), arguments.integer("this", 4)) == (False, 2.0, 4)
    assert (arguments.has("other"), arguments.has("word")) == (False, True)
    assert arguments.shape("number") == (1,)
    arguments.finish()


WRONG: dict[str, tuple[Any, str]] = {
    "all that is missing": (lambda a: a.require("x", "y", "z"), "kind: missing y, z; given: x, rule"),
    "another number of axes": (lambda a: a.array("x", ("H", "P")), r"x must be \(H, P\) = \(H, P\), got \(2,\)"),
    "another size": (lambda a: [a.array("x", ("H",)), a.array("w", ("H", 1))], r"\(H, 1\) = \(2, 1\), got \(3, 1\)"),
    "nothing in it": (lambda a: a.array("empty", ("H",)), r"empty is empty, its shape is \(0,\)"),
    "an infinite number": (lambda a: a.array("inf", (1,)), r"inf must be finite, got inf at index \(0,\)"),
    "another word": (lambda a: a.option("rule", "zoh", ("zoh",)), "rule must be one of 'zoh', got 'dss'"),
    "no flag": (lambda a: a.flag("rule", True), "rule must be True or False, got 'dss'"),
    "no number": (lambda a: a.number("rule", 1.0), "rule must be a finite number, got 'dss'"),
    "no whole number": (lambda a: a.integer("half", 1), "half must be a whole number of at least 0, got 0.5"),
    "below the least": (lambda a: a.integer("two", 1, least=3), "of at least 3, got 2"),
    "many values": (lambda a: a.number("x", 1.0), r"x is one value, got an array of shape \(2,\)"),
    "unknown keys": (lambda a: [a.has("x"), a.finish()], "kind has no 'rule', 'w'.*options are x"),
    "lists that are no array": (lambda a: a.array("ragged", ("H",)), "ragged must be an array of numbers"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit_is_refused(name: str) -> None:
    call, message = WRONG[name]
    stored = {"x": [1.0, 2.0], "rule": "dss", "w": np.ones((3, 1)), "empty": np.ones(0), "inf": [np.inf]}
    if name != "all that is missing":
        stored |= {"half": 0.5, "two": 2, "ragged": [[1.0], [1.0, 2.0]]}
    else:
        stored = {key: stored[key] for key in ("x", "rule")}
    with pytest.raises(ValueError, match=message):
        call(given(stored))


@pytest.mark.parametrize("stored", [np.array(["a"]), np.array([True]), np.array([1j])])
def test_what_is_no_real_number_is_refused(stored: np.ndarray) -> None:
    with pytest.raises(TypeError, match=r"kind: x must be (real )?numbers, got an array of"):
        given({"x": stored}).array("x", ("H",))


def test_an_unknown_kind_is_refused_and_every_kind_names_what_it_lacks() -> None:
    with pytest.raises(ValueError, match=r"unknown kind 's7'; known are .*lru.*s4, s4d"):
        convert("s7", {})
    for kind in KINDS:
        with pytest.raises(ValueError, match=f"{kind}: missing .*given: nothing"):
            convert(kind, {})
