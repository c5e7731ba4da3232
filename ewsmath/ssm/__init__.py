"""Trained state-space models as recurrences and as EWS of depth one, exact or in rigorous balls."""

from ewsmath.ssm.certificate import Certificate, certify, distance
from ewsmath.ssm.conversion import Conversion
from ewsmath.ssm.fractions import FRACTIONS
from ewsmath.ssm.linear import LinearSSM
from ewsmath.ssm.linoss import DLinOSS, LinOSS
from ewsmath.ssm.lru import LRU
from ewsmath.ssm.mamba2 import Mamba2
from ewsmath.ssm.match import match
from ewsmath.ssm.model import AbstractLinear, AbstractModel
from ewsmath.ssm.numbers import Exponentiated, Softplus
from ewsmath.ssm.parts import Converted, Increment, Layer, Reading, Step
from ewsmath.ssm.recurrence import Recurrence, Trajectory
from ewsmath.ssm.retention import MultiScaleRetention, Retention, Token
from ewsmath.ssm.s4 import S4
from ewsmath.ssm.s4d import S4D
from ewsmath.ssm.s5 import S5
from ewsmath.ssm.s6 import S6, Mamba1
from ewsmath.ssm.selective import Gate, SelectiveScan
from ewsmath.ssm.ssd import HeadGate, SSDScan
from ewsmath.ssm.working_ring import UndecidedError

__all__ = [
    "FRACTIONS",
    "LRU",
    "S4",
    "S4D",
    "S5",
    "S6",
    "AbstractLinear",
    "AbstractModel",
    "Certificate",
    "Conversion",
    "Converted",
    "DLinOSS",
    "Exponentiated",
    "Gate",
    "HeadGate",
    "Increment",
    "Layer",
    "LinOSS",
    "LinearSSM",
    "Mamba1",
    "Mamba2",
    "MultiScaleRetention",
    "Reading",
    "Recurrence",
    "Retention",
    "SSDScan",
    "SelectiveScan",
    "Softplus",
    "Step",
    "Token",
    "Trajectory",
    "UndecidedError",
    "certify",
    "distance",
    "match",
]
