"""Reference solutions of the check-cases, apart from the plant on purpose.

Nothing here imports the equations, the vehicles or the kernels (an import contract holds this). Attitude is a rotation
matrix, the state is the momentum of body and water in fixed axes, and the numbers are those of the problem file.
"""
