"""Sphinx configuration. Sources are docs/ and notebooks/, taken where they lie; every warning is an error."""

import os

project = "EWS"
author = "the EWS authors"
project_copyright = "2026, the EWS authors"

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx-mathjax-offline",  # mathematics is rendered from files of the build: no page asks a server
]

root_doc = "docs/index"
include_patterns = ["docs/**", "notebooks/**"]
exclude_patterns = ["_build", "**/.ipynb_checkpoints"]

html_theme = "furo"
html_title = "Exponentially weighted signatures"
templates_path: list[str] = []

autodoc_default_options = {"members": True, "show-inheritance": False}
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # "Attributes" of a dataclass would be described twice otherwise
napoleon_custom_sections = [("Paper", "returns_style")]

myst_enable_extensions = ["amsmath", "dollarmath"]
myst_heading_anchors = 3

# Notebooks are stored without outputs and run at every build; a failing or slow cell fails the build, and no
# cached output can hide it.
nb_execution_mode = "force"
nb_execution_timeout = 240  # seconds a cell; the slowest takes a tenth of it on two idle cores
nb_execution_raise_on_error = True
nb_kernel_rgx_aliases = {".*": "python3"}
os.environ.setdefault("JAX_PLATFORMS", "cpu")
