"""An executable check for every statement of the theory, each shown to be able to fail."""
