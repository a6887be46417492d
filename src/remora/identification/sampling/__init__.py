"""Resampling to a common time base, zero-order hold of inputs, clock offsets, smoothing."""
