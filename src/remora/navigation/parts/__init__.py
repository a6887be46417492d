"""Navigation parts of a vehicle, with their options."""
