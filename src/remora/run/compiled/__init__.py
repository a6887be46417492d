"""Compiled code of a run: plant steps, samples of sensors and parts of every step between two ticks of other parts."""
