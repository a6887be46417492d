"""Layouts of packed vehicles in compiled code: views of the row, and types per kind of vehicle."""
