"""Forces on the hull: inertia, Coriolis, damping, restoring, surface piercing."""
