"""Fault detection and isolation on board: thrusters that lost thrust, from inertial readings and the plant."""
