"""Thruster laws: one file each, with the equation and everything that the rest of the package derives from it."""
