"""Dual numbers in compiled code: exact derivatives of the equations, by forward differentiation."""
