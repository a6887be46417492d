"""Experiments of the literature that run again: printed figure, our figure, requirement and verdict.

`remora reproduce` lists and runs them; `docs/studies.md` says how to add one. Each source has a package with its
studies and a file `printed.yaml` with printed values, units, bounds and notes on what differs.
"""
