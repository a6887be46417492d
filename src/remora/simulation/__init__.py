"""Simulation: multiple-rate loop, plant, faults, monitoring, scenario files, recorder and checkpoints."""
