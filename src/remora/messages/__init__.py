"""Data exchanged between the parts of a vehicle: readings, estimates, references, and the interface of a part."""
