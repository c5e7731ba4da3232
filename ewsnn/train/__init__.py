"""Training: configuration, optimisation, checkpoints and the folder of a run."""

from ewsnn.train.config import Config as Config
from ewsnn.train.fit import NotFinite as NotFinite
from ewsnn.train.predictor import Predictor as Predictor
from ewsnn.train.predictor import load as load
from ewsnn.train.run import Run as Run
