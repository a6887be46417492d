"""Controllers and allocations as parts of a vehicle, with their options."""
