"""Check-cases: motions of a submerged body with a definition, a reference trajectory, a tolerance and a verdict.

The problems and their references are plain files in `cases/`, made to be read by people and by other simulators.
`reference` solves them in NumPy and SciPy, apart from the equations of the plant; `running` runs the compiled plant.
`docs/checkcases.md` describes each case.
"""
