"""``python -m ewsnn``: the command line."""

from ewsnn.cli import main

main()
