"""Reference solutions of the check-cases, independent of the package on purpose: nothing here imports `remora`.

Attitude is a rotation matrix, the state is the momentum of body and water in fixed axes, and the numbers are those of
the problem file. `make references` solves all cases again and writes their trajectories.
"""
