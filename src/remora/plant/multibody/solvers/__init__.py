"""Compiled solvers of linked bodies: trees, loops, steps, and the memory that they share."""
