"""Many vehicles of one layout: packed parameters, variants of one vehicle, and steps of all of them in one call."""
