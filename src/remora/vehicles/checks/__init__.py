"""Checks of a vehicle: invariants, plausibility, hydrostatics, reachable wrench."""
