"""Vehicles of a batch in the lanes of SIMD registers."""
