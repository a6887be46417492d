"""Check-cases: motions of a submerged body with a definition, a reference trajectory, tolerances and a verdict.

Problem files and reference trajectories are plain files in `cases/`, made to be read by people and by other simulators.
The references are solved independently, in `evidence/tests/checkcases/reference`; `docs/checkcases.md` describes
each case.
"""
