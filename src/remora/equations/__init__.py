"""The physics: each equation written once, as a plain function on tuples of scalars.

The same source runs as plain Python, as Numba machine code, as a CasADi expression and by NumPy broadcasting. Therefore
this package imports only the standard library and itself, never branches on a value (`elementary.select` does) and
never modifies an argument.
"""
