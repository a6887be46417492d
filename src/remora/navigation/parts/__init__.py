"""Navigation as parts of a vehicle, with their options."""
