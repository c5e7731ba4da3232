"""Training: configuration, optimisation, checkpoints and the folder of a run."""
