"""Vectors, matrices, quaternions, poses, and elementary functions for every backend."""
