"""What a run is printed beside: state-space models, an LSTM, and a regression on means."""

from ewsnn.baselines.block import Block as Block
from ewsnn.baselines.block import Stack as Stack
from ewsnn.baselines.channel_norm import ChannelNorm as ChannelNorm
from ewsnn.baselines.converted import converted as converted
from ewsnn.baselines.dlinoss import DLinOSS as DLinOSS
from ewsnn.baselines.linoss import LinOSSIM as LinOSSIM
from ewsnn.baselines.linoss import LinOSSIMEX as LinOSSIMEX
from ewsnn.baselines.lru import LRU as LRU
from ewsnn.baselines.lstm import LSTM as LSTM
from ewsnn.baselines.mean_logistic import MeanLogistic as MeanLogistic
from ewsnn.baselines.network import Classifier as Classifier
from ewsnn.baselines.network import Regressor as Regressor
from ewsnn.baselines.network import read as read
from ewsnn.baselines.s5 import S5 as S5
from ewsnn.baselines.s6 import S6 as S6
