"""Bench tests of thrusters: thrust over command, shaft speed, inflow and voltage."""
