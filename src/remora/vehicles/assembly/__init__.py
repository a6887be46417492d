"""From the sections of a vehicle file to parameters in SI units and body axes."""
