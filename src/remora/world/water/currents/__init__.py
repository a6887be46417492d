"""Models of currents: one file each, with the keys in a scenario, the construction and the flow field."""
