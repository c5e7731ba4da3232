"""Trained state-space models as EWS of depth one."""
