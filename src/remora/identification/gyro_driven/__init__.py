"""Identification and calibration of gyro-driven velocity models (Randeni et al. 2018)."""
