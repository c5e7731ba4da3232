"""What a run is printed beside."""

from ewsnn.baselines.mean_logistic import MeanLogistic as MeanLogistic
