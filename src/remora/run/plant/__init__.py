"""The simulated vehicle: motion, external loads, actuator drives, battery, tether."""
