"""A run: multiple-rate loop, plant, faults, monitoring, recorder and checkpoints."""
