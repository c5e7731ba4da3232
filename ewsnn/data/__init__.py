"""Data sets: what they are, how they are read, padded and scaled. Layout: (cases, observations, channels)."""

from ewsnn.data.dataset import Dataset as Dataset
from ewsnn.data.holdout import hold_out as hold_out
from ewsnn.data.padding import batches as batches
from ewsnn.data.padding import pad as pad
from ewsnn.data.pairs import bundled_folder as bundled_folder
from ewsnn.data.pairs import find_pair as find_pair
from ewsnn.data.pairs import find_test as find_test
from ewsnn.data.pairs import read_pair as read_pair
from ewsnn.data.scaling import Scaling as Scaling
from ewsnn.data.ts import read_ts as read_ts
