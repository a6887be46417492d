"""Thrusters, fins, servos, motors, drives and moving masses."""
