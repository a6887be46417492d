"""Properties of the water: pressure, sound speed and current profile."""
